"""From names to games.

Games enter by the entry-point group `axiom_gym.games`; nothing is imported before it is asked for.

An entry point is called `NAME-vVERSION` and points at a `KernelGame`. A third party's game enters
the same way, from its own package, or by `register` for a game that lives in a script. What can
become a `KernelGame` needs no registration: a plain Python game, given as its class or as an
object, and whatever has `to_kernel_game(target, beside)`, as a config has. `FILE.py:NAME` names one
that stands in a file.
"""

from __future__ import annotations

import copyreg
import dataclasses
import re
from collections.abc import Mapping
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from axiom_gym.errors import (
    AxiomError,
    ConfigError,
    RegistrationError,
    UnknownGameError,
    UnknownNameError,
)
from axiom_gym.game.bridge import as_kernel_game
from axiom_gym.game.facts import GameLike, KernelGame
from axiom_gym.registry.targets import find_named, has_converter, is_game, split_target

GROUP = "axiom_gym.games"
_NAME = re.compile(r"(?P<name>[a-z][a-z0-9_]*)-v(?P<version>\d+)")

MOST_CONVERTED = 256
"""Plain games that are kept, so that each is searched for its actions once."""

_registered: dict[str, KernelGame] = {}
_targets: dict[str, KernelGame] = {}
_converted: dict[int, tuple[KernelGame, Any]] = {}
"""By the identity of what they were made of, which is kept with them."""


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

    `FILE.py:NAME` and `MODULE:NAME`, which stand for a game in a file, are what they are.

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


def get_game(game: GameLike) -> KernelGame:
    """The game of this name; a `KernelGame` is returned as it is.

    A game in a file, `FILE.py:NAME`, is loaded, and from then on known by its id as well.

    Raises:
        UnknownGameError: if there is no such game.
        ConfigError: if there is nothing of this name in the file, or what is there is no game.
        RegistrationError: if its entry point cannot be loaded or says something else than its name.
    """
    if isinstance(game, KernelGame):
        return game
    if not isinstance(game, str):
        return _convert(game)
    if ":" in game:
        return _load_target(game)
    game_id = resolve_id(game)
    if game_id in _registered:
        return _registered[game_id]
    return _load(game_id, _installed()[game_id])


def _convert(game: Any) -> KernelGame:
    """A plain Python game; the same one for the same class or object."""
    known = _converted.get(id(game))
    if known is None:
        made = as_kernel_game(game, source=(get_game, (game,)))
        known = _converted[id(game)] = (made, game)
        if len(_converted) > MOST_CONVERTED:
            del _converted[next(iter(_converted))]
    return known[0]


def _load_target(target: str) -> KernelGame:
    source, name = split_target(target)
    key = f"{Path(source).resolve() if source.endswith('.py') else source}:{name}"
    if key not in _targets:
        module, found = find_named(target, is_game, "game", takes=callable)
        _targets[key] = _make(found, target, key, vars(module))
    game = _targets[key]
    game_id = f"{game.info.name}-v{game.info.version}"
    if _NAME.fullmatch(game_id) and game_id not in _installed():
        _registered.setdefault(game_id, game)
    return game


def _make(found: Any, target: str, key: str, beside: Mapping[str, Any]) -> KernelGame:
    """What a target names as a game, which is pickled by it. key: the target with a full path."""
    if isinstance(found, KernelGame):
        return found
    source = (get_game, (key,))
    if has_converter(found):
        made: KernelGame = found.to_kernel_game(target, beside)
        return dataclasses.replace(made, source=source)
    return as_kernel_game(found, name=repr(target), source=source)


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


def count_players(
    game: GameLike, options: dict[str, Any] | None = None, preset: str | None = None
) -> int:
    """How many play a game with these options, over those of the preset.

    Raises:
        UnknownNameError, ConfigError: as `make_config`.
    """
    loaded = get_game(game)
    return len(loaded.agents(make_config(loaded, preset, options)))


def _reduce(game: KernelGame) -> Any:
    """Pickle a registered game by its id, so that its functions may be of any kind."""
    if game.source is not None:
        return game.source
    game_id = f"{game.info.name}-v{game.info.version}"
    try:
        if get_game(game_id) is game:
            return get_game, (game_id,)
    except AxiomError:
        pass  # not registered, or not by this id
    return object.__reduce_ex__(game, 2)


copyreg.pickle(KernelGame, _reduce)
