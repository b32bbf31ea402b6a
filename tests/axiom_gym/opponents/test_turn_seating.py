"""Learners in sequential games, compared with a loop that plays every decision separately."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable, Iterator
from itertools import islice
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pytest

from axiom_gym.adapters.gymnasium import AxiomEnv, AxiomVectorEnv
from axiom_gym.batch import Batch
from axiom_gym.errors import IllegalActionError
from axiom_gym.opponents.seating import make_seating
from axiom_gym.opponents.turn_seating import MOST_REFUSALS, TurnSeating

STEPS = 100
VARIANTS = [
    {"seat": 0},
    {"seat": 2},
    {"seat": 2, "preset": "sudden", "players": 3},
    {"seat": 0, "preset": "sudden", "players": 3},
    {"seat": 1, "turn_limit": 5},
    {"seat": 2, "max_turns": 9},
    {"seat": 2, "preset": "sudden", "players": 3, "max_turns": 3},
    pytest.param({"seat": 3, "preset": "sudden"}, marks=pytest.mark.slow),
    pytest.param({"seat": 0, "preset": "sudden"}, marks=pytest.mark.slow),
    pytest.param({"seat": 3, "preset": "sudden", "max_turns": 3}, marks=pytest.mark.slow),
]


class Transition(NamedTuple):
    """A step of the learner: its observation and action, and the results."""

    seen: bytes
    mask: list[int]
    action: int
    reward: float
    terminated: bool
    truncated: bool
    last_seen: bytes


def last_legal(observations: Any, masks: Any, rng: Any) -> Any:
    """Act as a callable opponent."""
    choices = masks.shape[2]
    return choices - 1 - masks[:, :, ::-1].argmax(axis=2)


def _choose(mask: Any, number: int) -> int:
    """Return the learner's choice for its decision `number`, counted over all episodes."""
    legal = np.flatnonzero(mask)
    return int(legal[(number * 7 + 3) % len(legal)])


class ByHand:
    """Test double: a game whose decisions are all made here."""

    def __init__(self, game: Any, opponent: Any, seat: int, **options: Any) -> None:
        self.batch = Batch(game, autoreset="disabled", **options)
        self.opponent, self.seat = opponent, seat
        self.numbers = np.ones((1, self.batch.num_players), np.int16)
        self.numbers[0, seat] = 0
        self.total = 0.0
        self.decisions = 0

    def _ends(self) -> tuple[bool, bool]:
        terminated, truncated = (bool(self.batch.buffers[k][0]) for k in (-3, -2))
        if not (terminated or truncated) and not self.batch.alive()[self.seat]:
            return True, False
        return terminated, truncated

    def _step(self) -> None:
        self.batch.step()
        self.total += float(self.batch.buffers.rewards[0, self.seat])

    def _let_others_play(self) -> tuple[bool, bool]:
        buffers = self.batch.buffers
        while not any(self._ends()) and buffers.acting[0] != self.seat:
            if isinstance(self.opponent, str):
                self.batch.act(self.opponent, self.numbers, 1)
            else:
                masks = buffers.masks[:, 0]
                buffers.actions[:, 0] = self.opponent(buffers.observations[:, 0], masks, None)
            self._step()
        return self._ends()

    def _view(self) -> bytes:
        return bytes(self.batch.views()[self.seat].tobytes())

    def episode(self, seed: int | None) -> Iterator[Transition]:
        """Return the learner's transitions of an episode."""
        self.batch.reset(seed)
        self.total = 0.0
        ends = self._let_others_play()
        while True:
            seen = self._view()
            mask = self.batch.buffers.masks[0, 0, 0].tolist()
            if any(ends):
                mask = [1] + [0] * (len(mask) - 1)
            action = _choose(mask, self.decisions)
            self.decisions += 1
            if not any(ends):
                self.batch.buffers.actions[0, 0, 0] = action
                self._step()
                ends = self._let_others_play()
            yield Transition(seen, mask, action, self.total, *ends, self._view())
            self.total = 0.0
            if any(ends):
                return

    def play(self, seed: int) -> Iterator[Transition]:
        """Return the transitions of successive episodes."""
        yield from self.episode(seed)
        while True:
            yield from self.episode(None)


def _play_single(env: AxiomEnv, seed: int) -> Iterator[Transition]:
    seen, info = env.reset(seed=seed)
    decisions = 0
    while True:
        mask = info["action_mask"]
        action = _choose(mask, decisions)
        decisions += 1
        later, reward, *ends, info = env.step(action)
        before = bytes(seen.tobytes()), mask.tolist(), action
        yield Transition(*before, reward, *ends, bytes(later.tobytes()))
        seen = later
        if any(ends):
            seen, info = env.reset()


def _play_vector(env: AxiomVectorEnv, seed: int, steps: int) -> list[list[Transition]]:
    """Return each game's transitions, without the steps of mode NEXT_STEP that only reset."""
    games = env.num_envs
    given: list[list[Transition]] = [[] for _ in range(games)]
    seen, infos = env.reset(seed=seed)
    over = np.zeros(games, np.bool_)
    while min(map(len, given)) < steps:
        fresh = over if env.autoreset_mode.name == "NEXT_STEP" else np.zeros(games, np.bool_)
        masks = infos["action_mask"]
        actions = np.array([_choose(masks[i], len(given[i])) for i in range(games)])
        later, rewards, *ends, infos = env.step(actions)
        over = ends[0] | ends[1]
        for i in np.flatnonzero(~fresh).tolist():
            ended = over[i] and "final_obs" in infos
            last = infos["final_obs"][i] if ended else later[i]
            before = bytes(seen[i].tobytes()), masks[i].tolist(), int(actions[i])
            after = float(rewards[i]), *(bool(end[i]) for end in ends), bytes(last.tobytes())
            given[i].append(Transition(*before, *after))
        seen = later
        if env.autoreset_mode.name == "DISABLED" and over.any():
            seen, infos = env.reset(options={"reset_mask": over})
    return [one[:steps] for one in given]


def _assert_equal(given: list[Transition], expected: list[Transition]) -> None:
    for number, (one, other) in enumerate(zip(given, expected, strict=True)):
        assert one._replace(reward=0) == other._replace(reward=0), number
        assert one.reward == pytest.approx(other.reward, abs=1e-6), number


@pytest.fixture(params=VARIANTS, ids=lambda one: "-".join(f"{k}={v}" for k, v in one.items()))
def settings(request: pytest.FixtureRequest) -> dict[str, Any]:
    chosen: dict[str, Any] = request.param
    return dict(chosen)


@pytest.mark.parametrize("opponent", ["random", "bully", last_legal])
def test_single_env__is_the_game_played_by_hand(
    brawl: ModuleType, settings: dict[str, Any], opponent: Any
) -> None:
    env = AxiomEnv(brawl.GAME, opponent=opponent, **settings)
    given = list(islice(_play_single(env, 5), STEPS))
    expected = list(islice(ByHand(brawl.GAME, opponent, **settings).play(5), STEPS))
    _assert_equal(given, expected)
    assert sum(one.terminated or one.truncated for one in given) > 3


@pytest.mark.parametrize("opponent", ["bully", last_legal])
@pytest.mark.parametrize(
    ("mode", "num_threads"), [("next_step", 1), ("same_step", 2), ("disabled", 1)]
)
def test_vector_env__is_the_games_played_by_hand(
    brawl: ModuleType, settings: dict[str, Any], mode: str, opponent: Any, num_threads: int
) -> None:
    more = {"autoreset_mode": mode, "num_threads": num_threads}
    env = AxiomVectorEnv(brawl.GAME, 3, opponent=opponent, **more, **settings)
    for game, given in enumerate(_play_vector(env, 5, 40)):
        by_hand = ByHand(brawl.GAME, opponent, **settings)
        _assert_equal(given, list(islice(by_hand.play(5 + game), 40)))
    env.close()


@pytest.mark.slow
def test_openings__can_end_the_episode(brawl: ModuleType) -> None:
    """The learner acts once, without effect; the step reports the end and the rewards."""
    env = AxiomEnv(brawl.GAME, opponent="random", seat=3, preset="sudden")
    ended_before = 0
    for seed in range(40):
        _, info = env.reset(seed=seed)
        state = env.batch.buffers.states[0].copy()
        if state["lives"][3]:
            continue
        ended_before += 1
        assert info["action_mask"].tolist() == [1, 0, 0, 0]
        _, reward, terminated, truncated, info = env.step(2)
        assert (terminated, truncated, info["episode_length"]) == (True, False, 1)
        place = 1 - 2 * np.count_nonzero(state["lives"]) / 3
        assert reward == pytest.approx(place - 1 / 8)
        assert info["episode_return"] == pytest.approx(reward)
        assert not info["illegal_action"]
    assert ended_before > 5


def test_learner__ends_its_episode_when_eliminated(brawl: ModuleType) -> None:
    """The game of the others is not played to its end; the reward for the rank is paid."""
    env = AxiomEnv(brawl.GAME, opponent="bully", seat=0)
    early = 0
    for seed in range(30):
        env.reset(seed=seed)
        over = False
        while not over:
            _, _, terminated, truncated, info = env.step(0)
            over = terminated or truncated
        lives = env.batch.buffers.states[0]["lives"]
        if terminated and np.count_nonzero(lives) > 1:
            early += 1
            assert lives[0] == 0
            assert info["episode_return"] == pytest.approx(
                -1 - 2 / 8
            )  # the reward for the last rank, and two hits
    assert early > 3


# -- opponents that give illegal actions -----------------------------------------------------------


def never_legal(observations: Any, masks: Any, rng: Any) -> Any:
    return np.full(masks.shape[:2], masks.shape[2])


def test_illegal_opponent__is_refused_and_the_step_not_made(brawl: ModuleType) -> None:
    answers = iter([last_legal] * 8 + [never_legal] * 100)

    def opponent(observations: Any, masks: Any, rng: Any) -> Any:
        rng.random()
        return next(answers)(observations, masks, rng)

    seating = make_seating(Batch(brawl.GAME, 2, on_illegal="raise"), opponent)
    assert type(seating) is TurnSeating
    seating.reset(1)
    rest = np.zeros((2, 1), np.int64)
    said = ""
    while not said:
        before, draws = seating.batch.get_state(), seating._rng.bit_generator.state
        try:
            seating.step(rest)
        except IllegalActionError as error:
            said = str(error)
    assert re.search(r"sub-action 0 of player_[12] is 3, which is illegal; legal are \[0", said)
    assert seating.batch.get_state() == before
    assert seating._rng.bit_generator.state == draws


def test_illegal_opponent__of_a_new_episode_leaves_its_players_too(brawl: ModuleType) -> None:
    """Seats and opponents are drawn before the opening in which the action is refused."""
    refuse = False

    def opponent(observations: Any, masks: Any, rng: Any) -> Any:
        is_opening = (observations[:, -2] == 1).all()
        return (never_legal if refuse and is_opening else last_legal)(observations, masks, rng)

    batch = Batch(brawl.GAME, 1, on_illegal="raise", autoreset="same_step")
    seating = make_seating(batch, [opponent, "bully"], "random")
    seating.reset(1)
    rest, refused = np.zeros((1, 1), np.int64), 0
    for _ in range(300):
        before, refuse = pickle.dumps(seating.get_state()), True
        try:
            seating.step(rest)
        except IllegalActionError:
            refused += 1
            assert pickle.dumps(seating.get_state()) == before
            refuse = False
            seating.step(rest)
    assert refused > 3


def test_illegal_opponent__loses_by_forfeit(brawl: ModuleType) -> None:
    env = AxiomEnv(brawl.GAME, opponent=never_legal, on_illegal="forfeit")
    env.reset(seed=1)
    _, reward, terminated, _, info = env.step(0)
    assert (reward, terminated, info["illegal_action"]) == (10.0, True, False)


def test_illegal_opponent__cannot_stop_a_game_forever(brawl: ModuleType) -> None:
    env = AxiomEnv(brawl.GAME, opponent=never_legal, on_illegal="noop")
    env.reset(seed=1)
    with pytest.raises(IllegalActionError, match=f"{MOST_REFUSALS + 1} times in a row"):
        env.step(0)


def test_illegal_action__of_the_learner_only_counts_a_step(brawl: ModuleType) -> None:
    seating = make_seating(Batch(brawl.GAME, on_illegal="noop"), "random")
    seating.reset(1)
    before = seating.batch.buffers.states.tobytes()
    rows = seating.step(np.array([[-1]]))
    assert [one.item() for one in (rows.rewards, rows.terminated, rows.illegal)] == [0, False, 1]
    assert seating.batch.buffers.states.tobytes() == before


# -- several opponents, and the learner against itself ---------------------------------------------


@pytest.mark.parametrize("mode", ["next_step", "same_step", "disabled"])
def test_pool__plays_each_game_as_a_batch_of_one(brawl: ModuleType, mode: str) -> None:
    more = {"opponent": ["random", "bully", last_legal], "seat": "random"}
    env = AxiomVectorEnv(brawl.GAME, 3, autoreset_mode=mode, **more)
    for game, given in enumerate(_play_vector(env, 11, 80)):
        single = AxiomEnv(brawl.GAME, **more)
        _assert_equal(given, list(islice(_play_single(single, 11 + game), 80)))


def test_self_play__rows_are_whoever_acts(brawl: ModuleType) -> None:
    sb3 = pytest.importorskip("axiom_gym.adapters.sb3")
    env = sb3.make_vec_env(brawl.GAME, 4, opponent="bully", self_play_games=3, seed=2)
    plain = Batch(brawl.GAME, 4, autoreset="same_step")
    seen = env.reset()
    plain.reset(2)
    for number in range(120):
        acting = plain.buffers.acting[:3].copy()
        assert np.array_equal(env.seating.row_seats[:3], acting)
        assert np.array_equal(seen[:3], plain.buffers.observations[:3, 0])
        masks = env.action_masks()
        actions = np.array([_choose(mask, number) for mask in masks])
        plain.sample_actions()
        plain.buffers.actions[:3, 0, 0] = actions[:3]
        seen, rewards, over, infos = env.step(actions)
        plain.step()
        assert np.array_equal(env.seating.final_seats()[:3], acting)
        assert np.array_equal(rewards[:3], plain.buffers.rewards[np.arange(3), acting])
        assert np.array_equal(over[:3], (plain.buffers.terminated | plain.buffers.truncated)[:3])
        for row in np.flatnonzero(over[:3]).tolist():
            last = plain.buffers.final_observations[row, acting[row]]
            assert np.array_equal(infos[row]["terminal_observation"], last)
    assert env.seating.row_seats[3] == 0


def test_rules_own_limit__is_not_a_truncation_for_sb3(brawl: ModuleType) -> None:
    """The rules pay all players at their own limit, but not at `max_turns`."""
    sb3 = pytest.importorskip("axiom_gym.adapters.sb3")
    for options, counted in ({"turn_limit": 2}, False), ({"max_turns": 3}, True):
        env = sb3.make_vec_env(brawl.GAME, 2, seed=1, lives=50, **options)
        env.reset()
        infos = [{}]
        while "episode" not in infos[0]:
            _, _, _, infos = env.step(np.zeros(2, np.int64))
        assert infos[0]["TimeLimit.truncated"] is counted
        assert env.batch.buffers.truncated[0]


@pytest.mark.parametrize("opponent", ["random", last_legal, ["bully", last_legal]])
def test_state__is_saved_completely(brawl: ModuleType, opponent: Any) -> None:
    make: Callable[[], AxiomVectorEnv] = lambda: AxiomVectorEnv(  # noqa: E731
        brawl.GAME, 3, opponent=opponent, seat="random", preset="sudden", players=3
    )
    env, fresh = make(), make()
    env.reset(seed=3)

    def play(one: AxiomVectorEnv) -> list[bytes]:
        given = []
        for _ in range(40):
            seen, rewards, *ends, infos = one.step(one.sample_actions())
            arrays = (seen, rewards, *ends, infos["action_mask"])
            given.append(b"".join(array.tobytes() for array in arrays))
        return given

    play(env)
    saved = env.get_state()
    played = play(env)
    env.set_state(saved)
    assert play(env) == played
    fresh.set_state(pickle.loads(pickle.dumps(saved)))
    assert play(fresh) == played
