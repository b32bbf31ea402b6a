"""Steps, rewards and ends, by the contract of kernels."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from axiom_envs.dnd.engine.values.dice import D20Roll
from axiom_envs.skirmish import kernel
from axiom_envs.skirmish.catalogue import READIED, SIMPLE
from axiom_envs.skirmish.config import SkirmishConfig
from axiom_envs.skirmish.game import GAME
from axiom_envs.skirmish.rules import Session
from axiom_gym.batch import Batch
from axiom_gym.kernel import ENDED, ILLEGAL, RUNNING, TRUNCATED
from axiom_gym.seeded_rng import SeededRNG

REACT, DECLINE = SIMPLE.index("react"), SIMPLE.index("decline")


def start(seed: int = 1, **options: Any) -> Batch:
    batch = Batch(GAME, 1, autoreset="disabled", on_illegal="raise", **options)
    batch.reset(seed)
    return batch


def session_of(batch: Batch) -> Session:
    found: Session = batch.params.find(batch.buffers.states[0])
    return found


def is_over(batch: Batch) -> bool:
    return bool(batch.buffers.terminated[0] or batch.buffers.truncated[0])


def play(batch: Batch, bot: str = "random", most: int = 3000) -> npt.NDArray[np.float32]:
    """Play to the end; return the rewards, (steps, P) float32."""
    everybody, rewards = np.zeros((1, batch.num_players), np.int16), []
    for _ in range(most):
        batch.act(bot, everybody, 0)
        batch.step()
        rewards.append(batch.buffers.rewards[0].copy())
        if is_over(batch):
            break
    return np.array(rewards)


def call_step(batch: Batch, action: int) -> tuple[int, npt.NDArray[np.float32]]:
    rewards = np.full(batch.num_players, 9, np.float32)
    actions = np.array([[action]], np.int64)
    return kernel.step(batch.buffers.states[0], actions, rewards, None, batch.params), rewards


# -- decisions -------------------------------------------------------------------------------------


def test_step__refuses_illegal_actions_and_changes_nothing() -> None:
    batch = start()
    mask = batch.buffers.masks[0, 0, 0]
    before = batch.buffers.states.tobytes()
    for action in (-1, len(mask), 2**40, *np.flatnonzero(mask == 0)[::5].tolist()):
        assert call_step(batch, action)[0] == ILLEGAL
        assert batch.buffers.states.tobytes() == before
    assert call_step(batch, 0)[0] == RUNNING
    assert batch.buffers.states.tobytes() != before


def test_legal_actions__agree_with_the_encounter() -> None:
    batch = start(scenario="goblins-vs-fighters")
    for _ in range(60):
        session, seat = session_of(batch), int(batch.buffers.acting[0])
        legal = session.encounter.legal_actions()
        numbers = [session.catalogue.to_index(choice, session) for choice in legal]
        assert np.flatnonzero(batch.buffers.masks[0, 0, 0]).tolist() == sorted(numbers)
        assert seat == ("party", "foes").index(str(session.decider.side))
        mask = np.full((1, session.catalogue.size), 3, np.int8)
        kernel.legal_actions(batch.buffers.states[0], 1 - seat, mask, batch.params)
        assert np.flatnonzero(mask[0]).tolist() == [0]
        play(batch, most=1)


@pytest.mark.compiled_only
def test_reactions__are_decisions_or_automatic() -> None:
    for reactions, expected in ("ask", True), ("auto", False):
        asked = 0
        for seed in range(6):
            batch = start(seed, scenario="goblins-vs-fighters", reactions=reactions)
            while not is_over(batch) and batch.buffers.episodes["length"][0] < 150:
                mask = batch.buffers.masks[0, 0, 0]
                if mask[REACT]:
                    asked += 1
                    assert np.flatnonzero(mask).tolist() == [REACT, DECLINE]
                play(batch, most=1)
        assert (asked > 0) == expected


@pytest.mark.compiled_only
def test_readied_attacks__are_decisions_in_others_turns() -> None:
    questions, kinds = set(), set()
    for seed in range(3):
        batch = start(seed, scenario="goblins-vs-fighters", ready=True)
        for _ in range(250):
            session = session_of(batch)
            if session.is_reaction:
                questions.add(session.encounter.question().split(":")[0])
            kinds |= {session.catalogue.decode(int(k)).kind for k in np.flatnonzero(session.mask)}
            play(batch, most=1)
            if is_over(batch):
                break
    assert questions == {"opportunity attack", "readied attack"}
    assert {*READIED} <= kinds


def test_chance__comes_from_the_generator_of_the_record() -> None:
    batch = start(scenario="duel-fighters")
    dodge, draws = SIMPLE.index("dodge"), SeededRNG(12345)
    batch.buffers.states["rng"] = draws.state
    assert call_step(batch, dodge)[0] == RUNNING
    assert batch.buffers.states["rng"][0] == draws.state
    assert call_step(batch, 0)[0] == RUNNING
    attacks = np.flatnonzero(session_of(batch).mask[28:32])
    batch.buffers.states["rng"] = draws.state
    call_step(batch, 28 + int(attacks[0]))
    rolls = [one for one in session_of(batch).happened() if isinstance(one, D20Roll)]
    assert rolls[0].dice == (draws.range(1, 20), draws.range(1, 20))


# -- rewards ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_rewards__are_the_outcome_at_the_end(seed: int) -> None:
    batch = start(seed, preset="duel")
    rewards = play(batch, "greedy")
    assert batch.buffers.terminated[0]
    winner = session_of(batch).winner
    assert not rewards[:-1].any()
    expected = np.array([1, -1]) if winner == 0 else np.array([-1, 1])
    assert np.array_equal(rewards[-1], expected)
    assert np.array_equal(batch.outcomes()[0], expected)


def test_rewards__of_a_truncated_game_are_0_or_the_shares() -> None:
    for tie_break in False, True:
        batch = start(4, scenario="bandits-vs-party", round_limit=1, tie_break=tie_break)
        rewards = play(batch, "greedy")
        assert batch.buffers.truncated[0]
        party, foes = session_of(batch).shares
        assert party != foes
        expected = 0.2 * (party - foes) if tie_break else 0.0
        np.testing.assert_allclose(rewards[-1], [expected, -expected], atol=1e-6)
        np.testing.assert_allclose(batch.outcomes()[0], rewards[-1], atol=1e-6)


def test_shares__are_of_the_hit_points_left() -> None:
    session = session_of(start(scenario="duel-fighters"))
    (fighter,), (foe,) = session.sides
    whole = fighter.health.maximum.score
    assert session.shares == (1.0, 1.0)
    fighter.health.current = whole // 2
    assert session.shares == (whole // 2 / whole, 1.0)
    foe.health.current = 0
    assert session.potential == pytest.approx(0.5 * (whole // 2 / whole))


@pytest.mark.parametrize("gamma", [1.0, 0.9])
def test_shaping__is_the_difference_of_potentials(gamma: float) -> None:
    plain = start(3, preset="duel")
    shaped = start(3, preset="duel", shaping=0.5, gamma=gamma)
    potentials = [session_of(shaped).potential]
    given = []
    while not is_over(shaped):
        play(shaped, "greedy", most=1)
        given.append(float(shaped.buffers.rewards[0, 0]))
        potentials.append(session_of(shaped).potential)
    rewards = play(plain, "greedy")[:, 0]
    potentials[-1] = 0.0  # the game is terminated
    moved = [gamma * b - a for a, b in itertools.pairwise(potentials)]
    assert any(moved)
    np.testing.assert_allclose(np.array(given) - rewards, 0.5 * np.array(moved), atol=1e-6)
    if gamma == 1.0:
        assert sum(given) == pytest.approx(float(shaped.outcomes()[0, 0]), abs=1e-5)


def test_shaping__of_a_truncated_game_keeps_the_potential() -> None:
    batch = start(4, scenario="bandits-vs-party", round_limit=1, shaping=2.0)
    returns = play(batch, "greedy").sum(axis=0)
    expected = 2.0 * session_of(batch).potential
    assert expected != 0
    np.testing.assert_allclose(returns, [expected, -expected], atol=1e-5)


# -- ends ------------------------------------------------------------------------------------------


def test_game__is_a_draw_when_the_record_is_full() -> None:
    batch = start(scenario="2v2-goblins")
    batch.params.room = 10
    codes = [call_step(batch, int(session_of(batch).mask.argmax()))[0] for _ in range(7)]
    assert codes == [RUNNING] * 6 + [TRUNCATED]
    assert batch.buffers.states["over"][0] == 1
    assert not batch.outcomes().any()
    assert not session_of(batch).encounter.over


def test_game__terminates_in_a_draw_if_both_sides_fall() -> None:
    batch = start(scenario="2v2-goblins")
    session = session_of(batch)
    for one in session.encounter.fighters:
        one.health.current = 0
    code, rewards = call_step(batch, 0)
    assert code == ENDED
    assert not rewards.any()


@pytest.mark.compiled_only
def test_room__is_far_more_than_games_need() -> None:
    batch = start(scenario="2v2-goblins")
    play(batch)
    assert batch.buffers.states["count"][0] < batch.params.room / 4


# -- an agent for each creature --------------------------------------------------------------------


def test_creatures__act_in_their_own_turns() -> None:
    batch = start(2, scenario="goblins-vs-fighters", agents="creatures")
    assert batch.num_players == 6
    seats = set()
    while not is_over(batch):
        session, seat = session_of(batch), int(batch.buffers.acting[0])
        one = [*session.sides[0], *session.sides[1]][seat]
        assert one is session.decider
        assert session.observer_side(seat) == one.side
        seats.add(seat)
        play(batch, "greedy", most=1)
    assert seats == {*range(6)}
    assert session_of(batch).winner >= 0


def test_creatures__share_the_outcome_of_their_side() -> None:
    batch = start(1, scenario="goblins-vs-fighters", agents="creatures")
    rewards = play(batch, "greedy")[-1]
    sign = 1 - 2 * session_of(batch).winner
    np.testing.assert_allclose(rewards, sign * np.array([1, 1, -0.5, -0.5, -0.5, -0.5]))
    assert rewards.sum() == pytest.approx(0)


@pytest.mark.compiled_only
def test_creatures__play_the_game_of_the_sides() -> None:
    states = []
    for agents in "sides", "creatures":
        batch = start(5, scenario="2v2-goblins", agents=agents)
        play(batch, "greedy")
        states.append(batch.buffers.states[0]["actions"].tobytes())
    assert states[0] == states[1]


# -- determinism -----------------------------------------------------------------------------------


@pytest.mark.compiled_only
def test_games__do_not_depend_on_the_size_of_the_batch() -> None:
    names = ("states", "observations", "masks", "rewards", "terminated", "truncated")
    batches = [
        Batch(GAME, 3, preset="training"),
        *(Batch(GAME, 1, preset="training") for _ in "12"),
    ]
    for batch, seed in zip(batches, (8, 8, 10), strict=True):
        batch.reset(seed)
    for _ in range(60):
        for batch in batches:
            batch.sample_actions()
            batch.step()
        for one, place in zip(batches[1:], (0, 2), strict=True):
            for name in names:
                mine, its = getattr(batches[0].buffers, name), getattr(one.buffers, name)
                assert mine[place].tobytes() == its[0].tobytes()


def test_length__has_a_bound() -> None:
    longest = SkirmishConfig(scenario="generated", units=8, round_limit=100)
    assert GAME.info.max_length == 64_000
    assert GAME.dtype(longest)["actions"].shape == (64_000,)
