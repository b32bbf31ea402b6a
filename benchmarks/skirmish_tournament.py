"""A seat-balanced tournament of the skirmish's scripted bots.

Each pair of bots meets in every scenario with every seed twice, once from either side. A win scores
1, a draw one half. The interval is the 95 % interval of the mean over pairs of games, which share a
scenario and a seed.
"""

from __future__ import annotations

import itertools
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
import typer
from common import describe_machine, machine, write_json
from rich.console import Console
from rich.progress import track
from rich.table import Table

from axiom_envs.dnd.engine import Encounter
from axiom_envs.dnd.tactics import BOTS

SCENARIOS = (
    "duel-fighters",
    "2v2-goblins",
    "4v4-mixed",
    "goblins-vs-fighters",
    "bandits-vs-party",
    "wolves-in-the-woods",
)
SIDES = ("party", "foes")
STDERR = Console(stderr=True)


class Meeting(NamedTuple):
    """Two games with the same scenario and seed; the bots change sides."""

    scenario: str
    first: str
    second: str
    seed: int


class Result(NamedTuple):
    """The result of a meeting: the first bot's mean score, draws, and rounds, of two games."""

    score: float
    draws: int
    rounds: int


def play(meeting: Meeting) -> Result:
    """Play both games."""
    scores, draws, rounds = [], 0, 0
    for side, other in (SIDES, SIDES[::-1]):
        encounter = Encounter.from_preset(meeting.scenario, meeting.seed, log="off")
        winner = encounter.run({side: meeting.first, other: meeting.second}, meeting.seed)
        scores.append(0.5 if winner is None else float(winner == side))
        draws += winner is None
        rounds += encounter.round
    return Result(sum(scores) / 2, draws, rounds)


def play_all(meetings: list[Meeting], processes: int) -> list[Result]:
    """Play all meetings, with a progress bar."""
    bar = partial(track, total=len(meetings), description="playing", console=STDERR)
    if processes == 1:
        return list(bar(map(play, meetings)))
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        return list(bar(pool.map(play, meetings, chunksize=4)))


def score_pairs(
    meetings: list[Meeting], results: list[Result]
) -> dict[str, dict[str, list[float]]]:
    """Return, for each pair of bots, the first one's mean score and half of its interval."""
    table: dict[str, dict[str, list[float]]] = {name: {} for name in BOTS}
    for first, second in itertools.combinations(BOTS, 2):
        scores = np.array(
            [r.score for m, r in zip(meetings, results, strict=True) if m[1:3] == (first, second)]
        )
        error = 1.96 * scores.std(ddof=1) / np.sqrt(len(scores)) if len(scores) > 1 else np.nan
        table[first][second] = [float(scores.mean()), float(error)]
        table[second][first] = [1.0 - float(scores.mean()), float(error)]
    return table


def print_table(table: dict[str, dict[str, list[float]]]) -> None:
    """Print the scores of the rows against the columns."""
    shown = Table(title="Score of the row against the column", title_justify="left")
    for column in ("", *BOTS, "mean"):
        shown.add_column(column, justify="right" if column else "left")
    for name, row in table.items():
        cells = [f"{row[o][0]:.3f} ± {row[o][1]:.3f}" if o in row else "" for o in BOTS]
        shown.add_row(name, *cells, f"{np.mean([score for score, _ in row.values()]):.3f}")
    Console(width=None if Console().is_terminal else 120).print(shown)


def main(
    seeds: Annotated[int, typer.Option(help="Seeds of each scenario.", min=1)] = 100,
    processes: Annotated[int, typer.Option(help="Games at a time.", min=1)] = 2,
    out: Annotated[Path | None, typer.Option(help="Result file (JSON).")] = None,
    quick: Annotated[
        bool, typer.Option(help="A check of a few seconds; the numbers mean little.")
    ] = False,
) -> None:
    """Run a tournament of the skirmish's scripted bots."""
    names, count = (SCENARIOS[:2], 2) if quick else (SCENARIOS, seeds)
    meetings = [
        Meeting(scenario, first, second, seed)
        for first, second in itertools.combinations(BOTS, 2)
        for scenario in names
        for seed in range(count)
    ]
    results = play_all(meetings, 1 if quick else processes)
    table = score_pairs(meetings, results)
    print_table(table)
    games = 2 * len(results)
    draws, rounds = sum(r.draws for r in results), sum(r.rounds for r in results)
    typer.echo(f"{games:,} games, {draws / games:.1%} draws, {rounds / games:.1f} rounds each")
    Console().print(describe_machine(), style="dim", soft_wrap=True)
    if out is not None:
        facts = {"scenarios": list(names), "seeds": count, "games": games, "draws": draws}
        write_json(out, {"title": "Skirmish", "machine": machine(), **facts, "scores": table})


if __name__ == "__main__":
    typer.run(main)
