"""The progress of runs: bars on a terminal, lines from time to time elsewhere."""

from __future__ import annotations

import time
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    SpinnerColumn,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

if TYPE_CHECKING:
    from axiom_training.trainer import TrainingProgress

INTERVAL = 30.0
"""The seconds between two lines of a run where there is no terminal."""


@dataclass(slots=True)
class _Row:
    """A run that is shown.

    Attributes:
        task: its bar.
        line: its latest state as text.
        printed: the last line that was printed.
        printed_at: the time of that line.
    """

    task: TaskID
    line: str = ""
    printed: str = ""
    printed_at: float = float("-inf")


class ProgressDisplay:
    """A bar for each run on a terminal; elsewhere a line for each run every `INTERVAL` seconds.

    Its methods may be called in several threads, those of one run in one thread at a time.
    """

    def __init__(self) -> None:
        columns = (
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=24),
            TextColumn("{task.percentage:>3.0f} %"),
            TimeRemainingColumn(compact=True),
            TextColumn("{task.fields[status]}", markup=False),
        )
        console = Console()
        self._is_plain = not console.is_terminal
        self._bars = Progress(*columns, console=console, disable=self._is_plain)
        self._rows: dict[str, _Row] = {}

    def __enter__(self) -> ProgressDisplay:
        self._bars.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Remove the bars; without a terminal, print the last state of the runs."""
        self._bars.stop()
        if self._is_plain:
            for row in self._rows.values():
                self._print(row)

    def start(self, name: str, status: str = "") -> None:
        """Show a run; its name is "" if it is the only one."""
        self._rows[name] = _Row(self._bars.add_task(name, total=1.0, status=status))
        if self._is_plain and name and status:
            self.say(f"{name}: {status}")

    def update(self, name: str, completed: float, status: str) -> None:
        """Show the spent share of a run's budget, 0..1, and a text."""
        row = self._rows[name]
        self._bars.update(row.task, completed=completed, status=status)
        row.line = f"{f'{name}: ' if name else ''}{completed:4.0%}  {status}".rstrip()
        if self._is_plain and time.monotonic() >= row.printed_at + INTERVAL:
            self._print(row)

    def end(self, name: str, text: str) -> None:
        """Remove a run, and print a line about its end."""
        self._bars.remove_task(self._rows.pop(name).task)
        self.say(f"{name}: {text}")

    def say(self, text: str) -> None:
        """Print a line, above the bars on a terminal."""
        self._bars.console.print(Text(text), soft_wrap=True)

    def _print(self, row: _Row) -> None:
        if row.line != row.printed:
            self.say(row.line)
            row.printed, row.printed_at = row.line, time.monotonic()


def describe_progress(progress: TrainingProgress) -> str:
    """Return a line with the steps so far, the rate, and the last scores."""
    scores = "  ".join(f"{name} {score:.2f}" for name, score in progress.scores.items())
    if progress.outcome is not None:
        scores = f"outcome {progress.outcome:.4g}  {scores}"
    rate = progress.steps / progress.seconds if progress.seconds else 0.0
    faults = sum(progress.faults.values())
    if faults:
        scores += f"  {faults / progress.episodes:.0%} of the episodes end by a fault"
    return f"{progress.steps / 1e6:5.2f} M steps  {rate / 1e3:4.1f} k/s  {scores}"


def describe_faults(progress: TrainingProgress) -> list[str]:
    """Return lines with the faults of the rules that ended episodes of training; [] without any."""
    if not progress.faults:
        return []
    total = f"{sum(progress.faults.values())} of {progress.episodes} episodes"
    lines = [f"warning: a fault of the rules ended {total} of training:"]
    counts = sorted(progress.faults.items(), key=lambda one: -one[1])
    return [*lines, *(f"  {count}  {text}" for text, count in counts)]
