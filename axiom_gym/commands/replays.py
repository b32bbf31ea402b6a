"""`axiom-gym replay`: verify, show, compare and export recorded games."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from axiom_gym.commands import replay_tools
from axiom_gym.commands.group import MARKUP, print_error
from axiom_gym.commands.replay_tools import File, GameOption, load_named
from axiom_gym.errors import ReplayError, check_range

if TYPE_CHECKING:
    from axiom_gym.game.facts import Game
    from axiom_gym.replay.files import AnyReplay

app = typer.Typer(
    help="Verify, show, compare and export recorded games.",
    no_args_is_help=True,
    rich_markup_mode=MARKUP,
)
app.command("diff")(replay_tools.diff)
app.command("export")(replay_tools.export)


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
            help="Tell it in sentences, without positions; so are matches of object-level games "
            "told in any case.",
        ),
    ] = False,
    game: GameOption = None,
) -> None:
    """Print a recorded game: players, orders and position of each turn, result."""
    from axiom_gym.replay.files import load_any
    from axiom_gym.replay.format import Replay

    given = load_named(game)
    loaded = load_any(file)
    is_kernel = isinstance(loaded, Replay)
    last = len(loaded.turns if isinstance(loaded, Replay) else loaded.steps)
    if turn is not None:
        check_range("turn", turn, 0, last)
    # Block 0 is the first position, or where there are no positions the line-up.
    first = -1 if is_kernel and not narrate else 0
    for number, block in enumerate(_tell(loaded, narrate, given), start=first):
        if turn is None or number == turn:
            typer.echo(f"{block}\n")
        if number == turn:
            break


def _tell(replay: AnyReplay, narrate: bool, game: Game[Any, Any] | None) -> Iterator[str]:
    from axiom_gym.replay import narration
    from axiom_gym.replay import text as replay_text
    from axiom_gym.replay.files import find_game
    from axiom_gym.replay.format import Replay

    if not isinstance(replay, Replay):
        return narration.narrate_match(replay, find_game(replay.header, game))
    return narration.narrate(replay) if narrate else replay_text.show(replay)
