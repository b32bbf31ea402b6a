"""Mistakes in configs, and the checks that all parts of a config share."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import isfinite
from typing import Any, NamedTuple

from axiom_gym.config.calls import takes_context
from axiom_gym.config.definitions import plain
from axiom_gym.errors import ConfigError

_WIDTH = 80

Problems = Iterator["Problem"]


class Problem(NamedTuple):
    """A mistake in a config."""

    path: str
    """The place in the config, such as `events[3].conditions[0]`."""
    message: str
    """The value, what is allowed, and the remedy."""

    def __str__(self) -> str:
        return f"{self.path}: {self.message}"


def report(config: Any, found: Iterable[Problem]) -> None:
    """Raise the error for the mistakes of a config, if there are any.

    Raises:
        ConfigError: with a line for each mistake; its attribute `problems` lists them.
    """
    problems = list(found)
    if problems:
        count = "a problem" if len(problems) == 1 else f"{len(problems)} problems"
        lines = "\n".join(f"  {problem}" for problem in problems)
        error = ConfigError(f"config {getattr(config, 'name', '?')!r} has {count}:\n{lines}")
        error.problems = problems  # type: ignore[attr-defined]
        raise error


def shown(value: object) -> str:
    """Return a value's repr for a message, of at most 80 characters."""
    text = repr(value)
    return text if len(text) <= _WIDTH else f"{text[: _WIDTH - 3]}..."


def must_be(path: str, what: str, value: object, remedy: str = "") -> Problem:
    """Return a problem that says what a value must be, and what it is."""
    return Problem(path, f"must be {what}, got {shown(value)}.{remedy and f' {remedy}'}")


def did_you_mean(name: object, known: Iterable[str]) -> str:
    """Return ` Did you mean 'x'?`, or "" if no known name is similar."""
    close = difflib.get_close_matches(str(name), list(known), n=1)
    return f" Did you mean {close[0]!r}?" if close else ""


def is_number(value: object) -> bool:
    """Return True for an int or a finite float of Python or NumPy, but not for a bool."""
    value = plain(value)
    if isinstance(value, float):
        return isfinite(value)
    return isinstance(value, int) and not isinstance(value, bool)


def listed(path: str, values: object) -> Iterator[tuple[str, Any]]:
    """Yield the path and value of each entry; none for another type, which `check_list` reports."""
    if isinstance(values, (list, tuple)):
        for i, value in enumerate(values):
            yield f"{path}[{i}]", value


def items(mapping: object) -> list[tuple[Any, Any]]:
    """Return the entries; [] for another type, which `check_mapping` reports."""
    return list(mapping.items()) if isinstance(mapping, Mapping) else []


def check_name(path: str, value: object) -> Problems:
    """Check that a name or id is a non-empty string."""
    if not isinstance(value, str) or not value:
        yield must_be(path, "a non-empty string", value)


def check_list(path: str, value: object, of: str) -> Problems:
    """Check that a value is a list or tuple."""
    if not isinstance(value, (list, tuple)):
        yield must_be(path, f"a list of {of}", value)


def check_mapping(path: str, value: object, of: str) -> Problems:
    """Check that a value is a mapping."""
    if not isinstance(value, Mapping):
        yield must_be(path, f"a mapping of {of}", value)


def check_kind(path: str, value: object, kind: type) -> Problems:
    """Check that a value is an instance of a definition's class."""
    if not isinstance(value, kind):
        yield must_be(path, f"of the type {kind.__name__}", value)


def check_state_call(path: str, value: object) -> Problems:
    """Check that a value can be called with (state) or (state, context)."""
    count = 2 if callable(value) and takes_context(value) else 1
    yield from check_call(path, value, "(state) or (state, context)", count)


def check_call(path: str, value: object, form: str, count: int) -> Problems:
    """Check that a value can be called with `count` positional arguments."""
    if not callable(value):
        yield must_be(path, f"a callable of {form}", value)
    elif not _accepts(value, count):
        yield Problem(path, f"must be a callable of {form}; it takes {inspect.signature(value)}.")


def _accepts(function: Callable[..., Any], count: int) -> bool:
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # a builtin without a signature
        return True
    try:
        signature.bind(*(None,) * count)
    except TypeError:
        return False
    return True
