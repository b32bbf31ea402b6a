"""Decisions per second of the sequential games: kernels beside the write floor, and steps
of a learner through the vector environment.

A step of a kernel is one decision, with the observation and mask of the player who acts next,
rewards and autoreset. A step of the vector environment is one decision of the learner and all
decisions of its opponents until its next turn.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
from bench_adapters import timed
from common import Rate, measure, report

from axiom_gym.adapters.gymnasium import AxiomVectorEnv
from axiom_gym.commands.bench import measure as measure_kernel
from axiom_gym.registry import get_game


class Row(NamedTuple):
    """A game with its settings, and the target in decisions per second."""

    game: str
    num_envs: int
    options: dict[str, Any]
    target: float
    opponents: tuple[str, ...]

    @property
    def name(self) -> str:
        """The name of the row, such as "konquista, classic, 4 players"."""
        words = [self.options.get("preset", ""), f"{self.options.get('players', 2)} players"]
        return ", ".join(filter(None, [self.game, *words]))


ROWS = (
    Row("connect_four", 4096, {}, 10e6, ("random", "minimax2")),
    Row("konquista", 1024, {"preset": "classic", "players": 4}, 1e6, ("random", "greedy")),
    Row("destreect", 1024, {"preset": "city", "players": 4}, 1e6, ("random", "greedy")),
)
VECTOR_TARGET = 5e6
"""Steps per second of connect_four's vector environment against "random"."""


def bench_kernel(row: Row, num_envs: int, seconds: float, repeats: int) -> list[Rate]:
    """Measure the step of the driver, alone and with drawing the random legal actions."""
    settings = {"num_envs": num_envs, **row.options}
    result = measure_kernel(get_game(row.game), settings, seconds, repeats, seed=0)
    floor = result["rates"]["floor"]["median"]
    rates = []
    for label, key in (("step", "step"), ("sample + step", "step_and_sampling")):
        rate = result["rates"][key]
        values = (rate["median"], rate["lowest"], rate["highest"])
        rates.append(Rate(f"{row.name}: {label}", "decisions/s", *values, floor, row.target))
    return rates


def bench_vector(row: Row, opponent: str, num_envs: int, seconds: float) -> Rate:
    """Measure `VectorEnv.step`, without the time to sample actions."""
    env = AxiomVectorEnv(row.game, num_envs, opponent=opponent, **row.options)
    env.reset(seed=0)
    read = timed(env.sample_actions, env.step, num_envs, seconds)
    target = VECTOR_TARGET if (row.game, opponent) == ("connect_four", "random") else 0.0
    name = f"{row.name}: VectorEnv.step against {opponent}"
    return measure(name, "learner's steps/s", read, target=target)


def main(
    seconds: Annotated[float, typer.Option(help="Time on the clock for each row.")] = 4.0,
    out: Annotated[Path | None, typer.Option(help="Result file (JSON).")] = None,
    quick: Annotated[
        bool, typer.Option(help="A check of a few seconds; the numbers mean little.")
    ] = False,
) -> None:
    """Measure the sequential games."""
    rates = []
    for row in ROWS:
        num_envs = 32 if quick else row.num_envs
        rates += bench_kernel(row, num_envs, 0.1 if quick else seconds, 5 if quick else 9)
        for opponent in row.opponents[:1] if quick else row.opponents:
            reading = 0.01 if quick else seconds / 8
            rates.append(bench_vector(row, opponent, num_envs, reading))
    report("Sequential games", rates, out)


if __name__ == "__main__":
    typer.run(main)
