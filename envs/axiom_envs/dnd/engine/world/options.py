"""The optional rules of a world."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """The optional rules in use; the defaults are the main rules of the SRD."""

    surprise: bool = False
    """If True, a side can be surprised: it cannot move, act or react until its first turn ends."""
    light: bool = False
    """If True, dim light and darkness affect sight."""
    ready: bool = False
    """If True, creatures can take the Ready action."""
    diagonals: str = "5"
    """Cost of diagonal steps: "5" is 5 ft each, "5-10-5" makes every second one 10 ft."""
    knock_out: bool = False
    """If True, a melee attack that reduces a creature to 0 hit points knocks it out (stable)."""
    shared_initiative: bool = False
    """If True, creatures of one kind on one side share an initiative roll."""
