"""Numbers and names of Konquista: the phases, and the limits of boards and options."""

from __future__ import annotations

REINFORCE, ATTACKING, ADVANCING, FORTIFYING, OVER = range(5)
"""Values of a state's `phase`."""
PHASES = ("reinforce", "attack", "advance", "fortify")
"""The names of the phases of a game in progress."""

BOARDS = ("island", "classic", "continent")
"""The maps that come with the game."""

MAX_PLAYERS = 6
MAX_TURN_LIMIT = 1000
MAX_TERRITORIES = 48
MAX_REGIONS = 8
MAX_BONUS = 12
MAX_ARMIES = 120
"""Largest number of armies of a seat at the start."""

WIDTH, HEIGHT = 100, 70
"""The largest x and y of a territory."""
