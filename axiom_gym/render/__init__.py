"""What all games share in drawing: the modes, and the way from a game's painter to a picture."""

from __future__ import annotations

import importlib
from typing import Any

from axiom_gym.errors import ConfigError, check_choice
from axiom_gym.game.facts import KernelGame

RENDER_MODES = ["ansi", "rgb_array"]


def check_render_mode(mode: str | None) -> str | None:
    """`mode` if it is one of `RENDER_MODES` or None.

    Raises:
        UnknownNameError: otherwise.
    """
    return None if mode is None else check_choice("render mode", mode, RENDER_MODES)


def render_modes(game: KernelGame) -> list[str]:
    """The modes that a game can be drawn in."""
    return RENDER_MODES if game.painter else ["ansi"]


def render_state(game: KernelGame, state: Any, config: Any, mode: str) -> Any:
    """One state as text ("ansi") or as a picture ("rgb_array"), (H, W, 3) uint8.

    Raises:
        ConfigError: if the game draws no pictures.
    """
    if mode == "ansi":
        return game.describe_state(state)
    if not game.painter:
        raise ConfigError(f"{game.info.name} draws no pictures; use render_mode='ansi'.")
    module, _, name = game.painter.partition(":")
    return getattr(importlib.import_module(module), name)(state, config)
