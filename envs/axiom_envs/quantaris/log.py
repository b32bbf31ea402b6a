"""The kinds of rows of the event log, and the numbers in each; `text.describe_event` prints them.

    EVENT_MOVE              slot, from x, y, to x, y
    EVENT_MOVE_BLOCKED      slot, x, y, direction, one of the REASONs of a blocked move
    EVENT_PULSE_FIRED       slot, x, y, direction; a hit or a miss follows
    EVENT_PULSE_HIT         slot or core, damage
    EVENT_PULSE_MISS        slot
    EVENT_SHIELD_ACTIVATED  slot
    EVENT_DAMAGE_APPLIED    slot or core, damage of the turn, hp left
    EVENT_ENTITY_DESTROYED  slot or core
    EVENT_GAME_OVER         player who has won
    EVENT_TERMINAL_LOSS     player without units
    EVENT_DRAW              one of the REASONs of a draw

The events and their order are those of the original engine; `compat.events` has them as values.
"""

from __future__ import annotations

(
    EVENT_MOVE,
    EVENT_MOVE_BLOCKED,
    EVENT_PULSE_FIRED,
    EVENT_PULSE_HIT,
    EVENT_PULSE_MISS,
    EVENT_SHIELD_ACTIVATED,
    EVENT_DAMAGE_APPLIED,
    EVENT_ENTITY_DESTROYED,
    EVENT_GAME_OVER,
    EVENT_TERMINAL_LOSS,
    EVENT_DRAW,
) = range(11)

EVENT_KINDS = {
    EVENT_MOVE: "move",
    EVENT_MOVE_BLOCKED: "blocked move",
    EVENT_PULSE_FIRED: "pulse",
    EVENT_PULSE_HIT: "hit",
    EVENT_PULSE_MISS: "miss",
    EVENT_SHIELD_ACTIVATED: "shield",
    EVENT_DAMAGE_APPLIED: "damage",
    EVENT_ENTITY_DESTROYED: "destruction",
    EVENT_GAME_OVER: "victory",
    EVENT_TERMINAL_LOSS: "loss of all units",
    EVENT_DRAW: "draw",
}

REASON_BOUNDS, REASON_CORE, REASON_COLLISION, REASON_STATIONARY, REASON_SWAP = range(5)
"""The reasons of a blocked move."""

REASON_MAX_TURNS, REASON_MUTUAL_DESTRUCTION = range(2)
"""The reasons of a draw."""
