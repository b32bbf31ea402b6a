"""From names to games.

Games enter by the entry-point group `axiom_gym.games`; nothing is imported before it is asked for.

An entry point is called `NAME-vVERSION` and points at a `KernelGame`. A third party's game enters
the same way, from its own package, or by `register` for a game that lives in a script. A game that
is declared as a config is such a game too (`axiom_gym.config.as_game`); in a file of its own it
needs no registration and is named by `FILE.py:NAME`.
"""

from __future__ import annotations

import copyreg
import dataclasses
import re
from functools import cache
from importlib.metadata import entry_points
from typing import Any

from axiom_gym.errors import (
    AxiomError,
    ConfigError,
    RegistrationError,
    UnknownGameError,
    UnknownNameError,
)
from axiom_gym.game.facts import KernelGame

GROUP = "axiom_gym.games"
_NAME = re.compile(r"(?P<name>[a-z][a-z0-9_]*)-v(?P<version>\d+)")

_registered: dict[str, KernelGame] = {}


@cache
def _installed() -> dict[str, str]:
    """Entry points by name, as "module:attribute"."""
    return {entry.name: entry.value for entry in entry_points(group=GROUP)}


def game_ids() -> list[str]:
    """All registered games as `name-vN`, in alphabetical order."""
    return sorted({*_installed(), *_registered})


def gymnasium_id(game_id: str) -> str:
    """`quantaris-v0` -> `axiom/Quantaris-v0`, `connect_four-v0` -> `axiom/ConnectFour-v0`."""
    name, _, version = game_id.rpartition("-")
    return f"axiom/{name.title().replace('_', '')}-{version}"


def register(game: KernelGame) -> str:
    """Makes a game known in this process and returns its id.

    Raises:
        RegistrationError: if another game stands under this id already.
    """
    game_id = f"{game.info.name}-v{game.info.version}"
    if _NAME.fullmatch(game_id) is None:
        raise RegistrationError(f"{game_id!r} is no game id; it must look like 'my_game-v0'.")
    known = _registered.get(game_id)
    if game_id in _installed() or (known is not None and known is not game):
        raise RegistrationError(
            f"a game is registered as {game_id!r} already; choose another name or version."
        )
    _registered[game_id] = game
    return game_id


def resolve_id(name: str) -> str:
    """The full id of `name`: an id, a Gymnasium id, or a name, which means the newest version.

    `FILE.py:NAME` and `MODULE:NAME`, which stand for a config in a file, are what they are.

    Raises:
        UnknownGameError: naming all games and the closest one.
    """
    if ":" in name:
        return name
    ids = game_ids()
    if name in ids:
        return name
    for game_id in ids:
        if gymnasium_id(game_id) == name:
            return game_id
    versions = [game_id for game_id in ids if game_id.rpartition("-v")[0] == name]
    if versions:
        return max(versions, key=lambda game_id: int(game_id.rpartition("-v")[2]))
    raise UnknownGameError("game", name, ids, "`axiom-gym list` shows them.")


def get_game(game: str | KernelGame) -> KernelGame:
    """The game of this name; a `KernelGame` is returned as it is.

    A config in a file, `FILE.py:NAME`, is loaded, and from then on known by its id as well.

    Raises:
        UnknownGameError: if there is no such game.
        ConfigError: if there is no such config, or no task for it.
        RegistrationError: if its entry point cannot be loaded or says something else than its name.
    """
    if isinstance(game, KernelGame):
        return game
    if ":" in game:
        return _load_config(game)
    game_id = resolve_id(game)
    if game_id in _registered:
        return _registered[game_id]
    return _load(game_id, _installed()[game_id])


def _load_config(target: str) -> KernelGame:
    from axiom_gym.config.loading import load_game

    game = load_game(target)
    game_id = f"{game.info.name}-v{game.info.version}"
    if _NAME.fullmatch(game_id) and game_id not in _installed():
        _registered.setdefault(game_id, game)
    return game


@cache
def _load(game_id: str, target: str) -> KernelGame:
    try:
        (entry,) = entry_points(group=GROUP, name=game_id)
        loaded = entry.load()
    except (ImportError, AttributeError, ValueError) as error:
        raise RegistrationError(
            f"game {game_id!r} cannot be loaded from {target!r}: {error}"
        ) from error
    if not isinstance(loaded, KernelGame):
        raise RegistrationError(
            f"game {game_id!r}: {target!r} is a {type(loaded).__name__}, not a KernelGame."
        )
    if f"{loaded.info.name}-v{loaded.info.version}" != game_id:
        raise RegistrationError(
            f"game {game_id!r}: its facts say {loaded.info.name!r}, version {loaded.info.version}."
        )
    return loaded


def make_config(
    game: KernelGame, preset: str | None = None, options: dict[str, Any] | None = None
) -> Any:
    """A game's configuration: defaults, then the preset's values, then `options`.

    Raises:
        UnknownNameError: for a preset or option that the game does not have.
        ConfigError: for a value that is not allowed.
    """
    values: dict[str, Any] = {}
    if preset is not None:
        if preset not in game.presets:
            raise UnknownNameError(f"preset of {game.info.name}", preset, game.presets)
        values.update(game.presets[preset])
    values.update(options or {})
    known = [entry.name for entry in dataclasses.fields(game.config)]
    for key in values:
        if key not in known:
            raise UnknownNameError(f"option of {game.info.name}", key, known)
    try:
        return game.config(**values)
    except TypeError as error:
        raise ConfigError(f"options of {game.info.name}: {error}") from error


def count_players(game: str | KernelGame, options: dict[str, Any] | None = None) -> int:
    """How many play a game with these options.

    Raises:
        UnknownNameError, ConfigError: as `make_config`.
    """
    loaded = get_game(game)
    return len(loaded.agents(make_config(loaded, None, options)))


def _reduce(game: KernelGame) -> Any:
    """Pickle a registered game by its id, so that its functions may be of any kind."""
    game_id = f"{game.info.name}-v{game.info.version}"
    try:
        if get_game(game_id) is game:
            return get_game, (game_id,)
    except AxiomError:
        pass  # not registered, or not by this id
    return object.__reduce_ex__(game, 2)


copyreg.pickle(KernelGame, _reduce)
