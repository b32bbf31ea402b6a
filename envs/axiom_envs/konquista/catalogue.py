"""The actions of Konquista as numbers. This module imports no compiler.

The catalogue of a board with T territories and E directed borders:

    0 ..           PLACE_ONE t     one army on territory t
    T ..           PLACE_ALL t     all armies that are left to place on territory t
    2T ..          ATTACK e        over directed border e
    2T + E         ADVANCE         all armies but one follow into the conquered territory
    2T + E + 1     HOLD            no more armies follow
    2T + E + 2     END_ATTACK
    2T + E + 3 ..  FORTIFY e       all armies but one move over directed border e; ends the turn
    2T + 2E + 3    END_TURN

Directed borders are sorted by the territory where they start, then by the one where they end.
"""

from __future__ import annotations

PLACE_ONE, PLACE_ALL, ATTACK, ADVANCE, HOLD, END_ATTACK, FORTIFY, END_TURN, NO_ACTION = range(9)
"""The kinds of actions. `NO_ACTION` is the kind of a number outside of the catalogue."""

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
"""The names of the kinds of actions."""


def count_actions(territories: int, borders: int) -> int:
    """Return N, the number of actions of a board; `borders` is the number of directed borders."""
    return 2 * territories + 2 * borders + 4


def decode(action: int, territories: int, borders: int) -> tuple[int, int]:
    """Return the kind of an action and its territory or directed border, 0 if it has none."""
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
