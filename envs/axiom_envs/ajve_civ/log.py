"""The log of a step: kinds of rows, and what their numbers are.

FIRST_ALONE + value is for the values that concern nobody else: people, devotion.
"""

from __future__ import annotations

FIRST_ALONE = 0
CONQUERED = 1  # people, victim, devotion
EXCHANGED = 3  # people, partner, devotion, the partner's
STARVED = 6  # people, how many
DIED = 7  # people
INFLECTED = 8  # people, value or -1
