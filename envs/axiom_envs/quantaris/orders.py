"""The format of an order: one int64. The phases of `rules.resolve` write the upper bits.

bits 0..3    unit slot
bits 4..7    kind
bits 8..11   direction on the board
bits 12..19  destination of a move, x | y << 4
bit 20       "contested": a move that stays on the board and does not enter a core
bits 21..23  1 + REASON of a blocked move, else 0
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from axiom_envs.quantaris.constants import (
    ACTION_MOVE,
    ACTION_PULSE,
    ACTION_SHIELD,
    MOVE,
    PULSE,
    SHIELD,
    TURNED,
)
from axiom_envs.quantaris.geometry import slot_of
from axiom_gym.kernel import inline_kernel

MAX_ORDERS = 60
"""The largest number of orders in a turn; a legal turn has at most 6.

`rules` counts hits in 8 bits, and keeps a set of orders as the bits of an int64.
"""

CONTESTED = 1 << 20
CELL_AND_CONTESTED = 0x1FF000


@inline_kernel
def pack_order(unit: int, kind: int, direction: int) -> int:
    """Return an order as one number; `direction` is that on the board."""
    return unit | kind << 4 | direction << 8


@inline_kernel
def unit_of(order: int) -> int:
    """Return the slot of the unit that the order is for."""
    return order & 15


@inline_kernel
def kind_of(order: int) -> int:
    """Return MOVE, PULSE or SHIELD, or 0 for no order."""
    return (order >> 4) & 15


@inline_kernel
def direction_of(order: int) -> int:
    """Return the direction on the board."""
    return (order >> 8) & 15


@inline_kernel
def cell_of(order: int) -> int:
    """Return the destination of a move, x | y << 4."""
    return (order >> 12) & 255


@inline_kernel
def reason_of(order: int) -> int:
    """Return the REASON of a blocked move, or -1."""
    return ((order >> 21) & 7) - 1


def _order_table() -> npt.NDArray[np.int64]:
    """Return the kind and direction of each sub-action as the bits of an order.

    The shape is (2, 14), by player and sub-action. The last column is no order.
    """
    table = np.zeros((2, 14), dtype=np.int64)
    for player in range(2):
        table[player, ACTION_SHIELD] = SHIELD << 4
        for direction in range(8):
            on_board = int(direction if player == 0 else TURNED[direction])
            if direction < 4:
                table[player, ACTION_MOVE + direction] = MOVE << 4 | on_board << 8
            table[player, ACTION_PULSE + direction] = PULSE << 4 | on_board << 8
    return table


_ORDERS = _order_table()


@inline_kernel
def decode_action(player: int, row: int, sub_action: int) -> int:
    """Return the order of a sub-action; `NO_SUB_ACTION`, -1, is the last column of the table."""
    return slot_of(player, row) | int(_ORDERS[player, sub_action])
