"""The geometry of Quantaris: the players' views, and lines of fire."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_envs.quantaris.constants import CORE_A, CORE_B, DX, DY, NOTHING, SIZE, TURNED, UNITS
from axiom_envs.quantaris.state import Params
from axiom_gym.kernel import inline_kernel


@inline_kernel
def slot_of(player: int, row: int) -> int:
    """Return the slot of the unit in row 0..2 of a player's own list: A1 A2 A3, or B3 B2 B1."""
    return row if player == 0 else UNITS - 1 - row


@inline_kernel
def turn_direction(player: int, direction: int) -> int:
    """Convert a direction of the player's view to one of the board, or back."""
    return direction if player == 0 else TURNED[direction]


# The tables below have an entry for each offset dx, dy between two cells, at the index
# (dx + 8) + 17 * (dy + 8); see `offset_index`.
_SPAN = 2 * SIZE - 1
ZERO = (SIZE - 1) * (1 + _SPAN)
"""`offset_index(0, 0)`."""

FAR = 1 << 10
"""The entry of `RANGES` for an offset that a pulse does not cross."""


def _ranges() -> npt.NDArray[np.int16]:
    """Return `RANGES`."""
    table = np.full((8, _SPAN * _SPAN), FAR, dtype=np.int16)
    for direction in range(8):
        for distance in range(1, SIZE if direction < 4 else 2):
            dx, dy = distance * DX[direction], distance * DY[direction]
            table[direction, dx + 8 + _SPAN * (dy + 8)] = 16 * distance
    return table


RANGES = _ranges()
"""(8, 289) int16, by direction and offset: 16 * distance if a pulse in the direction crosses the
offset, else `FAR`."""


LINES = np.array(
    [
        [sum(1 << d for d in range(n) if RANGES[d, at] < FAR) for at in range(_SPAN * _SPAN)]
        for n in (4, 8)
    ],
    dtype=np.uint8,
)
"""(2, 289) uint8, without and with diagonals: bit d is set if a pulse in direction d crosses the
offset."""


@inline_kernel
def offset_index(dx: int, dy: int) -> int:
    """Return the index of an offset in the tables; dx and dy are -8..8."""
    return dx + 8 + _SPAN * (dy + 8)


@inline_kernel
def trace_pulse(state: Any, unit: int, direction: int, params: Params) -> int:
    """Return the target that a pulse of this unit hits: a slot, CORE_A, CORE_B or NOTHING.

    A pulse hits the nearest target. On a shared cell it hits the first unit in state order, and a
    unit rather than a core. A dead core still stops it.
    """
    x, y = int(state.x[unit]), int(state.y[unit])
    # 16 * distance + target: the smallest number is the nearest target, and then the first one.
    best = FAR + NOTHING
    for other in range(UNITS):
        at = offset_index(int(state.x[other]) - x, int(state.y[other]) - y)
        reach = int(RANGES[direction, at]) + other
        best = min(best, reach if state.hp[other] > 0 else best)
    at = offset_index(params.core_x_a - x, params.core_y_a - y)
    best = min(best, int(RANGES[direction, at]) + CORE_A)
    at = offset_index(params.core_x_b - x, params.core_y_b - y)
    best = min(best, int(RANGES[direction, at]) + CORE_B)
    return best & 15 if best < FAR else NOTHING
