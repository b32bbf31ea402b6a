"""The number of move sequences from the empty board, counted with the kernel's functions.

The expected counts are published: 7 to the power of the depth, less the sequences that a full
column or a won game cuts off.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from axiom_envs.connect_four.kernel import acting, legal_actions, reset, step
from axiom_envs.connect_four.state import STATE
from axiom_gym.kernel import RUNNING, entry, zero_records

COUNTS = [7, 49, 343, 2401, 16807, 117649, 823536, 5673234]


@entry(False)
def count_sequences(states: Any, masks: Any, action: Any, rewards: Any, ply: int) -> int:
    """Return the number of sequences from `states[ply]` to depth D.

    states: (D + 1,) records. masks: (D, 1, 7) int8. action: (1, 1) int64. rewards: (2,) float32.
    """
    depth = masks.shape[0]
    if ply == depth:
        return 1
    legal_actions(states[ply], acting(states[ply], ()), masks[ply], ())
    count = 0
    for column in range(masks.shape[2]):
        if masks[ply, 0, column] == 0:
            continue
        states[ply + 1] = states[ply]
        action[0, 0] = column
        if step(states[ply + 1], action, rewards, None, ()) == RUNNING:
            count += count_sequences(states, masks, action, rewards, ply + 1)
        elif ply + 1 == depth:
            count += 1
    return count


def _by_depth() -> list[Any]:
    deep = pytest.mark.compiled_only
    pairs = list(enumerate(COUNTS, 1))
    return [*pairs[:4], *(pytest.param(*pair, marks=deep) for pair in pairs[4:])]


@pytest.mark.parametrize(("depth", "count"), _by_depth())
def test_perft(depth: int, count: int) -> None:
    states = zero_records(depth + 1, STATE)
    masks = np.zeros((depth, 1, 7), np.int8)
    reset(states[0], ())
    action, rewards = np.zeros((1, 1), np.int64), np.zeros(2, np.float32)
    assert count_sequences(states, masks, action, rewards, 0) == count
