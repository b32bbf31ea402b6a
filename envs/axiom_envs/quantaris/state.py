"""The board of Quantaris: state, parameters, and the geometry that rules and observations share.

Board, 9 x 9, x to the right, y downward, north is y - 1:

    y=0  . . . . b . . . .      b, a: cores of B (4, 0) and of A (4, 8)
    y=2  . . . 4 5 6 . . .      4 5 6: B1 B2 B3, slots 3 4 5
    y=6  . . . 1 2 3 . . .      1 2 3: A1 A2 A3, slots 0 1 2
    y=8  . . . . a . . . .

Player B sees the board turned by 180 degrees: its row of units reads B3 B2 B1, and its north is the
board's south. So both players see the same first position, and one policy plays either side.

Axis letters: U = 6 unit slots, in state order.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from axiom_gym.kernel import inline_kernel, record_dtype

SIZE = 9
UNITS = 6
UNITS_PER_PLAYER = 3
UNIT_HP = 2
CORE_HP = 5
MAX_TURNS = 50

PLAYING, OVER = 0, 1
"""Values of `phase`."""

NOBODY = -1
"""Value of `winner` while the game runs and after a draw."""

REMOVED = -128
"""hp of a slot whose unit is no longer on the board."""

STATE = record_dtype(
    [
        ("turn", np.int16),  # number of the turn to be played, from 1
        ("phase", np.int8),  # PLAYING or OVER
        ("winner", np.int8),  # 0 = A, 1 = B, or NOBODY
        ("x", np.int8, (UNITS,)),  # 0..8
        ("y", np.int8, (UNITS,)),  # 0..8
        ("hp", np.int8, (UNITS,)),  # REMOVED when off the board
        ("core_hp", np.int16, (2,)),  # of A, of B; may go far below 0 in ruleset 0.1
        ("rng", np.uint32),  # the rules draw nothing; it makes the episode's seed
    ]
)


class Params(NamedTuple):
    """The numbers that a kernel gets.

    In play the cores and owners are the standard ones; the object API sets others.
    """

    diagonals: int  # 1: pulses go in 8 directions (0.2), 0: in 4 (0.1)
    terminal_loss: int  # 1: a side without units loses, and mutual destruction is a draw (0.2)
    shaping: float  # reward per point of damage to the enemy's core, minus the same for one's own
    core_x_a: int
    core_y_a: int
    core_x_b: int
    core_y_b: int
    owners: int  # bit s is set where slot s belongs to B


def make_params(
    ruleset: str = "0.2",
    core_x: tuple[int, int] = (4, 4),
    core_y: tuple[int, int] = (8, 0),
    owners: int = 0b111000,
    shaping: float = 0.0,
) -> Params:
    """The parameters of a ruleset, "0.1" or "0.2".

    Args:
        ruleset: which rules.
        core_x: columns of the cores of A and B.
        core_y: rows of the cores of A and B.
        owners: bit s is set where slot s belongs to B.
        shaping: reward per point of core damage.
    """
    newer = int(ruleset == "0.2")
    return Params(newer, newer, float(shaping), core_x[0], core_y[0], core_x[1], core_y[1], owners)


# Directions 0..7: N E S W NE NW SE SW. Turned by 180 degrees: S W N E SW SE NW NE.
DX = np.array([0, 1, 0, -1, 1, -1, 1, -1], dtype=np.int64)
DY = np.array([-1, 0, 1, 0, -1, -1, 1, 1], dtype=np.int64)
TURNED = np.array([2, 3, 0, 1, 7, 6, 5, 4], dtype=np.int64)

# Actions.
ACTION_SHIELD = 0
ACTION_MOVE = 1
ACTION_PULSE = 5

# Targets 0..5 are unit slots.
CORE_A, CORE_B, NOTHING = 6, 7, 15


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
