"""The rows of a log of Konquista as kinds and numbers; `text.describe_event` describes them.

    EVENT_TURN        player, turn, income
    EVENT_ROLLED      directed border, the attacker's dice (3), the defender's dice (2), the
                      defender's losses; a die that was not rolled is 0
    EVENT_BLITZED     directed border, the attacker's losses, the defender's losses
    EVENT_CONQUERED   directed border, armies that moved in
    EVENT_ELIMINATED  player, place, the player who eliminated it
    EVENT_WON         player
    EVENT_LIMIT       turn

Actions are not events; only their results are. Losses are capped at `MOST_ARMIES`.
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

EVENT_KINDS = {
    EVENT_TURN: "turn",
    EVENT_ROLLED: "roll",
    EVENT_BLITZED: "attack to the end",
    EVENT_CONQUERED: "conquest",
    EVENT_ELIMINATED: "elimination",
    EVENT_WON: "victory",
    EVENT_LIMIT: "turn limit",
}

MOST_ARMIES = 32767
"""The largest number that a log can hold, an int16."""

MOST_ROWS = 4
"""Largest number of rows of one decision: a roll, a conquest, an elimination, a victory."""
