"""The results of a study: a table on the terminal, `summary.json` and `summary.csv`."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from axiom_gym.commands.output import print_table
from axiom_gym.files import replacing
from axiom_training.directories import CHECKPOINT, CONFIG, RESULTS
from axiom_training.study import PlannedRun, Study
from axiom_training.summary import Summary
from axiom_training.sweep import Setting, show_value

SUMMARY, TABLE = "summary.json", "summary.csv"


@dataclass(frozen=True, slots=True)
class SettingResult:
    """The results of the runs of a setting.

    Attributes:
        setting: the values of the swept options.
        score: the mean score over all opponents, or the mean outcome in a game for one player.
        scores: the score against each opponent, by its name.
    """

    setting: Setting
    score: Summary
    scores: dict[str, Summary]

    def to_json(self) -> dict[str, Any]:
        """Return the results as plain JSON values."""
        scores = {name: _facts(one) for name, one in self.scores.items()}
        return {"setting": self.setting, "score": _facts(self.score), "scores": scores}


def is_finished(study: Study, run: PlannedRun) -> bool:
    """Return True if a run has spent its budget and has its results."""
    directory = study.directory / run.name
    if not (directory / RESULTS).is_file():
        return False
    spent = json.loads((directory / CONFIG).read_text(encoding="utf-8"))
    return (spent["minutes"], spent["steps"]) == (run.config.minutes, run.config.steps)


def has_checkpoint(study: Study, run: PlannedRun) -> bool:
    """Return True if a run can be continued from where it stopped."""
    return (study.directory / run.name / CHECKPOINT).is_file()


def read_results(study: Study, run: PlannedRun) -> dict[str, Any]:
    """Return the contents of `RESULTS` of a finished run."""
    text = (study.directory / run.name / RESULTS).read_text(encoding="utf-8")
    facts: dict[str, Any] = json.loads(text)
    return facts


def collect(study: Study) -> list[SettingResult]:
    """Return the results of all settings with finished runs, best first."""
    found: dict[str, tuple[Setting, list[dict[str, Any]]]] = {}
    for run in study.runs:
        if is_finished(study, run):
            _, runs = found.setdefault(json.dumps(run.setting), (run.setting, []))
            runs.append(read_results(study, run))
    results = [_summarize(setting, runs) for setting, runs in found.values()]
    return sorted(results, key=lambda result: -result.score.mean)


def _summarize(setting: Setting, runs: Sequence[dict[str, Any]]) -> SettingResult:
    names = runs[0]["scores"]
    scores = {
        name: Summary.of([run["scores"][name]["score"] for run in runs], 0, 1) for name in names
    }
    ends = () if "outcomes" in runs[0] else (0, 1)
    return SettingResult(setting, Summary.of([find_score(run) for run in runs], *ends), scores)


def find_score(results: dict[str, Any]) -> float:
    """Return the number that orders settings, from the contents of `RESULTS`."""
    if "outcomes" in results:
        return float(results["outcomes"]["model"]["mean"])
    return fmean(one["score"] for one in results["scores"].values())


def find_best(study: Study) -> tuple[PlannedRun, float]:
    """Return the finished run with the highest score, the first of equal ones, and its score."""
    runs = [run for run in study.runs if is_finished(study, run)]
    scores = [find_score(read_results(study, run)) for run in runs]
    best = max(scores)
    return runs[scores.index(best)], best


def save_summary(study: Study, results: Sequence[SettingResult]) -> tuple[Path, Path]:
    """Write `SUMMARY` and `TABLE`, and return their paths."""
    directory = study.directory
    with replacing(directory / SUMMARY) as file:
        text = json.dumps([result.to_json() for result in results], indent=2)
        file.write(f"{text}\n".encode())
    lines = io.StringIO(newline="")
    writer = csv.writer(lines, lineterminator="\n")
    opponents = list(results[0].scores)
    columns = ["runs", "score", "low", "high", "median", *opponents]
    writer.writerow([*results[0].setting, *columns])
    for one in results:
        values = (one.score.mean, *one.score.interval, one.score.median)
        means = [one.scores[name].mean if name in one.scores else math.nan for name in opponents]
        numbers = [f"{x:.6g}" if math.isfinite(x) else "" for x in (*values, *means)]
        writer.writerow([*map(show_value, one.setting.values()), one.score.runs, *numbers])
    with replacing(directory / TABLE) as file:
        file.write(lines.getvalue().encode())
    return directory / SUMMARY, directory / TABLE


def print_summary(results: Sequence[SettingResult]) -> None:
    """Print the results: by opponent for one setting, by setting, best first, for several."""
    if len(results) == 1 and not results[0].setting:
        _print_opponents(results[0])
    elif results:
        _print_settings(results)


def _print_opponents(result: SettingResult) -> None:
    columns = ["against", "mean", "95 % interval", "median", "lowest", "highest", "runs"]
    rows: list[list[object]] = [
        [name, *_cells(one), f"{one.median:.3f}", f"{one.lowest:.3f}", f"{one.highest:.3f}"]
        for name, one in result.scores.items()
    ]
    for row in rows:
        row.append(result.score.runs)
    title = f"Scores of {result.score.runs} runs; the interval is that of the mean over runs"
    print_table(columns, rows, title, numbers=True)


def _print_settings(results: Sequence[SettingResult]) -> None:
    opponents = list(results[0].scores)
    columns = [*results[0].setting, "score", "95 % interval", *opponents, "runs"]
    rows = [
        [
            *map(show_value, one.setting.values()),
            *_cells(one.score),
            *(f"{one.scores[name].mean:.3f}" if name in one.scores else "" for name in opponents),
            one.score.runs,
        ]
        for one in results
    ]
    print_table(columns, rows, "Settings by score; the interval is that of the mean", numbers=True)


def _cells(one: Summary) -> list[object]:
    low, high = one.interval
    is_known = math.isfinite(low)
    return [f"{one.mean:.4g}", f"{low:.4g} to {high:.4g}" if is_known else "one run"]


def _facts(one: Summary) -> dict[str, Any]:
    low, high = one.interval
    return {
        "runs": one.runs,
        "mean": one.mean,
        "median": one.median,
        "interval": [low, high] if math.isfinite(low) else None,
        "lowest": one.lowest,
        "highest": one.highest,
    }
