"""What several commands have in common: the preset and the options of a game, as they are typed."""

from __future__ import annotations

import json
import typing
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from axiom_gym.errors import ConfigError
from axiom_gym.game import KernelGame

Game = Annotated[
    str, typer.Argument(metavar="GAME", help="A game's name; `axiom-gym list` has all.")
]
Preset = Annotated[
    str | None, typer.Option("--preset", help="A named configuration of the game.", metavar="NAME")
]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        "-o",
        help="An option of the game, over the preset's; repeat for more. See `axiom-gym info`.",
        metavar="KEY=VALUE",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]

_TRUE, _FALSE = ("true", "yes", "on", "1"), ("false", "no", "off", "0")


def parse_options(game: KernelGame, pairs: Sequence[str] | None) -> dict[str, Any]:
    """`["ruleset=0.1"]` as values of the types that the game's configuration declares.

    Raises:
        ConfigError: for a text without "=", an option that is given twice, or a value that is not
            of its type. Names that do not exist are left for `registry.make_config` to refuse.
    """
    hints = typing.get_type_hints(game.config)
    options: dict[str, Any] = {}
    for pair in pairs or ():
        key, equals, text = pair.partition("=")
        key = key.strip().replace("-", "_")
        if not equals or not key:
            raise ConfigError(f"an option is given as KEY=VALUE, got {pair!r}.")
        if key in options:
            raise ConfigError(f"option {key!r} is given twice.")
        options[key] = _parse_value(key, hints.get(key, str), text.strip())
    return options


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
        kind = {int: "a whole number", float: "a number"}.get(hint, "a JSON value")
        raise ConfigError(f"option {key!r} must be {kind}, got {text!r}.") from None
