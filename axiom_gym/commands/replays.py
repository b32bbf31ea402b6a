"""`axiom-gym replay`: verify and show recorded games."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from axiom_gym.commands.group import MARKUP, print_error
from axiom_gym.errors import ReplayError, check_range
from axiom_gym.registry import get_game

app = typer.Typer(
    help="Verify and show recorded games.", no_args_is_help=True, rich_markup_mode=MARKUP
)


Config = Annotated[
    str | None,
    typer.Option(
        "--game", metavar="FILE.py:NAME", help="Where the game stands, if it is a config in a file."
    ),
]


@app.command()
def verify(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Replays.")],
    game: Config = None,
) -> None:
    """Play games again, and name the first turn that differs.

    Exits with 1 if a game differs, and with 2 if a file cannot be read.
    """
    from axiom_gym import replay

    if game is not None:
        get_game(game)  # from here on it is known
    status = 0
    for path in files:
        try:
            result = replay.verify(path)
        except ReplayError as error:
            print_error(error)
            status = 2
            continue
        word, colour = ("ok", typer.colors.GREEN) if result.ok else ("DIFFERS", typer.colors.RED)
        typer.echo(f"{typer.style(word, fg=colour)}  {path}: {result.message}")
        status = max(status, 0 if result.ok else 1)
    raise typer.Exit(status)


@app.command()
def show(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A replay.")],
    turn: Annotated[
        int | None, typer.Option("--turn", help="Only this turn; 0 is the first position.")
    ] = None,
    game: Config = None,
) -> None:
    """Print a recorded game: players, orders and position of each turn, result."""
    from axiom_gym import replay, replay_text

    if game is not None:
        get_game(game)
    loaded = replay.load(file)
    if turn is not None:
        check_range("turn", turn, 0, len(loaded.turns))
    for number, block in enumerate(replay_text.show(loaded), start=-1):
        if turn is None or number == turn:
            typer.echo(f"{block}\n")
        if number == turn:
            break
