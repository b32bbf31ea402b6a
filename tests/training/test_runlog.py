from __future__ import annotations

import csv
import math
import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from axiom_training.runlog import EVALUATIONS, ITERATIONS, RunLog, read_rows


@pytest.fixture
def log(tmp_path: Path) -> Iterator[RunLog]:
    made = RunLog(tmp_path)
    yield made
    made.close()


def lines(directory: Path, name: str = ITERATIONS) -> list[str]:
    return (directory / name).read_text(encoding="utf-8").splitlines()


def test_write__appends_rows_under_one_header(log: RunLog, tmp_path: Path) -> None:
    log.write(ITERATIONS, 10, {"losses/a": 0.5, "charts/b": 2})
    log.write(ITERATIONS, 20, {"losses/a": 1 / 3, "charts/b": 1e6})
    log.write(EVALUATIONS, 20, {"eval/random": 0.5})
    assert lines(tmp_path) == ["steps,losses/a,charts/b", "10,0.5,2", "20,0.333333,1e+06"]
    assert lines(tmp_path, EVALUATIONS) == ["steps,eval/random", "20,0.5"]


def test_write__does_not_round_steps(log: RunLog, tmp_path: Path) -> None:
    log.write(ITERATIONS, 123_456_789, {"a": 1})
    assert lines(tmp_path)[1] == "123456789,1"
    assert read_rows(tmp_path / ITERATIONS) == [{"steps": 123_456_789, "a": 1}]


@pytest.mark.parametrize("nothing", [math.nan, math.inf])
def test_write__leaves_a_cell_empty_without_a_number(
    log: RunLog, tmp_path: Path, nothing: float, caplog: pytest.LogCaptureFixture
) -> None:
    log.write(ITERATIONS, 1, {"a": nothing, "b": 2})
    assert lines(tmp_path)[1] == "1,,2"
    (row,) = read_rows(tmp_path / ITERATIONS)
    assert math.isnan(row["a"])
    assert row["b"] == 2
    assert caplog.records == []


def test_write__keeps_columns_in_their_order(log: RunLog, tmp_path: Path) -> None:
    log.write(ITERATIONS, 1, {"a": 1, "b": 2})
    log.write(ITERATIONS, 2, {"b": 4, "a": 3})
    log.write(ITERATIONS, 3, {"b": 6})
    assert lines(tmp_path) == ["steps,a,b", "1,1,2", "2,3,4", "3,,6"]


def test_write__adds_columns_that_are_new(log: RunLog, tmp_path: Path) -> None:
    log.write(ITERATIONS, 1, {"a": 1})
    log.write(ITERATIONS, 2, {"a": 2, "b": 3})
    assert lines(tmp_path) == ["steps,a,b", "1,1,", "2,2,3"]
    log.write(ITERATIONS, 3, {"b": 4})
    assert lines(tmp_path)[-1] == "3,,4"


def test_write__is_standard_csv(log: RunLog, tmp_path: Path) -> None:
    log.write(ITERATIONS, 1, {'a,"b"': 1})
    with (tmp_path / ITERATIONS).open(newline="", encoding="utf-8") as file:
        assert list(csv.reader(file)) == [["steps", 'a,"b"'], ["1", "1"]]
    assert b"\r" not in (tmp_path / ITERATIONS).read_bytes()


def test_tensorboard__gets_the_same_numbers(tmp_path: Path) -> None:
    log = RunLog(tmp_path)
    log.write(ITERATIONS, 10, {"losses/a": 0.5, "losses/b": math.nan})
    log.write(EVALUATIONS, 20, {"eval/random": 0.25})
    log.close()
    events = EventAccumulator(str(tmp_path / "tensorboard")).Reload()
    assert sorted(events.Tags()["scalars"]) == ["eval/random", "losses/a"]
    assert [(e.step, e.value) for e in events.Scalars("losses/a")] == [(10, 0.5)]
    assert [(e.step, e.value) for e in events.Scalars("eval/random")] == [(20, 0.25)]


def test_resume__drops_rows_that_the_run_writes_again(tmp_path: Path) -> None:
    log = RunLog(tmp_path)
    for steps in (10, 20, 30):
        log.write(ITERATIONS, steps, {"a": steps})
        log.write(EVALUATIONS, steps, {"b": steps})
    log.close()
    log = RunLog(tmp_path, {ITERATIONS: 20, EVALUATIONS: 10})
    log.write(ITERATIONS, 25, {"a": 0.5})
    log.close()
    assert lines(tmp_path) == ["steps,a", "10,10", "20,20", "25,0.5"]
    assert lines(tmp_path, EVALUATIONS) == ["steps,b", "10,10"]
    events = EventAccumulator(str(tmp_path / "tensorboard")).Reload()
    assert [event.step for event in events.Scalars("a")] == [10, 20, 25]


@pytest.mark.parametrize("cut", ["2", "20", "20,", "20,0.12"])
def test_resume__drops_a_row_that_was_cut_off(tmp_path: Path, cut: str) -> None:
    log = RunLog(tmp_path)
    log.write(ITERATIONS, 10, {"a": 1})
    log.close()
    with (tmp_path / ITERATIONS).open("a", encoding="utf-8") as file:
        file.write(cut)
    log = RunLog(tmp_path, {ITERATIONS: 10, EVALUATIONS: 10})
    log.write(ITERATIONS, 20, {"a": 2})
    log.close()
    assert lines(tmp_path) == ["steps,a", "10,1", "20,2"]


def test_resume__starts_again_after_an_incomplete_header(tmp_path: Path) -> None:
    (tmp_path / ITERATIONS).write_text("steps,lo", encoding="utf-8")
    log = RunLog(tmp_path, {ITERATIONS: 0})
    log.write(ITERATIONS, 20, {"a": 2})
    log.close()
    assert lines(tmp_path) == ["steps,a", "20,2"]


@pytest.mark.parametrize("how", ["drop rows", "add a column"])
def test_files__are_rewritten_atomically(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    log = RunLog(tmp_path)
    log.write(ITERATIONS, 10, {"a": 1})
    log.write(ITERATIONS, 20, {"a": 1})
    before = lines(tmp_path)

    def fail(source: Any, target: Any) -> None:
        raise OSError("killed")

    monkeypatch.setattr(os, "replace", fail)
    change = (
        partial(RunLog, tmp_path, {ITERATIONS: 10})
        if how == "drop rows"
        else partial(log.write, ITERATIONS, 30, {"b": 1.0})
    )
    with pytest.raises(OSError, match="killed"):
        change()
    log.close()
    assert lines(tmp_path) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == [ITERATIONS, "tensorboard"]


def test_read_rows__of_a_missing_file_are_none(tmp_path: Path) -> None:
    assert read_rows(tmp_path / ITERATIONS) == []
