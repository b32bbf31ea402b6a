"""`axiom-gym playthrough`: golden games of a game, as `tests/playthroughs` holds them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from axiom_gym.commands.options import (
    DrawnSeed,
    Game,
    Options,
    Players,
    Preset,
    examples,
    parse_options,
)
from axiom_gym.commands.players import read_players
from axiom_gym.files import check_new


@examples("axiom-gym playthrough connect_four --players minimax4,minimax2 --seed 1")
def playthrough(
    game: Game,
    out: Annotated[
        Path, typer.Option("--out", help="The folder for the files.", metavar="DIR")
    ] = Path("tests/playthroughs"),
    players: Players = None,
    preset: Preset = None,
    option: Options = None,
    seed: DrawnSeed = None,
) -> None:
    """Record golden games.

    There is one of each preset, or one with the given preset or options. A golden game is a whole
    game that somebody wins; tests play it again and compare every state. Files get the names of
    tests/playthroughs, and are never overwritten. Players are random by default. Without a seed,
    the first one of a golden game is taken, from 1; choose players and a seed whose game has many
    different events.
    """
    from axiom_gym import registry
    from axiom_gym.play.playthrough import name_playthrough, record_playthrough

    loaded = registry.get_game(game)
    given, lineup = parse_options(loaded, option), read_players(players)
    every: list[str | None] = [*loaded.presets] or [None]
    presets = [preset] if preset or given else every
    paths = {one: out / name_playthrough(loaded, one) for one in presets}
    check_new([*paths.values()])
    replays = {}
    for one in presets:
        options, names = lineup.take_seats(loaded, given, one)
        replays[one] = record_playthrough(loaded, names, seed, one, options)
    out.mkdir(parents=True, exist_ok=True)
    for one, replay in replays.items():
        replay.save(paths[one])
        typer.echo(f"{paths[one]}: {replay.footer.turns} turns, seed {replay.header.seed}.")
