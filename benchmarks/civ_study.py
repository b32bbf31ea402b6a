"""A study of self-play in AjveCiv with selfish, mixed and team rewards.

One learner (MaskablePPO) plays all four players. The reward is the growth of a player's own score
("delta"). `team_share` is the part of it that goes to the mean of all four: 0 (selfish), 0.5
(mixed), 1 (team). Each kind is trained from several seeds with the same budget. Then four copies of
each trained policy play together, and one policy of each kind plays among three of each kind.

All intervals are 95 % intervals by Student's t over the seeds, not over the games.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
import typer
from common import machine, write_json
from rich.console import Console
from rich.progress import track
from rich.table import Table
from scipy import stats

from axiom_envs.ajve_civ.compat.metrics import measure
from axiom_envs.ajve_civ.constants import VALUES
from axiom_gym.batch import Batch
from axiom_training.config import TrainConfig
from axiom_training.policy import ModelPolicy
from axiom_training.trainer import Trainer

PLAYERS = 4
SHARES = {"selfish": 0.0, "mixed": 0.5, "team": 1.0}
FACTS = ("score", "world yield", "alive", "gini", "reciprocity", *VALUES)


@dataclass(frozen=True, slots=True)
class Budget:
    """The amount of training and of evaluation."""

    seeds: int
    steps: int
    games: int
    size: dict[str, Any]


def options(share: float) -> dict[str, Any]:
    """Return the options of the game in which a learner is trained."""
    return {
        "players": PLAYERS,
        "reward": "delta",
        "black_death": True,
        "teams": "a" * PLAYERS,
        "team_share": share,
    }


def train(share: float, seed: int, budget: Budget) -> ModelPolicy:
    """Train a policy by self-play alone, and return it."""
    with tempfile.TemporaryDirectory() as directory:
        config = TrainConfig(
            game="ajve_civ-v0",
            options=options(share),
            seed=seed,
            steps=budget.steps,
            share_latest=1.0,
            share_pool=0.0,
            share_bots=0.0,
            evaluate_every=0.0,
            **budget.size,
        )
        trainer = Trainer(config, Path(directory))
        while trainer.progress.steps < budget.steps:
            trainer.iterate()
        return trainer.policy()


@dataclass(frozen=True, slots=True)
class Played:
    """The recording of games. Axis letters: B games, T steps, P players."""

    states: npt.NDArray[Any]  # (B, T + 1) records
    chosen: npt.NDArray[np.int8]  # (B, T, P)

    @property
    def scores(self) -> npt.NDArray[np.int32]:
        """The scores at the end, (B, P)."""
        last = self.states[:, -1]
        scores: npt.NDArray[np.int32] = last["yields"] + last["population"]
        return scores


def play(seats: Sequence[ModelPolicy], games: int, seed: int) -> Played:
    """Play games between these policies, by seat; they sample their actions."""
    batch = Batch("ajve_civ", games, autoreset="disabled", **options(0.0))
    rng = np.random.default_rng(seed)
    batch.reset(seed)
    buffers, states, chosen = batch.buffers, [batch.buffers.states.copy()], []
    while not buffers.terminated.any():
        for seat, policy in enumerate(seats):
            seen, masks = buffers.observations[:, seat], buffers.masks[:, seat]
            buffers.actions[:, seat] = policy(seen, masks, rng)
        chosen.append(buffers.actions[:, :, 0].astype(np.int8))
        batch.step()
        states.append(buffers.states.copy())
    return Played(np.stack(states, axis=1), np.stack(chosen, axis=1))


def describe(played: Played) -> dict[str, float]:
    """Return the means of `FACTS` over all games."""
    course = measure(played.states, played.chosen)
    values = [
        played.scores.mean(),
        course.world_yield[:, -1].mean(),
        course.alive[:, -1].mean(),
        course.gini[:, -1].mean(),
        np.nanmean(course.reciprocity[:, -1]),
        *np.nanmean(course.total_shares, axis=0),
    ]
    return dict(zip(FACTS, map(float, values), strict=True))


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean and half the width of its 95 % interval."""
    if len(values) < 2:
        return float(np.mean(values)), math.nan
    reach = stats.t.ppf(0.975, len(values) - 1) * stats.sem(values)
    return float(np.mean(values)), float(reach)


def among(one: ModelPolicy, others: ModelPolicy, games: int, seed: int) -> float:
    """Return the mean score of one policy among three of another, at each seat in turn."""
    found = []
    for seat in range(PLAYERS):
        seats = [one if place == seat else others for place in range(PLAYERS)]
        found.append(play(seats, games // PLAYERS, seed).scores[:, seat].mean())
    return float(np.mean(found))


def as_text(values: Sequence[float]) -> str:
    """Return the mean and its interval as text, such as "0.31 ± 0.02"."""
    mean, reach = interval(values)
    digits = 0 if abs(mean) >= 100 else 2
    return f"{mean:.{digits}f} ± {reach:.{digits}f}"


def show(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table."""
    table = Table(title=title, title_justify="left")
    for column in columns:
        table.add_column(column)
    for row in rows:
        table.add_row(*row)
    Console(width=100).print(table)


def main(
    seeds: Annotated[int, typer.Option(min=1, help="Number of runs of each kind.")] = 5,
    steps: Annotated[int, typer.Option(min=1, help="Number of decisions of a run.")] = 1_500_000,
    games: Annotated[int, typer.Option(min=4, help="Number of games to evaluate a run.")] = 1024,
    out: Annotated[Path | None, typer.Option(help="Write the results to this JSON file.")] = None,
    quick: Annotated[
        bool, typer.Option(help="Check the script in a few seconds; the numbers mean little.")
    ] = False,
) -> None:
    """Train and compare selfish, mixed and team players."""
    small = {"num_games": 16, "rollout_turns": 8, "batch_size": 128}
    budget = Budget(2, 600, 8, small) if quick else Budget(seeds, steps, games, {})
    runs = [(name, seed) for name in SHARES for seed in range(budget.seeds)]
    trained = {
        (name, seed): train(SHARES[name], seed, budget)
        for name, seed in track(runs, "training", console=Console(stderr=True))
    }
    alike = {
        run: describe(play([policy] * PLAYERS, budget.games, 10_000 + run[1]))
        for run, policy in trained.items()
    }
    mixed = {
        f"{one} among {other}": [
            among(trained[one, seed], trained[other, seed], budget.games, 20_000 + seed)
            for seed in range(budget.seeds)
        ]
        for one in SHARES
        for other in SHARES
    }
    facts = {
        name: {fact: [alike[name, seed][fact] for seed in range(budget.seeds)] for fact in FACTS}
        for name in SHARES
    }
    rows = [[fact, *(as_text(facts[name][fact]) for name in SHARES)] for fact in FACTS]
    show("Four of a kind: means, and shares of acts", ["", *SHARES], rows)
    rows = [[one, *(as_text(mixed[f"{one} among {other}"]) for other in SHARES)] for one in SHARES]
    show("The score of one (row) among three (column)", ["", *SHARES], rows)
    if out is not None:
        values = {
            "title": "AjveCiv: what reward makes of self-play",
            "machine": machine(),
            "seeds": budget.seeds,
            "steps": budget.steps,
            "games": budget.games,
            "alike": facts,
            "among": mixed,
        }
        write_json(out, values)


if __name__ == "__main__":
    typer.run(main)
