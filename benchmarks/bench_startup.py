"""Time to the first step: import, warm start (compiled code on disk), cold start (no code on disk).

Each reading is a process of its own. Each cold start has an empty cache directory.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Annotated

import typer
from common import measure, report

_IMPORT = "import time; t = time.perf_counter(); import {module}; print(time.perf_counter() - t)"
_FIRST_STEP = """
import time
started = time.perf_counter()
import axiom_gym, gymnasium
envs = gymnasium.make_vec("{game}", num_envs=1024, opponent="{opponent}")
envs.reset(seed=0)
envs.step(envs.action_space.sample())
print(time.perf_counter() - started)
"""


def run(code: str, cache: str) -> float:
    """Run `code` in a new process and return the seconds that it prints."""
    environment = {**os.environ, "AXIOM_GYM_CACHE_DIR": cache, "NUMBA_CACHE_DIR": cache + "/numba"}
    command = [sys.executable, "-c", code]
    result = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    return float(result.stdout)


def main(
    game: Annotated[str, typer.Option(help="Gymnasium id.")] = "axiom/Quantaris-v0",
    opponent: Annotated[str, typer.Option(help="Who plays the other seat.")] = "random",
    out: Annotated[Path | None, typer.Option(help="Result file (JSON).")] = None,
    quick: Annotated[
        bool, typer.Option(help="A check of a few seconds; the numbers mean little.")
    ] = False,
) -> None:
    """Measure import and start times."""
    code = _FIRST_STEP.format(game=game, opponent=opponent)
    with tempfile.TemporaryDirectory() as directory:
        run(code, directory)
        imports = [
            measure(
                f"import {module}",
                "s",
                lambda module=module: run(_IMPORT.format(module=module), directory),
                repeats=1 if quick else 9,
                target=target,
                more_is_better=False,
            )
            for module, target in (
                ("axiom_gym", 0.35),
                ("gymnasium", 0),
                ("pettingzoo", 0),
                ("numba", 0),
            )
        ]
        warm = measure(
            "first step, warm cache",
            "s",
            lambda: run(code, directory),
            repeats=1 if quick else 9,
            target=1,
            more_is_better=False,
        )
    rates = [*imports, warm]
    if not quick:
        rates.append(
            measure(
                "first step, cold cache",
                "s",
                lambda: cold(code),
                repeats=5,
                target=15,
                more_is_better=False,
            )
        )
    report(f"Start of {game}", rates, out)


def cold(code: str) -> float:
    """Return the time of one start with an empty cache."""
    with tempfile.TemporaryDirectory() as directory:
        return run(code, directory)


if __name__ == "__main__":
    typer.run(main)
