"""The numbers and names of AjveCiv."""

from __future__ import annotations

VALUES = ("discover", "conquer", "expand", "exchange", "consent", "develop")
"""The six values in the order of their numbers."""
DISCOVER, CONQUER, EXPAND, EXCHANGE, CONSENT, DEVELOP = range(6)
SIX = len(VALUES)

REWARDS = ("score", "rank", "survival", "delta")
SCORE, RANK, SURVIVAL, DELTA = range(4)

MAX_PLAYERS = 64
MAX_DURATION = 1000
MAX_START = 1000
"""The largest absolute value of a devotion, population or yield at the start."""

NOBODY = -1
"""The result of a search for a people if there is none."""
