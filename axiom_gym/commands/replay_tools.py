"""`axiom-gym replay diff`, `export` and `convert`: tools for replays."""

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
        help="The game, if it is not installed: a plain Python game or a config, as FILE.py:NAME "
        "or MODULE:NAME.",
    ),
]


def load_named(target: str | None) -> Game[Any, Any] | None:
    """Return the game of the option --game, or None without it.

    The game of a config is also registered.
    """
    from axiom_gym.check.loading import load_plain_game

    return None if target is None else load_plain_game(target)


def diff(
    one: Annotated[Path, typer.Argument(metavar="A", help="A replay.")],
    other: Annotated[Path, typer.Argument(metavar="B", help="Another replay.")],
    game: GameOption = None,
) -> None:
    """Print the first difference of two replays.

    Exit status: 0 if they record the same game, 1 if they differ, 2 if a file cannot be read.
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
        str,
        typer.Option(
            "--format", metavar="FORMAT", help=f"The output format: {', '.join(FORMATS)}."
        ),
    ] = "openspiel",
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="The output file; default stdout.")
    ] = None,
    game: GameOption = None,
) -> None:
    """Export a replay to the format of another library, as JSON.

    The format openspiel has the fields of OpenSpiel's BatchedTrajectory, for a batch of one.
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
            metavar="PATH",
            help="The output file, or an existing folder; by default each file is replaced.",
        ),
    ] = None,
    game: GameOption = None,
) -> None:
    """Convert replays of older formats to the current one.

    A file that cannot be converted stays unchanged, and the command continues with the next one.
    The game of a replay must be installed. Matches of object-level games (format axiom-gym-match)
    are played again, and their game may also be given with --game.

    Exit status: 0 if all files are converted, 2 if one is not.
    """
    from axiom_gym.replay.convert import convert as convert_bytes
    from axiom_gym.replay.entries import read_bytes, write_text

    is_folder = out is not None and out.is_dir()
    if out is not None and len(files) > 1 and not is_folder:
        raise ConfigError(
            f"--out must be an existing folder for {len(files)} replays, got {str(out)!r}."
        )
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
    """Return the object-level game of a match."""
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
