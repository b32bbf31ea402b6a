"""Arguments and options that several commands have in common."""

from __future__ import annotations

from typing import Annotated

import typer

from axiom_gym.registry.options import parse_options

__all__ = ["Game", "Json", "Options", "Preset", "parse_options"]

Game = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="A game's name; `axiom-gym list` has all. Or FILE.py:NAME, a config in a file.",
    ),
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
