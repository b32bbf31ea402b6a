"""The geometry of Quantaris that rules, observations and bots share: sides, and lines of fire."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_envs.quantaris.constants import CORE_A, CORE_B, DX, DY, NOTHING, SIZE, TURNED, UNITS
from axiom_envs.quantaris.state import Params
from axiom_gym.kernel import inline_kernel


@inline_kernel
def slot_of(player: int, row: int) -> int:
    """The slot of the unit in row 0..2 of a player's own list: A1 A2 A3, or B3 B2 B1."""
    return row if player == 0 else UNITS - 1 - row


@inline_kernel
def turn_direction(player: int, direction: int) -> int:
    """A direction of the player's own view on the board, and the other way round."""
    return direction if player == 0 else TURNED[direction]


# Geometry by table: for something that is dx, dy away, at index (dx + 8) + 17 * (dy + 8),
# `offset_index`.
_SPAN = 2 * SIZE - 1
ZERO = (SIZE - 1) * (1 + _SPAN)
"""`offset_index(0, 0)`."""

FAR = 1 << 10


def _ranges() -> npt.NDArray[np.int16]:
    """(8, 289) int16: by direction and offset, 16 * distance if a pulse goes over it, else FAR."""
    table = np.full((8, _SPAN * _SPAN), FAR, dtype=np.int16)
    for direction in range(8):
        for distance in range(1, SIZE if direction < 4 else 2):
            dx, dy = distance * DX[direction], distance * DY[direction]
            table[direction, dx + 8 + _SPAN * (dy + 8)] = 16 * distance
    return table


RANGES = _ranges()
"""(8, 289) int16: 16 * distance where a pulse in the direction goes over the offset, else `FAR`."""


LINES = np.array(
    [
        [sum(1 << d for d in range(n) if RANGES[d, at] < FAR) for at in range(_SPAN * _SPAN)]
        for n in (4, 8)
    ],
    dtype=np.uint8,
)
"""(2, 289) uint8, without and with diagonals: bit d is set where a pulse in direction d goes over
the offset."""


@inline_kernel
def offset_index(dx: int, dy: int) -> int:
    """Where the tables hold what is dx, dy away, each -8..8."""
    return dx + 8 + _SPAN * (dy + 8)


@inline_kernel
def trace_pulse(state: Any, unit: int, direction: int, params: Params) -> int:
    """What a pulse of this unit hits from where it stands: a slot, CORE_A, CORE_B or NOTHING.

    The nearest wins; on one cell the first unit in state order, and a unit before a core. A dead
    core still stops it.
    """
    x, y = int(state.x[unit]), int(state.y[unit])
    best = (
        FAR + NOTHING
    )  # 16 * distance + target, so that the least is the nearest and then the first
    for other in range(UNITS):
        at = offset_index(int(state.x[other]) - x, int(state.y[other]) - y)
        reach = int(RANGES[direction, at]) + other
        best = min(best, reach if state.hp[other] > 0 else best)
    at = offset_index(params.core_x_a - x, params.core_y_a - y)
    best = min(best, int(RANGES[direction, at]) + CORE_A)
    at = offset_index(params.core_x_b - x, params.core_y_b - y)
    best = min(best, int(RANGES[direction, at]) + CORE_B)
    return best & 15 if best < FAR else NOTHING
