"""Arguments and options that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

from axiom_gym.registry.options import parse_options

__all__ = ["Game", "Json", "MaxTurns", "OptionalGame", "Options", "Preset", "parse_options"]

_GAME = typer.Argument(
    metavar="GAME",
    help="The name of a game (see `axiom-gym list`), or a config or class of your own as "
    "FILE.py:NAME or MODULE:NAME.",
)
Game = Annotated[str, _GAME]
OptionalGame = Annotated[str | None, _GAME]
Preset = Annotated[
    str | None,
    typer.Option("--preset", help="A preset of the game (see `axiom-gym info`).", metavar="NAME"),
]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        "-o",
        help="An option of the game (see `axiom-gym info`); overrides the preset. Repeatable.",
        metavar="KEY=VALUE",
    ),
]
MaxTurns = Annotated[
    int,
    typer.Option(min=0, help="Truncate a game after this many turns (or decisions); 0: no limit."),
]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
