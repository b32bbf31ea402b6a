"""Numbers and names of AjveCiv."""

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
"""Largest value, population and yield at the start, and the smallest with a minus."""

NOBODY = -1
"""In the place of a people that is looked for, where there is none."""
