"""The kinds of rows of the event log, and the numbers in each.

FIRST_ALONE + value is the kind for the values without a target; its numbers are people, devotion.
"""

from __future__ import annotations

FIRST_ALONE = 0
CONQUERED = 1  # people, victim, devotion
EXCHANGED = 3  # people, partner, devotion, devotion of the partner
STARVED = 6  # people, number of dead
DIED = 7  # people
INFLECTED = 8  # people, value or -1
