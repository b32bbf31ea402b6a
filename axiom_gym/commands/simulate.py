"""`axiom-gym simulate`: statistics of many games."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Annotated

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
    examples,
    parse_options,
)
from axiom_gym.commands.output import print_json, print_table, show_progress, word_for_turn
from axiom_gym.commands.players import check_names, read_players
from axiom_gym.registry.games import get_game

if TYPE_CHECKING:
    from axiom_gym.play.simulation import Simulation

Events = Annotated[
    bool,
    typer.Option(
        "--events/--no-events",
        help="Count the events of the first games, whose rules are then compiled a second time.",
    ),
]


@examples(
    "axiom-gym simulate konquista --players greedy",
    "axiom-gym simulate konquista --players 4,greedy --games 10000",
    "axiom-gym simulate connect_four --players minimax2,random --json",
)
def simulate(
    game: Game,
    players: Players = None,
    preset: Preset = None,
    option: Options = None,
    games: Games = 1000,
    seed: Seed = 0,
    max_turns: MaxTurns = 0,
    events: Events = True,
    as_json: Json = False,
) -> None:
    """Play many games, and print statistics.

    These are the length of the games, the faults of the rules, the results by seat, the actions
    taken, and the events of the first games. Without --players all players are random.
    """
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
            event_games=None if events else 0,
            on_progress=on_progress,
            **options,
        )
    if as_json:
        facts = dataclasses.asdict(found)
        print_json({**facts, "seat_advantage": found.seat_advantage, "seed": seed})
        return
    _print(found, word_for_turn(loaded.info), seed, "score" if loaded.has_score else "outcome")


def _print(found: Simulation, turn: str, seed: int, result: str) -> None:
    options = " ".join(f"{name}={value}" for name, value in found.options.items())
    typer.echo(f"{found.game}; {options or 'no options'}; {found.games} games; seed {seed}")
    length = "  ".join(f"{name} {value:g}" for name, value in found.length.items())
    typer.echo(f"{turn}s per game: {length}")
    draws = f"  draws: {found.draws:.1%}" if len(found.players) > 1 else ""
    typer.echo(f"truncated: {found.truncated:.1%}{draws}")
    if found.faults:
        typer.echo(f"faults of the rules: {sum(found.faults.values()):.1%}")
        for text, share in found.faults.items():
            typer.echo(f"  {share:.1%}  {text}")
    typer.echo()
    _print_seats(found, result)
    used = sorted(found.actions.items(), key=lambda one: -one[1])
    print_table(["action", "share"], [[name, f"{share:.2%}"] for name, share in used], numbers=True)
    if found.event_games:
        _print_events(found)


def _print_events(found: Simulation) -> None:
    """Print the mean number of each event per game, the most frequent first."""
    many = "game" if found.event_games == 1 else f"{found.event_games} games"
    typer.echo(f"\nEvents of the first {many}:")
    counts = sorted(found.events.items(), key=lambda one: -one[1])
    print_table(
        ["event", "per game"], [[name, f"{mean:.2f}"] for name, mean in counts], numbers=True
    )


def _print_seats(found: Simulation, result: str) -> None:
    """Print a row for each seat; for one player, only the mean outcome or score, its `result`."""
    columns, cells = ["seat", "player"], [[*pair] for pair in enumerate(found.players)]
    values: list[tuple[str, list[str]]] = []
    if len(found.players) > 1:
        values.append(("won", [f"{one:.1%}" for one in found.won]))
    if any(found.shared):
        values.append(("shared first place", [f"{one:.1%}" for one in found.shared]))
    values.append((f"mean {result}", [f"{one:+.3f}" for one in found.outcomes]))
    rows = [[*start, *(column[seat] for _, column in values)] for seat, start in enumerate(cells)]
    print_table([*columns, *(name for name, _ in values)], rows, numbers=True)
    if len(found.players) > 1:
        share = "The best seat wins {:.2f} times an equal share, with shared wins in equal parts.\n"
        typer.echo(share.format(found.seat_advantage))
    else:
        typer.echo()
