"""The rules of Connect Four on boards of bits; `constants` numbers the bits."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_envs.connect_four.constants import CELLS, COLUMN_BITS, DRAW, ROWS
from axiom_gym.kernel import ENDED, RUNNING, inline_kernel


@inline_kernel
def is_open(occupied: int, column: int) -> bool:
    """Return True if a column has room. occupied: the stones of both players."""
    return (occupied >> (column * COLUMN_BITS + ROWS - 1)) & 1 == 0


@inline_kernel
def drop(occupied: int, column: int) -> int:
    """Return the bit of the cell where a stone lands in an open column.

    Adding 1 at the bottom bit carries through the column's stones to its first free cell.
    """
    column_mask = ((1 << ROWS) - 1) << (column * COLUMN_BITS)
    return (occupied + (1 << (column * COLUMN_BITS))) & column_mask


@inline_kernel
def has_line(stones: int) -> bool:
    """Return True if four stones form a line: vertical, horizontal or diagonal.

    `pairs` marks each stone whose neighbour in the direction is a stone too. Two pairs that are two
    cells apart are a line of four.
    """
    for direction in (1, COLUMN_BITS, COLUMN_BITS - 1, COLUMN_BITS + 1):
        pairs = stones & (stones >> direction)
        if pairs & (pairs >> (2 * direction)) != 0:
            return True
    return False


@inline_kernel
def play(state: Any, player: int, column: int, rewards: npt.NDArray[np.float32]) -> int:
    """Drop a stone into an open column; return ENDED or RUNNING. rewards: (2,) float32, written."""
    occupied = int(state.stones[0]) | int(state.stones[1])
    stones = int(state.stones[player]) | drop(occupied, column)
    state.stones[player] = stones
    state.ply = int(state.ply) + 1
    rewards[:] = 0.0
    if has_line(stones):
        state.winner = player
        rewards[player] = 1.0
        rewards[1 - player] = -1.0
        return ENDED
    if int(state.ply) == CELLS:
        state.winner = DRAW
        return ENDED
    return RUNNING
