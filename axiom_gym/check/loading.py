"""Loading object-level games by name: plain Python classes and objects, or kernel games."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from axiom_gym.errors import ConfigError
from axiom_gym.game.bridge import find_maker
from axiom_gym.game.facts import Game, KernelGame, missing_members
from axiom_gym.registry import games as registry
from axiom_gym.registry.targets import find_named, has_converter, is_game, split_target


def load_maker(target: str) -> Callable[[], Any]:
    """Return a function that makes a game. The game may lack members of `Game`.

    Args:
        target: `FILE.py:NAME` or `MODULE:NAME` of a class, of a function that makes a game, or of a
            game, which is then returned at each call. It may also name a config or an installed
            game, which becomes a `KernelGameObject`.

    Raises:
        ConfigError: if there is no such file, module, name or game, or it cannot be a game.
    """
    source, name = split_target(target)
    if not name and not source.endswith(".py"):
        return find_object_maker(registry.get_game(target))
    _, found = find_named(target, is_game, "game", takes=lambda value: True)
    if isinstance(found, KernelGame) or has_converter(found):
        return find_object_maker(registry.get_game(target))
    return find_maker(found, repr(target))


def load_plain_game(target: str) -> Game[Any, Any]:
    """Return a game that has all members of `Game`.

    Args:
        target: as for `load_maker`.

    Raises:
        ConfigError: as for `load_maker`, or if members are missing.
    """
    game = load_maker(target)()
    missing = missing_members(game)
    if missing:
        raise ConfigError(
            f"{target!r} is no game: {type(game).__name__} has no {', '.join(missing)}. "
            f"`axiom-gym check {target}` says more."
        )
    loaded: Game[Any, Any] = game
    return loaded


def find_object_maker(game: KernelGame) -> Callable[[], Any]:
    """Return a function that makes a `KernelGameObject`, or the plain game that `game` stands for.

    Args:
        game: the game, with its default options.
    """
    if game.live is not None:
        return lambda: game.params(registry.make_config(game)).rules.game
    from axiom_gym.play.kernel_object import KernelGameObject

    return lambda: KernelGameObject(game)
