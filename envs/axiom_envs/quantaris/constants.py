"""Numbers and names of Quantaris.

The board has 9 x 9 cells. x increases to the right and y downward; north is y - 1:

    y=0  . . . . b . . . .      b, a: cores of B (4, 0) and of A (4, 8)
    y=2  . . . 4 5 6 . . .      4 5 6: B1 B2 B3, slots 3 4 5
    y=6  . . . 1 2 3 . . .      1 2 3: A1 A2 A3, slots 0 1 2
    y=8  . . . . a . . . .

Player B sees the board rotated by 180 degrees: its row of units reads B3 B2 B1, and its north is
the board's south. Both players therefore see the same first position, and one policy can play
either side.
"""

from __future__ import annotations

import numpy as np

SIZE = 9
UNITS = 6
UNITS_PER_PLAYER = 3
UNIT_HP = 2
CORE_HP = 5
MAX_TURNS = 50
"""The turn number at which an undecided game is drawn. Turns 1 to 49 are played."""

RULESETS = ("0.1", "0.2")
DEFAULT_RULESET = "0.2"

PLAYERS = "AB"
UNIT_IDS = ("A1", "A2", "A3", "B1", "B2", "B3")
"""The names of the units, by slot."""

CORES = ((4, 8), (4, 0))
"""(x, y) of the cores of A and B."""
START_X = 3
"""The column of the first unit of each side at the start; the others stand to its right."""
START_Y = (6, 2)
"""The rows of the units of A and B at the start."""

PLAYING, OVER = 0, 1
"""The values of `phase`."""

NOBODY = -1
"""The value of `winner` while the game is in progress and after a draw."""

REMOVED = -128
"""The hp of a slot whose unit is no longer on the board."""

CORE_A, CORE_B, NOTHING = 6, 7, 15
"""The targets of a pulse other than units; 0 to 5 are the unit slots."""

DIRECTIONS = ("N", "E", "S", "W", "NE", "NW", "SE", "SW")
"""The directions, by number. Units move in the first four; ruleset 0.1 has only those."""
DX = np.array([0, 1, 0, -1, 1, -1, 1, -1], dtype=np.int64)
DY = np.array([-1, 0, 1, 0, -1, -1, 1, 1], dtype=np.int64)
TURNED = np.array([2, 3, 0, 1, 7, 6, 5, 4], dtype=np.int64)
"""Each direction on a board rotated by 180 degrees, by number: S W N E SW SE NW NE."""

ACTION_SHIELD = 0
ACTION_MOVE = 1
ACTION_PULSE = 5
"""The sub-actions of a unit: shield, the first of four moves, the first of four or eight pulses."""

MOVE, PULSE, SHIELD = 1, 2, 3
"""The kinds of orders. 0 means "no order", so that an all-zero word is no order."""
