"""The reports of a run: the learning curve, and tables of results and ratings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.figure import Figure

from axiom_gym.batch.seeds import MAX_SEED
from axiom_gym.commands.output import print_table
from axiom_gym.opponents import Opponent
from axiom_gym.registry import count_players
from axiom_training.evaluation import Outcome, Result, play_series
from axiom_training.ratings import Match, Rating, rate
from axiom_training.runlog import EVALUATIONS, ITERATIONS, read_rows

CURVE = "learning_curve.png"

ALONE = "against: the same seeds, each player alone; the higher outcome wins"
"""The note on the table of results in a game for one player."""

_OUTCOME = "outcome/"


def draw_learning_curve(directory: Path, title: str, even: float = 0.5) -> Path | None:
    """Draw scores, entropy and episode lengths over agent-steps.

    In a game for one player, also draw the mean outcomes.

    Args:
        directory: the run's directory, with its CSV files.
        title: the title of the figure.
        even: the score between players of equal strength.

    Returns:
        The path of the image; None without evaluations.
    """
    evaluations, iterations = read_rows(directory / EVALUATIONS), read_rows(directory / ITERATIONS)
    if not evaluations:
        return None
    with matplotlib.rc_context(
        {"axes.spines.top": False, "axes.spines.right": False, "font.size": 9}
    ):
        is_alone = any(key.startswith(_OUTCOME) for key in evaluations[0])
        ratios = [3, 3, 2] if is_alone else [3, 2]
        figure = Figure(figsize=(8, 2 + 2 * len(ratios)), layout="constrained")
        panels = figure.subplots(len(ratios), 1, sharex=True, height_ratios=ratios)
        if is_alone:
            _draw_outcomes(panels[0], evaluations)
        label = "score on the same seeds" if is_alone else "score"
        _draw_scores(panels[-2], evaluations, label, even)
        panels[0].set_title(title)
        _draw_iterations(panels[-1], iterations)
        figure.savefig(directory / CURVE, dpi=140)
    return directory / CURVE


def _draw_outcomes(axes: Any, rows: Sequence[Mapping[str, float]]) -> None:
    """Draw the mean outcomes of the model and, dashed, of its opponents."""
    steps = [row["steps"] / 1e6 for row in rows]
    for key in [key for key in rows[0] if key.startswith(_OUTCOME)]:
        name = key.removeprefix(_OUTCOME)
        style = {"marker": "o", "color": "black"} if name == "model" else {"linestyle": "--"}
        axes.plot(steps, [row[key] for row in rows], markersize=3, label=name, **style)
    axes.set(ylabel="mean outcome")
    axes.legend(frameon=False, loc="best")


def _draw_scores(axes: Any, rows: Sequence[Mapping[str, float]], label: str, even: float) -> None:
    """Draw a line for each opponent, and a horizontal line at the score between equal players."""
    steps = [row["steps"] / 1e6 for row in rows]
    for key in [key for key in rows[0] if key.startswith("eval/")]:
        scores = [row[key] for row in rows]
        axes.plot(steps, scores, marker="o", markersize=3, label=key.removeprefix("eval/"))
    axes.axhline(even, color="0.7", linewidth=0.8)
    axes.set(ylim=(-0.03, 1.03), ylabel=f"{label} (win 1, draw 1/2)")
    axes.legend(title="against", frameon=False, loc="lower right")


def _draw_iterations(axes: Any, rows: Sequence[Mapping[str, float]]) -> None:
    """Draw the entropy on the left axis and the length of episodes on the right one."""
    steps = [row["steps"] / 1e6 for row in rows]
    axes.plot(steps, [row["losses/entropy"] for row in rows], color="tab:purple", linewidth=1)
    axes.set(xlabel="agent-steps (millions)")
    axes.set_ylabel("policy entropy (nats)", color="tab:purple")
    twin = axes.twinx()
    twin.spines["right"].set_visible(True)
    lengths = [row["charts/episodic_length"] for row in rows]
    twin.plot(steps, lengths, color="tab:gray", linewidth=1)
    twin.set_ylabel("turns per episode", color="tab:gray")


def round_robin(
    game: str,
    players: Mapping[str, Opponent],
    num_games: int,
    seed: int = 0,
    options: dict[str, Any] | None = None,
) -> list[Match]:
    """Play `num_games` games with each combination of different players that fills all seats.

    In a game for two players the combinations are pairs. With fewer players than seats, there are
    no combinations and the result is empty. Each player uses all seats equally.

    Args:
        game: the name of the game.
        players: the players by name.
        num_games: the number of games of each combination.
        seed: the seed of the games.
        options: the game's own options.
    """
    matches = []
    for number, table in enumerate(combinations(players, count_players(game, options))):
        seated = [players[name] for name in table]
        outcomes = play_series(game, seated, num_games, (seed + number) % (MAX_SEED + 1), options)
        matches += [Match(table, tuple(row)) for row in outcomes.tolist()]
    return matches


def rate_players(
    game: str,
    players: Mapping[str, Opponent],
    num_games: int,
    seed: int = 0,
    options: dict[str, Any] | None = None,
    anchor: str = "random",
) -> list[Rating]:
    """Rate players by a round robin; `anchor` is the player with 0 points."""
    return rate(round_robin(game, players, num_games, seed, options), anchor, seed)


def print_results(results: Mapping[str, Result], title: str) -> None:
    """Print a row for each opponent: score with its interval, wins, draws, losses."""
    columns = ["against", "score", "95 % interval", "wins", "draws", "losses"]
    rows = []
    for name, result in results.items():
        low, high = result.interval
        counts = (result.wins, result.draws, result.losses)
        rows.append([name, f"{result.score:.3f}", f"{low:.3f} – {high:.3f}", *counts])
    print_table(columns, rows, title, numbers=True)


def print_ratings(ratings: Sequence[Rating], anchor: str) -> None:
    """Print a row for each player, best first."""
    rows = [
        [entry.name, f"{entry.points:+.0f}", f"± {entry.error:.0f}", entry.games]
        for entry in ratings
    ]
    print_table(["player", "rating", "95 %", "games"], rows, f"Ratings ({anchor} = 0)", True)


def print_outcomes(outcomes: Mapping[str, Outcome]) -> None:
    """Print a row for each player, best first."""
    best = sorted(outcomes.items(), key=lambda entry: -entry[1].mean)
    rows = [
        [name, *(f"{x:.6g}" for x in (one.mean, one.error, one.lowest, one.highest)), one.games]
        for name, one in best
    ]
    columns = ["player", "mean", "standard error", "lowest", "highest", "games"]
    print_table(columns, rows, "Outcomes of each player alone on the same seeds", numbers=True)


def outcome_facts(outcomes: Mapping[str, Outcome]) -> dict[str, Any]:
    """Return outcomes as plain JSON values."""
    return {
        name: {
            "mean": one.mean,
            "standard_error": one.error,
            "lowest": one.lowest,
            "highest": one.highest,
            "games": one.games,
        }
        for name, one in outcomes.items()
    }


def result_facts(results: Mapping[str, Result]) -> dict[str, Any]:
    """Return results as plain JSON values."""
    return {
        name: {
            "score": result.score,
            "interval": list(result.interval),
            "wins": result.wins,
            "draws": result.draws,
            "losses": result.losses,
        }
        for name, result in results.items()
    }


def rating_facts(ratings: Sequence[Rating]) -> dict[str, Any]:
    """Return ratings as plain JSON values."""
    return {
        entry.name: {"points": entry.points, "error": entry.error, "games": entry.games}
        for entry in ratings
    }
