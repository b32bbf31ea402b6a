from __future__ import annotations

import itertools
import json
import pickle
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from axiom_gym.batch import Batch, seeds
from axiom_gym.batch.buffers import AUTORESET
from axiom_gym.errors import (
    ActionError,
    ConfigError,
    IllegalActionError,
    RegistrationError,
    ResetNeededError,
    StateError,
    UnknownGameError,
    UnknownOpponentError,
)
from axiom_gym.kernel import record_dtype
from axiom_gym.rng import SeededRNG, mix_seed

MAX_SEED = 2**32 - 1


class Reference:
    """Test double: a game of pennies and the rules of episodes, implemented a second time."""

    def __init__(self, batch: Batch, seed: int) -> None:
        self.batch, self.config = batch, batch.config
        self.players = range(batch.num_players)
        self.rng = SeededRNG(seed)
        self.final_length, self.final_returns = 0, [0.0] * len(self.players)
        self.final_observations = np.zeros((len(self.players), 5), np.float32)
        self.begin()

    def begin(self) -> None:
        self.seed = self.rng.state
        self.turn, self.coin, self.forced_side = 0, -1, self.rng.below(2)
        self.totals = [0] * len(self.players)
        self.over = self.ended = self.terminated = self.truncated = False
        self.length, self.returns = 0, [0.0] * len(self.players)
        self.offenders = [0] * len(self.players)
        self.rewards = [0.0] * len(self.players)

    def mask(self, player: int) -> list[list[int]]:
        if player != self.config.forced:
            return [[1, 1, 0], [1, 1, 1]]
        return [[int(side == self.forced_side) for side in range(2)] + [0], [1, 0, 0]]

    def observation(self, player: int) -> list[int]:
        forced = self.forced_side if player == self.config.forced else -1
        return [self.turn, self.coin, player, forced, self.totals[player]]

    def step(self, actions: list[list[int]]) -> None:
        if self.ended:
            self.begin()
            return
        sub_actions = [self._allowed(p, actions[p]) for p in self.players]
        self.offenders = [int(-1 in sub_actions[p]) for p in self.players]
        if any(self.offenders) and self.batch.on_illegal == "forfeit":
            self.rewards, self.terminated = self._forfeited(), True
        else:
            self.rewards, self.terminated = self._bets(sub_actions), self.over
        self.length += 1
        self.returns = [self.returns[p] + self.rewards[p] for p in self.players]
        self.truncated = not self.terminated and self.length == self.batch.max_turns
        if self.terminated or self.truncated:
            self._finish()

    def _allowed(self, player: int, actions: list[int]) -> list[int]:
        legal = [[n for n, one in enumerate(row) if one] for row in self.mask(player)]
        return [actions[k] if actions[k] in legal[k] else -1 for k in range(2)]

    def _forfeited(self) -> list[float]:
        count, players = sum(self.offenders), len(self.players)
        low = self.batch.game.info.min_outcome
        share = -low * count / max(players - count, 1)
        return [low if self.offenders[p] else share for p in self.players]

    def _bets(self, sub_actions: list[list[int]]) -> list[float]:
        self.coin, self.turn = self.rng.below(2), self.turn + 1
        signs = [{self.coin: 1, -1: 0}.get(side, -1) for side, _ in sub_actions]
        gains = [signs[p] * (1 + max(sub_actions[p][1], 0)) for p in self.players]
        self.totals = [self.totals[p] + gains[p] for p in self.players]
        self.over = self.turn >= self.config.min_turns and self.rng.below(256) < self.config.stop
        return [float(gain) for gain in gains]

    def _finish(self) -> None:
        self.ended = True
        self.final_length, self.final_returns = self.length, self.returns
        if self.batch.autoreset == "same_step":
            self.final_observations[:] = [self.observation(p) for p in self.players]
            last = self.rewards, self.terminated, self.truncated, self.offenders
            self.begin()
            self.rewards, self.terminated, self.truncated, self.offenders = last


def assert_equal(batch: Batch, references: list[Reference]) -> None:
    """Check that every buffer equals that of the references."""
    buffers, episodes = batch.buffers, batch.buffers.episodes
    for i, game in enumerate(references):
        assert buffers.masks[i].tolist() == [game.mask(p) for p in game.players]
        assert buffers.observations[i].tolist() == [game.observation(p) for p in game.players]
        assert buffers.rewards[i].tolist() == game.rewards
        assert bool(buffers.terminated[i]) == game.terminated
        assert bool(buffers.truncated[i]) == game.truncated
        assert episodes[i]["returns"].tolist() == game.returns
        assert episodes[i]["final_returns"].tolist() == game.final_returns
        assert episodes[i]["offenders"].tolist() == game.offenders
        names = ("seed", "length", "final_length", "ended")
        assert [int(episodes[i][name]) for name in names] == [getattr(game, n) for n in names]
        if batch.autoreset == "same_step":
            assert buffers.final_observations[i].tolist() == game.final_observations.tolist()


def random_actions(rng: np.random.Generator, batch: Batch, illegal: float) -> None:
    """Write uniform actions; with this probability, one that may be illegal or out of range."""
    shape = batch.buffers.actions.shape
    actions = np.stack([rng.integers(0, n, shape[:2]) for n in (2, 3)], axis=-1)
    absurd = rng.choice([-(2**63), -2, -1, 2, 3, 2**40, 2**63 - 1], shape)
    batch.buffers.actions[:] = np.where(rng.random(shape) < illegal, absurd, actions)


def play(batch: Batch, turns: int, seed: int = 0) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(turns):
        random_actions(rng, batch, 0.1)
        batch.step()


def everything(batch: Batch) -> dict[str, bytes]:
    """Return all buffers as bytes."""
    return {name: array.tobytes() for name, array in batch.buffers._asdict().items()}


@pytest.fixture
def make(pennies: ModuleType) -> Iterator[Callable[..., Batch]]:
    """A function that makes a batch of the test game, for two players or for three."""
    made = []

    def make(num_envs: int = 3, players: int = 2, **options: Any) -> Batch:
        game = {2: pennies.GAME, 3: pennies.TRIO}[players]
        made.append(Batch(game, num_envs, **options))
        return made[-1]

    yield make
    for batch in made:
        batch.close()


# Episodes


@pytest.mark.boundscheck
@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("autoreset", AUTORESET)
@pytest.mark.parametrize("on_illegal", ["noop", "forfeit"])
@pytest.mark.parametrize("max_turns", [0, 3])
def test_step__plays_games_and_episodes_as_the_reference(
    make: Callable[..., Batch], players: int, autoreset: str, on_illegal: str, max_turns: int
) -> None:
    batch = make(
        5, players, autoreset=autoreset, on_illegal=on_illegal, max_turns=max_turns, forced=1
    )
    batch.reset(99)
    references = [Reference(batch, 99 + i) for i in range(5)]
    assert_equal(batch, references)
    rng, ended = np.random.default_rng(0), np.zeros(5, np.int64)
    while ended.min() < 3:
        random_actions(rng, batch, 0.05)
        actions = batch.buffers.actions.tolist()
        batch.step()
        for game, sub_actions in zip(references, actions, strict=True):
            game.step(sub_actions)
        assert_equal(batch, references)
        over = batch.buffers.terminated | batch.buffers.truncated
        ended += over
        if autoreset == "disabled" and over.any():
            batch.reset(which=over)
            for i in np.flatnonzero(over):
                references[i].begin()
            assert_equal(batch, references)


@pytest.mark.parametrize("autoreset", AUTORESET)
def test_step__terminates_if_rules_and_limit_end_an_episode(
    make: Callable[..., Batch], autoreset: str
) -> None:
    batch = make(preset="short", max_turns=1, autoreset=autoreset)
    batch.reset(0)
    batch.step()
    assert batch.buffers.terminated.all()
    assert not batch.buffers.truncated.any()


def test_step__truncates_at_the_limit(make: Callable[..., Batch]) -> None:
    batch = make(preset="endless", max_turns=4)
    batch.reset(0)
    flags = []
    for _ in range(10):
        batch.step()
        flags.append(bool(batch.buffers.truncated.all()))
        assert not batch.buffers.terminated.any()
        assert batch.buffers.truncated.all() == batch.buffers.truncated.any()
    # The fifth step is the reset.
    assert flags == [False, False, False, True, False] * 2


def test_step__has_no_limit_by_default(make: Callable[..., Batch]) -> None:
    batch = make(preset="endless", stop=0)
    batch.reset(0)
    for _ in range(300):
        batch.step()
    assert (batch.buffers.episodes["length"] == 300).all()
    assert not batch.buffers.episodes["ended"].any()


def test_step__always_writes_into_the_same_arrays(make: Callable[..., Batch]) -> None:
    batch = make(autoreset="same_step")
    before = [(id(array), array.ctypes.data) for array in batch.buffers]
    batch.reset(0)
    play(batch, 10)
    batch.set_state(batch.get_state())
    batch.reset()
    assert [(id(array), array.ctypes.data) for array in batch.buffers] == before


@pytest.mark.parametrize("autoreset", ["next_step", "disabled"])
def test_final_observations__are_there_in_mode_same_step_only(
    make: Callable[..., Batch], autoreset: str
) -> None:
    assert make(autoreset=autoreset).buffers.final_observations.shape == (0, 2, 5)
    assert make(autoreset="same_step").buffers.final_observations.shape == (3, 2, 5)


@pytest.mark.parametrize("autoreset", AUTORESET)
def test_step__truncates_and_pays_nothing_if_a_kernel_refuses_its_own_mask(
    make: Callable[..., Batch], autoreset: str
) -> None:
    batch = make(preset="endless", fault=3, autoreset=autoreset)
    batch.reset(0)
    batch.step()
    batch.step()
    rewards = batch.buffers.episodes["returns"].copy()
    batch.step()
    assert not batch.buffers.rewards.any()
    assert batch.buffers.truncated.all()
    assert not batch.buffers.terminated.any()
    assert batch.buffers.episodes["final_returns"].tolist() == rewards.tolist()
    assert rewards.any()


# Before and after an episode


def test_step__is_refused_before_the_first_reset(make: Callable[..., Batch]) -> None:
    batch = make()
    for call in (batch.step, batch.check_ready):
        with pytest.raises(ResetNeededError, match="before the first reset"):
            call()


@pytest.mark.parametrize("num_threads", [1, 2])
def test_step__is_refused_after_an_end_without_autoreset(
    make: Callable[..., Batch], num_threads: int
) -> None:
    batch = make(4, autoreset="disabled", stop=128, num_threads=num_threads)
    batch.reset(1)
    while not batch.buffers.terminated.any():
        batch.step()
    assert not batch.buffers.terminated.all()
    game = int(batch.buffers.terminated.argmax())
    before = everything(batch)
    for call in (batch.step, batch.check_ready):
        with pytest.raises(ResetNeededError, match=f"episode of game {game} has ended"):
            call()
    assert everything(batch) == before
    batch.reset(which=batch.buffers.terminated.copy())
    batch.check_ready()
    batch.step()


# Illegal actions


@pytest.mark.parametrize("num_threads", [1, 2])
@pytest.mark.parametrize("autoreset", AUTORESET)
def test_raise__names_the_offence_and_touches_nothing(
    make: Callable[..., Batch], num_threads: int, autoreset: str
) -> None:
    batch = make(4, on_illegal="raise", autoreset=autoreset, num_threads=num_threads, forced=1)
    batch.reset(3)
    batch.sample_actions()
    batch.step()
    batch.sample_actions()
    side = int(batch.buffers.states[2]["forced_side"])
    batch.buffers.actions[2, 1] = [1 - side, 5]
    batch.buffers.actions[3, 0, 0] = 2
    before = everything(batch)
    message = (
        f"game 2: sub-action 0 of player_1 is {1 - side}, which is illegal; "
        f"legal are \\[{side}\\].\nturn 1, coin "
    )
    with pytest.raises(IllegalActionError, match=message):
        batch.step()
    assert everything(batch) == before
    batch.buffers.actions[2, 1] = [side, 5]
    with pytest.raises(IllegalActionError, match="game 2: sub-action 1 of player_1 is 5"):
        batch.step()
    batch.buffers.actions[2, 1, 1] = 0
    with pytest.raises(IllegalActionError, match="game 3: sub-action 0 of player_0 is 2"):
        batch.step()
    assert everything(batch).keys() == before.keys()
    batch.buffers.actions[3, 0, 0] = 1
    batch.step()
    assert (batch.buffers.episodes["offenders"] == 0).all()


def test_raise__ignores_the_actions_of_a_step_that_resets(
    make: Callable[..., Batch],
) -> None:
    batch = make(2, on_illegal="raise", preset="short")
    batch.reset(0)
    batch.step()
    assert batch.buffers.terminated.all()
    batch.buffers.actions[:] = 77
    batch.step()
    assert (batch.buffers.episodes["length"] == 0).all()
    with pytest.raises(IllegalActionError):
        batch.step()


@pytest.mark.parametrize(
    ("players", "offenders", "rewards"),
    [
        (2, [0], [-1.0, 1.0]),
        (2, [1], [1.0, -1.0]),
        (2, [0, 1], [-1.0, -1.0]),
        (3, [1], [0.5, -1.0, 0.5]),
        (3, [0, 2], [-1.0, 2.0, -1.0]),
        (3, [0, 1, 2], [-1.0, -1.0, -1.0]),
    ],
)
def test_forfeit__ends_the_game_and_the_others_share_what_the_offenders_lose(
    make: Callable[..., Batch], players: int, offenders: list[int], rewards: list[float]
) -> None:
    batch = make(2, players, on_illegal="forfeit", autoreset="disabled", preset="endless")
    batch.reset(0)
    state = batch.buffers.states[1].tobytes()
    batch.buffers.actions[1, offenders, 1] = 3
    batch.step()
    rewards = [-batch.game.info.min_outcome * reward for reward in rewards]
    assert batch.buffers.rewards[1].tolist() == rewards
    assert batch.buffers.terminated.tolist() == [False, True]
    assert not batch.buffers.truncated.any()
    marks = [int(p in offenders) for p in range(players)]
    assert batch.buffers.episodes["offenders"].tolist() == [[0] * players, marks]
    assert batch.buffers.episodes["final_returns"][1].tolist() == rewards
    assert batch.buffers.episodes["final_length"].tolist() == [0, 1]
    # The turn was not played.
    assert batch.buffers.states[1].tobytes() == state


@pytest.mark.parametrize("action", [-(2**63), -1, 2, 3, 2**62])
def test_noop__leaves_out_only_the_illegal_sub_action(
    make: Callable[..., Batch], action: int
) -> None:
    batch = make(2, preset="endless")
    batch.reset(0)
    batch.buffers.actions[0] = [[action, 2], [1, 1]]
    batch.buffers.actions[1] = [[0, 0], [0, action if action != 2 else 3]]
    batch.step()
    coins = batch.buffers.states["coin"]
    right = [[0, 2 if coins[0] == 1 else -2]]
    right.append([1 if coins[1] == 0 else -1] * 2)
    assert batch.buffers.rewards.tolist() == right
    assert batch.buffers.episodes["offenders"].tolist() == [[1, 0], [0, 1]]
    # The buffer of actions is unchanged.
    assert batch.buffers.actions[0, 0, 0] == action


# Seeds


def test_reset__gives_game_i_the_seed_s_plus_i(make: Callable[..., Batch]) -> None:
    batch = make(3)
    batch.reset(7)
    assert batch.buffers.episodes["seed"].tolist() == [7, 8, 9]
    assert batch.buffers.streams["rng"].tolist() == [
        [mix_seed(7 + i, p + 1) for p in range(2)] for i in range(3)
    ]


def test_reset__wraps_seeds_at_two_to_the_32(make: Callable[..., Batch]) -> None:
    batch = make(3)
    batch.reset(MAX_SEED)
    assert batch.buffers.episodes["seed"].tolist() == [MAX_SEED, 0, 1]


def test_reset__accepts_seed_0(make: Callable[..., Batch]) -> None:
    batch = make(2)
    batch.reset(5)
    batch.reset(0)
    assert batch.buffers.episodes["seed"].tolist() == [0, 1]


@pytest.mark.parametrize("kind", [list, tuple, np.array])
def test_reset__takes_a_seed_for_each_game(
    make: Callable[..., Batch], kind: Callable[..., Any]
) -> None:
    batch = make(3)
    batch.reset(kind([4, 0, MAX_SEED]))
    assert batch.buffers.episodes["seed"].tolist() == [4, 0, MAX_SEED]


def test_reset__continues_the_generators_for_seed_none(make: Callable[..., Batch]) -> None:
    batch = make(3)
    batch.reset(1)
    play(batch, 4)
    states, streams = batch.buffers.states["rng"].tolist(), batch.buffers.streams["rng"].tolist()
    batch.reset([None, 5, None])
    assert batch.buffers.episodes["seed"].tolist() == [states[0], 5, states[2]]
    assert batch.buffers.streams["rng"].tolist()[::2] == streams[::2]
    batch.reset()
    assert batch.buffers.episodes["length"].tolist() == [0, 0, 0]
    assert batch.buffers.states["rng"][1] != 5


def test_reset__draws_a_seed_if_the_first_reset_has_none(
    make: Callable[..., Batch], monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = SimpleNamespace(randbits=lambda bits: MAX_SEED - 1 if bits == 32 else None)
    monkeypatch.setattr(seeds, "secrets", drawn)
    batch = make(3)
    batch.reset()
    assert batch.buffers.episodes["seed"].tolist() == [MAX_SEED - 1, MAX_SEED, 0]
    # Later resets continue with the generators.
    batch.reset()
    assert MAX_SEED - 1 not in batch.buffers.episodes["seed"].tolist()
    other = make(3)
    other.reset([None, 5, None])
    assert other.buffers.episodes["seed"].tolist() == [MAX_SEED - 1, 5, 0]
    assert len(set(other.buffers.streams["rng"].ravel().tolist())) == 6


def test_reset__differs_from_run_to_run_without_a_seed(make: Callable[..., Batch]) -> None:
    first, second = make(2), make(2)
    first.reset()
    second.reset([None, None])
    seeds = [*first.buffers.episodes["seed"].tolist(), *second.buffers.episodes["seed"].tolist()]
    assert len(set(seeds)) == 4


@pytest.mark.parametrize(
    "seed", [-1, 2**32, 1.0, "1", True, [1, 2], [1, 2, 3, 4], [1, 2, -1], [1, 2, 0.5], "abc"]
)
def test_reset__refuses_other_seeds(make: Callable[..., Batch], seed: Any) -> None:
    batch = make(3)
    with pytest.raises(ConfigError, match="seed"):
        batch.reset(seed)
    with pytest.raises(ResetNeededError):
        batch.step()


def test_reset__of_some_games_leaves_the_others_alone(make: Callable[..., Batch]) -> None:
    batch = make(4, preset="endless")
    batch.reset(1)
    play(batch, 3)
    arrays = [array for array in batch.buffers if len(array)]
    before = [[array[i].tobytes() for array in arrays] for i in (0, 2)]
    batch.reset(50, np.array([False, True, False, True]))
    assert before == [[array[i].tobytes() for array in arrays] for i in (0, 2)]
    # Each game gets the seed for its place in the batch.
    assert batch.buffers.episodes["seed"].tolist() == [1, 51, 3, 53]
    assert batch.buffers.episodes["length"].tolist() == [3, 0, 3, 0]
    assert not batch.buffers.rewards[1::2].any()


@pytest.mark.parametrize(
    "which",
    [[True, False, True], np.ones(3, np.int8), np.ones(4, bool), np.ones((3, 1), bool), 1],
)
def test_reset__refuses_a_mask_of_another_form(make: Callable[..., Batch], which: Any) -> None:
    batch = make(3)
    batch.reset(1)
    with pytest.raises(ConfigError, match=r"reset mask must be a bool array of shape \(3,\), got"):
        batch.reset(which=which)


def test_reset__takes_a_mask_that_is_not_contiguous(make: Callable[..., Batch]) -> None:
    batch = make(3)
    batch.reset(1)
    batch.step()
    batch.reset(which=np.array([True, False, False, True, True, True])[::2])
    assert batch.buffers.episodes["length"].tolist() == [0, 1, 0]


def test_reset__must_be_of_all_games_first(make: Callable[..., Batch]) -> None:
    batch = make(2)
    with pytest.raises(ResetNeededError, match="first reset must be of all games"):
        batch.reset(1, np.array([True, False]))
    batch.reset(1, np.array([True, True]))
    batch.step()


# Determinism


@pytest.mark.parametrize("autoreset", AUTORESET)
@pytest.mark.parametrize("on_illegal", ["noop", "forfeit"])
def test_threads__give_the_same_bits(
    make: Callable[..., Batch], autoreset: str, on_illegal: str
) -> None:
    played = []
    for num_threads in (1, 2, 3, 7):
        batch = make(
            5, 3, num_threads=num_threads, autoreset=autoreset, on_illegal=on_illegal, forced=0
        )
        batch.reset(11)
        rng = np.random.default_rng(2)
        for _ in range(12):
            random_actions(rng, batch, 0.1)
            batch.act("random", np.tile(np.array([0, 1, 0], np.int16), (5, 1)), 1)
            batch.step()
            if autoreset == "disabled":
                batch.reset(which=batch.buffers.terminated | batch.buffers.truncated)
        played.append(everything(batch))
    assert all(bits == played[0] for bits in played[1:])


@pytest.mark.parametrize("autoreset", ["next_step", "same_step"])
def test_batches__of_any_size_play_the_same_games(
    make: Callable[..., Batch], autoreset: str
) -> None:
    def games(size: int, seed: int) -> list[list[bytes]]:
        batch = make(size, autoreset=autoreset, max_turns=5)
        batch.reset(seed)
        for _ in range(15):
            batch.sample_actions()
            batch.step()
        return [[array[i].tobytes() for array in batch.buffers if len(array)] for i in range(size)]

    together = games(6, 40)
    assert together == [games(1, 40 + i)[0] for i in range(6)]
    assert together[2:] == games(4, 42)
    assert len({b"".join(game) for game in together}) == 6


def test_autoreset__plays_the_same_episodes_in_every_mode(make: Callable[..., Batch]) -> None:
    episodes: dict[str, list[Any]] = {}
    for autoreset in AUTORESET:
        batch = make(1, autoreset=autoreset, max_turns=6)
        batch.reset(8)
        rng = SeededRNG(0)
        found = episodes[autoreset] = []
        while len(found) < 6:
            ended = batch.buffers.episodes["ended"][0]
            if not ended:
                batch.buffers.actions[0] = [[rng.below(2), rng.below(3)] for _ in range(2)]
            if ended and autoreset == "disabled":
                batch.reset()
                continue
            batch.step()
            if batch.buffers.terminated[0] or batch.buffers.truncated[0]:
                last = batch.buffers.episodes[0]
                found.append((last["final_returns"].tolist(), int(last["final_length"])))
    assert episodes["next_step"] == episodes["same_step"] == episodes["disabled"]
    assert len({length for _, length in episodes["disabled"]}) > 1


def test_episode__is_reproduced_by_its_seed(make: Callable[..., Batch]) -> None:
    batch = make(1, autoreset="disabled")
    batch.reset(21)
    for _ in range(3):
        play(batch, 1)
        batch.reset()
    again = make(1, autoreset="disabled")
    again.reset(int(batch.buffers.episodes["seed"][0]))
    play(batch, 2, seed=5)
    play(again, 2, seed=5)
    assert batch.buffers.states.tobytes() == again.buffers.states.tobytes()
    assert batch.buffers.observations.tobytes() == again.buffers.observations.tobytes()


PLAY = """
import json, sys, warnings
import numpy as np
from pennies_game import TRIO
from axiom_gym.batch import Batch
warnings.simplefilter("ignore", RuntimeWarning)
found = []
for on_illegal in ("noop", "forfeit"):
    batch = Batch(TRIO, 4, autoreset="same_step", on_illegal=on_illegal, max_turns=5, forced=2)
    batch.reset(2**32 - 2)
    for turn in range(15):
        batch.sample_actions()
        batch.act("highest", np.ones((4, 3), np.int16) * np.int16(turn % 2), 1)
        if turn % 4 == 3:
            batch.buffers.actions[turn % 4, turn % 3, turn % 2] = 9
        batch.step()
    found.append([array.tobytes().hex() for array in batch.buffers])
    found.append(batch.outcomes().tolist())
print(json.dumps(found))
"""


@pytest.mark.compiled_only
def test_batch__plays_the_same_as_plain_python(
    python: Callable[..., str], pennies: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    found = json.loads(python(PLAY, NUMBA_DISABLE_JIT="1"))
    exec(PLAY, {})
    assert found == json.loads(capsys.readouterr().out)


# Saved states


def test_set_state__goes_back_and_plays_on_in_the_same_way(make: Callable[..., Batch]) -> None:
    batch = make(3, labels=("a", "b"), max_turns=5)
    batch.reset(1)
    play(batch, 7)
    saved, before = batch.get_state(), everything(batch)
    play(batch, 9, seed=3)
    batch.sample_actions()
    after = everything(batch)
    for other in (batch, make(3, labels=("a", "b"), max_turns=5)):
        other.set_state(saved)
        assert {**everything(other), "actions": b""} == {**before, "actions": b""}
        play(other, 9, seed=3)
        other.sample_actions()
        assert everything(other) == after


def test_set_state__carries_over_between_modes(make: Callable[..., Batch]) -> None:
    batch = make(2, preset="short")
    batch.reset(1)
    batch.step()
    other = make(2, preset="short", autoreset="same_step")
    other.set_state(batch.get_state())
    # The episodes had ended; the next step begins new ones.
    other.step()
    assert (other.buffers.episodes["length"] == 0).all()


def test_get_state__is_refused_before_the_first_reset(make: Callable[..., Batch]) -> None:
    with pytest.raises(ResetNeededError, match="no state before the first reset"):
        make().get_state()


def test_set_state__refuses_what_does_not_belong_to_it(
    make: Callable[..., Batch], pennies: ModuleType
) -> None:
    batch = make(2)
    batch.reset(1)
    saved, before = batch.get_state(), everything(batch)
    others = {
        "game 'trio'": make(2, 3),
        "num_envs 3": make(3),
        r"options \{.*'stop': 9": make(2, stop=9),
        "version 1": Batch(pennies.make_game(2, version=1), 2),
    }
    for message, other in others.items():
        other.reset(2)
        with pytest.raises(StateError, match=f"saved state has {message}.*, but this batch has"):
            batch.set_state(other.get_state())
    for data, message in [(saved[:-1], "cut short"), (b"", "not a saved"), (None, "NoneType")]:
        with pytest.raises(StateError, match=message):
            batch.set_state(data)  # type: ignore[arg-type]
    assert everything(batch) == before


def test_set_state__that_is_refused_does_not_start_the_batch(make: Callable[..., Batch]) -> None:
    batch = make(2)
    with pytest.raises(StateError):
        batch.set_state(b"")
    with pytest.raises(ResetNeededError):
        batch.step()


def test_clone__is_equal_and_independent(make: Callable[..., Batch]) -> None:
    batch = make(3, autoreset="same_step", max_turns=4, num_threads=2, labels=("a",))
    batch.reset(1)
    play(batch, 6)
    copy = batch.clone()
    before = everything(batch)
    assert everything(copy) == before
    play(copy, 5, seed=9)
    assert everything(batch) == before
    play(batch, 5, seed=9)
    assert everything(batch) == everything(copy)
    names = ("config", "layout", "params", "autoreset", "on_illegal", "max_turns", "num_threads")
    assert [getattr(copy, name) for name in names] == [getattr(batch, name) for name in names]
    copy.close()


def test_clone__keeps_options_that_are_objects(make: Callable[..., Batch], pennies: Any) -> None:
    batch = make(1, nested=pennies.Nested(depth=3))
    assert batch.clone().config.nested == pennies.Nested(depth=3)


def test_clone__before_the_first_reset_needs_a_reset(make: Callable[..., Batch]) -> None:
    with pytest.raises(ResetNeededError):
        make().clone().step()


@pytest.mark.parametrize("num_threads", [1, 2])
def test_pickle__plays_on_in_the_same_way(make: Callable[..., Batch], num_threads: int) -> None:
    batch = make(3, num_threads=num_threads, max_turns=4)
    batch.reset(1)
    batch.sample_actions()
    batch.step()
    copy = pickle.loads(pickle.dumps(batch))
    for one in (batch, copy):
        for _ in range(9):
            one.sample_actions()
            one.step()
    assert everything(copy) == everything(batch)
    assert copy.buffers.states.dtype == batch.buffers.states.dtype
    copy.close()


# Scripted players


def test_bot_names__begin_with_random(make: Callable[..., Batch]) -> None:
    assert make().bot_names() == ["random", "highest", "lowest"]


def test_act__plays_the_seats_with_its_number(make: Callable[..., Batch]) -> None:
    batch = make(2, 3)
    batch.reset(0)
    batch.buffers.actions[:] = -7
    seats = np.array([[0, 5, 0], [5, 5, 1]], np.int16)
    batch.act("highest", seats, 5)
    nothing = [-7, -7]
    assert batch.buffers.actions.tolist() == [[nothing, [1, 2], nothing], [[1, 2], [1, 2], nothing]]
    batch.act("lowest", seats, 1)
    assert batch.buffers.actions[1, 2].tolist() == [0, 0]


def test_act__draws_from_the_stream_of_each_seat(make: Callable[..., Batch]) -> None:
    batch = make(2)
    batch.reset(9)
    before = batch.buffers.streams["rng"].copy()
    batch.act("random", np.array([[1, 0], [0, 1]], np.int16), 1)
    for game, seat in ((0, 0), (1, 1)):
        rng = SeededRNG(int(before[game, seat]))
        assert batch.buffers.actions[game, seat].tolist() == [rng.below(2), rng.below(3)]
        assert batch.buffers.streams["rng"][game, seat] == rng.state
        assert batch.buffers.streams["rng"][game, 1 - seat] == before[game, 1 - seat]


def test_act__leaves_out_games_that_have_ended(make: Callable[..., Batch]) -> None:
    batch = make(2, preset="short")
    batch.reset(9)
    batch.step()
    before = everything(batch)
    batch.sample_actions()
    assert everything(batch) == before


def test_act__suggests_the_closest_bot(make: Callable[..., Batch]) -> None:
    batch = make()
    batch.reset(0)
    seats = np.zeros((3, 2), np.int16)
    with pytest.raises(UnknownOpponentError, match=r"'highesst'. Did you mean 'highe"):
        batch.act("highesst", seats, 0)


@pytest.mark.parametrize(
    "seats",
    [
        np.zeros((3, 2), np.int64),
        np.zeros((2, 2), np.int16),
        np.zeros(6, np.int16),
        np.zeros((2, 3), np.int16).T,
        np.zeros((3, 4), np.int16)[:, ::2],
    ],
)
def test_act__refuses_seats_of_another_form(make: Callable[..., Batch], seats: Any) -> None:
    batch = make()
    batch.reset(0)
    with pytest.raises(ConfigError, match=r"contiguous int16 array of shape \(3, 2\)"):
        batch.act("random", seats, 0)


def test_sample_actions__are_legal(make: Callable[..., Batch]) -> None:
    batch = make(8, 3, forced=2, on_illegal="raise")
    batch.reset(0)
    seen = set()
    for _ in range(30):
        batch.sample_actions()
        seen |= {tuple(sub_actions) for sub_actions in batch.buffers.actions[:, 0].tolist()}
        batch.step()
    assert seen == set(itertools.product(range(2), range(3)))


# Actions from outside


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int64, np.uint64])
def test_check_actions__gives_int64(make: Callable[..., Batch], dtype: Any) -> None:
    actions = np.array([[1, 2], [0, 1]], dtype)
    checked = make().check_actions(actions, (2, 2))
    assert checked.dtype == np.int64
    assert checked.tolist() == actions.tolist()


def test_check_actions__takes_lists_and_any_range(make: Callable[..., Batch]) -> None:
    assert make().check_actions([[1, -5], [10**12, 0]], (2, 2)).tolist() == [[1, -5], [10**12, 0]]


@pytest.mark.parametrize(
    "actions", [[1.0, 2.0], [True, False], ["1", "2"], [None, 1], np.array([1, 2], np.complex64)]
)
def test_check_actions__refuses_other_kinds(make: Callable[..., Batch], actions: Any) -> None:
    with pytest.raises(ActionError, match="actions must be integers, got dtype"):
        make().check_actions(actions, (2,))


@pytest.mark.parametrize("actions", [[1], [1, 2, 3], [[1, 2]], 1])
def test_check_actions__refuses_other_shapes(make: Callable[..., Batch], actions: Any) -> None:
    with pytest.raises(ActionError, match=r"actions must have shape \(2,\), got"):
        make().check_actions(actions, (2,))


# States


def test_outcomes__are_0_while_a_game_is_in_progress(make: Callable[..., Batch]) -> None:
    batch = make(6, autoreset="disabled")
    batch.reset(0)
    while not batch.buffers.terminated.any():
        batch.sample_actions()
        batch.step()
    returns, over = batch.buffers.episodes["returns"], batch.buffers.terminated
    expected = np.where(over[:, None], returns, 0)
    assert batch.outcomes().tolist() == expected.tolist()
    assert batch.outcomes().dtype == np.float32
    assert not over.all()
    assert expected.any()


def test_refresh__shows_a_state_that_was_changed_by_hand(make: Callable[..., Batch]) -> None:
    batch = make(2, forced=0)
    batch.reset(0)
    batch.buffers.states["turn"][1] = 40
    batch.buffers.states["forced_side"][1] = 1
    batch.refresh()
    assert batch.buffers.observations[1].tolist() == [[40, -1, 0, 1, 0], [40, -1, 1, -1, 0]]
    assert batch.buffers.masks[1, 0].tolist() == [[0, 1, 0], [1, 0, 0]]


def test_describe_state__is_of_one_game(make: Callable[..., Batch]) -> None:
    batch = make(2)
    batch.reset(0)
    batch.buffers.states["turn"][1] = 40
    assert batch.describe_state() == "turn 0, coin -1"
    assert batch.describe_state(1) == "turn 40, coin -1"


# Construction


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_envs": 0}, "num_envs must be an integer at least 1, got 0"),
        ({"num_envs": 2.0}, "num_envs must be"),
        ({"num_threads": 0}, "num_threads must be an integer from 1 to 1024, got 0"),
        ({"max_turns": -1}, "max_turns must be an integer from 0 to"),
        ({"max_turns": 2**31}, "max_turns"),
        ({"autoreset": "nextstep"}, "unknown autoreset mode 'nextstep'. Did you mean 'next_step'?"),
        ({"on_illegal": "forefeit"}, "illegal-action policy 'forefeit'. Did you mean 'forfeit'?"),
        ({"preset": "shor"}, "preset of pennies 'shor'. Did you mean 'short'?"),
        ({"stp": 3}, "option of pennies 'stp'. Did you mean 'stop'?"),
    ],
)
def test_batch__refuses_options(
    make: Callable[..., Batch], options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        make(**options)
    assert message in str(caught.value)


def test_batch__refuses_an_unknown_game() -> None:
    with pytest.raises(UnknownGameError, match="Did you mean"):
        Batch("quantari")


def test_batch__takes_options_over_those_of_the_preset(make: Callable[..., Batch]) -> None:
    batch = make(1, preset="short", stop=7)
    assert (batch.config.min_turns, batch.config.stop) == (1, 7)


@pytest.mark.parametrize("fields", [[("rng", np.uint32), ("turn", np.int8)], [("turn", np.int8)]])
def test_batch__refuses_a_state_that_does_not_end_with_its_generator(
    pennies: ModuleType, fields: list[Any]
) -> None:
    names = {name: getattr(pennies, name) for name in dir(pennies) if not name.startswith("_")}
    broken = SimpleNamespace(**{**names, "STATE": record_dtype(fields)})
    game = replace(pennies.GAME, kernel=lambda: broken)
    with pytest.raises(RegistrationError, match="last field of STATE must be rng"):
        Batch(game)


def test_close__ends_the_threads_and_may_be_called_again(make: Callable[..., Batch]) -> None:
    def threads() -> int:
        return sum(thread.name.startswith("axiom-gym") for thread in threading.enumerate())

    before = threads()
    batch = make(4, num_threads=3)
    batch.reset(0)
    batch.step()
    assert before < threads() <= before + 3
    batch.close()
    batch.close()
    assert threads() == before
    batch.step()
