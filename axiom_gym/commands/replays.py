"""`axiom-gym replay`: verify, show, compare, export and convert replays."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from axiom_gym.commands import replay_tools
from axiom_gym.commands.group import MARKUP, print_error
from axiom_gym.commands.replay_tools import File, GameOption, load_named
from axiom_gym.errors import ReplayError, check_range

app = typer.Typer(
    help="Verify, show, compare, export and convert replays.",
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
    """Play replays again, and report differences.

    The first turn that differs is printed.

    Exit status: 0 if no replay differs, 1 if one differs, 2 if a file cannot be read.
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
        int | None,
        typer.Option("--turn", metavar="N", help="Print only this turn; 0 is the initial state."),
    ] = None,
    narrate: Annotated[
        bool, typer.Option("--narrate", help="Print sentences instead of states.")
    ] = False,
    replies: Annotated[
        bool, typer.Option("--replies", help="Print the replies of language models, too.")
    ] = False,
    game: GameOption = None,
) -> None:
    """Print a replay turn by turn.

    The command prints the players, the actions and the state of each turn, and the result.
    """
    from axiom_gym import replay
    from axiom_gym.replay import text

    given = load_named(game)
    loaded = replay.load(file, given)
    if turn is not None:
        check_range("turn", turn, 0, len(loaded.turns))
    describe = text.narrate if narrate else text.show
    # The players come first, then (without --narrate) the initial state, then turn 1.
    for number, block in enumerate(describe(loaded, given, replies), start=0 if narrate else -1):
        if block and turn in (None, number):
            typer.echo(f"{block}\n")
        if number == turn:
            break
