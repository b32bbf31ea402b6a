"""Lookup of games by name: installed games, their options, and games in files."""

from __future__ import annotations

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
