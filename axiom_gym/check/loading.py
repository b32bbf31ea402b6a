"""Finds the object-level game that a name stands for: a class or object of Python, or a kernel."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from axiom_gym.errors import ConfigError, UnknownNameError
from axiom_gym.game.facts import Game, KernelGame
from axiom_gym.registry import games as registry
from axiom_gym.registry.targets import FORM, load_module, split_target

MEMBERS = (
    "metadata",
    "initialize",
    "get_valid_actions",
    "execute_action",
    "is_game_over",
    "get_winner",
    "get_rankings",
    "describe_action",
)
"""All that a `Game` must have."""


def load_maker(target: str) -> Callable[[], Any]:
    """What makes a game, which need not be a complete one.

    Args:
        target: `FILE.py:NAME` or `MODULE:NAME` of a class, of a function that makes a game, or of
            the game itself, which then is the same each time; or the name of an installed game or
            of a config, which becomes a `KernelGameObject`.

    Raises:
        ConfigError: if there is no such file, module, name or game, or it cannot be a game.
    """
    source, name = split_target(target)
    if not name and not source.endswith(".py"):
        return _make_kernel_maker(registry.get_game(target))
    module = load_module(source)
    if not name or not hasattr(module, name):
        names = [key for key, value in vars(module).items() if _looks_like_a_game(value)]
        listed = f"The games there: {', '.join(names) or 'none'}."
        if not name:
            raise ConfigError(f"{source!r} alone does not say which game. {FORM}. {listed}")
        raise UnknownNameError(f"game in {source!r}", name, names)
    return _make_maker(target, getattr(module, name))


def load_game(target: str) -> Game[Any, Any]:
    """A game by the same names; it has all members of a `Game`.

    Raises:
        ConfigError: as `load_maker`, or if members are missing.
    """
    game = load_maker(target)()
    missing = [member for member in MEMBERS if not hasattr(game, member)]
    if missing:
        raise ConfigError(
            f"{target!r} is no game: {type(game).__name__} has no {', '.join(missing)}. "
            f"`axiom-gym check {target}` tells more."
        )
    loaded: Game[Any, Any] = game
    return loaded


def _make_maker(target: str, found: Any) -> Callable[[], Any]:
    from axiom_gym.config import GameConfig

    if isinstance(found, GameConfig):
        found = registry.get_game(target)
    if isinstance(found, KernelGame):
        return _make_kernel_maker(found)
    if not callable(found):
        return lambda: found
    try:
        inspect.signature(found).bind()
    except TypeError as error:
        raise ConfigError(
            f"{target!r} cannot be called without arguments ({error}); name a game that is made "
            "already, such as GAME = MyGame(...)."
        ) from error
    maker: Callable[[], Any] = found
    return maker


def _make_kernel_maker(game: KernelGame) -> Callable[[], Any]:
    from axiom_gym.play.kernel_object import KernelGameObject

    return lambda: KernelGameObject(game)


def _looks_like_a_game(value: Any) -> bool:
    return all(hasattr(value, member) for member in MEMBERS)
