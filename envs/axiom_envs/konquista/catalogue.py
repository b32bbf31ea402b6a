"""The actions of Konquista as numbers; compiles nothing.

The catalogue of a board with T territories and E directed borders, T and E of the board:

    0 ..           PLACE_ONE t     one army on territory t
    T ..           PLACE_ALL t     all armies that are left to place on territory t
    2T ..          ATTACK e        over directed border e
    2T + E         ADVANCE         all armies but one follow into the territory that has just fallen
    2T + E + 1     HOLD            none does
    2T + E + 2     END_ATTACK
    2T + E + 3 ..  FORTIFY e       all armies but one go over directed border e; ends the turn
    2T + 2E + 3    END_TURN

Directed borders are numbered by where they start, and then by where they end.
"""

from __future__ import annotations

PLACE_ONE, PLACE_ALL, ATTACK, ADVANCE, HOLD, END_ATTACK, FORTIFY, END_TURN, NO_ACTION = range(9)
"""Kinds of actions. `NO_ACTION` is what a number outside of the catalogue stands for."""

KINDS = (
    "place one",
    "place all",
    "attack",
    "advance",
    "hold",
    "end attack",
    "fortify",
    "end turn",
)
"""Names of the kinds of actions."""


def count_actions(territories: int, borders: int) -> int:
    """N, how many actions a board has; `borders` are directed."""
    return 2 * territories + 2 * borders + 4


def decode(action: int, territories: int, borders: int) -> tuple[int, int]:
    """The kind of an action, and its territory or directed border; 0 where it has none."""
    if action < 0 or action >= 2 * territories + 2 * borders + 4:
        return NO_ACTION, 0
    if action < territories:
        return PLACE_ONE, action
    if action < 2 * territories:
        return PLACE_ALL, action - territories
    rest = action - 2 * territories
    if rest < borders:
        return ATTACK, rest
    rest -= borders
    if rest < 3:
        return ADVANCE + rest, 0
    rest -= 3
    if rest < borders:
        return FORTIFY, rest
    return END_TURN, 0
