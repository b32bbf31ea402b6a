"""Benchmarks of the D&D engine and the skirmish: attacks, creatures, whole games, memory.

Attacks are complete events with phases, rolls, damage and costs, and a bounded log. They are timed
in windows over a long run in one world, so that a falling rate becomes visible. The skirmish is
played with random legal actions, with observation, mask, rewards and autoreset, in batches of one
and of several games. The floor is the same batch of a game without rules, also in plain Python.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any

import numpy as np
import psutil
import typer
from common import Rate, measure, rate_of, report

from axiom_envs.dnd import engine as dnd
from axiom_envs.skirmish import GAME
from axiom_gym.batch import Batch
from axiom_gym.game import KernelGame
from axiom_gym.kernel import RUNNING, record_dtype

ATTACKS = 10_000.0
CREATURES = 3_000.0
LEAKED = 5.0
STEPS = {"2v2-goblins": 3_000.0, "4v4-mixed": 1_000.0}
"""Scenario -> target in steps/s: 2 against 2 on 8 x 8, 4 against 4 on 16 x 16."""


def bench_attacks(total: int, windows: int) -> tuple[list[Rate], float]:
    """Measure attacks per second, and the last window's rate as a share of the first one's."""
    with dnd.World(seed=1, log="bounded"):
        fighter = dnd.create("fighter", level=5, side="party", position=(0, 0))
        ogre = dnd.create("ogre", side="foes", position=(1, 0))
        ogre.health.maximum.base = ogre.health.current = 10**9

        def attack() -> None:
            dnd.Attack(fighter, ogre, "longsword").apply()
            fighter.economy.renew_turn()

        for _ in range(500):
            attack()
        readings = []
        for _ in range(windows):
            started = time.perf_counter()
            for _ in range(total // windows):
                attack()
            readings.append(total // windows / (time.perf_counter() - started))
    name = f"attacks, in {windows} windows of {total // windows:,}"
    rate = Rate(
        name,
        "attacks/s",
        float(np.median(readings)),
        min(readings),
        max(readings),
        target=ATTACKS,
    )
    return [rate], readings[-1] / readings[0]


def bench_creatures(seconds: float, repeats: int) -> list[Rate]:
    """Measure creatures created per second; worlds are dropped as they fill."""

    def make(name: str, level: int | None) -> Callable[[], None]:
        def work() -> None:
            with dnd.World():
                for _ in range(50):
                    dnd.create(name, level=level)

        return work

    kinds: list[tuple[str, int | None]] = [("goblin", None), ("gladiator", None), ("fighter", 5)]
    return [
        measure(
            f"create a {name}",
            "creatures/s",
            rate_of(make(name, level), 50, seconds),
            repeats=repeats,
            target=CREATURES,
        )
        for name, level in kinds
    ]


def make_floor() -> KernelGame:
    """Make a game with the same buffers whose kernel only fills them with zeros and ones."""

    def fill(number: int, place: int) -> Callable[..., None]:
        return lambda *arguments: arguments[place].fill(number)

    def step(state: Any, actions: Any, rewards: Any, events: Any, params: Any) -> int:
        rewards.fill(0)
        return RUNNING

    kernel: Any = SimpleNamespace(
        STATE=record_dtype([("rng", np.uint32)]),
        reset=lambda state, params: None,
        legal_actions=fill(1, 2),
        step=step,
        observe=fill(0, 2),
        outcome=fill(0, 1),
        acting=lambda state, params: 0,
    )
    return replace(GAME, kernel=lambda: kernel, params=lambda _: None, state_dtype=None, bots={})


def bench_steps(scenario: str, num_envs: int, seconds: float, repeats: int) -> Rate:
    """Measure steps per second of a batch with random legal actions, and of the floor."""

    def make_step(game: KernelGame) -> Callable[[], None]:
        batch = Batch(game, num_envs, scenario=scenario)
        batch.reset(1)

        def step() -> None:
            batch.sample_actions()
            batch.step()

        return step

    floor = measure("", "", rate_of(make_step(make_floor()), num_envs, seconds / 4), repeats=5)
    return measure(
        f"{scenario}, {num_envs} game{'s' if num_envs > 1 else ''}: step",
        "steps/s",
        rate_of(make_step(GAME), num_envs, seconds),
        repeats=repeats,
        floor=floor.median,
        target=STEPS[scenario],
    )


def bench_memory(steps: int) -> Rate:
    """Measure the growth of the process's resident memory during a run, in megabytes."""
    batch = Batch("skirmish", 1, scenario="2v2-goblins")
    batch.reset(1)
    process = psutil.Process()

    def play(count: int) -> float:
        for _ in range(count):
            batch.sample_actions()
            batch.step()
        gc.collect()
        size: float = process.memory_info().rss / 2**20
        return size

    before = play(max(steps // 50, 2000))
    grown = play(steps) - before
    return Rate(
        f"memory added by {steps:,} steps",
        "MB",
        grown,
        grown,
        grown,
        target=LEAKED,
        more_is_better=False,
    )


def main(
    attacks: Annotated[int, typer.Option(help="Attacks in one world.")] = 1_000_000,
    steps: Annotated[int, typer.Option(help="Steps for the reading of memory.")] = 1_000_000,
    seconds: Annotated[float, typer.Option(help="Time on the clock for each row.")] = 2.0,
    out: Annotated[Path | None, typer.Option(help="Result file (JSON).")] = None,
    quick: Annotated[
        bool, typer.Option(help="A check of a few seconds; the numbers mean little.")
    ] = False,
) -> None:
    """Measure the D&D engine and the skirmish."""
    if quick:
        attacks, steps, seconds = 5_000, 3_000, 0.2
    repeats = 5 if quick else 7
    rates, last = bench_attacks(attacks, 10)
    rates += bench_creatures(seconds, repeats)
    for scenario in STEPS:
        rates += [bench_steps(scenario, count, seconds, repeats) for count in (1, 16)]
    rates.append(bench_memory(steps))
    report("Dungeons & Dragons", rates, out)
    typer.echo(f"the last window of attacks ran at {last:.2f} of the first one's rate")


if __name__ == "__main__":
    typer.run(main)
