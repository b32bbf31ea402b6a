"""`axiom-gym replay diff`, `export` and `convert`: what is done with recorded games."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from axiom_gym.commands.group import print_error
from axiom_gym.errors import ConfigError, ReplayError, check_choice

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
    from axiom_gym.check.loading import load_plain_game

    return None if target is None else load_plain_game(target)


def diff(
    one: Annotated[Path, typer.Argument(metavar="A", help="A replay.")],
    other: Annotated[Path, typer.Argument(metavar="B", help="Another one.")],
    game: GameOption = None,
) -> None:
    """Name the first line in which two recorded games differ.

    Exit status 0 if they are the same game, 1 if they differ, 2 if a file cannot be read.
    """
    from axiom_gym.replay import load
    from axiom_gym.replay.diff import diff as find_difference

    given = load_named(game)
    found = find_difference(load(one, given), load(other, given))
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
    from axiom_gym.replay import load, openspiel
    from axiom_gym.replay.entries import write_text

    check_choice("format", to, FORMATS)
    given = load_named(game)
    values = openspiel.export(load(file, given), given)
    text = json.dumps(values, separators=(",", ":"), allow_nan=False) + "\n"
    if out is None:
        typer.echo(text, nl=False)
        return
    write_text(out, text)
    typer.echo(f"Saved as {out}.")


def convert(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Replays.")],
    out: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--out",
            metavar="OUT",
            help="Where to: a file, or a folder that is there; else each file is replaced.",
        ),
    ] = None,
    game: GameOption = None,
) -> None:
    """Convert recorded games of older formats.

    A file is converted whole or stays as it is. Replays of version 2 only need their game; matches
    of an object-level game (axiom-gym-match) are played again.

    Exit status 2 if a file cannot be converted; the others are.
    """
    from axiom_gym.replay.convert import convert as convert_bytes
    from axiom_gym.replay.entries import read_bytes, write_text

    is_folder = out is not None and out.is_dir()
    if out is not None and len(files) > 1 and not is_folder:
        raise ConfigError(f"{str(out)!r} must be a folder, because {len(files)} files go there.")
    given, status = load_named(game), 0
    for path in files:
        target = path if out is None else out / path.name if is_folder else out
        try:
            text = convert_bytes(read_bytes(path), str(path), partial(_find_object, given))
            write_text(target, text)
        except ReplayError as error:
            print_error(error)
            status = 2
            continue
        typer.echo(f"Converted {path}{f' to {target}' if target != path else ''}.")
    raise typer.Exit(status)


def _find_object(
    given: Game[Any, Any] | None, game_id: str, options: dict[str, Any]
) -> Game[Any, Any]:
    """The game of a match as an object."""
    from axiom_gym import registry
    from axiom_gym.game import KernelGameObject
    from axiom_gym.replay.games import open_plain

    if given is not None:
        return given
    game = registry.get_game(game_id)
    if game.live is not None:
        return open_plain(game)
    registry.make_config(game, options=options)
    return KernelGameObject(game_id, **options)
