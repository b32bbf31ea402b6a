"""What a mistake in a config looks like, and the checks that all parts of a config share."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import isfinite
from typing import Any, NamedTuple

from axiom_gym.config.calls import takes_context

_WIDTH = 80

Problems = Iterator["Problem"]


class Problem(NamedTuple):
    """A mistake in a config."""

    path: str
    """Where, such as `events[3].conditions[0]`."""
    message: str
    """What was given, what is allowed, and what to do."""

    def __str__(self) -> str:
        return f"{self.path}: {self.message}"


def shown(value: object) -> str:
    """A value in a message, not too long."""
    text = repr(value)
    return text if len(text) <= _WIDTH else f"{text[: _WIDTH - 3]}..."


def must_be(path: str, what: str, value: object, remedy: str = "") -> Problem:
    """The problem that a value is not what it has to be."""
    return Problem(path, f"must be {what}, got {shown(value)}.{remedy and f' {remedy}'}")


def did_you_mean(name: object, known: Iterable[str]) -> str:
    """` Did you mean 'x'?`, or nothing where no name comes close."""
    close = difflib.get_close_matches(str(name), list(known), n=1)
    return f" Did you mean {close[0]!r}?" if close else ""


def is_number(value: object) -> bool:
    """Whether it is an int or a float, finite and no bool."""
    if isinstance(value, float):
        return isfinite(value)
    return isinstance(value, int) and not isinstance(value, bool)


def check_name(path: str, value: object) -> Problems:
    """A name or id: a string that is not empty."""
    if not isinstance(value, str) or not value:
        yield must_be(path, "a string that is not empty", value)


def check_list(path: str, value: object, of: str) -> Problems:
    """A list or tuple, as a whole."""
    if not isinstance(value, (list, tuple)):
        yield must_be(path, f"a list of {of}", value)


def check_mapping(path: str, value: object, of: str) -> Problems:
    """A mapping, as a whole."""
    if not isinstance(value, Mapping):
        yield must_be(path, f"a mapping of {of}", value)


def check_kind(path: str, value: object, kind: type) -> Problems:
    """An instance of one of the definitions."""
    if not isinstance(value, kind):
        yield must_be(path, f"of the type {kind.__name__}", value)


def check_state_call(path: str, value: object) -> Problems:
    """A callable that gets (state), or (state, context) if it takes one."""
    count = 2 if callable(value) and takes_context(value) else 1
    yield from check_call(path, value, "(state) or (state, context)", count)


def check_call(path: str, value: object, form: str, count: int) -> Problems:
    """A callable that can be called with so many positional arguments."""
    if not callable(value):
        yield must_be(path, f"a callable of {form}", value)
    elif not _accepts(value, count):
        yield Problem(path, f"must be a callable of {form}; it takes {inspect.signature(value)}.")


def _accepts(function: Callable[..., Any], count: int) -> bool:
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # a builtin that does not tell
        return True
    try:
        signature.bind(*(None,) * count)
    except TypeError:
        return False
    return True
