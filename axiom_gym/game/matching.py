"""Finds a given action among the valid ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from axiom_gym.errors import GameError
from axiom_gym.game.canonical import canonical
from axiom_gym.game.facts import Action


def find_equal(actions: Sequence[Action], given: Any) -> tuple[Action] | None:
    """The first action that is the given object, or else equals it, or has its canonical form.

    It comes in a tuple, because an action may be anything, None too.
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
    """Whether `==` says so; for arrays it does not give a truth value, or raises."""
    try:
        return (one == other) is True
    except Exception:
        return False
