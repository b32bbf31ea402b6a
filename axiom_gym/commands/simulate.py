"""`axiom-gym simulate`: statistics of many games."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Annotated

import typer

from axiom_gym.commands.options import Game, Json, MaxTurns, Options, Preset, parse_options
from axiom_gym.commands.output import print_json, print_table, show_progress, word_for_turn
from axiom_gym.registry.games import get_game
from axiom_gym.registry.options import with_players

if TYPE_CHECKING:
    from axiom_gym.play.simulation import Simulation


def simulate(
    game: Game,
    players: Annotated[
        str,
        typer.Option(
            metavar="PLAYER,PLAYER,...",
            help="The players by seat, or one for all seats: names of bots, files of saved models.",
        ),
    ] = "random",
    games: Annotated[int, typer.Option(min=1, help="Number of games.")] = 1000,
    seed: Annotated[
        int, typer.Option(min=0, help="Seed of the first game; each later game adds 1.")
    ] = 0,
    preset: Preset = None,
    option: Options = None,
    max_turns: MaxTurns = 0,
    as_json: Json = False,
) -> None:
    """Play many games, and print their length, the results by seat, and the actions taken."""
    from axiom_gym.play import simulation

    loaded, names = get_game(game), [name.strip() for name in players.split(",")]
    options = parse_options(loaded, option)
    if len(names) > 1:
        options = with_players(loaded, options, len(names))
    with show_progress(games) as on_progress:
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


def _print(found: Simulation, turn: str) -> None:
    options = " ".join(f"{name}={value}" for name, value in found.options.items())
    typer.echo(f"{found.game}; {options or 'no options'}; {found.games} games")
    length = "  ".join(f"{name} {value:g}" for name, value in found.length.items())
    typer.echo(f"{turn}s per game: {length}")
    typer.echo(f"truncated: {found.truncated:.1%}")
    seats = [
        [seat, player, f"{wins:.1%}", f"{outcome:+.3f}"]
        for seat, (player, wins, outcome) in enumerate(
            zip(found.players, found.wins, found.outcomes, strict=True)
        )
    ]
    typer.echo()
    print_table(["seat", "player", "wins", "mean outcome"], seats, numbers=True)
    typer.echo(f"The best seat wins {found.seat_advantage:.2f} times an equal share.\n")
    used = sorted(found.actions.items(), key=lambda one: -one[1])
    print_table(["action", "share"], [[name, f"{share:.2%}"] for name, share in used], numbers=True)
