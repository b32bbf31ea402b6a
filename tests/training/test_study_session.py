from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from axiom_training import study_session
from axiom_training.config import TrainConfig
from axiom_training.directories import CHECKPOINT
from axiom_training.study import PlannedRun, Study, plan, start_study

Make = Callable[..., TrainConfig]


class Script:
    """Workers that call what a test says instead of training."""

    play: Callable[..., None]

    def __init__(self, directory: Path, jobs: int, *callbacks: Any) -> None:
        self.interrupted, self.failures, self.killed = 0, dict[str, str](), set[str]()
        self.directory = directory
        self.on_start, self.on_progress, self.on_end, self.on_stop = callbacks

    def train(self, runs: list[PlannedRun]) -> None:
        type(self).play(self, *runs)

    def finish(self, run: PlannedRun, score: float) -> None:
        """Write the files of a finished run."""
        directory = self.directory / run.name
        directory.mkdir(parents=True)
        results = {"steps": 640, "scores": {"wrong": {"score": score}}}
        (directory / "results.json").write_text(json.dumps(results), encoding="utf-8")
        (directory / "config.json").write_text(json.dumps(run.config.to_json()), encoding="utf-8")

    def save(self, run: PlannedRun) -> None:
        """Write a checkpoint."""
        (self.directory / run.name).mkdir(parents=True)
        (self.directory / run.name / CHECKPOINT).write_bytes(b"")


@pytest.fixture
def train(
    tiny: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, list[str]]]:
    """Return a function that trains a study by a script, and returns the status and the output."""

    def run(play: Callable[..., None], seeds: int, **options: Any) -> tuple[int, list[str]]:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(study_session, "Workers", Script)
        monkeypatch.setattr(Script, "play", play, raising=False)
        study: Study = start_study(Path("few"), plan(tiny(**options), [{}], range(seeds)))
        return study_session.train(study), capsys.readouterr().out.splitlines()

    return run


def test_interruption__tells_what_is_saved(train: Callable[..., Any]) -> None:
    def play(self: Script, *runs: PlannedRun) -> None:
        finished, stopped, killed, starting, failed, _ = runs
        for run in runs[:-1]:
            self.on_start(run)
        self.on_stop()
        self.interrupted = 2
        self.finish(finished, 0.75)
        self.on_progress(stopped, 0.5, " 1.00 M steps")
        for run in (stopped, killed):
            self.save(run)
        self.killed |= {killed.name, starting.name}
        self.failures[failed.name] = "five breaks"
        for run in runs[:-1]:
            self.on_end(run)

    status, lines = train(play, 6)
    assert status == 130
    (begin,) = (i for i, line in enumerate(lines) if line.startswith("Stopping after the current"))
    assert [line for line in lines[begin:] if "seed" in line and "%" not in line] == [
        "seed-0: finished at 0.00 M steps, score 0.75",
        "seed-1: stopped at 1.00 M steps; the checkpoint is saved",
        "seed-2: stopped at once; its last checkpoint is kept",
        "seed-3: stopped before its first checkpoint; nothing is saved",
        "seed-4: failed",
        "Failed: seed-4: five breaks",
    ]
    assert lines[-1] == (
        "Interrupted. Of 6 runs: 1 finished, 2 with a checkpoint, 3 with nothing saved yet. "
        "Resume with: axiom-gym train --resume few"
    )


def test_interruption__of_runs_that_have_not_begun_saves_nothing(train: Callable[..., Any]) -> None:
    def play(self: Script, *runs: PlannedRun) -> None:
        self.interrupted = 15

    status, lines = train(play, 2)
    assert status == 143
    assert lines[-1].startswith("Interrupted. Of 2 runs: 2 with nothing saved yet. Resume with: ")


def test_end__names_the_commands_for_the_best_run(train: Callable[..., Any]) -> None:
    def play(self: Script, *runs: PlannedRun) -> None:
        for run, score in zip(runs, (0.25, 0.75, 0.5), strict=True):
            self.on_start(run)
            self.on_progress(run, 1.0, "final evaluation")
            self.finish(run, score)
            self.on_end(run)

    status, lines = train(play, 3, options={"turns": 3})
    assert status == 0
    assert lines[-3:] == [
        "best run: few/seed-1, score 0.75",
        " play it: axiom-gym play probe-v0 -o turns=3 --players few/seed-1/model.zip,human",
        "evaluate: axiom-gym evaluate probe-v0 -o turns=3 --players few/seed-1/model.zip",
    ]
    assert lines[2:4] == ["seed-0: starting", "seed-0: 100%  final evaluation"]
    assert "all: 100%  3 of 3 runs ended" in lines
