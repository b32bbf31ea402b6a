"""Games declared as data: compiled, interpreted, and the time to the first step.

An env-step is an action, a tick, observation, mask, reward and autoreset; actions are random legal
ones, drawn beforehand. The floor is the same driver over a game without rules, with the same
buffers. In the interpreter a tick is `Engine.tick()`, and a step is the work of an environment:
tick, available actions, one action.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer
from bench_startup import cold, run
from common import Rate, measure, rate_of, report
from two_styles import EXPRESSIONS, ORDINARY, TASK

from axiom_envs.quickstart import CONFIG
from axiom_gym.commands.bench import measure as measure_batch
from axiom_gym.config import Engine, as_game, create_engine
from axiom_gym.registry import get_game
from axiom_gym.rng import SeededRNG

ORIGINAL_STEPS = 0.25e6
"""Tick, available actions and action per second of the original engine, in JavaScript, as it was
recorded on such a machine; it draws no observation and writes no mask."""

TARGETS = {"quickstart": 25e6, "life_sim": 6e6}

_FIRST_STEP = """
import time
import axiom_gym.adapters.gymnasium, axiom_gym.batch, axiom_gym.config.compiled, numba
from axiom_gym.config import make_vec
from axiom_envs.{game} import CONFIG, TASK
started = time.perf_counter()
envs = make_vec(CONFIG, TASK, num_envs=1024)
envs.reset(seed=0)
envs.step(envs.action_space.sample())
print(time.perf_counter() - started)
"""


def compiled(name: str, seconds: float, repeats: int) -> list[Rate]:
    """Measure env-steps per second of a batch of 1,024 games on one core."""
    settings: dict[str, Any] = {"num_envs": 1024, "num_threads": 1}
    result = measure_batch(get_game(name), settings, seconds, repeats, seed=0)
    floor = result["rates"]["floor"]["median"]
    rows = []
    for label, key in (("step", "step"), ("sample + step", "step_and_sampling")):
        rate = result["rates"][key]
        target = TARGETS[name] if key == "step" else 0.0
        values = (rate["median"], rate["lowest"], rate["highest"])
        rows.append(Rate(f"{name}, {label}", "env-steps/s", *values, floor, target))
    return rows


def styles(seconds: float, repeats: int) -> list[Rate]:
    """Measure one game in ordinary Python beside the same game written with `where`."""
    settings: dict[str, Any] = {"num_envs": 1024, "num_threads": 1}
    rows: list[Rate] = []
    for config in (EXPRESSIONS, ORDINARY):
        rates = measure_batch(as_game(config, TASK), settings, seconds, repeats, seed=0)["rates"]
        rate = rates["step"]
        values = (rate["median"], rate["lowest"], rate["highest"])
        beside = rows[0].median if rows else rates["floor"]["median"]
        rows.append(Rate(f"one game, {config.name}, step", "env-steps/s", *values, beside))
    return rows


def aged(entries: int) -> Engine:
    """Return a game of `quickstart` whose history has this many entries."""
    engine = create_engine(CONFIG, seed=0)
    for _ in range(entries):
        engine.apply_action("work")
    return engine


def stepper(engine: Engine) -> Callable[[], object]:
    """Return a function that steps as an environment does: tick, available actions, an action."""
    draws = SeededRNG(1)

    def step() -> object:
        engine.tick()
        return engine.apply_action(draws.pick(engine.get_available_actions()).id)

    return step


def interpreted(quick: bool, seconds: float) -> list[Rate]:
    """Measure the interpreter on `quickstart`, with a short and with a long history."""
    rows = []
    for entries in (0, 1_000 if quick else 1_000_000):
        rows.append(
            measure(
                f"interpreter, quickstart, history of {entries:,} (ticks)",
                "ticks/s",
                rate_of(aged(entries).tick, 1, seconds),
                target=80e3,
            )
        )
    rows.append(
        measure(
            "interpreter, quickstart, tick + available + action",
            "steps/s",
            rate_of(stepper(aged(0)), 1, seconds),
        )
    )
    return rows


def starts(game: str, quick: bool) -> list[Rate]:
    """Measure the time from a config to the first step of its vector environment, less imports."""
    code = _FIRST_STEP.format(game=game)

    def warm() -> float:
        return run(code, directory)

    with tempfile.TemporaryDirectory() as directory:
        run(code, directory)
        times = measure(
            f"{game}, first step, warm cache",
            "s",
            warm,
            repeats=1 if quick else 9,
            target=0.6,
            more_is_better=False,
        )
    if quick:
        return [times]
    anew = measure(
        f"{game}, first step, cold cache",
        "s",
        lambda: cold(code),
        repeats=5,
        target=5,
        more_is_better=False,
    )
    return [times, anew]


def main(
    seconds: Annotated[float, typer.Option(help="Time on the clock for each row.")] = 4.0,
    out: Annotated[Path | None, typer.Option(help="Result file (JSON).")] = None,
    quick: Annotated[
        bool, typer.Option(help="A check of a few seconds; the numbers mean little.")
    ] = False,
) -> None:
    """Measure games declared as data."""
    seconds, repeats = (0.2, 5) if quick else (seconds, 9)
    rates = [rate for name in TARGETS for rate in compiled(name, seconds, repeats)]
    rates += styles(seconds, repeats)
    ratio = rates[0].median / ORIGINAL_STEPS
    rates += interpreted(quick, 0.05 if quick else 0.5)
    rates += starts("life_sim", quick)
    report("Games declared as data", rates, out)
    print(f"quickstart, compiled: {ratio:.0f} x the recorded 0.25 M steps/s of the original")


if __name__ == "__main__":
    typer.run(main)
