"""What a run leaves for people: the learning curve, a table of results, a table of ratings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.figure import Figure
from rich.table import Table

from axiom_gym.opponents import Opponent
from axiom_training.evaluation import Result, play_series
from axiom_training.ratings import Match, Rating, rate
from axiom_training.runlog import EVALUATIONS, ITERATIONS, read_rows

CURVE = "learning_curve.png"


def draw_learning_curve(directory: Path, title: str) -> Path | None:
    """Scores against the anchors, and entropy and length of episodes, over agent-steps; None if there is nothing to draw.

    Args:
        directory: the run's directory, with its CSV files.
        title: above the picture.
    """
    evaluations, iterations = read_rows(directory / EVALUATIONS), read_rows(directory / ITERATIONS)
    if not evaluations:
        return None
    with matplotlib.rc_context({"axes.spines.top": False, "axes.spines.right": False, "font.size": 9}):
        figure = Figure(figsize=(8, 6), layout="constrained")
        above, below = figure.subplots(2, 1, sharex=True, height_ratios=[3, 2])
        steps = [row["steps"] / 1e6 for row in evaluations]
        for key in [key for key in evaluations[0] if key.startswith("eval/")]:
            above.plot(steps, [row[key] for row in evaluations], marker="o", markersize=3, label=key.removeprefix("eval/"))
        above.axhline(0.5, color="0.7", linewidth=0.8)
        above.set(ylim=(-0.03, 1.03), ylabel="score (win 1, draw 1/2)", title=title)
        above.legend(title="against", frameon=False, loc="lower right")
        _draw_iterations(below, iterations)
        figure.savefig(directory / CURVE, dpi=140)
    return directory / CURVE


def _draw_iterations(axes: Any, rows: Sequence[Mapping[str, float]]) -> None:
    """Entropy on the left axis, length of episodes on the right one."""
    steps = [row["steps"] / 1e6 for row in rows]
    axes.plot(steps, [row["losses/entropy"] for row in rows], color="tab:purple", linewidth=1)
    axes.set(xlabel="agent-steps (millions)")
    axes.set_ylabel("policy entropy (nats)", color="tab:purple")
    twin = axes.twinx()
    twin.spines["right"].set_visible(True)
    twin.plot(steps, [row["charts/episodic_length"] for row in rows], color="tab:gray", linewidth=1)
    twin.set_ylabel("turns per episode", color="tab:gray")


def round_robin(
    game: str,
    players: Mapping[str, Opponent],
    num_games: int,
    seed: int = 0,
    options: dict[str, Any] | None = None,
) -> list[Match]:
    """Every pair of players plays `num_games` games, seat-balanced.

    Args:
        game: a game for two.
        players: by name.
        num_games: of each pair.
        seed: of the games.
        options: the game's own options.
    """
    matches = []
    for number, (first, second) in enumerate(combinations(players, 2)):
        pair = [players[first], players[second]]
        outcomes = play_series(game, pair, num_games, seed + number, options)
        matches += [Match((first, second), tuple(row)) for row in outcomes.tolist()]
    return matches


def result_table(results: Mapping[str, Result], title: str) -> Table:
    """One row per anchor: score with its interval, wins, draws, losses."""
    table = Table(title=title, title_justify="left")
    table.add_column("against")
    for column in ("score", "95 % interval", "wins", "draws", "losses"):
        table.add_column(column, justify="right")
    for anchor, result in results.items():
        low, high = result.interval
        counts = [str(count) for count in (result.wins, result.draws, result.losses)]
        table.add_row(anchor, f"{result.score:.3f}", f"{low:.3f} - {high:.3f}", *counts)
    return table


def rating_table(ratings: Sequence[Rating], anchor: str) -> Table:
    """One row per player, best first."""
    table = Table(title=f"Ratings ({anchor} = 0)", title_justify="left")
    table.add_column("player")
    for column in ("rating", "95 %", "games"):
        table.add_column(column, justify="right")
    for entry in ratings:
        table.add_row(entry.name, f"{entry.points:+.0f}", f"± {entry.error:.0f}", str(entry.games))
    return table


def rate_players(
    game: str,
    players: Mapping[str, Opponent],
    num_games: int,
    seed: int = 0,
    options: dict[str, Any] | None = None,
    anchor: str = "random",
) -> list[Rating]:
    """Ratings from a round robin."""
    return rate(round_robin(game, players, num_games, seed, options), anchor, int(np.uint32(seed)))
