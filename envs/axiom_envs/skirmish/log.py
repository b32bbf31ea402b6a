"""The rows of a log of the skirmish: an event's kind, and its number in the decision.

The kinds are those of the engine's event types that have a text.
"""

from __future__ import annotations

EVENT_KINDS = dict(
    enumerate(
        (
            "attack",
            "check",
            "condition application",
            "condition removal",
            "damage",
            "death",
            "fall to 0 hit points",
            "forced movement",
            "healing",
            "roll",
            "save",
            "temporary hit points",
        )
    )
)
