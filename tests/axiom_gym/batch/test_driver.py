from __future__ import annotations

import importlib
import inspect
import re
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from axiom_gym.backend import null_kernel
from axiom_gym.backend.codegen import CompiledCalls
from axiom_gym.batch import Batch, types
from axiom_gym.batch.buffers import AUTORESET
from axiom_gym.batch.sequence import cycle_dtype
from axiom_gym.batch.types import Buffers, Options, Scratch, episode_dtype
from axiom_gym.kernel import EVERYONE, KERNEL_FUNCTIONS, OPTIONAL_FUNCTIONS, zero_records
from axiom_gym.records import field_names
from axiom_gym.rng import STREAM

DRIVER = (*KERNEL_FUNCTIONS, *OPTIONAL_FUNCTIONS, "bot")
TEMPLATES = {
    "axiom_gym.batch.driver": DRIVER,
    "axiom_gym.batch.bot_driver": ("bot",),
    "axiom_gym.backend.entry_driver": ("function",),
}
OPTIONS = Options(
    types.NEXT_STEP, types.NOOP, -1.0, 0, check=False, opponents_follow=False, play_new=True
)
CHECKING = OPTIONS._replace(autoreset=types.DISABLED, on_illegal=types.RAISE, check=True)


@pytest.fixture(scope="module")
def driver() -> CompiledCalls:
    """The driver of the game without rules, as plain Python."""
    parts = {name: getattr(null_kernel, name) for name in DRIVER}
    return CompiledCalls("axiom_gym.batch.driver", parts, "null")


def make_buffers(games: int = 5, players: int = 2) -> Buffers:
    """Buffers in which every array that the driver writes, except records, holds 9."""
    return Buffers(
        states=zero_records(games, null_kernel.STATE),
        episodes=zero_records(games, episode_dtype(players)),
        cycles=zero_records(0, cycle_dtype(players)),
        streams=zero_records(games * players, STREAM).reshape(games, players),
        acting=np.full(games, EVERYONE, np.int16),
        actions=np.zeros((games, players, 2), np.int64),
        observations=np.full((games, players, 4), 9, np.float32),
        masks=np.ones((games, players, 2, 3), np.int8),
        rewards=np.full((games, players), 9, np.float32),
        terminated=np.ones(games, np.bool_),
        truncated=np.ones(games, np.bool_),
        final_observations=np.full((0, players, 4), 9, np.float32),
    )


def rows(buffers: Buffers, games: list[int]) -> list[bytes]:
    return [array[i].tobytes() for array in buffers[:-1] if len(array) for i in games]


def scratch() -> Any:
    return Scratch(np.zeros((2, 2), np.int64), np.zeros(2, np.float32))


# Templates


@pytest.mark.parametrize("name", TEMPLATES)
def test_templates__have_the_two_lines_that_are_replaced(name: str) -> None:
    source = inspect.getsource(importlib.import_module(name))
    assert len(re.findall(r"^CACHE = False$", source, re.MULTILINE)) == 1
    pattern = r"^from axiom_gym\.backend\.null_kernel import (\([^)]*\)|.+)$"
    (imports,) = re.findall(pattern, source, re.MULTILINE)
    assert sorted(re.findall(r"\w+", imports)) == sorted(TEMPLATES[name])
    assert source.count("null_kernel") == 1


@pytest.mark.parametrize("name", TEMPLATES)
def test_templates__can_be_imported_as_they_stand(name: str) -> None:
    module: ModuleType = importlib.import_module(name)
    assert all(getattr(module, part) is getattr(null_kernel, part) for part in TEMPLATES[name])


def test_entries__work_on_the_game_without_rules(driver: CompiledCalls) -> None:
    buffers = make_buffers()
    buffers.masks[:] = 0
    seeds = np.array([5, 0, 2**32 - 1, -1, 7])
    driver.reset_batch(np.ones(5, np.bool_), seeds, buffers, None)
    assert buffers.states["rng"].tolist() == [5, 0, 2**32 - 1, 0, 7]
    assert (buffers.masks == 1).all()
    assert driver.step_batch(0, 5, buffers, scratch(), OPTIONS, None) == (-1, -1)
    assert buffers.episodes["length"].tolist() == [1] * 5
    for array in (buffers.observations, buffers.rewards, buffers.terminated, buffers.truncated):
        assert not array.any()
    returns = np.full((5, 2), 9, np.float32)
    driver.outcome_batch(buffers.states, returns, None)
    assert not returns.any()
    buffers.observations[:] = 9
    driver.write_views_batch(buffers, None)
    assert not buffers.observations.any()


# Slices


@pytest.mark.boundscheck
def test_step_batch__touches_no_game_outside_its_slice(driver: CompiledCalls) -> None:
    buffers = make_buffers()
    outside = rows(buffers, [0, 3, 4])
    driver.step_batch(1, 3, buffers, scratch(), OPTIONS, None)
    assert rows(buffers, [0, 3, 4]) == outside
    assert buffers.episodes["length"].tolist() == [0, 1, 1, 0, 0]
    assert not buffers.terminated[1:3].any()


def test_step_batch__of_no_game_touches_nothing(driver: CompiledCalls) -> None:
    buffers = make_buffers()
    before = rows(buffers, [0, 1, 2, 3, 4])
    assert driver.step_batch(0, 0, buffers, scratch(), OPTIONS, None) == (-1, -1)
    assert rows(buffers, [0, 1, 2, 3, 4]) == before


def test_reset_batch__touches_no_other_game(driver: CompiledCalls) -> None:
    buffers = make_buffers()
    outside = rows(buffers, [0, 2, 4])
    which = np.array([False, True, False, True, False])
    driver.reset_batch(which, np.full(5, 3), buffers, None)
    assert rows(buffers, [0, 2, 4]) == outside
    assert buffers.states["rng"].tolist() == [0, 3, 0, 3, 0]


# Ends


@pytest.mark.boundscheck
@pytest.mark.parametrize("autoreset", AUTORESET)
def test_step_batch__truncates_where_the_rules_say_so(climb: ModuleType, autoreset: str) -> None:
    batch = Batch(climb.GAME, 2, limit=3, autoreset=autoreset)
    batch.reset(0)
    batch.buffers.actions[:] = climb.STEP
    for turn in range(1, 4):
        batch.step()
        assert batch.buffers.truncated.tolist() == [turn == 3] * 2
        assert not batch.buffers.terminated.any()
    # Heights 0, 1, 2 before the turns; the rewards of the last turn count.
    assert batch.buffers.rewards.tolist() == [[0.5]] * 2
    assert batch.buffers.episodes["final_returns"].tolist() == [[0.75]] * 2
    assert not batch.buffers.episodes["fault"].any()
    if autoreset == "same_step":
        assert batch.buffers.final_observations[:, 0, :2].tolist() == [[0, 3]] * 2
        assert batch.buffers.observations[:, 0, :2].tolist() == [[3, 0]] * 2
    else:
        assert batch.outcomes().tolist() == [[0.75]] * 2


def test_step_batch__truncates_once_where_rules_and_limit_agree(climb: ModuleType) -> None:
    batch = Batch(climb.GAME, limit=2, max_turns=2, autoreset="disabled")
    batch.reset(0)
    batch.step()
    assert not batch.buffers.truncated[0]
    batch.step()
    assert batch.buffers.truncated[0]
    assert not batch.buffers.terminated[0]


# Checks


@pytest.mark.boundscheck
@pytest.mark.parametrize("action", [-(2**63), -1, 3, 2**63 - 1])
def test_check_batch__finds_the_first_offence(driver: CompiledCalls, action: int) -> None:
    buffers = make_buffers()
    assert driver.check_batch(buffers, CHECKING) == (-1, -1)
    buffers.actions[3, 1, 0] = action
    buffers.actions[4, 0, 0] = action
    assert driver.check_batch(buffers, CHECKING) == (3, 2)
    buffers.masks[2, 0, 1, 0] = 0
    assert driver.check_batch(buffers, CHECKING) == (2, 1)
    assert driver.check_batch(buffers, CHECKING._replace(on_illegal=types.NOOP)) == (-1, -1)


def test_check_batch__finds_the_first_ended_game_without_autoreset(driver: CompiledCalls) -> None:
    buffers = make_buffers()
    buffers.episodes["ended"][[2, 3]] = 1
    buffers.actions[2:] = 9
    assert driver.check_batch(buffers, CHECKING) == (2, -1)
    # With autoreset these games are reset, whatever their actions.
    buffers.actions[4] = 0
    for mode in (types.NEXT_STEP, types.SAME_STEP):
        assert driver.check_batch(buffers, CHECKING._replace(autoreset=mode)) == (-1, -1)


def test_step_batch__returns_what_the_check_finds_and_touches_nothing(
    driver: CompiledCalls,
) -> None:
    buffers = make_buffers()
    buffers.actions[4, 1, 1] = 3
    before = rows(buffers, [0, 1, 2, 3, 4])
    assert driver.step_batch(0, 2, buffers, scratch(), CHECKING, None) == (4, 3)
    assert rows(buffers, [0, 1, 2, 3, 4]) == before


@pytest.mark.boundscheck
def test_act_batch__touches_no_game_outside_its_slice() -> None:
    calls = CompiledCalls("axiom_gym.batch.bot_driver", {"bot": null_kernel.bot}, "null_random")
    buffers = make_buffers()
    buffers.actions[:] = 9
    calls.act_batch(1, 3, np.zeros((5, 2), np.int16), 0, buffers, None)
    assert (buffers.actions[[0, 3, 4]] == 9).all()
    assert (buffers.actions[1:3] < 3).all()
    assert (buffers.streams["rng"] != 0).tolist() == [[1 <= i < 3] * 2 for i in range(5)]


# Records


def test_episode_dtype__holds_what_the_driver_keeps() -> None:
    dtype = episode_dtype(3)
    assert field_names(dtype) == (
        *("seed", "length", "final_length", "returns", "final_returns"),
        *("offenders", "learner", "fault", "ended"),
    )
    assert dtype["returns"].shape == dtype["final_returns"].shape == (3,)
    assert dtype["offenders"].shape == (3,)
    assert cycle_dtype(3)["early_rewards"].shape == (3,)


def test_modes_and_policies__are_different() -> None:
    assert len({types.NEXT_STEP, types.SAME_STEP, types.DISABLED}) == 3
    assert len({types.RAISE, types.FORFEIT, types.NOOP}) == 3
