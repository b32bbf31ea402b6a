"""The state record of Quantaris, and the parameters of its kernel."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from axiom_envs.quantaris.constants import CORES, DEFAULT_RULESET, UNITS
from axiom_gym.kernel import record_dtype

STATE = record_dtype(
    [
        ("turn", np.int16),  # number of the next turn, from 1
        ("phase", np.int8),  # PLAYING or OVER
        ("winner", np.int8),  # 0 = A, 1 = B, or NOBODY
        ("x", np.int8, (UNITS,)),  # 0..8
        ("y", np.int8, (UNITS,)),  # 0..8
        ("hp", np.int8, (UNITS,)),  # REMOVED for a unit off the board
        ("core_hp", np.int16, (2,)),  # of A, of B; can fall far below 0 in ruleset 0.1
        ("rng", np.uint32),  # unused by the rules; the seed of the episode
    ]
)

OWNERS = 0b111000
"""The owners of the slots: bit s is set if slot s belongs to B."""


class Params(NamedTuple):
    """The parameters of the kernel.

    Environments use the standard cores and owners; the object API can set others.
    """

    diagonals: int  # 1: pulses go in 8 directions (0.2), 0: in 4 (0.1)
    terminal_loss: int  # 1: a side without units loses, and mutual destruction is a draw (0.2)
    shaping: float  # reward per point of damage to the enemy's core, penalty for the own core's
    core_x_a: int
    core_y_a: int
    core_x_b: int
    core_y_b: int
    owners: int  # bit s is set if slot s belongs to B


def make_params(
    ruleset: str = DEFAULT_RULESET,
    cores: tuple[tuple[int, int], tuple[int, int]] = CORES,
    owners: int = OWNERS,
    shaping: float = 0.0,
) -> Params:
    """Return the parameters of a ruleset.

    Args:
        ruleset: "0.1" or "0.2".
        cores: (x, y) of the cores of A and B.
        owners: the owners of the slots; bit s is set if slot s belongs to B.
        shaping: the reward for each point of damage to a core.
    """
    newer = int(ruleset == "0.2")
    return Params(newer, newer, float(shaping), *cores[0], *cores[1], owners)
