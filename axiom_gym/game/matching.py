"""Search for an action among the legal ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from axiom_gym.errors import GameError
from axiom_gym.game.canonical import canonical
from axiom_gym.game.facts import Action


def find_equal(actions: Sequence[Action], given: Any) -> tuple[Action] | None:
    """Return the action that matches `given` in a tuple, because an action may be None.

    The first action that is the same object matches, otherwise the first one that is equal,
    otherwise the first one with the same canonical form. Return None if there is none.
    """
    for action in actions:
        if action is given:
            return (action,)
    for action in actions:
        if type(action) is type(given) and _equals(action, given):
            return (action,)
    try:
        form = canonical(given)
    except GameError:
        return None
    return next(((action,) for action in actions if canonical(action) == form), None)


def _equals(one: Any, other: Any) -> bool:
    """Return True if `==` is True; for arrays it gives no truth value, or raises."""
    try:
        return (one == other) is True
    except Exception:
        return False
