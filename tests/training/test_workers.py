from __future__ import annotations

import io
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from axiom_training import worker, workers
from axiom_training.checkpoint import load_checkpoint
from axiom_training.config import TrainConfig
from axiom_training.policy import load_policy
from axiom_training.study import PlannedRun, plan
from axiom_training.trainer import Trainer
from axiom_training.workers import Workers

Make = Callable[..., TrainConfig]

SCRIPT = """
import json, sys, time
config = json.loads(sys.stdin.readline())
if config["seed"] != 6:
    print(json.dumps({"completed": 0.5, "status": sys.argv[1]}), flush=True)
if config["seed"] in (5, 6):
    time.sleep(60)
if config["seed"] == 7:
    print(json.dumps({"error": "seven is refused"}))
    sys.exit(2)
if config["seed"] == 8:
    raise RuntimeError("eight breaks")
if config["seed"] == 9:
    sys.stdin.read()
    print(json.dumps({"completed": 0.75, "status": "saved"}), flush=True)
"""
"""A process that talks as `axiom_training.worker` does. Seed 9 works until it is stopped,
seed 6 does not begin in time, seed 5 does not stop."""


@pytest.fixture
def start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., tuple[Workers, list[Any]]]:
    """Return a function that makes workers of `SCRIPT`, and the list of what they report."""
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")
    monkeypatch.setattr(workers, "COMMAND", (sys.executable, str(tmp_path / "script.py")))

    def make(jobs: int, on_progress: Callable[..., None] = lambda *values: None) -> Any:
        seen: list[Any] = []

        def progress(run: PlannedRun, completed: float, status: str) -> None:
            seen.append((run.name, completed))
            on_progress(run, completed, status)

        def end(run: PlannedRun) -> None:
            seen.append((run.name, "end"))

        return Workers(tmp_path, jobs, lambda run: seen.append((run.name,)), progress, end), seen

    return make


def test_workers__train_all_runs(start: Any, tiny: Make) -> None:
    some, seen = start(1)
    some.train(plan(tiny(), [{}], [0, 1]))
    assert seen == [
        *(("seed-0",), ("seed-0", 0.5), ("seed-0", "end")),
        *(("seed-1",), ("seed-1", 0.5), ("seed-1", "end")),
    ]
    assert (some.failures, some.interrupted) == ({}, 0)


def test_workers__report_failures_and_train_the_others(start: Any, tiny: Make) -> None:
    some, seen = start(2)
    some.train(plan(tiny(), [{}], [7, 8, 1]))
    assert some.failures.keys() == {"seed-7", "seed-8"}
    assert some.failures["seed-7"] == "seven is refused"
    assert some.failures["seed-8"].endswith("RuntimeError: eight breaks\n")
    assert ("seed-1", "end") in seen


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_workers__stop_all_runs_at_a_signal(start: Any, tiny: Make, number: int) -> None:
    both = threading.Barrier(2)

    def interrupt(run: PlannedRun, completed: float, status: str) -> None:
        if completed == 0.5 and both.wait(10) == 0:  # both runs have started
            os.kill(os.getpid(), number)

    some, seen = start(2, interrupt)
    runs = [PlannedRun(name, {}, tiny(seed=9)) for name in ("a", "b", "c")]
    some.train(runs)
    assert some.interrupted == number
    assert {("a", 0.75), ("b", 0.75)} <= set(seen)
    assert ("c",) not in seen
    assert some.failures == {}


def test_workers__end_runs_that_have_not_begun_at_once(start: Any, tiny: Make) -> None:
    some, seen = start(1)
    some._on_stop = lambda: seen.append("stop")
    some._on_start = lambda run: threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
    started = time.monotonic()
    some.train([PlannedRun("a", {}, tiny(seed=6)), PlannedRun("b", {}, tiny(seed=6))])
    assert time.monotonic() - started < 30
    assert (some.interrupted, some.killed, some.failures) == (signal.SIGINT, {"a"}, {})
    assert seen == ["stop", ("a", "end")]


def test_workers__are_killed_by_the_second_signal(start: Any, tiny: Make) -> None:
    def interrupt(run: PlannedRun, completed: float, status: str) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        while not some.interrupted:
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    some, _ = start(1, interrupt)
    started = time.monotonic()
    some.train([PlannedRun("a", {}, tiny(seed=5))])
    assert time.monotonic() - started < 30
    assert (some.killed, some.failures) == ({"a"}, {})


# The process


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Any) -> Callable[..., Any]:
    """Return a function that runs the process's code here, and returns status and output."""

    def run(config: TrainConfig, is_stopped: bool = False) -> tuple[int, list[Any]]:
        monkeypatch.setattr(sys, "argv", ["worker", str(tmp_path / "run")])
        monkeypatch.setattr(sys, "stdin", io.StringIO(f"{json.dumps(config.to_json())}\n"))
        monkeypatch.setattr(worker, "_is_stopped", lambda: is_stopped)
        status = worker.main()
        return status, [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return run


def test_worker__trains_as_the_trainer_does(
    work: Callable[..., Any], tiny: Make, trainer: Callable[..., Trainer], tmp_path: Path
) -> None:
    status, lines = work(tiny(seed=3))
    assert status == 0
    assert lines[-1] == {"completed": 1.0, "status": "final evaluation"}
    alone = trainer("alone", seed=3)
    alone.run()
    assert load_policy(tmp_path / "run" / "model.zip").digest() == alone.policy().digest()
    results = json.loads((tmp_path / "run" / "results.json").read_text(encoding="utf-8"))
    assert results["steps"] == 640


def test_worker__stops_and_continues(
    work: Callable[..., Any], tiny: Make, trainer: Callable[..., Trainer], tmp_path: Path
) -> None:
    status, _ = work(tiny(), is_stopped=True)
    assert status == 0
    assert not (tmp_path / "run" / "results.json").exists()
    saved = load_checkpoint(tmp_path / "run" / "checkpoint.zip")
    assert saved.meta["progress"]["steps"] == 0
    status, _ = work(tiny())
    assert status == 0
    alone = trainer("alone")
    alone.run()
    assert load_policy(tmp_path / "run" / "model.zip").digest() == alone.policy().digest()


def test_worker__starts_again_without_a_checkpoint(
    work: Callable[..., Any], tiny: Make, tmp_path: Path
) -> None:
    (tmp_path / "run").mkdir()
    for name in ("config.json", "progress.csv"):
        (tmp_path / "run" / name).write_text("", encoding="utf-8")
    assert work(tiny(steps=64))[0] == 0


def test_worker__keeps_what_an_opponent_prints_out_of_its_lines(
    work: Callable[..., Any], tiny: Make, tmp_path: Path
) -> None:
    (tmp_path / "loud.py").write_text(
        "def first(observation, mask, rng):\n    print('hello')\n    return int(mask.argmax())\n",
        encoding="utf-8",
    )
    status, lines = work(tiny(steps=64, against=(f"{tmp_path / 'loud.py'}:first",)))
    assert status == 0
    assert lines[-1]["status"] == "final evaluation"


def test_worker__reports_an_error(work: Callable[..., Any], tiny: Make) -> None:
    status, lines = work(tiny(against=("wrung",)))
    assert status == 2
    assert lines[0]["error"].startswith("unknown opponent 'wrung'. Did you mean 'wrong'?")
