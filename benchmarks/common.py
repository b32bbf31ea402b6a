"""Repetitions, medians, tables, result files and machine facts, shared by all benchmarks.

Every rate is measured at least five times after a warm-up that is not timed, and reported as the
median with minimum and maximum. A result file holds the rates by name, for `compare.py`.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

REPEATS = 7


@dataclass(frozen=True, slots=True)
class Rate:
    """One measured number.

    Attributes:
        name: of the measurement; the key in the result file.
        unit: such as "turns/s" or "ms".
        median, low, high: over the repetitions.
        floor: the same without any game, measured in the same run; 0 if there is none.
        target: the project's target; 0 if there is none.
        more_is_better: False for times and memory.
    """

    name: str
    unit: str
    median: float
    low: float
    high: float
    floor: float = 0.0
    target: float = 0.0
    more_is_better: bool = True


def measure(
    name: str,
    unit: str,
    work: Callable[[], float],
    *,
    repeats: int = REPEATS,
    floor: float = 0.0,
    target: float = 0.0,
    more_is_better: bool = True,
) -> Rate:
    """Call `work`, which returns one reading, once to warm up and then `repeats` times."""
    work()
    readings = [work() for _ in range(repeats)]
    return Rate(
        name,
        unit,
        float(np.median(readings)),
        min(readings),
        max(readings),
        floor,
        target,
        more_is_better,
    )


def rate_of(step: Callable[[], Any], units: int, seconds: float) -> Callable[[], float]:
    """Return a reading for `measure`: calls `step` for some time; `units` per call, as a rate."""

    def read() -> float:
        calls, started = 0, time.perf_counter()
        while (spent := time.perf_counter() - started) < seconds:
            step()
            calls += 1
        return calls * units / spent

    return read


def report(title: str, rates: list[Rate], out: Path | None = None) -> None:
    """Print a table, and write the result file if a path is given."""
    table = Table(title=title, title_justify="left")
    table.add_column("what")
    for column in ("median", "min", "max", "floor / it", "target"):
        table.add_column(column, justify="right")
    for rate in rates:
        ratio = f"{rate.floor / rate.median:.1f} x" if rate.floor else ""
        target = _number(rate.target) if rate.target else ""
        numbers = [_number(value) for value in (rate.median, rate.low, rate.high)]
        table.add_row(f"{rate.name} ({rate.unit})", *numbers, ratio, target)
    console = Console(width=None if Console().is_terminal else 120)
    console.print(table)
    console.print(describe_machine(), style="dim", soft_wrap=True)
    if out is not None:
        save(out, title, rates)


def save(path: Path, title: str, rates: list[Rate]) -> None:
    """Write the result file."""
    rows = [asdict(rate) for rate in rates]
    write_json(path, {"title": title, "machine": machine(), "rates": rows})


def write_json(path: Path, values: dict[str, Any]) -> None:
    """Write a file completely or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(".tmp")
    temporary.write_text(json.dumps(values, indent=2) + "\n", encoding="utf-8")
    temporary.replace(path)


def machine() -> dict[str, Any]:
    """Return the machine and the versions of the measurement, in general terms."""
    import gymnasium
    import numba
    import pettingzoo

    return {
        "cpu": _cpu_model(),
        "cores": os.cpu_count(),
        "commit": _commit(),
        "python": platform.python_version(),
        "numba": numba.__version__,
        "numpy": np.__version__,
        "gymnasium": gymnasium.__version__,
        "pettingzoo": pettingzoo.__version__,
    }


def describe_machine() -> str:
    """Return the machine in one line."""
    return ", ".join(f"{key} {value}" for key, value in machine().items())


def _cpu_model() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def _commit() -> str:
    command = ["git", "-C", str(Path(__file__).parent), "rev-parse", "--short", "HEAD"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    return result.stdout.strip() or "unknown"


def _number(value: float) -> str:
    """Return a short form, such as 1.23 M for 1234567."""
    for limit, suffix in ((1e6, " M"), (1e3, " k")):
        if abs(value) >= limit:
            return f"{value / limit:.2f}{suffix}"
    return f"{value:.3g}" if abs(value) < 100 else f"{value:.0f}"
