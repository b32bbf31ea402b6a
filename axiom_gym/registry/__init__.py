"""Names to games: installed games, their options, and games in files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from axiom_gym.lazy import lazy_names

if TYPE_CHECKING:
    from axiom_gym.registry.games import (
        count_players,
        game_ids,
        get_game,
        gymnasium_id,
        make_config,
        register,
        resolve_id,
    )

__all__ = [
    "count_players",
    "game_ids",
    "get_game",
    "gymnasium_id",
    "make_config",
    "register",
    "resolve_id",
]

if not TYPE_CHECKING:
    __getattr__ = lazy_names(
        __name__,
        __all__,
        ("axiom_gym.registry.games",),
    )


def __dir__() -> list[str]:
    return list(__all__)
