"""Games of any kind, with the object-level interface."""

from __future__ import annotations

from typing import Any

from axiom_gym.game.facts import KernelGame
from axiom_gym.registry import games as registry
from axiom_gym.registry.targets import has_converter
from axiom_gym.replay.games import open_plain


def open_game(game: Any) -> Any:
    """Return a game with the object-level interface.

    Args:
        game: any `GameLike`. An object with the members of `axiom_gym.game.Game` is returned as it
            is, a plain Python class or its name becomes an instance, and a kernel game becomes a
            `KernelGameObject`.

    Raises:
        UnknownGameError, ConfigError: as for `axiom_gym.registry.get_game`.
    """
    if not isinstance(game, str | type | KernelGame) and not has_converter(game):
        return game
    from axiom_gym.play.kernel_object import KernelGameObject  # imports Numba

    loaded = registry.get_game(game)
    return KernelGameObject(loaded) if loaded.live is None else open_plain(loaded)
