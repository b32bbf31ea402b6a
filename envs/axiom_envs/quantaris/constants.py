"""Numbers and names of Quantaris.

The board is 9 x 9, x to the right, y downward, north is y - 1:

    y=0  . . . . b . . . .      b, a: cores of B (4, 0) and of A (4, 8)
    y=2  . . . 4 5 6 . . .      4 5 6: B1 B2 B3, slots 3 4 5
    y=6  . . . 1 2 3 . . .      1 2 3: A1 A2 A3, slots 0 1 2
    y=8  . . . . a . . . .

Player B sees the board turned by 180 degrees: its row of units reads B3 B2 B1, and its north is the
board's south. So both players see the same first position, and one policy plays either side.
"""

from __future__ import annotations

import numpy as np

SIZE = 9
UNITS = 6
UNITS_PER_PLAYER = 3
UNIT_HP = 2
CORE_HP = 5
MAX_TURNS = 50
"""The turn number at which an undecided game is drawn: turns 1 to 49 are played."""

RULESETS = ("0.1", "0.2")
DEFAULT_RULESET = "0.2"

PLAYERS = "AB"
UNIT_IDS = ("A1", "A2", "A3", "B1", "B2", "B3")
"""By slot."""

CORES = ((4, 8), (4, 0))
"""(x, y) of the cores of A and B."""
START_X = 3
"""Column of the first unit of each side at the start; the others stand to its right."""
START_Y = (6, 2)
"""Rows of the units of A and B at the start."""

PLAYING, OVER = 0, 1
"""Values of `phase`."""

NOBODY = -1
"""Value of `winner` while the game runs and after a draw."""

REMOVED = -128
"""hp of a slot whose unit is no longer on the board."""

CORE_A, CORE_B, NOTHING = 6, 7, 15
"""What a pulse can hit besides 0 to 5, which are unit slots."""

DIRECTIONS = ("N", "E", "S", "W", "NE", "NW", "SE", "SW")
"""By number; ruleset 0.1 has the first four. Units move in the first four."""
DX = np.array([0, 1, 0, -1, 1, -1, 1, -1], dtype=np.int64)
DY = np.array([-1, 0, 1, 0, -1, -1, 1, 1], dtype=np.int64)
TURNED = np.array([2, 3, 0, 1, 7, 6, 5, 4], dtype=np.int64)
"""By direction, the same one on a board turned by 180 degrees: S W N E SW SE NW NE."""

ACTION_SHIELD = 0
ACTION_MOVE = 1
ACTION_PULSE = 5
"""Actions of a unit: to shield; the first of four to move; the first of four or eight to pulse."""

MOVE, PULSE, SHIELD = 1, 2, 3
"""Kinds of orders. 0 is kept for "no order", which an all-zero word is."""
