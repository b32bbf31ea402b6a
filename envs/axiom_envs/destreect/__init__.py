"""Destreect: two to six players buy, auction and build on streets, and bankrupt each other.

`GAME` describes the game to Axiom Gym, `DestreectConfig` holds its options, and `load_board` reads
a board. They are imported on first use. `env`, `raw_env` and `parallel_env` make this package
usable as a PettingZoo module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from axiom_envs.lazy import lazy_names, pettingzoo_forms

if TYPE_CHECKING:
    from axiom_envs.destreect.boards import Board, load_board
    from axiom_envs.destreect.config import PRESETS, DestreectConfig
    from axiom_envs.destreect.game import GAME

__all__ = [
    "GAME",
    "PRESETS",
    "Board",
    "DestreectConfig",
    "env",
    "load_board",
    "parallel_env",
    "raw_env",
]

env, raw_env, parallel_env = pettingzoo_forms(__name__)

if not TYPE_CHECKING:
    __getattr__ = lazy_names(__name__, __all__, ("boards", "config", "game"))


def __dir__() -> list[str]:
    return list(__all__)
