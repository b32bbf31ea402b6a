"""The kinds of rows of the event log, and the numbers in each.

FIRST_ALONE + value is the kind for the values without a target; its numbers are people, devotion.
"""

from __future__ import annotations

from axiom_envs.ajve_civ.constants import CONSENT, DEVELOP, DISCOVER, EXPAND

FIRST_ALONE = 0
CONQUERED = 1  # people, victim, devotion
EXCHANGED = 3  # people, partner, devotion, devotion of the partner
STARVED = 6  # people, number of dead
DIED = 7  # people
INFLECTED = 8  # people, value or -1

EVENT_KINDS = {
    FIRST_ALONE + DISCOVER: "discovery",
    CONQUERED: "conquest",
    FIRST_ALONE + EXPAND: "expansion",
    EXCHANGED: "exchange",
    FIRST_ALONE + CONSENT: "consent",
    FIRST_ALONE + DEVELOP: "development",
    STARVED: "starvation",
    DIED: "extinction",
    INFLECTED: "inflection",
}
