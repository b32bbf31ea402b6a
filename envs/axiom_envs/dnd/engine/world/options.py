"""The optional rules of a world."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """Which optional rules are played; the defaults are the SRD's main text."""

    surprise: bool = False
    """Whether sides can be surprised: no move, action or reaction until their first turn ends."""
    light: bool = False
    """Whether dim light and darkness matter."""
    ready: bool = False
    """Whether an action can be readied for a trigger."""
    diagonals: str = "5"
    """"5": every diagonal step is 5 ft; "5-10-5": every second one is 10 ft."""
    knock_out: bool = False
    """Whether a melee attack that fells a creature leaves it unconscious and stable."""
    shared_initiative: bool = False
    """Whether creatures of one kind on one side share a roll for initiative."""
