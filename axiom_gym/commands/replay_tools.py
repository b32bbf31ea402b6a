"""`axiom-gym replay diff` and `export`: two recorded games beside each other, or one for others."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from axiom_gym.errors import check_choice

if TYPE_CHECKING:
    from axiom_gym.game.facts import Game

FORMATS = ("openspiel",)

File = Annotated[Path, typer.Argument(metavar="FILE", help="A replay.")]
GameOption = Annotated[
    str | None,
    typer.Option(
        "--game",
        metavar="FILE.py:NAME",
        help="Where the game stands, if it is none of those that are installed: a plain Python "
        "game, or a config. MODULE:NAME as well.",
    ),
]


def load_named(target: str | None) -> Game[Any, Any] | None:
    """The game of the option --game, if it is given; a config is known from here on."""
    from axiom_gym.check.loading import load_game

    return None if target is None else load_game(target)


def diff(
    one: Annotated[Path, typer.Argument(metavar="A", help="A replay.")],
    other: Annotated[Path, typer.Argument(metavar="B", help="Another one.")],
    game: GameOption = None,
) -> None:
    """Name the first line in which two recorded games differ.

    Exit status 0 if they are the same game, 1 if they differ, 2 if a file cannot be read.
    """
    from axiom_gym.replay import diff as replay_diff
    from axiom_gym.replay.files import load_any

    load_named(game)
    found = replay_diff.diff(load_any(one), load_any(other))
    typer.echo(found or "The same game in both.")
    raise typer.Exit(1 if found else 0)


def export(
    file: File,
    to: Annotated[
        str, typer.Option("--format", help=f"What to write: {', '.join(FORMATS)}.")
    ] = "openspiel",
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Where to; else it is printed.")
    ] = None,
    game: GameOption = None,
) -> None:
    """Write a recorded game in the form of another library, as JSON.

    openspiel: the fields of OpenSpiel's BatchedTrajectory, for a batch of one.
    """
    from axiom_gym.replay import openspiel as openspiel_export
    from axiom_gym.replay.entries import write_text
    from axiom_gym.replay.files import find_game, load_any
    from axiom_gym.replay.format import Replay

    check_choice("format", to, FORMATS)
    given = load_named(game)
    loaded = load_any(file)
    if isinstance(loaded, Replay):
        values = openspiel_export.export(loaded)
    else:
        values = openspiel_export.export_match(loaded, find_game(loaded.header, given))
    text = json.dumps(values, separators=(",", ":"), allow_nan=False) + "\n"
    if out is None:
        typer.echo(text, nl=False)
        return
    write_text(out, text)
    typer.echo(f"Saved as {out}.")
