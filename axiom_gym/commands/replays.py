"""`axiom-gym replay`: verify, show, compare, export and convert recorded games."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from axiom_gym.commands import replay_tools
from axiom_gym.commands.group import MARKUP, print_error
from axiom_gym.commands.replay_tools import File, GameOption, load_named
from axiom_gym.errors import ReplayError, check_range

app = typer.Typer(
    help="Verify, show, compare, export and convert recorded games.",
    no_args_is_help=True,
    rich_markup_mode=MARKUP,
)
app.command("diff")(replay_tools.diff)
app.command("export")(replay_tools.export)
app.command("convert")(replay_tools.convert)


@app.command()
def verify(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Replays.")],
    game: GameOption = None,
) -> None:
    """Play games again, and name the first turn that differs.

    Exits with 1 if a game differs, and with 2 if a file cannot be read.
    """
    from axiom_gym import replay

    given = load_named(game)
    status = 0
    for path in files:
        try:
            result = replay.verify(path, given)
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
    file: File,
    turn: Annotated[
        int | None, typer.Option("--turn", help="Only this turn; 0 is the first position.")
    ] = None,
    narrate: Annotated[
        bool,
        typer.Option(
            "--narrate",
            help="Tell it in sentences, without positions.",
        ),
    ] = False,
    game: GameOption = None,
) -> None:
    """Print a recorded game: players, orders and position of each turn, result."""
    from axiom_gym import replay
    from axiom_gym.replay import text

    given = load_named(game)
    loaded = replay.load(file, given)
    if turn is not None:
        check_range("turn", turn, 0, len(loaded.turns))
    told = text.narrate if narrate else text.show
    # Block 0 is the first position, or where there are no positions the line-up.
    for number, block in enumerate(told(loaded, given), start=0 if narrate else -1):
        if block and turn in (None, number):
            typer.echo(f"{block}\n")
        if number == turn:
            break
