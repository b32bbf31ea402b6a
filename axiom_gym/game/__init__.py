"""The facts of games, and the interface of plain Python games.

This package neither compiles anything nor imports Numba. It also exports the names of
`axiom_gym.play` that run plain Python games.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from axiom_gym.lazy import lazy_names

if TYPE_CHECKING:
    from axiom_gym.game.base import BaseAction, BaseGameState, rank
    from axiom_gym.game.canonical import state_digest
    from axiom_gym.game.facts import (
        Game,
        GameInfo,
        GameMetadata,
        KernelGame,
        Layout,
        Player,
        PlayerRanking,
    )
    from axiom_gym.game.state_manager import StateManager
    from axiom_gym.play.game_loop import GameLoop
    from axiom_gym.play.kernel_object import KernelGameObject
    from axiom_gym.play.match_config import MatchConfig
    from axiom_gym.play.result import GameResult
    from axiom_gym.replay.playback import ReplayPlayer
    from axiom_gym.seeded_rng import SeededRNG

__all__ = [
    "BaseAction",
    "BaseGameState",
    "Game",
    "GameInfo",
    "GameLoop",
    "GameMetadata",
    "GameResult",
    "KernelGame",
    "KernelGameObject",
    "Layout",
    "MatchConfig",
    "Player",
    "PlayerRanking",
    "ReplayPlayer",
    "SeededRNG",
    "StateManager",
    "rank",
    "state_digest",
]

if not TYPE_CHECKING:
    __getattr__ = lazy_names(
        __name__,
        __all__,
        (
            "axiom_gym.game.facts",
            "axiom_gym.seeded_rng",
            "axiom_gym.game.base",
            "axiom_gym.game.canonical",
            "axiom_gym.play.match_config",
            "axiom_gym.game.state_manager",
            "axiom_gym.play.result",
            "axiom_gym.replay.playback",
            "axiom_gym.play.game_loop",
            "axiom_gym.play.kernel_object",
        ),
    )


def __dir__() -> list[str]:
    return list(__all__)
