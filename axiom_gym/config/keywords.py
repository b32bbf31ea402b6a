"""Errors for unknown keywords of definitions, which name the right keyword or the right place."""

from __future__ import annotations

import difflib
import functools
import inspect
import re
from collections.abc import Callable
from typing import Any, TypeVar

from axiom_gym.errors import UnknownOptionError

T = TypeVar("T")

_ORIGINAL = {"trigger_type": "trigger"}
"""Names of the original engine in snake case, and the names here, where they differ."""

_keywords: dict[str, list[str]] = {}
"""The keywords of each definition, by the name of its class."""


def explain_keywords(definition: type[T]) -> type[T]:
    """Make the constructor of a dataclass explain an unknown keyword."""
    name = definition.__name__
    create: Callable[..., None] = definition.__init__
    _, *parameters = inspect.signature(create).parameters.values()
    _keywords[name] = [one.name for one in parameters if one.kind is not one.VAR_POSITIONAL]

    @functools.wraps(create)
    def construct(self: T, *values: Any, **given: Any) -> None:
        for keyword in given:
            if keyword not in _keywords[name]:
                raise UnknownOptionError(_explanation(name, keyword))
        create(self, *values, **given)

    definition.__init__ = construct  # type: ignore[assignment]
    return definition


def _explanation(name: str, keyword: str) -> str:
    known = _keywords[name]
    snake = re.sub(r"(?<!^)(?=[A-Z])", "_", keyword).lower()
    snake = _ORIGINAL.get(snake, snake)
    owners = [owner for owner, keywords in _keywords.items() if snake in keywords]
    close = difflib.get_close_matches(snake, known, n=1, cutoff=0.8 if owners else 0.6)
    hints = [f"Did you mean {close[0]!r}?"] if close else []
    if snake not in known and owners:
        hints.append(f"It is a keyword of {' and of '.join(owners)}.")
    return " ".join([f"{name} has no keyword {keyword!r}.", *hints, f"Valid: {', '.join(known)}."])
