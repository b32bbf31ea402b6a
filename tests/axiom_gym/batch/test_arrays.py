"""Loops over arrays in the driver, and the operations that replace them for plain rules."""

from __future__ import annotations

import numpy as np
import pytest

from axiom_gym.backend import plain
from axiom_gym.batch import arrays


@pytest.mark.parametrize("reward", [0.0, -0.0, 0.1, -1.5, 1e-40])
def test_add_rewards__gives_the_same_bits_with_numpy(reward: float) -> None:
    rewards = np.full(4, reward, np.float32)
    expected = np.array([0.0, -0.0, 0.1, 1.5], np.float32)
    found = expected.copy()
    arrays.add_rewards(expected, rewards)
    plain._add_rewards(found, rewards)
    assert found.tobytes() == expected.tobytes()


def test_clear__sets_every_entry_to_zero() -> None:
    for clear in (arrays.clear, plain._clear):
        values = np.array([[1, -2], [3, 4]], np.int8)
        clear(values)
        assert values.tolist() == [[0, 0], [0, 0]]
