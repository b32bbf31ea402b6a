"""A game's options: checking their names, and parsing them from text such as `ruleset=0.1`."""

from __future__ import annotations

import dataclasses
import inspect
import json
import typing
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from axiom_gym.errors import ConfigError, UnknownNameError, UnknownOptionError
from axiom_gym.game.facts import KernelGame

_TRUE, _FALSE = ("true", "yes", "on", "1"), ("false", "no", "off", "0")


def check_options(
    game: KernelGame, names: Iterable[str], caller: Callable[..., Any] | None = None
) -> None:
    """Check that a game has options of these names.

    Args:
        game: the game.
        names: the names.
        caller: the function that was given the options besides its own keyword parameters, which
            the error lists too.

    Raises:
        UnknownOptionError: for an option that the game does not have.
    """
    known = {field.name for field in dataclasses.fields(game.config)}
    for name in names:
        if name not in known:
            parameters = inspect.signature(caller).parameters.values() if caller else ()
            own = {one.name for one in parameters if one.kind is one.KEYWORD_ONLY}
            raise UnknownOptionError(f"option of {game.info.name}", name, known | own)


def parse_options(game: KernelGame, given: Sequence[str] | None) -> dict[str, Any]:
    """Return keyword arguments for the game's configuration, which checks the values.

    Strings, integers, floats and bools are parsed as such, and other types as JSON.

    Args:
        game: the game.
        given: texts `KEY=VALUE`, such as `["ruleset=0.1"]`.

    Raises:
        UnknownNameError: for an option that the game does not have.
        ConfigError: for an entry without "=", an option that is given twice, or a value of another
            type.
    """
    hints = typing.get_type_hints(game.config)
    known = [field.name for field in dataclasses.fields(game.config)]
    options: dict[str, Any] = {}
    for entry in given or ():
        key, equals, text = entry.partition("=")
        key = key.strip().replace("-", "_")
        if not equals or not key:
            raise ConfigError(f"an option is given as KEY=VALUE, got {entry!r}.")
        if key not in known:
            raise UnknownNameError(f"option of {game.info.name}", key, known)
        if key in options:
            raise ConfigError(f"option {key!r} of {game.info.name} is given twice.")
        options[key] = _parse_value(key, hints[key], text.strip())
    return options


def with_players(game: KernelGame, options: dict[str, Any], count: int) -> dict[str, Any]:
    """Return the options with this number of players, if the number is an option of the game.

    Raises:
        ConfigError: if the options have another number.
    """
    if "players" not in {field.name for field in dataclasses.fields(game.config)}:
        return options
    if options.get("players", count) != count:
        raise ConfigError(f"there are {count} players, but -o players={options['players']}.")
    return {**options, "players": count}


def _parse_value(key: str, hint: Any, text: str) -> Any:
    if hint is str or any(arg is str or isinstance(arg, str) for arg in typing.get_args(hint)):
        return text
    if hint is bool:
        if text.lower() not in _TRUE + _FALSE:
            raise ConfigError(f"option {key!r} must be true or false, got {text!r}.")
        return text.lower() in _TRUE
    try:
        return hint(text) if hint in (int, float) else json.loads(text)
    except ValueError:
        kind = {int: "an integer", float: "a number"}.get(hint, "a JSON value")
        raise ConfigError(f"option {key!r} must be {kind}, got {text!r}.") from None
