"""Options of choices that note the strings with which rules compare them."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from types import FrameType
from typing import Any

from axiom_gym.config.definitions import Choice
from axiom_gym.config.problems import Problem, did_you_mean

_OWN = str(Path(__file__).parent)

Found = dict[tuple[str, str], Problem]
"""Problems by field and string."""


class _Option(str):
    """An option of a choice, which equals the same string."""

    key: str
    known: frozenset[str]
    found: Found
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        self._check(other, sys._getframe(1))
        return str.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        self._check(other, sys._getframe(1))
        return str.__ne__(self, other)

    def _check(self, other: object, caller: FrameType) -> None:
        """Note a string that is no option, unless this package compares it."""
        file = caller.f_code.co_filename
        if type(other) is not str or other in self.known or file.startswith(_OWN):
            return
        where = f"({Path(file).name}, line {caller.f_lineno})"
        self.found[self.key, other] = Problem(
            f"choices[{self.key!r}]",
            f"is compared with {other!r} {where}, which is none of its options."
            f"{did_you_mean(other, sorted(self.known))}",
        )

    def __deepcopy__(self, memo: Any) -> _Option:
        return self


def watch_options(choices: Mapping[str, Choice], found: Found) -> dict[str, Choice]:
    """Return choices whose options add to `found` what they are compared with."""
    return {key: _watched(key, choice, found) for key, choice in choices.items()}


def _watched(key: str, choice: Choice, found: Found) -> Choice:
    known = frozenset(option for option in choice.options if option is not None)
    options: dict[str | None, str | None] = {None: None}
    for option in known:
        options[option] = watched = _Option(option)
        watched.key, watched.known, watched.found = key, known, found
    return Choice(*map(options.__getitem__, choice.options), default=options[choice.default])
