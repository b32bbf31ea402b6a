"""Games in plain Python, compared with the same rules compiled."""

from __future__ import annotations

import importlib.util
import json
import pickle
import sys
import threading
import weakref
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from axiom_gym.adapters.gymnasium import AxiomEnv
from axiom_gym.backend import null_kernel
from axiom_gym.backend.plain import as_python, random_bot
from axiom_gym.batch import Batch
from axiom_gym.commands.bench import measure
from axiom_gym.commands.games import info
from axiom_gym.errors import ResetNeededError
from axiom_gym.kernel import zero_records
from axiom_gym.opponents.seating import make_seating
from axiom_gym.play.match import Match
from axiom_gym.registry import games as registry
from axiom_gym.replay import verify
from axiom_gym.replay.text import narrate
from axiom_gym.rng import STREAM

GAMES = Path(__file__).parents[2] / "games"
BUFFERS = ("states", "episodes", "cycles", "streams", "acting", "actions", "observations")
MORE_BUFFERS = ("masks", "rewards", "terminated", "truncated", "final_observations")


def _load(name: str) -> ModuleType:
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, GAMES / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        sys.modules[name] = module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return sys.modules[name]


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the game and its twin while a test runs."""
    for module in (_load("tally_game"), _load("tally_twin")):
        monkeypatch.setitem(registry._registered, f"{module.GAME.info.name}-v0", module.GAME)


def _everything(batch: Batch) -> list[bytes]:
    found = [getattr(batch.buffers, name) for name in (*BUFFERS, *MORE_BUFFERS)]
    return [array.tobytes() for array in found]


def _play(batch: Batch, steps: int, spoil: int = 0) -> list[list[bytes]]:
    """Yield all buffers after each step; every `spoil`-th step has an illegal action."""
    taken = []
    for number in range(steps):
        batch.sample_actions()
        if spoil and number % spoil == 0:
            batch.buffers.actions[number % batch.num_envs] = 2 - 3 * (number % 2)
        batch.step()
        taken.append(_everything(batch))
        over = batch.buffers.terminated | batch.buffers.truncated
        if batch.autoreset == "disabled" and over.any():
            batch.reset(which=over)
    return taken


# The same bits


@pytest.mark.parametrize("on_illegal", ["noop", "forfeit"])
@pytest.mark.parametrize("autoreset", ["next_step", "same_step", "disabled"])
def test_python_game__has_the_bits_of_its_compiled_twin(autoreset: str, on_illegal: str) -> None:
    played = []
    for name in ("tally", "tally_twin"):
        batch = Batch(name, 3, autoreset=autoreset, on_illegal=on_illegal, max_turns=50)
        batch.reset(7)
        played.append([_everything(batch), *_play(batch, 250, spoil=23)])
        assert batch.outcomes().tolist() == [[0, 0]] * 3
    python, compiled = played
    assert python == compiled


@pytest.mark.parametrize(
    "opponent",
    [
        "random",
        *(pytest.param(one, marks=pytest.mark.slow) for one in ("holder", ["random", "holder"])),
    ],
)
def test_python_game__has_the_bits_of_its_twin_with_opponents_and_in_self_play(
    opponent: Any,
) -> None:
    played = []
    for name in ("tally", "tally_twin"):
        batch = Batch(name, 4)
        seating = make_seating(batch, opponent, "random", self_play_games=1)
        seating.reset(3)
        taken = []
        for number in range(150):
            seating.step(np.full((4, 1), number % 3 > 0, np.int64))
            seen = [seating.rows.observations.copy(), seating.row_seats.copy()]
            taken.append([*_everything(batch), *(array.tobytes() for array in seen)])
        played.append(taken)
    python, compiled = played
    assert python == compiled


def test_random_bot__draws_and_chooses_as_the_compiled_one() -> None:
    compiled_bot = as_python(null_kernel.bot)
    rng = np.random.default_rng(0)
    for seed in range(100):
        mask = (rng.random((3, 7)) < rng.random()).astype(np.int8)
        found = []
        for bot in (random_bot, compiled_bot):
            stream, sub_actions = zero_records(1, STREAM)[0], np.full(3, -5)
            stream.rng = seed * 0x9E3779B1 % 2**32
            bot(None, 0, mask, stream, sub_actions, None)
            found.append([int(stream.rng), *sub_actions.tolist()])
        assert found[0] == found[1]


def test_threads__change_no_bit_and_none_is_started() -> None:
    several, one = Batch("tally", 5, num_threads=3), Batch("tally", 5)
    for batch in (several, one):
        batch.reset(1)
    assert _play(several, 40) == _play(one, 40)
    seats = np.zeros((5, 2), np.int16)
    for batch in (several, one):
        batch.act("holder", seats, 0)
    assert _everything(several) == _everything(one)
    assert several.num_threads == 3
    assert several._slices._pool is None


NOTHING_COMPILED = """
import os, sys, warnings
from numba.core import event
from axiom_gym.registry import games as registry
from axiom_gym.adapters.gymnasium import AxiomVectorEnv
from axiom_gym.play.match import Match
from axiom_gym.replay import verify
from tally_game import GAME
registry.register(GAME)
warnings.simplefilter("error")  # also warnings of overflow, which pytest ignores
with event.install_recorder("numba:compile") as compiled:
    envs = AxiomVectorEnv("tally", 2, opponent=["holder", "random"], seat="random")
    envs.reset(seed=0)
    for _ in range(50):
        envs.step(envs.sample_actions())
    envs.batch.clone().views()
    assert verify(Match("tally", ["holder", "random"], seed=1).play()).ok
assert not compiled.buffer, compiled.buffer
assert not [name for name in sys.modules if name.startswith("axiom_gym_generated")]
assert not os.path.exists(os.environ["AXIOM_GYM_CACHE_DIR"])
"""


@pytest.mark.compiled_only
def test_python_game__compiles_nothing_writes_no_file_and_warns_of_nothing(
    python: Callable[..., str], tmp_path: Path
) -> None:
    python(NOTHING_COMPILED, AXIOM_GYM_CACHE_DIR=str(tmp_path / "cache"))


# Live objects on the parameters


def test_live_objects__are_kept_from_step_to_step() -> None:
    batch = Batch("tally", 2, autoreset="next_step")
    batch.reset(0)
    batch.params.made = 0
    _play(batch, 300)
    # Two games in the same position share a table, which is made again for the second one.
    assert batch.params.made < 30


def test_live_objects__of_games_in_the_same_position_do_not_mix() -> None:
    batch, alone = Batch("tally", 2), Batch("tally")
    batch.reset([5, 5])
    alone.reset(5)
    batch.buffers.streams[1] = batch.buffers.streams[0]
    for _ in range(120):
        for one in (batch, alone):
            one.sample_actions()
            one.step()
        assert batch.buffers.states[0] == batch.buffers.states[1] == alone.buffers.states[0]


def test_live_objects__are_made_anew_by_copies_of_all_kinds() -> None:
    batch = Batch("tally", 2)
    batch.reset(3)
    _play(batch, 35)
    saved = batch.get_state()
    restored = Batch("tally", 2)
    restored.set_state(saved)
    copies = [batch.clone(), pickle.loads(pickle.dumps(batch)), restored]
    assert len({id(one.params) for one in (batch, *copies)}) == 4
    assert not any(one.params.tables for one in copies)
    expected = [one[:-2] for one in _play(batch, 60)]
    assert all([one[:-2] for one in _play(copy, 60)] == expected for copy in copies)
    batch.set_state(saved)
    assert [one[:-2] for one in _play(batch, 60)] == expected


def test_environment__is_pickled_without_live_objects() -> None:
    env = AxiomEnv("tally", opponent="holder")
    env.reset(seed=2)
    env.step(1)
    assert isinstance(env.batch.params.lock, type(threading.Lock()))
    copy = pickle.loads(pickle.dumps(env))
    for _ in range(20):
        one, other = env.step(1), copy.step(1)
        assert np.array_equal(one[0], other[0])
        assert one[1:4] == other[1:4]
        if one[2] or one[3]:
            env.reset()
            copy.reset()


def test_live_objects_and_buffers__go_with_their_batch() -> None:
    batch = Batch("tally", 2)
    batch.reset(0)
    _play(batch, 10)
    held = [weakref.ref(batch.params), weakref.ref(batch.buffers.states)]
    del batch
    assert [one() for one in held] == [None, None]


# Rules that raise


def test_error_of_the_rules__comes_out_and_the_record_is_as_before() -> None:
    batch = Batch("tally", 1, broken=4)
    batch.reset(0)
    for _ in range(3):
        batch.buffers.actions[:] = 1
        batch.step()
    before, saved = batch.buffers.states.tobytes(), batch.get_state()
    with pytest.raises(ZeroDivisionError, match="in decision 4"):
        batch.step()
    assert batch.buffers.states.tobytes() == before
    with pytest.raises(ResetNeededError, match="no step before the first reset"):
        batch.step()
    with pytest.raises(ResetNeededError, match="after an error in the rules"):
        batch.get_state()
    batch.set_state(saved)
    with pytest.raises(ZeroDivisionError, match="in decision 4"):
        batch.step()
    batch.reset(1)
    batch.step()
    assert batch.buffers.episodes["length"] == [1]


def test_error_of_the_rules__in_one_game_wants_a_reset_of_all() -> None:
    batch = Batch("tally", 3, broken=3)
    batch.reset(0)
    batch.buffers.actions[:] = 1
    batch.step()
    batch.step()
    batch.reset(which=np.array([True, False, True]))
    with pytest.raises(ZeroDivisionError):
        batch.step()
    with pytest.raises(ResetNeededError, match="of all games"):
        batch.reset(which=np.array([True, False, False]))
    batch.reset(0)
    batch.step()


def test_error_of_the_rules__in_an_opponents_turn() -> None:
    env = AxiomEnv("tally", opponent="holder", broken=2, seat=1)
    with pytest.raises(ZeroDivisionError):
        env.reset(seed=0)
    with pytest.raises(ResetNeededError):
        env.step(1)


def test_error__where_nothing_is_played_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise ArithmeticError

    monkeypatch.setattr(_load("tally_game"), "outcome", fail)
    batch = Batch("tally")
    batch.reset(0)
    with pytest.raises(ArithmeticError):
        batch.outcomes()
    batch.buffers.actions[:] = 1
    batch.step()


# Replays and texts


def test_replay__is_that_of_the_twin_and_is_verified_and_told() -> None:
    python, compiled = (
        Match(name, ["holder", "random"], seed=4).play() for name in ("tally", "tally_twin")
    )
    assert python.turns == compiled.turns
    assert python.footer == compiled.footer
    assert verify(python).ok
    told = list(narrate(python))
    assert "Player 0 throws a" in told[1]


def test_commands__say_that_it_is_python(capsys: pytest.CaptureFixture[str]) -> None:
    for name, compiled in (("tally", False), ("tally_twin", True)):
        info(name, as_json=True)
        assert json.loads(capsys.readouterr().out)["compiled"] is compiled
    result = measure(_load("tally_game").GAME, {"num_envs": 2}, 0.05, 5, seed=0)
    assert result["compiled"] is False
    assert result["times_the_floor"] > 1
