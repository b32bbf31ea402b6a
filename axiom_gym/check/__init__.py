"""Checks of a game that its author runs.

from axiom_gym.check import check_game

assert all(finding.ok for finding in check_game("my_game"))
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from axiom_gym.lazy import lazy_names

if TYPE_CHECKING:
    from axiom_gym.check.conformance import CHECKS, Finding, check_game
    from axiom_gym.check.writing import find_unwritten

__all__ = ["CHECKS", "Finding", "check_game", "find_unwritten"]

if not TYPE_CHECKING:
    __getattr__ = lazy_names(
        __name__, __all__, ("axiom_gym.check.conformance", "axiom_gym.check.writing")
    )


def __dir__() -> list[str]:
    return list(__all__)
