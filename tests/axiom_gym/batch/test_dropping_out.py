"""Eliminated players in simultaneous games, and games of many players: in the batch, and with a
learner and opponents."""

from __future__ import annotations

import copy
import itertools
import pickle
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from axiom_gym.adapters.gymnasium import AxiomEnv, AxiomVectorEnv
from axiom_gym.batch import Batch
from axiom_gym.batch.types import NO_LEARNER
from axiom_gym.opponents.seating import Seating
from axiom_gym.opponents.turn_seating import TurnSeating
from axiom_gym.play.match import Match
from axiom_gym.play.simulation import simulate

MODES = ("next_step", "same_step", "disabled")
SAFE, DEADLY = (0, 0), (0, 1)
"""Sub-actions of a player aboard, with sharks: none bails, and the bucket is one too many."""
EVERYBODY = 64


def legal_orders(batch: Batch, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """Return random sub-actions (B, P, K)."""
    masks = batch.buffers.masks
    ranked = rng.random(masks.shape) * masks
    return ranked.argmax(axis=3)


# -- offenders among many players ------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.boundscheck
@pytest.mark.parametrize(
    "offenders", [[0], [15], [16], [31, 32], [63], [0, 17, 62, 63], list(range(EVERYBODY))]
)
def test_offenders__are_marked_among_64_players(raft: ModuleType, offenders: list[int]) -> None:
    batch = Batch(raft.GAME, 2, preset="crowd", danger=0)
    batch.reset(1)
    batch.buffers.actions[:] = SAFE
    batch.buffers.actions[1, offenders, 1] = 4
    batch.step()
    marks = batch.buffers.episodes["offenders"]
    assert (marks.shape, marks.dtype) == ((2, EVERYBODY), np.int8)
    assert not marks[0].any()
    assert np.flatnonzero(marks[1]).tolist() == offenders
    assert (marks <= 1).all()
    left_out = batch.buffers.states["given"][1, :, 1] == -1
    assert np.flatnonzero(left_out).tolist() == offenders
    batch.buffers.actions[:] = SAFE
    batch.step()
    assert not batch.buffers.episodes["offenders"].any()


@pytest.mark.slow
@pytest.mark.parametrize("offenders", [[63], [16, 40], list(range(63)), list(range(EVERYBODY))])
def test_forfeit__is_paid_by_each_of_64_players(raft: ModuleType, offenders: list[int]) -> None:
    batch = Batch(raft.GAME, preset="crowd", on_illegal="forfeit", autoreset="disabled")
    batch.reset(1)
    batch.buffers.actions[:] = SAFE
    batch.buffers.actions[0, offenders, 0] = -7
    batch.step()
    others = EVERYBODY - len(offenders)
    low = raft.GAME.info.min_outcome
    expected = np.full(EVERYBODY, -low * len(offenders) / max(others, 1), np.float32)
    expected[offenders] = low
    assert np.array_equal(batch.buffers.rewards[0], expected)
    assert batch.buffers.terminated[0]


@pytest.mark.slow
@pytest.mark.parametrize("seat", [0, 31, 63])
def test_illegal_action__is_the_learners_own(raft: ModuleType, seat: int) -> None:
    """Among 64 players; illegal actions of opponents are not reported."""

    def clumsy(observations: Any, masks: Any, rng: Any) -> Any:
        return np.full(masks.shape[:2], 9)

    options = {"preset": "crowd", "danger": 0, "seat": seat, "opponent": clumsy}
    options["on_illegal"] = "noop"
    single, vector = AxiomEnv(raft.GAME, **options), AxiomVectorEnv(raft.GAME, 2, **options)
    single.reset(seed=1)
    vector.reset(seed=1)
    for action, illegal in (SAFE, False), ((raft.SWIM, 0), True), (SAFE, False):
        *_, info = single.step(action)
        assert info["illegal_action"] == illegal
        *_, infos = vector.step(np.array([SAFE, action]))
        assert infos["illegal_action"].tolist() == [False, illegal]
        assert vector.batch.buffers.episodes["offenders"].sum(axis=1).tolist() == [63, 63 + illegal]


def test_offenders__accumulate_over_opponents_turns(brawl: ModuleType) -> None:
    """In a sequential game they accumulate from one decision of the learner to the next."""
    actions = itertools.cycle([9, brawl.REST])

    def clumsy(observations: Any, masks: Any, rng: Any) -> Any:
        return np.full(masks.shape[:2], next(actions))

    env = AxiomVectorEnv(brawl.GAME, opponent=clumsy, on_illegal="noop")
    env.reset(seed=1)
    marks = env.batch.buffers.episodes["offenders"]
    for action, expected in (brawl.REST, [0, 1, 1]), (9, [1, 0, 0]), (brawl.REST, [0, 1, 1]):
        rows = env.seating.step(np.array([[action]]))
        assert marks.tolist() == [expected]
        assert rows.illegal.tolist() == [expected[0]]


def test_forfeit__in_an_opening_is_not_paid_by_earlier_offenders(
    brawl: ModuleType,
) -> None:
    """The learner forfeits; then an opponent does in the next opening, and the learner gains."""
    asked = []

    def clumsy(observations: Any, masks: Any, rng: Any) -> Any:
        asked.append(len(observations))
        return np.full(masks.shape[:2], 0 if len(asked) == 1 else 9)

    env = AxiomVectorEnv(
        brawl.GAME, seat=1, opponent=clumsy, on_illegal="forfeit", autoreset_mode="same_step"
    )
    env.reset(seed=1)
    rows = env.seating.step(np.array([[9]]))
    assert (rows.rewards.tolist(), rows.terminated.tolist()) == ([-20.0], [True])
    _, rewards, terminated, _, infos = env.step(np.array([0]))
    assert (rewards.tolist(), terminated.tolist()) == ([10.0], [True])
    assert infos["episode_return"].tolist() == [10.0]


# -- batches, matches and simulations play to the end of the game ----------------------------------


@pytest.mark.parametrize("autoreset", MODES)
def test_batch__continues_when_players_are_eliminated(raft: ModuleType, autoreset: str) -> None:
    batch = Batch(raft.GAME, 2, preset="sharks", turns=6, autoreset=autoreset)
    batch.reset(1)
    gone: list[int] = []
    for turn in range(1, 7):
        batch.buffers.actions[:] = batch.buffers.masks.argmax(axis=3)
        if turn in (2, 3, 4):
            batch.buffers.actions[0, turn - 2] = DEADLY
        given = batch.buffers.actions.copy()
        batch.step()
        assert not batch.buffers.rewards[0, gone].any()
        assert batch.buffers.terminated.tolist() == [turn == 6] * 2
        assert not batch.buffers.truncated.any()
        gone += [turn - 2] if turn in (2, 3, 4) else []
        if turn < 6:
            assert np.flatnonzero(~batch.alive()).tolist() == gone
            assert batch.alive(1).all()
            assert np.array_equal(batch.buffers.states["given"][:, :3], given)
            assert batch.buffers.masks[0, gone].argmax(axis=2).tolist() == [[2, 1]] * len(gone)
    assert (batch.buffers.episodes["learner"] == NO_LEARNER).all()
    assert batch.buffers.episodes["final_length"].tolist() == [6, 6]


def test_match__lets_bots_play_for_eliminated_players(raft: ModuleType) -> None:
    """To the end of the game, the sub-actions of an eliminated player are those of the bot."""

    def reckless(observations: Any, masks: Any, rng: Any) -> Any:
        return 3 - masks[:, :, ::-1].argmax(axis=2)

    replay = Match(raft.GAME, ["sailor", reckless, reckless], seed=1, preset="sharks").play()
    assert len(replay.turns) == 30
    assert {turn.orders[1] for turn in replay.turns[1:]} == {(raft.SWIM, 3)}
    assert {turn.orders[0] for turn in replay.turns} == {(raft.RIGHT, 0)}


def test_simulate__plays_to_the_end_of_the_game(raft: ModuleType) -> None:
    length = simulate(raft.GAME, games=20, preset="sharks", turns=9).length
    assert (length["least"], length["most"]) == (9, 9)


# -- a learner's episode ends when it is eliminated ------------------------------------------------


class Twins:
    """Test double: the games of an environment, each in a batch of one without a learner."""

    def __init__(self, env: AxiomVectorEnv, game: Any, seed: int, **options: Any) -> None:
        self.env, self.early = env, 0
        self.batches = [Batch(game, autoreset="disabled", **options) for _ in range(env.num_envs)]
        for i, batch in enumerate(self.batches):
            batch.reset(seed + i)

    def step(self, i: int, result: Any) -> None:
        """Play the same turn of one game as the environment, and compare."""
        batch, seat = self.batches[i], self.env.seating.final_seats()[i]
        batch.buffers.actions[0] = self.env.batch.buffers.actions[i]
        batch.step()
        seen, rewards, terminated, truncated, infos = result
        by_rules, cut = batch.buffers.terminated[0], batch.buffers.truncated[0]
        is_early = not (by_rules or cut or batch.alive()[seat])
        self.early += is_early
        assert rewards[i] == batch.buffers.rewards[0, seat]
        assert (terminated[i], truncated[i]) == (by_rules or is_early, cut)
        if terminated[i] or truncated[i]:
            episode = batch.buffers.episodes[0]
            assert infos["episode_return"][i] == episode["returns"][seat]
            assert infos["episode_length"][i] == episode["length"]
            last = infos.get("final_obs", seen)
            assert np.array_equal(last[i], batch.views()[seat])


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "more",
    [
        {"seat": 0},
        {"seat": 2, "danger": 60},
        {"seat": "random", "opponent": ["random", "sailor"]},
        {"seat": "random", "danger": 60, "max_turns": 4},
        {"seat": 1, "opponent": "sailor", "num_threads": 2, "turns": 5},
    ],
    ids=["first", "last", "random", "limit", "threads"],
)
def test_vector_env__ends_an_episode_when_its_learner_is_eliminated(
    raft: ModuleType, mode: str, more: dict[str, Any]
) -> None:
    env = AxiomVectorEnv(raft.GAME, 6, autoreset_mode=mode, **more)
    env.reset(seed=3)
    rules = {key: more[key] for key in ("danger", "turns", "max_turns") if key in more}
    twins, rng = Twins(env, raft.GAME, 3, **rules), np.random.default_rng(1)
    over = np.zeros(6, np.bool_)
    for _ in range(120):
        fresh = over & (mode == "next_step")
        result = env.step(env.seating.select(legal_orders(env.batch, rng)))
        over = result[2] | result[3]
        for i in range(6):
            if fresh[i]:
                twins.batches[i].reset()
                assert not over[i]
                assert result[1][i] == 0
            else:
                twins.step(i, result)
            if over[i] and mode != "next_step":
                twins.batches[i].reset()
        if mode == "disabled" and over.any():
            env.reset(options={"reset_mask": over})
    assert twins.early >= 10
    env.close()


@pytest.mark.parametrize("seat", [0, 1, "random"])
def test_single_env__ends_when_its_learner_is_eliminated(raft: ModuleType, seat: int | str) -> None:
    env = AxiomEnv(raft.GAME, preset="sharks", opponent="sailor", seat=seat)
    for seed in range(4):
        env.reset(seed=seed)
        *_, terminated, truncated, info = env.step(SAFE)
        assert (terminated, truncated) == (False, False)
        first = env.batch.buffers.episodes["returns"][0, env._seating.row_seats[0]]
        seen, reward, terminated, truncated, info = env.step(DEADLY)
        wet = env.batch.buffers.states["wave"][0] == 0
        assert reward == 0.25 - 0.25 * wet - 0.5
        assert (terminated, truncated) == (True, False)
        assert (info["episode_return"], info["episode_length"]) == (first + reward, 2)
        assert seen[3] == 0
        assert seen[4:].tolist() == [1, 1]


def test_truncation__takes_precedence_over_an_eliminated_learner(raft: ModuleType) -> None:
    env = AxiomEnv(raft.GAME, preset="sharks", opponent="sailor", max_turns=1)
    env.reset(seed=1)
    *_, terminated, truncated, _ = env.step(DEADLY)
    assert (terminated, truncated) == (False, True)


def test_self_play__lasts_until_the_end_of_the_game(raft: ModuleType) -> None:
    """In the first two of four games all seats are rows; in the others one is."""
    batch = Batch(raft.GAME, 4, preset="sharks", turns=5, autoreset="disabled")
    seating = Seating(batch, "sailor", 1, self_play_games=2)
    seating.reset(1)
    assert batch.buffers.episodes["learner"].tolist() == [NO_LEARNER, NO_LEARNER, 1, 1]
    actions = np.zeros((8, 2), np.int64)
    actions[[0, 1, 2, 3, 6]] = DEADLY
    seating.step(actions)
    assert batch.buffers.terminated.tolist() == [False, False, True, False]
    batch.reset(which=batch.buffers.terminated)
    for turn in range(2, 6):
        seating.step(seating.select(batch.buffers.masks).argmax(axis=2))
        assert not seating.final(batch.buffers.rewards)[:4].any()
        assert batch.buffers.terminated[:2].tolist() == [turn == 5] * 2


# -- the seating determines the learner's seat -----------------------------------------------------


def seat_of(seating: Seating) -> list[int]:
    learners: list[int] = seating.batch.buffers.episodes["learner"].tolist()
    return learners


def test_learner__has_the_seat_of_the_seating(raft: ModuleType) -> None:
    for seat in (0, 2):
        seating = Seating(Batch(raft.GAME, 3), seat=seat)
        assert seat_of(seating) == [NO_LEARNER] * 3
        seating.reset(1)
        assert seat_of(seating) == [seat] * 3
    seating = Seating(seating.batch, self_play_games=3)
    seating.reset(1)
    assert seat_of(seating) == [NO_LEARNER] * 3
    drawn = Seating(Batch(raft.GAME, 20), seat="random")
    drawn.reset(1)
    assert seat_of(drawn) == drawn.row_seats.tolist()
    assert set(seat_of(drawn)) == {0, 1, 2}


@pytest.mark.parametrize("autoreset", ["next_step", "same_step"])
def test_learner__follows_a_random_seat(raft: ModuleType, autoreset: str) -> None:
    batch = Batch(raft.GAME, 20, autoreset=autoreset, max_turns=2)
    seating = Seating(batch, "sailor", "random")
    seating.reset(1)
    seen = set()
    for _ in range(20):
        seating.step(np.zeros((20, 2), np.int64))
        assert seat_of(seating) == seating.row_seats.tolist()
        seen.add(tuple(seat_of(seating)))
    assert len(seen) > 5


def test_state__does_not_contain_the_learners_seat(raft: ModuleType) -> None:
    """A batch without a seating can restore the state of one with a seating, and vice versa."""
    alone = Batch(raft.GAME, preset="sharks")
    seated = AxiomEnv(raft.GAME, preset="sharks", opponent="sailor", seat=1)
    seated.reset(seed=1)
    alone.set_state(seated.batch.get_state())
    for batch in (alone, seated.batch.clone()):
        batch.buffers.actions[:] = DEADLY
        batch.step()
        assert not batch.alive().any()
        assert not batch.buffers.terminated[0]
        assert batch.buffers.episodes["learner"].tolist() == [NO_LEARNER]
    alone.reset(2)
    seated.batch.set_state(alone.get_state())
    assert seated.batch.buffers.episodes["learner"].tolist() == [1]
    *_, terminated, _, _ = seated.step(DEADLY)
    assert terminated


def test_seating__restores_its_learners(raft: ModuleType) -> None:
    def make() -> AxiomVectorEnv:
        return AxiomVectorEnv(raft.GAME, 8, seat="random", opponent="sailor", danger=60)

    env, fresh = make(), make()
    env.reset(seed=1)
    fresh.reset(seed=99)
    seats, saved = seat_of(env.seating), env.get_state()
    assert seat_of(fresh.seating) != seats
    twins = [fresh, pickle.loads(pickle.dumps(env)), copy.deepcopy(env)]
    for one in (*twins, env):
        one.set_state(saved)
        assert seat_of(one.seating) == seats
    for _ in range(40):
        actions = np.stack([env.single_action_space.sample() for _ in range(8)])
        first = env.step(actions)[:4]
        for one in twins:
            pairs = zip(first, one.step(actions)[:4], strict=True)
            assert all(np.array_equal(*pair) for pair in pairs)


def test_turn_seating__sees_a_saved_end_from_its_own_seat(brawl: ModuleType) -> None:
    """The view of a sequential game that has ended is the learner's, also in another seating."""

    def make(seed: int) -> TurnSeating:
        batch = Batch(brawl.GAME, 6, autoreset="disabled", max_turns=12)
        seating = TurnSeating(batch, seat="random")
        seating.reset(seed)
        return seating

    one, other = make(1), make(2)
    assert one.row_seats.tolist() != other.row_seats.tolist()
    while not one.batch.buffers.episodes["ended"].all():
        over = one.batch.buffers.episodes["ended"].copy()
        one.batch.buffers.episodes["ended"] = 0
        one.step(np.zeros((6, 1), np.int64))
        one.batch.buffers.episodes["ended"] |= over
    one.batch.refresh()
    seen = one.batch.buffers.observations.copy()
    other.set_state(one.get_state())
    assert np.array_equal(other.batch.buffers.observations, seen)
    for game, seat in enumerate(one.row_seats):
        assert np.array_equal(seen[game, 0], one.batch.views(game)[seat])
