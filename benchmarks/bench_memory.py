"""Memory per game of a batch and of the vector environment, in addition to the buffers that every
interface needs: observations, masks, rewards, flags, actions, final observations.

Three numbers each: the memory held between steps, as `tracemalloc` counts it (NumPy reports to it);
the same by the resident size of a process; and the peak during a step, including the results that
the step returns. Every reading is taken in a process of its own.
"""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import psutil
import typer
from common import Rate, report

TARGET = 100.0
"""Bytes per game that are held above the buffers."""

NEEDED = (
    *("observations", "masks", "rewards", "terminated", "truncated", "actions"),
    "final_observations",
)
"""The buffers that are not counted."""


class Reading(NamedTuple):
    """Bytes in addition to the buffers, held and peak, and the largest holders."""

    held: float
    peak: float
    holders: list[str]


class Form(NamedTuple):
    """An interface: "batch", or "vector" with an opponent and a seat; and its autoreset mode."""

    kind: str
    autoreset: str
    opponent: str = ""
    seat: int | str = 0

    def __str__(self) -> str:
        if self.kind == "batch":
            return f"batch, {self.autoreset}"
        return f"vector, {self.autoreset}, {self.opponent}, seat {self.seat}"


def make(game: str, form: Form, num_envs: int) -> tuple[Any, Callable[[], Any]]:
    """Return a batch that has been reset, and a function that plays a random legal step of it."""
    if form.kind == "batch":
        from axiom_gym.batch import Batch

        batch = Batch(game, num_envs, autoreset=form.autoreset)
        batch.reset(0)

        def step() -> None:
            batch.sample_actions()
            batch.step()

        return batch, step
    from axiom_gym.adapters.gymnasium import AxiomVectorEnv

    env = AxiomVectorEnv(
        game,
        num_envs,
        opponent=form.opponent,
        seat=form.seat,
        autoreset_mode=form.autoreset,
    )
    env.reset(seed=0)
    return env.batch, lambda: env.step(env.sample_actions())


def take(game: str, form: Form, num_envs: int, traced: bool) -> Reading:
    """Take one reading, in a process of its own. The resident size has no peak here."""
    _, step = make(game, form, 1)
    step()
    gc.collect()
    process = psutil.Process()
    if traced:
        tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0] if traced else process.memory_info().rss
    batch, step = make(game, form, num_envs)
    batch.buffers.final_observations.fill(0)  # memory is resident only once it was written
    step()
    gc.collect()
    buffers = sum(getattr(batch.buffers, name).nbytes for name in NEEDED)
    if not traced:
        return Reading(process.memory_info().rss - before - buffers, 0.0, [])
    held = tracemalloc.get_traced_memory()[0] - before - buffers
    holders = list_holders(num_envs)
    tracemalloc.reset_peak()
    for _ in range(3):
        step()
    return Reading(held, tracemalloc.get_traced_memory()[1] - before - buffers, holders)


def list_holders(num_envs: int) -> list[str]:
    """Return the lines of code that have allocated most, with their bytes per game."""
    statistics = tracemalloc.take_snapshot().statistics("lineno")[:8]
    lines = []
    for statistic in statistics:
        frame = statistic.traceback[0]
        place = "/".join(Path(frame.filename).parts[-2:])
        lines.append(f"{statistic.size / num_envs:8.1f}  {place}:{frame.lineno}")
    return lines


def alone(work: Callable[[], Reading]) -> Reading:
    """Return the result of `work` in a new process."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(work).result()


def rate(name: str, readings: list[float], num_envs: int, target: float = 0.0) -> Rate:
    """Return readings of whole batches as a rate per game."""
    values = [reading / num_envs for reading in readings]
    return Rate(
        name,
        "bytes/game",
        float(np.median(values)),
        min(values),
        max(values),
        target=target,
        more_is_better=False,
    )


def main(
    game: Annotated[str, typer.Option(help="Name of the game.")] = "quantaris",
    num_envs: Annotated[int, typer.Option(help="Games.")] = 16384,
    opponent: Annotated[str, typer.Option(help="A bot of the game, beside random.")] = "greedy",
    holders: Annotated[bool, typer.Option(help="Also list the lines that hold most.")] = False,
    out: Annotated[Path | None, typer.Option(help="Result file (JSON).")] = None,
    quick: Annotated[
        bool, typer.Option(help="A check of a few seconds; the numbers mean little.")
    ] = False,
) -> None:
    """Measure the memory of a game."""
    from axiom_gym.registry import get_game

    bots = [opponent] if opponent in get_game(game).bots else []
    forms = [
        Form("batch", "next_step"),
        *(Form("vector", "next_step", bot) for bot in ["random", *bots]),
    ]
    if not quick:
        forms += [
            Form("batch", "same_step"),
            Form("vector", "same_step", "random"),
            Form("vector", "same_step", "random", "random"),
        ]
    rates = []
    for form in forms:
        traced = alone(partial(take, game, form, num_envs, True))
        resident = [
            alone(partial(take, game, form, num_envs, False)).held for _ in range(1 if quick else 5)
        ]
        rates.append(rate(f"{form}: held", [traced.held], num_envs, TARGET))
        rates.append(rate(f"{form}: held, resident", resident, num_envs))
        rates.append(rate(f"{form}: most in a step", [traced.peak], num_envs))
        if holders:
            print(form, *traced.holders, sep="\n  ")
    report(f"Memory of {num_envs:,} games of {game}, above the buffers", rates, out)


if __name__ == "__main__":
    typer.run(main)
