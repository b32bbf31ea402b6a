"""AjveCiv: turns per second by the number of players, and whole games of the object API.

A turn is the choices of all players and one resolution, with everyone's observation and mask,
rewards and autoreset; choices are random legal ones. Each of P players observes all P and its
feelings towards them, so the cost of a turn per player grows linearly with P: a constant part, and
a part for each player that it observes.

The original, a Node program, is recorded to play 7,000 to 8,000 bare turns a second with 7 players,
and 60 to 80 whole games. It can no longer be installed, so these figures replace a run of it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from common import Rate, measure, report

from axiom_envs import ajve_civ as civ
from axiom_gym.commands.bench import measure as measure_kernel
from axiom_gym.registry import get_game

TARGETS = {7: 1e6, 2: 4e6}
"""Turns per second of one core at a batch of 1,024, by the number of players."""

ORIGINAL_TURNS, ORIGINAL_GAMES = 8_000, 80
"""The best recorded rates of the original with 7 players, per second."""

CURVE = (2, 3, 5, 7, 10, 15, 20, 30, 40)
GAMES_TARGET = 500
LINEUP = ("conquer", "discover", "exchange", "expand", "develop", "consent", "develop-consent")


class Patient(civ.AI):
    """An AI in Python that takes the last value offered."""

    def turn(self, choices: tuple[str, ...], player: int, world: civ.World) -> str:
        return choices[-1]

    inflection = turn


def bench_turns(players: int, num_envs: int, seconds: float, repeats: int) -> list[Rate]:
    """Measure the step of the driver, alone and with drawing the random legal choices."""
    settings = {"num_envs": num_envs, "players": players}
    result = measure_kernel(get_game("ajve_civ"), settings, seconds, repeats, seed=0)
    floor = result["rates"]["floor"]["median"]
    rates = []
    for label, key in (("step", "step"), ("sample + step", "step_and_sampling")):
        rate = result["rates"][key]
        values = (rate["median"], rate["lowest"], rate["highest"])
        name = f"{players} players: {label}"
        rates.append(Rate(name, "turns/s", *values, floor, TARGETS.get(players, 0.0)))
    return rates


def games_per_second(series: Callable[[], civ.Series], games: int) -> Callable[[], float]:
    """Return a reading for `measure`: the games per second of a new series."""

    def read() -> float:
        fresh = series()
        started = time.perf_counter()
        fresh.play(seed=0, games=games, progress=False)
        return games / (time.perf_counter() - started)

    return read


def bench_games(games: int) -> list[Rate]:
    """Measure whole games of seven priority AIs, and of six and one written in Python."""
    compiled = games_per_second(lambda: civ.Series().game(*LINEUP), games)
    mixed = games_per_second(lambda: civ.Series().game(Patient, *LINEUP[1:]), max(games // 50, 1))
    return [
        measure("object API, 7 priority AIs", "games/s", compiled, target=GAMES_TARGET),
        measure("object API, 6 and one in Python", "games/s", mixed),
    ]


def fit(rates: dict[int, float]) -> tuple[float, float]:
    """Return the cost of a turn per player, and per player that it observes, in nanoseconds.

    Least squares of 1 / rate = a * P + b * P * P, each point weighted by its own size.
    """
    players = np.array(list(rates), dtype=float)
    costs = 1e9 / np.array(list(rates.values()))
    terms = np.stack([players, players**2], axis=1) / costs[:, None]
    (each, pair), *_ = np.linalg.lstsq(terms, np.ones(len(costs)), rcond=None)
    return float(each), float(pair)


def draw(rates: dict[int, float], path: Path) -> None:
    """Save the curve as a picture: the cost of a turn per player, by the number of players."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    each, pair = fit(rates)
    players = np.array(list(rates))
    costs = 1e9 / np.array(list(rates.values())) / players
    figure, axes = plt.subplots(figsize=(6, 3.6), layout="constrained")
    axes.plot(players, costs, "o", label="measured")
    line = np.array([0, players.max()])
    axes.plot(line, each + pair * line, label=f"{each:.0f} ns + {pair:.1f} ns for each people seen")
    axes.set(xlabel="players", ylabel="ns per turn and player", xlim=(0, None), ylim=(0, None))
    axes.legend(frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=150)
    plt.close(figure)


def main(
    seconds: Annotated[float, typer.Option(help="Time on the clock for each row.")] = 4.0,
    out: Annotated[Path | None, typer.Option(help="Result file (JSON).")] = None,
    plot: Annotated[Path | None, typer.Option(help="Picture of the curve (PNG).")] = None,
    quick: Annotated[
        bool, typer.Option(help="A check of a few seconds; the numbers mean little.")
    ] = False,
) -> None:
    """Measure AjveCiv."""
    sizes = (2, 3) if quick else CURVE
    num_envs, clock, repeats = (64, 0.2, 5) if quick else (1024, seconds, 9)
    rows = {players: bench_turns(players, num_envs, clock, repeats) for players in sizes}
    games = bench_games(50 if quick else 2000)
    report("AjveCiv", [*(rate for pair in rows.values() for rate in pair), *games], out)
    curve = {players: pair[1].median for players, pair in rows.items()}
    each, pair = fit(curve)
    typer.echo(
        f"a turn costs {each:.0f} ns for each people, and {pair:.1f} ns for each that it sees"
    )
    if not quick:
        turns = curve[7] / ORIGINAL_TURNS
        whole = games[0].median / ORIGINAL_GAMES
        typer.echo(f"times the original's best known: {turns:.0f} in turns, {whole:.0f} in games")
    if plot is not None:
        draw(curve, plot)


if __name__ == "__main__":
    typer.run(main)
