"""The command line: `axiom-gym list | info | play | check | replay | config | bench`, and plugins.

Each command is a function in a module of `axiom_gym.commands`. It imports Numba and games only when
it runs. `train` and `evaluate` are plugins; see `axiom_gym.commands.group`.
"""

from __future__ import annotations

from typing import Annotated

import typer

from axiom_gym import __version__
from axiom_gym.commands import (
    balance,
    bench,
    check,
    config,
    games,
    new,
    play,
    playthrough,
    replays,
    simulate,
)
from axiom_gym.commands.group import MARKUP, Command, CommandGroup

__all__ = ["app", "main"]

app = typer.Typer(
    name="axiom-gym",
    cls=CommandGroup,
    help="Strategy games for reinforcement learning: inspect, play, check and benchmark them.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=MARKUP,
    pretty_exceptions_enable=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"axiom-gym {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    pass


app.command("list", cls=Command)(games.list_games)
app.command("info", cls=Command)(games.info)
app.command("play", cls=Command, context_settings=play.TAKES_OPTIONS)(play.play)
app.command("new", cls=Command)(new.new)
app.command("check", cls=Command)(check.check)
app.command("playthrough", cls=Command)(playthrough.playthrough)
app.add_typer(replays.app, name="replay")
app.add_typer(config.app, name="config")
app.command("simulate", cls=Command)(simulate.simulate)
app.command("balance", cls=Command)(balance.balance)
app.command("bench", cls=Command)(bench.bench)


def main() -> None:
    """Run the command line and exit with 0 for success, 1 for a failed check, 2 for an error."""
    app()
