"""Turns per second of a game's compiled batch, by batch size and threads, with the write floor.

A turn is everyone's actions and one resolution, with rules, both observations, masks, rewards and
autoreset. Actions are random legal ones. The floor is the same driver over a game without rules:
the time to write the same buffers.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from common import Rate, report

from axiom_gym.commands.bench import measure
from axiom_gym.commands.options import parse_options
from axiom_gym.registry import get_game

TARGET = 4e6
"""Turns per second of one core at a batch of 1,024."""


def rates_of(name: str, result: dict[str, Any], target: float = 0.0) -> list[Rate]:
    """Return one measurement as rows: the step alone, and with sampling the actions."""
    floor = result["rates"]["floor"]["median"]
    rows = []
    for label, key, goal in (("step", "step", target), ("sample + step", "step_and_sampling", 0.0)):
        rate = result["rates"][key]
        values = (rate["median"], rate["lowest"], rate["highest"])
        rows.append(Rate(f"{name}, {label}", "turns/s", *values, floor, goal))
    return rows


def main(
    game: Annotated[str, typer.Option(help="Name of the game.")] = "quantaris",
    option: Annotated[
        list[str] | None, typer.Option("--option", "-o", help="Game option, KEY=VALUE.")
    ] = None,
    seconds: Annotated[float, typer.Option(help="Time on the clock for each row.")] = 4.0,
    threads: Annotated[int, typer.Option(help="Also measure with so many threads; 1 for no.")] = 2,
    out: Annotated[Path | None, typer.Option(help="Result file (JSON).")] = None,
    quick: Annotated[
        bool, typer.Option(help="A check of a few seconds; the numbers mean little.")
    ] = False,
) -> None:
    """Measure the kernel in its driver."""
    chosen, rates = get_game(game), []
    sizes = [(64, 1)] if quick else [(1, 1), (64, 1), (1024, 1), (16384, 1), (16384, threads)]
    for num_envs, num_threads in dict.fromkeys(sizes):
        settings = {
            "num_envs": num_envs,
            "num_threads": num_threads,
            **parse_options(chosen, option),
        }
        result = measure(chosen, settings, 0.2 if quick else seconds, 5 if quick else 9, seed=0)
        target = TARGET if (num_envs, num_threads) == (1024, 1) else 0.0
        rates += rates_of(f"{num_envs} games, {num_threads} thread(s)", result, target)
    report(f"Kernel of {game}", rates, out)


if __name__ == "__main__":
    typer.run(main)
