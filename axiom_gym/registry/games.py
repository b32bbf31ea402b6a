"""Lookup of games by name.

Games are entry points of the group `axiom_gym.games`, in this or any other package. The name of an
entry point is `NAME-vVERSION`, and its value is a `KernelGame`, which is imported at its first use.
A script can call `register` instead.

Other games need no registration and are converted to a `KernelGame`: the class or an instance of a
plain Python game, and an object with a method `to_kernel_game(target, beside)`, such as a config.
If such a game is in a file, `FILE.py:NAME` is its name.
"""

from __future__ import annotations

import copyreg
import dataclasses
import re
import textwrap
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
from axiom_gym.game.facts import GameInfo, GameLike, KernelGame
from axiom_gym.registry.options import check_options
from axiom_gym.registry.targets import find_named, has_converter, is_game, split_target

GROUP = "axiom_gym.games"
_NAME = re.compile(r"(?P<name>[a-z][a-z0-9_]*)-v(?P<version>\d+)")

MOST_CONVERTED = 256
"""The number of converted plain games to cache, because conversion searches for all actions."""

_registered: dict[str, KernelGame] = {}
_targets: dict[str, KernelGame] = {}
_converted: dict[int, tuple[KernelGame, Any]] = {}
"""Converted games by the `id` of their originals, which are kept so that ids stay unique."""


@cache
def _installed() -> dict[str, str]:
    """Return all entry points, as name -> "module:attribute"."""
    return {entry.name: entry.value for entry in entry_points(group=GROUP)}


def _id_of(game: KernelGame) -> str:
    return f"{game.info.name}-v{game.info.version}"


def is_game_id(name: str) -> bool:
    """Return True if a name has the form of an id, `NAME-vVERSION`."""
    return _NAME.fullmatch(name) is not None


def is_installed(game: KernelGame) -> bool:
    """Return True if a game is the one that an entry point of its id names."""
    game_id = _id_of(game)
    return game_id in _installed() and find_problem(game_id) is None and get_game(game_id) is game


def find_problem(game_id: str) -> str | None:
    """Return the reason why a registered game cannot be loaded, in one line; None if it can."""
    try:
        get_game(game_id)
    except RegistrationError as error:
        return _explain(error.__cause__ or error)
    return None


def game_ids() -> list[str]:
    """Return the ids `name-vN` of all registered games, in alphabetical order."""
    return sorted({*_installed(), *_registered})


def gymnasium_id(game_id: str) -> str:
    """Return Gymnasium's id of a game: `axiom/ConnectFour-v0` for `connect_four-v0`."""
    name, _, version = game_id.rpartition("-")
    return f"axiom/{name.title().replace('_', '')}-{version}"


def register(game: KernelGame) -> str:
    """Register a game in this process and return its id.

    Raises:
        RegistrationError: if the id is malformed, or belongs to another game.
    """
    game_id = _id_of(game)
    if not is_game_id(game_id):
        raise RegistrationError(f"{game_id!r} is no game id; it must look like 'my_game-v0'.")
    known = _registered.get(game_id)
    if game_id in _installed() or (known is not None and known is not game):
        raise RegistrationError(
            f"a game is registered as {game_id!r} already; choose another name or version."
        )
    _registered[game_id] = game
    return game_id


def resolve_id(name: str) -> str:
    """Return the full id of a game.

    Args:
        name: an id, a Gymnasium id, or a name without version, which means the newest version.
            `FILE.py:NAME` and `MODULE:NAME` are returned as they are.

    Raises:
        UnknownGameError: if there is no such game; the message lists all names and suggests one.
    """
    if ":" in name:
        return name
    ids = game_ids()
    if name in ids:
        return name
    for game_id in ids:
        if gymnasium_id(game_id) == name:
            return game_id
    versions = [one for one in ids if is_game_id(one) and one.rpartition("-v")[0] == name]
    if versions:
        return max(versions, key=lambda game_id: int(game_id.rpartition("-v")[2]))
    raise UnknownGameError("game", name, ids, "`axiom-gym list` shows them.")


def get_game(game: GameLike) -> KernelGame:
    """Return the game of this name; return a `KernelGame` as it is.

    A class or object that can be converted, such as a config, becomes a `KernelGame`. A game in a
    file, `FILE.py:NAME`, is loaded and also registered under its id.

    Raises:
        UnknownGameError: if there is no such game.
        ConfigError: if the file has no such name, or its value is not a game.
        RegistrationError: if the entry point cannot be loaded, or does not match the game's facts.
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
    """Convert a plain game; return the same kernel game for the same class or object."""
    known = _converted.get(id(game))
    if known is None:
        source = (get_game, (game,))
        is_ready = has_converter(game)
        made = game.to_kernel_game("", {}) if is_ready else as_kernel_game(game, source=source)
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
    game_id = _id_of(game)
    if is_game_id(game_id) and game_id not in _installed():
        _registered.setdefault(game_id, game)
    return game


def _make(found: Any, target: str, key: str, beside: Mapping[str, Any]) -> KernelGame:
    """Return the game that a target names.

    The game is pickled as `key`, which is the target with a full path.
    """
    if isinstance(found, KernelGame):
        return found
    source = (get_game, (key,))
    if has_converter(found):
        made: KernelGame = found.to_kernel_game(target, beside)
        return dataclasses.replace(made, source=source)
    return as_kernel_game(found, name=repr(target), source=source)


@cache
def _load(game_id: str, target: str) -> KernelGame:
    entries = list(entry_points(group=GROUP, name=game_id))
    try:
        if len(entries) != 1:
            raise RegistrationError(f"{len(entries)} packages have a game of this id")
        loaded = entries[0].load()
        fault = _find_fault(loaded, game_id)
        if fault:
            raise RegistrationError(fault)
    except (Exception, SystemExit) as error:  # a plugin may raise anything
        packages = [repr(entry.dist.name) for entry in entries if entry.dist]
        owner = f"the package {' or '.join(packages)}" if packages else "its package"
        raise RegistrationError(
            f"game {game_id!r} cannot be loaded from {target!r}: {_explain(error).rstrip('.')}. "
            f"The entry point {game_id!r} of the group {GROUP!r} names it: correct, update or "
            f"uninstall {owner}."
        ) from error
    game: KernelGame = loaded
    return game


def _find_fault(loaded: Any, game_id: str) -> str:
    """Return the reason why the value of an entry point is not the game of this id; "" if it is."""
    if not is_game_id(game_id):
        return "the name must look like 'my_game-v0'"
    if not isinstance(loaded, KernelGame):
        return f"it is a {type(loaded).__name__}, not a KernelGame"
    if not isinstance(loaded.info, GameInfo):
        return f"its info is a {type(loaded.info).__name__}, not a GameInfo"
    if not isinstance(loaded.info.agents, tuple):
        return f"its info.agents is a {type(loaded.info.agents).__name__}, not a tuple"
    if not dataclasses.is_dataclass(loaded.config):
        return f"its config is a {type(loaded.config).__name__}, not a dataclass"
    for name in ("presets", "bots"):
        value = getattr(loaded, name)
        if not isinstance(value, Mapping):
            return f"its {name} is a {type(value).__name__}, not a mapping"
    for name in ("layout", "kernel", "params", "describe_state", "describe_action"):
        value = getattr(loaded, name)
        if not callable(value):
            return f"its {name} is a {type(value).__name__}, not a function"
    if _id_of(loaded) != game_id:
        return f"its facts say {loaded.info.name!r}, version {loaded.info.version}"
    return ""


def _explain(error: BaseException) -> str:
    """Return an exception as one line."""
    kind = "" if isinstance(error, RegistrationError) else f"{type(error).__name__}: "
    return textwrap.shorten(f"{kind}{error}", 300, placeholder=" ...")


def make_config(
    game: KernelGame, preset: str | None = None, options: dict[str, Any] | None = None
) -> Any:
    """Return a game's configuration: defaults, overridden by the preset, then by `options`.

    Raises:
        UnknownNameError: for a preset that the game does not have.
        UnknownOptionError: for an option that the game does not have.
        ConfigError: for a value that is not allowed.
    """
    values: dict[str, Any] = {}
    if preset is not None:
        if preset not in game.presets:
            raise UnknownNameError(f"preset of {game.info.name}", preset, game.presets)
        values.update(game.presets[preset])
    values.update(options or {})
    check_options(game, values)
    try:
        return game.config(**values)
    except TypeError as error:
        raise ConfigError(f"options of {game.info.name}: {error}") from error


def count_players(
    game: GameLike, options: dict[str, Any] | None = None, preset: str | None = None
) -> int:
    """Return the number of players of a game; `options` override those of the preset.

    Raises:
        UnknownNameError, ConfigError: as for `make_config`.
    """
    loaded = get_game(game)
    return len(loaded.agents(make_config(loaded, preset, options)))


def _reduce(game: KernelGame) -> Any:
    """Pickle a registered game by its id, so that its functions need not be picklable."""
    if game.source is not None:
        return game.source
    game_id = _id_of(game)
    try:
        if get_game(game_id) is game:
            return get_game, (game_id,)
    except AxiomError:
        pass  # not registered, or not by this id
    return object.__reduce_ex__(game, 2)


copyreg.pickle(KernelGame, _reduce)
