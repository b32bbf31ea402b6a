"""Processes that train the runs of a study, some of them at the same time."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from axiom_training.study import PlannedRun

COMMAND = (sys.executable, "-m", "axiom_training.worker")
"""The command of a process; the directory of its run is added."""

_LAST_LINES = 20
"""The most lines of a failed process's errors to report."""


class Workers:
    """Processes, each of which trains one run; see `axiom_training.worker`.

    The first SIGINT or SIGTERM lets all of them save their checkpoints and end; those that have not
    begun to train have nothing to save and end at once. The second signal kills all of them.

    Attributes:
        interrupted: the number of the signal that arrived; 0 for none.
        failures: the error messages of runs that failed, by name.
        killed: the names of the runs that ended at once after a signal.
    """

    def __init__(
        self,
        directory: Path,
        jobs: int,
        on_start: Callable[[PlannedRun], None],
        on_progress: Callable[[PlannedRun, float, str], None],
        on_end: Callable[[PlannedRun], None],
        on_stop: Callable[[], None] = lambda: None,
    ) -> None:
        """Prepare processes.

        Args:
            directory: the directory of the study.
            jobs: the number of processes at the same time.
            on_start: a function that is called when a run starts, in any thread.
            on_progress: the same for each progress: run, spent share of the budget, text.
            on_end: the same when a run has ended or failed.
            on_stop: a function that is called at the first signal.
        """
        self.interrupted = 0
        self.failures: dict[str, str] = {}
        self.killed: set[str] = set()
        self._directory = directory
        self._jobs = jobs
        self._on_start, self._on_progress, self._on_end = on_start, on_progress, on_end
        self._on_stop = on_stop
        self._running: list[subprocess.Popen[str]] = []
        self._begun: set[subprocess.Popen[str]] = set()

    def train(self, runs: Sequence[PlannedRun]) -> None:
        """Train runs, and return when all have ended."""
        with self._catch_signals(), ThreadPoolExecutor(self._jobs) as threads:
            for future in [threads.submit(self._train_one, run) for run in runs]:
                future.result()

    def _train_one(self, run: PlannedRun) -> None:
        if self.interrupted:
            return
        self._on_start(run)
        message = ""
        with (
            tempfile.TemporaryFile("w+", encoding="utf-8") as errors,
            self._start(run, errors) as process,
        ):
            for line in process.stdout or ():
                facts = json.loads(line)
                message = facts.get("error", message)
                if "completed" in facts:
                    self._begun.add(process)
                    self._on_progress(run, facts["completed"], facts["status"])
            if process.wait() < 0 and self.interrupted:
                self.killed.add(run.name)
            elif process.returncode != 0:
                errors.seek(0)
                tail = "".join(errors.readlines()[-_LAST_LINES:])
                self.failures[run.name] = message or tail or f"exit status {process.returncode}"
            self._running.remove(process)
        self._on_end(run)

    def _start(self, run: PlannedRun, errors: Any) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [*COMMAND, str(self._directory / run.name)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            process_group=0,  # so that Ctrl-C in a terminal reaches this process only
        )
        if process.stdin:
            process.stdin.write(f"{json.dumps(run.config.to_json())}\n")
            process.stdin.flush()
        self._running.append(process)
        if self.interrupted:  # while it started
            self._stop(process)
        return process

    def _stop(self, process: subprocess.Popen[str]) -> None:
        """Ask a process to save and end, by closing its standard input.

        Also send SIGTERM to one that has not begun. During imports it ends the process at once; the
        trainer takes it as a request to save and end.
        """
        if process.stdin:
            process.stdin.close()
        if process not in self._begun:
            process.terminate()

    @contextmanager
    def _catch_signals(self) -> Iterator[None]:
        def on_signal(number: int, frame: object) -> None:
            end = subprocess.Popen.kill if self.interrupted else self._stop
            if not self.interrupted:
                self._on_stop()
            self.interrupted = number
            for process in list(self._running):
                end(process)

        before = {
            number: signal.signal(number, on_signal) for number in (signal.SIGINT, signal.SIGTERM)
        }
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
