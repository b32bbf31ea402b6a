"""`axiom-gym simulate`: what many games between scripted players are like."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from axiom_gym.commands.options import Game, Json, Options, Preset, parse_options
from axiom_gym.commands.output import print_json, print_table, word_for_turn
from axiom_gym.registry.games import get_game
from axiom_gym.registry.options import with_players

if TYPE_CHECKING:
    from axiom_gym.play.simulation import Simulation


def simulate(
    game: Game,
    players: Annotated[
        str,
        typer.Option(metavar="BOT,BOT,...", help="Bots by seat; one stands for all seats."),
    ] = "random",
    games: Annotated[int, typer.Option(min=1, help="How many games.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Of the first game; then one more each.")] = 0,
    preset: Preset = None,
    option: Options = None,
    max_turns: Annotated[
        int,
        typer.Option(
            min=0,
            help="Cut a game off after so many turns or decisions; 0 for no limit.",
        ),
    ] = 0,
    as_json: Json = False,
) -> None:
    """Play many games between bots: their length, the seats' chances, what is done in them."""
    from axiom_gym.play import simulation

    loaded, names = get_game(game), [name.strip() for name in players.split(",")]
    options = parse_options(loaded, option)
    if len(names) > 1:
        options = with_players(loaded, options, len(names))
    with _progress(games) as on_progress:
        found = simulation.simulate(
            loaded,
            names,
            games,
            seed=seed,
            preset=preset,
            max_turns=max_turns,
            on_progress=on_progress,
            **options,
        )
    if as_json:
        print_json({**dataclasses.asdict(found), "seat_advantage": found.seat_advantage})
        return
    _print(found, word_for_turn(loaded.info))


@contextmanager
def _progress(games: int) -> Iterator[Callable[[int], None]]:
    """A bar on a terminal's standard error; nothing elsewhere."""
    if not sys.stderr.isatty():
        yield lambda finished: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("games", total=games)
        yield lambda finished: bar.update(task, completed=finished)


def _print(found: Simulation, turn: str) -> None:
    options = " ".join(f"{name}={value}" for name, value in found.options.items())
    typer.echo(f"{found.game}; {options or 'no options'}; {found.games} games")
    length = "  ".join(f"{name} {value:g}" for name, value in found.length.items())
    typer.echo(f"{turn}s of a game: {length}")
    typer.echo(f"ended by a limit: {found.truncated:.1%}")
    seats = [
        [seat, player, f"{wins:.1%}", f"{outcome:+.3f}"]
        for seat, (player, wins, outcome) in enumerate(
            zip(found.players, found.wins, found.outcomes, strict=True)
        )
    ]
    typer.echo()
    print_table(["seat", "player", "wins", "mean outcome"], seats, numbers=True)
    typer.echo(f"the best seat wins {found.seat_advantage:.2f} times an equal share\n")
    used = sorted(found.actions.items(), key=lambda one: -one[1])
    print_table(["action", "share"], [[name, f"{share:.2%}"] for name, share in used], numbers=True)
