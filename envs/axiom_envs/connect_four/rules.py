"""The board as bits: what rules, observation and bots share.

A player's stones are one whole number. Column c has seven bits from 7 * c on, the lowest for the
bottom row; the seventh is never set, so that no line runs from one column into the next:

    row 0 (top)     5 12 19 26 33 40 47
    row 1           4 11 18 25 32 39 46
    row 2           3 10 17 24 31 38 45
    row 3           2  9 16 23 30 37 44
    row 4           1  8 15 22 29 36 43
    row 5           0  7 14 21 28 35 42
"""

from __future__ import annotations

import numpy as np

from axiom_gym.kernel import inline_kernel

ROWS = 6
COLUMNS = 7
CELLS = ROWS * COLUMNS
COLUMN_BITS = ROWS + 1

CELL_BITS = np.array(
    [column * COLUMN_BITS + ROWS - 1 - row for row in range(ROWS) for column in range(COLUMNS)]
)
"""(42,) int64: the number of each cell's bit, by rows from the top."""

NO_WINNER = -1
DRAW = 2


@inline_kernel
def is_open(occupied: int, column: int) -> bool:
    """Whether a stone fits into a column, by the stones of both players."""
    return (occupied >> (column * COLUMN_BITS + ROWS - 1)) & 1 == 0


@inline_kernel
def drop(occupied: int, column: int) -> int:
    """The bit of the cell where a stone comes to rest in an open column.

    Adding one to the bottom of a column carries through its stones to the first free cell.
    """
    column_mask = ((1 << ROWS) - 1) << (column * COLUMN_BITS)
    return (occupied + (1 << (column * COLUMN_BITS))) & column_mask


@inline_kernel
def has_line(stones: int) -> bool:
    """Whether four stones stand in a line: upright, level, and along both diagonals.

    `stones & stones >> d` are the first of two in direction d, and of these again two apart the
    first of four.
    """
    for direction in (1, COLUMN_BITS, COLUMN_BITS - 1, COLUMN_BITS + 1):
        pairs = stones & (stones >> direction)
        if pairs & (pairs >> (2 * direction)) != 0:
            return True
    return False
