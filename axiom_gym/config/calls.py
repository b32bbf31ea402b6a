"""Calls of a config's callables, and the errors that their exceptions become."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from axiom_gym.config.definitions import State
from axiom_gym.errors import CallableError

_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def takes_context(function: Callable[..., Any]) -> bool:
    """Return True if a callable takes (state, context), False if it takes (state).

    It takes a context if its second positional parameter has no default or the default None, or if
    it has `*args` and fewer than two positional parameters. A second parameter with another default
    is not a context, as in `lambda s, bonus=bonus: ...`.
    """
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # a builtin without a signature
        return False
    positional = [p for p in parameters if p.kind in _POSITIONAL]
    if len(positional) < 2:
        return any(p.kind is inspect.Parameter.VAR_POSITIONAL for p in parameters)
    return positional[1].default in (inspect.Parameter.empty, None)


def failure(place: str, error: Exception) -> CallableError:
    """Return the CallableError for an exception that the callable at `place` raised."""
    return CallableError(f"{place}: {type(error).__name__}: {error}")


class Call:
    """A callable of (state) or (state, context), and its place in the config."""

    __slots__ = ("_function", "_takes_context", "place")

    def __init__(self, function: Callable[..., Any], place: str) -> None:
        self._function = function
        self._takes_context = takes_context(function)
        self.place = place

    def value(self, view: State, context: Any) -> Any:
        """Return the callable's result.

        Raises:
            CallableError: if the callable raises.
        """
        try:
            if self._takes_context:
                return self._function(view, context)
            return self._function(view)
        except Exception as error:
            raise failure(self.place, error) from error

    def holds(self, view: State, context: Any) -> bool:
        """Return the truth value of the callable's result.

        Raises:
            CallableError: if the callable raises, or its result has no truth value.
        """
        try:
            if self._takes_context:
                return bool(self._function(view, context))
            return bool(self._function(view))
        except Exception as error:
            raise failure(self.place, error) from error
