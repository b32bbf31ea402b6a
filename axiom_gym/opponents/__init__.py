"""Opponents, and which seats they hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from axiom_gym.lazy import lazy_names

if TYPE_CHECKING:
    from axiom_gym.opponents.pool import (
        Opponent,
        OpponentPool,
        Policy,
        as_pool,
        call_policy,
        check_game,
        load_opponent,
    )

__all__ = [
    "Opponent",
    "OpponentPool",
    "Policy",
    "as_pool",
    "call_policy",
    "check_game",
    "load_opponent",
]

if not TYPE_CHECKING:
    __getattr__ = lazy_names(
        __name__,
        __all__,
        ("axiom_gym.opponents.pool",),
    )


def __dir__() -> list[str]:
    return list(__all__)
