"""`axiom-gym simulate`: statistics of many games."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import typer

from axiom_gym.commands.options import (
    Game,
    Games,
    Json,
    MaxTurns,
    Options,
    Players,
    Preset,
    Seed,
    parse_options,
)
from axiom_gym.commands.output import print_json, print_table, show_progress, word_for_turn
from axiom_gym.commands.players import check_names, read_players
from axiom_gym.registry.games import get_game

if TYPE_CHECKING:
    from axiom_gym.play.simulation import Simulation


def simulate(
    game: Game,
    players: Players = None,
    preset: Preset = None,
    option: Options = None,
    games: Games = 1000,
    seed: Seed = 0,
    max_turns: MaxTurns = 0,
    as_json: Json = False,
) -> None:
    """Play many games, and print their length, the results by seat, and the actions taken."""
    loaded = get_game(game)
    lineup = read_players(players)
    options, names = lineup.take_seats(loaded, parse_options(loaded, option), preset)
    check_names(loaded, names)
    from axiom_gym.play import simulation

    with show_progress(games) as on_progress:
        found = simulation.simulate(
            loaded,
            names or ["random"],
            games,
            seed=seed,
            preset=preset,
            max_turns=max_turns,
            on_progress=on_progress,
            **options,
        )
    if as_json:
        facts = dataclasses.asdict(found)
        print_json({**facts, "seat_advantage": found.seat_advantage, "seed": seed})
        return
    _print(found, word_for_turn(loaded.info), seed)


def _print(found: Simulation, turn: str, seed: int) -> None:
    options = " ".join(f"{name}={value}" for name, value in found.options.items())
    typer.echo(f"{found.game}; {options or 'no options'}; {found.games} games; seed {seed}")
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
