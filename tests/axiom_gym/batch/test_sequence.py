"""The turn cycle of sequential games, state by state, without a kernel."""

from __future__ import annotations

import numpy as np
import pytest

from axiom_gym.batch.buffers import allocate
from axiom_gym.batch.sequence import (
    begin_cycle,
    count_step,
    credit_opponents,
    cycle_dtype,
    find_new,
    has_cycle,
    has_ended_early,
    is_decided,
    is_new,
)
from axiom_gym.batch.types import TRUNCATED, Buffers
from axiom_gym.registry import get_game, make_config

GAIN = np.array([2, -2], np.float32)


@pytest.fixture
def buffers() -> Buffers:
    """Two games of Connect Four, the second one in the state "new"."""
    game = get_game("connect_four")
    buffers = allocate(game, make_config(game), 2, with_final=False)
    begin_cycle(1, buffers)
    return buffers


def states(buffers: Buffers) -> tuple[bool, bool, bool]:
    return is_new(1, buffers), has_ended_early(1, buffers), is_decided(1, buffers)


def test_simultaneous_game__has_no_cycle(buffers: Buffers) -> None:
    assert has_cycle(buffers)
    buffers = buffers._replace(cycles=np.zeros(0, cycle_dtype(2)))
    assert not has_cycle(buffers)
    assert not has_ended_early(1, buffers)


def test_opening__keeps_rewards_for_the_first_step(buffers: Buffers) -> None:
    assert states(buffers) == (True, False, False)
    assert find_new(buffers).tolist() == [False, True]
    for _ in range(2):
        buffers.episodes["length"][1] += 1
        assert credit_opponents(1, 0, GAIN, buffers) == 0
    assert states(buffers) == (False, False, False)
    assert not buffers.rewards.any()
    buffers.cycles["opening"][1] = 0
    for expected in ([5, -3], [1, 1]):
        rewards = np.ones(2, np.float32)
        count_step(1, rewards, buffers)
        assert rewards.tolist() == expected
    assert buffers.cycles["steps"].tolist() == [0, 2]


def test_opening__that_ends_the_episode_is_reported_later(buffers: Buffers) -> None:
    buffers.episodes["length"][1] = 1
    assert credit_opponents(1, TRUNCATED, GAIN, buffers) == 0
    assert states(buffers) == (False, True, True)
    begin_cycle(1, buffers)
    assert states(buffers) == (False, False, False)
    assert not buffers.cycles["early_rewards"].any()


def test_running_game__credits_the_last_step_and_reports_its_end(buffers: Buffers) -> None:
    buffers.cycles["opening"][1] = 0
    for end in (0, TRUNCATED):
        assert credit_opponents(1, end, GAIN, buffers) == end
    assert buffers.rewards.tolist() == [[0, 0], [4, -4]]
    assert states(buffers) == (False, False, False)
    buffers.episodes["ended"][1] = 1
    assert states(buffers) == (False, False, True)
