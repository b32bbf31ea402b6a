"""Connect Four here, in PettingZoo, OpenSpiel and Pgx: plies per second of one core.

All contestants play random legal moves from the empty board. Readings are taken in turn, in rounds,
so that a ratio compares readings of about the same time. The name of a row and
`benchmarks/README.md` say what it includes. Libraries that are not installed are skipped with a
message (`pip install "axiom-gym[peers]"`).
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

if hasattr(os, "sched_setaffinity"):  # before anything starts threads of its own
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
sys.path.insert(0, str(Path(__file__).parent.parent))

import contestants as ours
from common import Rate, report
from contestants import AEC, FLOOR, KERNEL, VECTOR_GAME, Contestant

PEERS = {"pettingzoo": "pettingzoo_peer", "open_spiel": "openspiel_peer", "pgx": "pgx_peer"}
"""The package to install, and the local module with `contestants(num_envs, seconds)`."""

SAMPLE, DRAW = ours.SAMPLERS
RATIOS = [
    (KERNEL, "Pgx, loop inside jit", 4.0),
    (KERNEL, "Pgx, loop inside jit, no random numbers", 0.0),
    (KERNEL, "OpenSpiel, native rollouts", 4.0),
    (VECTOR_GAME, "Pgx, loop in Python", 0.0),
    (f"{AEC}, {SAMPLE}", f"PettingZoo, raw_env, {SAMPLE}", 0.0),
    (f"{AEC}, {SAMPLE}", f"PettingZoo, env, {SAMPLE}", 4.0),
    (f"{AEC}, {DRAW}", f"PettingZoo, raw_env, {DRAW}", 0.0),
    (f"{AEC}, {DRAW}", f"PettingZoo, env, {DRAW}", 4.0),
    (f"{AEC}, {DRAW}", "OpenSpiel, from Python with observation", 0.0),
]
"""Ours, a peer's, and how many times as fast ours shall be; 0 where we promise nothing."""

TARGETS = {KERNEL: 10e6, VECTOR_GAME: 5e6}


def find_peers(num_envs: int, seconds: float) -> dict[str, list[Contestant]]:
    """Return the contestants of each installed library, by its name and version."""
    found = {}
    for peer, module in PEERS.items():
        try:
            made = import_module(module).contestants(num_envs, seconds)
        except ImportError as error:
            print(f"{peer} is left out, since something it needs is not installed: {error}.")
        else:
            found[f"{peer} {version(peer)}"] = made
    return found


def play_rounds(contestants: list[Contestant], rounds: int) -> dict[str, list[float]]:
    """Return readings by name, one for each round, after a warm-up round."""
    readings: dict[str, list[float]] = {}
    for number in range(rounds + 1):
        for read in contestants:
            for name, rate in read().items():
                readings.setdefault(name, [])
                if number:
                    readings[name].append(rate)
    return readings


def summarize(readings: dict[str, list[float]]) -> list[Rate]:
    """Return a row for each reading, and one for each ratio, taken round by round."""
    floor = float(np.median(readings[FLOOR]))
    rates = [
        _rate(name, "plies/s", values, floor if name == KERNEL else 0.0, TARGETS.get(name, 0.0))
        for name, values in readings.items()
    ]
    for own, peer, target in RATIOS:
        if peer in readings:
            values = (np.array(readings[own]) / np.array(readings[peer])).tolist()
            rates.append(_rate(f"{own} / {peer}", "times", values, 0.0, target))
    return rates


def _rate(name: str, unit: str, values: list[float], floor: float, target: float) -> Rate:
    middle = float(np.median(values))
    return Rate(name, unit, middle, min(values), max(values), floor, target)


def main(
    num_envs: Annotated[int, typer.Option(help="Games in a batch.")] = 4096,
    seconds: Annotated[float, typer.Option(help="Time on the clock for each reading.")] = 0.5,
    rounds: Annotated[int, typer.Option(min=5, help="Readings of each.")] = 9,
    out: Annotated[Path | None, typer.Option(help="Result file (JSON).")] = None,
    quick: Annotated[
        bool, typer.Option(help="A check of a few seconds; the numbers mean little.")
    ] = False,
) -> None:
    """Compare Connect Four with other libraries."""
    num_envs, seconds, rounds = (64, 0.01, 5) if quick else (num_envs, seconds, rounds)
    peers = find_peers(num_envs, seconds)
    contestants = [*ours.contestants(num_envs, seconds), *chain(*peers.values())]
    title = f"Connect Four compared with other libraries: {', '.join(peers) or 'none is installed'}"
    report(title, summarize(play_rounds(contestants, rounds)), out)


if __name__ == "__main__":
    typer.run(main)
