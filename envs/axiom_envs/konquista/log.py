"""The rows of a log of Konquista, as kinds and numbers; `text.describe_event` tells them.

    EVENT_TURN        player, turn, income
    EVENT_ROLLED      directed border, the attacker's dice (3), the defender's (2), the defender's
                      losses; a die is 0 that was not rolled
    EVENT_BLITZED     directed border, the attacker's losses, the defender's
    EVENT_CONQUERED   directed border, armies that moved in
    EVENT_ELIMINATED  player, place, who did it
    EVENT_WON         player
    EVENT_LIMIT       turn

What a player orders is no event: the order says it. Losses stop at `MOST_ARMIES`.
"""

from __future__ import annotations

(
    EVENT_TURN,
    EVENT_ROLLED,
    EVENT_BLITZED,
    EVENT_CONQUERED,
    EVENT_ELIMINATED,
    EVENT_WON,
    EVENT_LIMIT,
) = range(7)

MOST_ARMIES = 32767
"""The largest number that a log can hold."""

MOST_ROWS = 4
"""Most rows of one decision: a roll, a conquest, an elimination, a victory."""
