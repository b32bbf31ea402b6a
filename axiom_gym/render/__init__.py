"""Render modes, and functions that draw the states of games."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from axiom_gym.errors import ConfigError, check_choice
from axiom_gym.game.facts import KernelGame

if TYPE_CHECKING:
    from axiom_gym.batch.batch import Batch

RENDER_MODES = ["ansi", "rgb_array"]


def check_render_mode(mode: str | None) -> str | None:
    """Return `mode` if it is one of `RENDER_MODES` or None.

    Raises:
        UnknownNameError: otherwise.
    """
    return None if mode is None else check_choice("render mode", mode, RENDER_MODES)


def render_modes(game: KernelGame) -> list[str]:
    """Return the modes in which a game can be drawn."""
    return RENDER_MODES if game.painter else ["ansi"]


def render_state(game: KernelGame, state: Any, config: Any, mode: str) -> Any:
    """Return a state as text ("ansi"), or as a picture ("rgb_array"), (H, W, 3) uint8.

    Raises:
        ConfigError: if the game has no pictures.
    """
    if mode == "ansi":
        return game.describe_state(state)
    if not game.painter:
        raise ConfigError(f"{game.info.name} draws no pictures; use render_mode='ansi'.")
    module, _, name = game.painter.partition(":")
    return getattr(importlib.import_module(module), name)(state, config)


def render_games(batch: Batch, mode: str) -> list[Any]:
    """Return every game of a batch, drawn by `render_state`.

    Raises:
        ConfigError: if the game has no pictures.
    """
    return [render_state(batch.game, state, batch.config, mode) for state in batch.buffers.states]
