"""Numbers and names of Connect Four, and the bit of each cell.

A player's stones are the bits of one integer. Column c has the seven bits from 7 * c to 7 * c + 6.
The lowest bit is the bottom row. The seventh bit is never set, so no line continues from one column
into the next:

    row 0 (top)     5 12 19 26 33 40 47
    row 1           4 11 18 25 32 39 46
    row 2           3 10 17 24 31 38 45
    row 3           2  9 16 23 30 37 44
    row 4           1  8 15 22 29 36 43
    row 5           0  7 14 21 28 35 42
"""

from __future__ import annotations

import numpy as np

ROWS = 6
COLUMNS = 7
CELLS = ROWS * COLUMNS
COLUMN_BITS = ROWS + 1

CELL_BITS = np.array(
    [column * COLUMN_BITS + ROWS - 1 - row for row in range(ROWS) for column in range(COLUMNS)]
)
"""(42,) int64: the bit number of each cell, row by row from the top."""

NO_WINNER = -1
DRAW = 2

LETTERS = "abcdefg"
"""The names of the columns, from the left."""
SIGNS = "xo"
"""The stones of player_0 and player_1 in texts."""

FEATURE_NAMES = tuple(
    f"{side}.{LETTERS[column]}{ROWS - row}"
    for side in ("own", "other")
    for row in range(ROWS)
    for column in range(COLUMNS)
)
"""The names of the features; "own.d1" is the player's own stone at the bottom of column d."""
