from __future__ import annotations

import csv
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from axiom_gym.errors import CheckpointError, ConfigError, UnknownOpponentError
from axiom_training.config import TrainConfig
from axiom_training.directories import STUDY
from axiom_training.study import (
    PlannedRun,
    Study,
    count_jobs,
    load_study,
    plan,
    start_study,
)
from axiom_training.study_report import collect, is_finished, print_summary, save_summary

Make = Callable[..., TrainConfig]


def finish(study: Study, run: PlannedRun, **results: Any) -> None:
    """Write the files of a finished run."""
    directory = study.directory / run.name
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "config.json").write_text(json.dumps(run.config.to_json()), encoding="utf-8")
    (directory / "results.json").write_text(json.dumps(results), encoding="utf-8")


def scores(**values: float) -> dict[str, Any]:
    return {"steps": 640, "scores": {name: {"score": value} for name, value in values.items()}}


# Plans


def test_plan__has_a_run_for_each_setting_and_seed(tiny: Make) -> None:
    runs = plan(tiny(), [{"epochs": 1}, {"epochs": 3}], [0, 7])
    assert [run.name for run in runs] == [
        *("epochs=1/seed-0", "epochs=1/seed-7", "epochs=3/seed-0", "epochs=3/seed-7")
    ]
    assert [(run.config.epochs, run.config.seed) for run in runs] == [
        (1, 0),
        (1, 7),
        (3, 0),
        (3, 7),
    ]
    assert runs[0].config.learning_rate == tiny().learning_rate


def test_plan__of_seeds_alone_has_no_folders_for_settings(tiny: Make) -> None:
    assert [run.name for run in plan(tiny(), [{}], [3, 4])] == ["seed-3", "seed-4"]


def test_plan__checks_every_value_and_opponent(tiny: Make) -> None:
    with pytest.raises(ConfigError, match=r"learning_rate must be a number from 0 to 1, got 3\.0"):
        plan(tiny(), [{"learning_rate": 0.1}, {"learning_rate": 3.0}], [0])
    with pytest.raises(UnknownOpponentError, match="Did you mean 'wrong'"):
        plan(tiny(), [{"against": ("perfect",)}, {"against": ("wrung",)}], [0])
    with pytest.raises(ConfigError, match="same name as directories"):
        plan(tiny(), [{"against": ("a/b",)}, {"against": ("a-b",)}], [0])


def test_study__is_saved_and_loaded(tiny: Make, tmp_path: Path) -> None:
    study = start_study(tmp_path / "few", plan(tiny(), [{"network": (8, 8)}], [0, 1]))
    assert load_study(tmp_path / "few") == study


def test_study__needs_an_empty_directory(tiny: Make, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(ConfigError, match="is not empty: choose another directory"):
        start_study(tmp_path, plan(tiny(), [{}], [0]))
    with pytest.raises(ConfigError, match="cannot be made"):
        start_study(tmp_path / "file", plan(tiny(), [{}], [0]))


def test_study__takes_a_new_budget(tiny: Make, tmp_path: Path) -> None:
    start_study(tmp_path / "few", plan(tiny(), [{}], [0, 1]))
    loaded = load_study(tmp_path / "few", steps=9000)
    assert [(run.config.minutes, run.config.steps) for run in loaded.runs] == [(0, 9000)] * 2
    start_study(tmp_path / "budgets", plan(tiny(), [{"steps": 64}, {"steps": 128}], [0]))
    with pytest.raises(ConfigError, match="the runs have different budgets"):
        load_study(tmp_path / "budgets", steps=9000)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is damaged: JSONDecodeError"),
        ("[]", "is damaged: TypeError"),
        ('{"format": 1}', "is damaged: KeyError"),
        ('{"format": 0, "runs": []}', "study.json' has format 0, and this version .* format 1: "),
    ],
)
def test_study__refuses_a_damaged_file(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / STUDY).write_text(text, encoding="utf-8")
    with pytest.raises(CheckpointError, match=message):
        load_study(tmp_path)


def test_jobs__are_as_many_as_the_cores_have_room_for(
    tiny: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: range(8), raising=False)
    runs = plan(tiny(), [{}], list(range(20)))
    assert count_jobs(runs) == 8
    assert count_jobs(runs[:3]) == 3
    assert count_jobs(runs, 5) == 5
    assert count_jobs(plan(tiny(torch_threads=4), [{}], [0, 1, 2])) == 2
    assert count_jobs(plan(tiny(torch_threads=16), [{}], [0, 1, 2])) == 1


# Reports


@pytest.fixture
def study(tiny: Make, tmp_path: Path) -> Study:
    """Return a study of two settings with two seeds, of which three runs are finished."""
    runs = plan(tiny(), [{"epochs": 1}, {"epochs": 3}], [0, 1])
    study = start_study(tmp_path / "sweep", runs)
    finish(study, runs[0], **scores(random=0.5, wrong=0.7))
    finish(study, runs[1], **scores(random=0.6, wrong=0.8))
    finish(study, runs[2], **scores(random=0.9, wrong=0.9))
    return study


def test_finished__are_runs_with_results_of_their_budget(study: Study) -> None:
    assert [is_finished(study, run) for run in study.runs] == [True, True, True, False]
    more = load_study(study.directory, steps=9000)
    assert not any(is_finished(more, run) for run in more.runs)


def test_results__are_sorted_by_score(study: Study) -> None:
    best, other = collect(study)
    assert (best.setting, best.score.mean, best.score.runs) == ({"epochs": 3}, 0.9, 1)
    assert (other.setting, other.score.runs) == ({"epochs": 1}, 2)
    assert other.score.mean == pytest.approx(0.65)
    assert other.scores["wrong"].mean == pytest.approx(0.75)


def test_results__of_a_game_for_one_player_are_outcomes(tiny: Make, tmp_path: Path) -> None:
    runs = plan(tiny(), [{}], [0, 1])
    study = start_study(tmp_path / "few", runs)
    for run, mean in zip(runs, (10.0, 30.0), strict=True):
        finish(study, run, **scores(random=1.0), outcomes={"model": {"mean": mean}})
    (result,) = collect(study)
    assert result.score.mean == 20
    assert result.score.interval[1] > 100


def test_results__are_printed_best_first(study: Study, capsys: pytest.CaptureFixture[str]) -> None:
    print_summary(collect(study))
    title, head, best, other = capsys.readouterr().out.splitlines()
    assert title.startswith("Settings by score")
    assert head.split() == ["epochs", "score", "95", "%", "interval", "random", "wrong", "runs"]
    assert best.split() == ["3", "0.9", "one", "run", "0.900", "0.900", "1"]
    assert other.split() == ["1", "0.65", "0.01469", "to", "1", "0.550", "0.750", "2"]


def test_results__of_seeds_are_printed_by_opponent(
    tiny: Make, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = plan(tiny(), [{}], [0, 1, 2])
    study = start_study(tmp_path / "few", runs)
    for run, score in zip(runs, (0.4, 0.5, 0.7), strict=True):
        finish(study, run, **scores(random=score))
    print_summary(collect(study))
    row = capsys.readouterr().out.splitlines()[-1].split()
    assert row == ["random", "0.5333", "0.1539", "to", "0.9128", "0.500", "0.400", "0.700", "3"]


def test_results__are_saved(study: Study) -> None:
    summary, table = save_summary(study, collect(study))
    facts = json.loads(summary.read_text(encoding="utf-8"))
    assert [one["setting"] for one in facts] == [{"epochs": 3}, {"epochs": 1}]
    assert facts[0]["score"]["interval"] is None
    assert facts[1]["scores"]["random"]["highest"] == 0.6
    best, other = csv.DictReader(table.read_text(encoding="utf-8").splitlines())
    assert (best["epochs"], best["runs"], best["score"], best["low"]) == ("3", "1", "0.9", "")
    assert (other["epochs"], other["wrong"], other["high"]) == ("1", "0.75", "1")
