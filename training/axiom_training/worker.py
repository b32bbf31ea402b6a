"""One run of a study in a process of its own: `python -m axiom_training.worker DIRECTORY`.

The configuration comes from standard input as a line of JSON. The run stops after the iteration in
which standard input is closed, and saves a checkpoint. Standard output gets only lines of JSON:

    {"completed": 0.25, "status": "..."}   the share of the budget that is spent, and a text
    {"error": "..."}                       the message of an `AxiomError`; the exit status is 2

What games and opponents print goes to standard error.

If the directory has a checkpoint, the run continues from it.
"""

from __future__ import annotations

import json
import select
import signal
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path
from typing import Any, TextIO

from axiom_gym.errors import AxiomError
from axiom_training.config import TrainConfig
from axiom_training.directories import CHECKPOINT, CONFIG, RESULTS
from axiom_training.finish import draw_curve, finish
from axiom_training.progress import describe_progress
from axiom_training.runlog import EVALUATIONS, ITERATIONS
from axiom_training.trainer import Trainer, TrainingProgress

_INTERVAL = 0.2
"""The seconds between two lines of progress."""


def main() -> int:
    """Run in the directory of the command line, and return the exit status."""
    directory, send = Path(sys.argv[1]), partial(_send, sys.stdout)
    with redirect_stdout(sys.stderr):
        try:
            config = TrainConfig.from_json(json.loads(sys.stdin.readline()))
            work(_open(config, directory), send)
        except AxiomError as error:
            send(error=str(error))
            return 2
    return 0


def work(trainer: Trainer, send: Callable[..., None]) -> None:
    """Train, and finish the run if it was not stopped.

    Args:
        trainer: the run.
        send: a function that writes its keyword arguments as a line of JSON.
    """
    last = 0.0

    def on_progress(progress: TrainingProgress) -> None:
        nonlocal last
        if _is_stopped():
            trainer.interrupted = trainer.interrupted or signal.SIGINT
        if time.monotonic() >= last + _INTERVAL:
            last = time.monotonic()
            send(completed=trainer.spent(), status=describe_progress(progress))

    (trainer.directory / RESULTS).unlink(missing_ok=True)  # of a smaller budget
    trainer.run(on_progress)
    if trainer.interrupted:
        draw_curve(trainer)
        return
    send(completed=1.0, status="final evaluation")
    finish(trainer)


def _open(config: TrainConfig, directory: Path) -> Trainer:
    if (directory / CHECKPOINT).is_file():
        return Trainer.resume(directory, config.minutes, config.steps)
    for name in (CONFIG, EVALUATIONS, ITERATIONS):  # of a run that was killed at its start
        (directory / name).unlink(missing_ok=True)
    return Trainer(config, directory)


def _is_stopped() -> bool:
    """Return True if standard input was closed."""
    readable, _, _ = select.select([sys.stdin], [], [], 0)
    return bool(readable)


def _send(file: TextIO, **values: Any) -> None:
    print(json.dumps(values), file=file, flush=True)


if __name__ == "__main__":
    sys.exit(main())
