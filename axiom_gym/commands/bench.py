"""`axiom-gym bench`: turns per second of a batch of games, compared with the floor.

A turn is one resolution of the actions of all players, or one decision in a sequential game. Its
time includes writing observations, action masks and rewards for all players, and autoreset. Actions
are random and legal. The floor is the rate of the same driver with a game that has no rules and
only writes the same buffers.
"""

from __future__ import annotations

import dataclasses
import os
import platform
import statistics
import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from axiom_gym.commands.options import (
    Game,
    Games,
    Json,
    Options,
    Players,
    Preset,
    Seed,
    examples,
    parse_options,
    renamed_options,
)
from axiom_gym.commands.output import print_json, print_table, print_text, word_for_turn
from axiom_gym.commands.players import read_players
from axiom_gym.errors import ConfigError
from axiom_gym.game.facts import KernelGame
from axiom_gym.registry.games import get_game

if TYPE_CHECKING:
    from axiom_gym.batch.batch import Batch

MIN_REPEATS = 5
_WARM_UP = 0.3
"""The seconds of play between compilation and measurement, so that games are at different turns."""


@examples("axiom-gym bench quantaris", "axiom-gym bench konquista --players 4 --games 256")
@renamed_options(num_envs="games")
def bench(
    game: Game,
    players: Players = None,
    preset: Preset = None,
    option: Options = None,
    games: Games = 1024,
    seconds: Annotated[
        float, typer.Option(metavar="X", help="Total measured time, without warm-up.")
    ] = 3.0,
    repeats: Annotated[
        int,
        typer.Option(min=MIN_REPEATS, metavar="N", help="Number of measurements in this time."),
    ] = 7,
    num_threads: Annotated[int, typer.Option(min=1, metavar="N", help="Number of threads.")] = 1,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Measure how fast a batch of games plays.

    The unit is turns per second, or decisions per second where players act one at a time.
    """
    if not 0 < seconds <= 3600:
        raise ConfigError(f"seconds must be above 0 and at most 3600, got {seconds:g}.")
    chosen, lineup = get_game(game), read_players(players)
    if lineup.names:
        raise ConfigError(
            "the actions of bench are random, so --players is a number of players, got "
            f"{','.join(lineup.names)!r}; `axiom-gym simulate` plays games between bots."
        )
    settings = {
        "num_envs": games,
        "num_threads": num_threads,
        "preset": preset,
        **lineup.set_count(chosen, parse_options(chosen, option), preset),
    }
    result = measure(chosen, settings, seconds, repeats, seed)
    if as_json:
        print_json(result)
        return
    _print_result(result)


def measure(
    game: KernelGame, settings: dict[str, Any], seconds: float, repeats: int, seed: int
) -> dict[str, Any]:
    """Measure a game and the floor, in turns per second summed over the games of the batch.

    Args:
        game: the game to measure.
        settings: arguments of `Batch`.
        seconds: the measured time, summed over all repeats of the game and the floor.
        repeats: the number of measurements of the game and of the floor, which alternate.
        seed: the seed of the games and the actions.

    Returns:
        The rates (median, lowest, highest) and the facts of the run, as JSON values.
    """
    batch = _warm_batch(game, settings, seed)
    floor = _warm_batch(_without_rules(game), settings, seed)
    rates: dict[str, list[float]] = {"step": [], "step_and_sampling": [], "floor": []}
    for _ in range(repeats):
        step, both = _measure_once(batch, seconds / repeats / 2)
        rates["step"].append(step)
        rates["step_and_sampling"].append(both)
        rates["floor"].append(_measure_once(floor, seconds / repeats / 2)[0])
    pairs = zip(rates["floor"], rates["step"], strict=True)
    result = {
        "game": f"{game.info.name}-v{game.info.version}",
        "config": dataclasses.asdict(batch.config),
        "num_envs": batch.num_envs,
        "num_threads": batch.num_threads,
        "seed": seed,
        "compiled": game.compiled,
        "repeats": repeats,
        "unit": f"{word_for_turn(game.info)}s/s",
        "rates": {name: _summarize(values) for name, values in rates.items()},
        "times_the_floor": statistics.median(high / low for high, low in pairs),
        "machine": _describe_machine(),
    }
    batch.close()
    floor.close()
    return result


def _without_rules(game: KernelGame) -> KernelGame:
    """Return a game with the same shapes and no rules."""
    from axiom_gym.backend import null_kernel

    info = dataclasses.replace(game.info, name=f"{game.info.name}_floor")
    return dataclasses.replace(
        game, info=info, kernel=lambda: null_kernel, state_dtype=None, game_options={}, bots={}
    )


def _warm_batch(game: KernelGame, settings: dict[str, Any], seed: int) -> Batch:
    """Return a compiled batch with games in progress."""
    from axiom_gym.batch.batch import Batch

    # With "same_step" every step plays a turn of every game; other modes spend steps on resets.
    batch = Batch(game, autoreset="same_step", on_illegal="noop", **settings)
    batch.reset(seed)
    batch.sample_actions()
    batch.step()
    _measure_once(batch, _WARM_UP)
    return batch


def _measure_once(batch: Batch, seconds: float) -> tuple[float, float]:
    """Return the turns per second of the steps alone, and of sampling and steps together."""
    steps, stepping = 0, 0.0
    start = now = time.perf_counter()
    while steps == 0 or now - start < seconds:
        batch.sample_actions()
        before = time.perf_counter()
        batch.step()
        now = time.perf_counter()
        stepping += now - before
        steps += 1
    turns = steps * batch.num_envs
    return turns / stepping, turns / (now - start)


def _summarize(values: list[float]) -> dict[str, float]:
    return {
        "median": statistics.median(values),
        "lowest": min(values),
        "highest": max(values),
    }


def _describe_machine() -> dict[str, Any]:
    import numba
    import numpy as np

    return {
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "system": platform.system(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
    }


_LABELS = {
    "step": "{turn}: rules, observations, masks, rewards, autoreset",
    "step_and_sampling": "{turn}, and sampling of random legal actions",
    "floor": "floor: writing the same buffers, without a game",
}


def _print_result(result: dict[str, Any]) -> None:
    config = ", ".join(f"{name}={value}" for name, value in result["config"].items())
    print_text(
        f"{result['game']} ({config}): {result['num_envs']} games, "
        f"{result['num_threads']} thread(s), {result['repeats']} repeats, seed {result['seed']}, "
        f"{'compiled' if result['compiled'] else 'plain Python'}\n"
    )
    turn = result["unit"].removesuffix("s/s")
    rows = [
        [
            label.format(turn=turn),
            *(f"{result['rates'][name][key]:,.0f}" for key in ("median", "lowest", "highest")),
        ]
        for name, label in _LABELS.items()
    ]
    columns = [f"{turn}s per second, all games together", "median", "lowest", "highest"]
    print_table(columns, rows, numbers=True)
    machine = ", ".join(f"{name} {value}" for name, value in result["machine"].items())
    print_text(f"\nA {turn} takes {result['times_the_floor']:.1f} times the floor.\n{machine}")
