from __future__ import annotations

import dataclasses
from types import ModuleType

import numpy as np
import pytest

from axiom_gym.batch import Batch
from axiom_gym.batch.buffers import AUTORESET
from axiom_gym.batch.faults import describe_fault, describe_faults
from axiom_gym.kernel import FAULT


def at_fault(climb: ModuleType, autoreset: str = "disabled", games: int = 3) -> Batch:
    """A batch after its second turn, in which the second game takes the broken tool."""
    batch = Batch(climb.GAME, games, tool=True, autoreset=autoreset)
    batch.reset(5)
    batch.buffers.actions[:] = climb.STEP
    batch.step()
    batch.buffers.actions[1] = climb.TOOL
    batch.step()
    return batch


# The driver


@pytest.mark.boundscheck
@pytest.mark.parametrize("autoreset", AUTORESET)
def test_fault__truncates_and_pays_nothing(climb: ModuleType, autoreset: str) -> None:
    batch = at_fault(climb, autoreset)
    buffers, episodes = batch.buffers, batch.buffers.episodes
    assert buffers.truncated.tolist() == [False, True, False]
    assert not buffers.terminated.any()
    assert buffers.rewards.tolist() == [[0.25], [0], [0.25]]
    assert episodes["fault"].tolist() == [0, climb.BROKEN, 0]
    assert episodes["final_length"].tolist() == [0, 2, 0]
    assert episodes["final_returns"].tolist() == [[0], [0], [0]]
    if autoreset == "same_step":
        assert buffers.final_observations[1, 0].tolist() == [29, 1, 0, 0, 0]
        assert buffers.observations[1, 0].tolist() == [30, 0, 0, 0, 0]


@pytest.mark.parametrize("autoreset", AUTORESET)
def test_fault__is_reported_until_the_next_step(climb: ModuleType, autoreset: str) -> None:
    batch = at_fault(climb, autoreset)
    if autoreset == "disabled":
        batch.reset(which=batch.buffers.truncated.copy())
    else:
        batch.buffers.actions[:] = climb.STEP
        batch.step()
    assert not batch.buffers.episodes["fault"].any()
    batch.buffers.actions[:] = climb.TOOL
    batch.step()
    assert batch.buffers.episodes["fault"].tolist() == [climb.BROKEN] * 3


def test_fault__is_cleared_by_a_reset_with_or_without_a_seed(climb: ModuleType) -> None:
    for seed in (None, 3):
        batch = at_fault(climb)
        batch.reset(seed)
        assert not batch.buffers.episodes["fault"].any()


def test_fault__leaves_the_neighbours_alone(climb: ModuleType) -> None:
    batch, others = at_fault(climb), Batch(climb.GAME, 3, tool=True, autoreset="disabled")
    others.reset(5)
    others.buffers.actions[:] = climb.STEP
    others.step()
    others.step()
    for name in ("states", "episodes", "observations", "masks", "rewards"):
        ours, theirs = getattr(batch.buffers, name), getattr(others.buffers, name)
        assert all(ours[i].tobytes() == theirs[i].tobytes() for i in (0, 2)), name


def test_fault__is_kept_in_a_saved_state(climb: ModuleType) -> None:
    batch = at_fault(climb)
    fresh = Batch(climb.GAME, 3, tool=True, autoreset="disabled")
    fresh.set_state(batch.get_state())
    assert fresh.buffers.episodes["fault"].tolist() == [0, climb.BROKEN, 0]


def test_fault__is_not_the_refusal_of_an_action(pennies: ModuleType) -> None:
    batch = Batch(pennies.GAME, preset="endless", fault=1, autoreset="disabled")
    batch.reset(0)
    batch.step()
    assert batch.buffers.truncated[0]
    assert batch.buffers.episodes["fault"][0] == 0
    assert describe_faults(batch) is None


def test_climb__keeps_to_the_contract_of_a_fault(climb: ModuleType) -> None:
    batch = Batch(climb.GAME, tool=True, autoreset="disabled")
    batch.reset(1)
    state, rewards = batch.buffers.states[0], np.zeros(1, np.float32)
    before = state.copy()
    actions = np.full((1, 1), climb.TOOL)
    assert climb.step(state, actions, rewards, None, batch.params) == FAULT + climb.BROKEN
    assert state.rng != before.rng
    before.rng = state.rng
    assert state.tobytes() == before.tobytes()


# Texts


def test_describe_fault__asks_the_game_with_its_configuration(climb: ModuleType) -> None:
    batch = at_fault(climb)
    assert describe_fault(batch, 1) == "fault 7: the tool is broken, limit 30"
    assert describe_fault(batch, 0) is None
    assert describe_fault(batch) is None


def test_describe_fault__names_the_number_if_the_game_has_no_text(climb: ModuleType) -> None:
    batch = at_fault(climb)
    batch.game = dataclasses.replace(climb.GAME, describe_fault=None)
    assert describe_fault(batch, 1) == "fault 7 of the rules"


def test_describe_faults__gives_a_text_or_none_for_each_game(climb: ModuleType) -> None:
    batch = at_fault(climb)
    texts = describe_faults(batch)
    assert texts is not None
    assert texts.dtype == object
    assert texts.tolist() == [None, "fault 7: the tool is broken, limit 30", None]
    batch.reset()
    assert describe_faults(batch) is None
