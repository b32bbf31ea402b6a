"""Learning curves of runs, and of groups of runs that differ in their seed only.

A run is a directory with the tables of `axiom_training.runlog`. Runs whose directories are named
`seed-N` and lie in one directory are a group. Every other run is a group of its own.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from axiom_gym.errors import ConfigError, UnknownNameError, check_choice
from axiom_training.runlog import EVALUATIONS, ITERATIONS, read_rows
from axiom_training.summary import find_reach

Floats = npt.NDArray[np.float64]

SEED = re.compile(r"seed-\d+")
"""The name of the directory of a run in a group."""

AXES = {"steps": ("steps", 1e6), "minutes": ("charts/seconds", 60.0)}
"""The horizontal axes: the column, and the number that it is divided by."""

BANDS = ("range", "interval")
_OUTCOME, _RETURN = "outcome/model", "charts/episodic_return"


@dataclass(frozen=True, slots=True)
class Curve:
    """A metric of a group of runs.

    Attributes:
        x: (N,) the values on the horizontal axis, ascending.
        mean: (N,) the mean over the runs.
        low, high: (N,) the lower and the upper end of the band.
        runs: the number of runs.
    """

    x: Floats
    mean: Floats
    low: Floats
    high: Floats
    runs: int


Rows = list[dict[str, float]]


@dataclass(frozen=True, slots=True)
class Run:
    """The tables of a run.

    Attributes:
        evaluations, iterations: the rows of its two tables.
    """

    evaluations: Rows
    iterations: Rows

    @classmethod
    def read(cls, directory: Path) -> Run:
        """Read the tables of a run."""
        return cls(read_rows(directory / EVALUATIONS), read_rows(directory / ITERATIONS))

    def metrics(self) -> list[str]:
        """Return the names of the columns that can be drawn."""
        tables = (self.evaluations, self.iterations)
        names = [name for rows in tables for row in rows[:1] for name in row]
        return [name for name in dict.fromkeys(names) if name not in ("steps", "charts/seconds")]

    def points(self, metric: str, axis: str) -> tuple[Floats, Floats]:
        """Return the points (N,), (N,) of a metric, without those that are missing."""
        column, unit = AXES[axis]
        tables = (self.evaluations, self.iterations)
        rows = next((rows for rows in tables if rows and metric in rows[0]), [])
        pairs = [(row[column] / unit, row[metric]) for row in rows if math.isfinite(row[metric])]
        x, y = np.array(pairs, np.float64).reshape(-1, 2).T
        return x, y


def find_groups(directories: Sequence[Path]) -> dict[str, list[Path]]:
    """Return the runs in directories and below them, by the label of their group.

    Raises:
        ConfigError: for a directory that does not exist, or has no evaluated run.
    """
    groups: dict[Path, list[Path]] = {}
    for directory in directories:
        for run in _find_runs(directory):
            is_member = run != directory and SEED.fullmatch(run.name)
            groups.setdefault(run.parent if is_member else run, []).append(run)
    labels = _label(list(groups))
    return dict(zip(labels, groups.values(), strict=True))


def _find_runs(directory: Path) -> list[Path]:
    if not directory.is_dir():
        raise ConfigError(
            f"there is no directory {str(directory)!r}; name a run, or a directory of runs."
        )
    runs = sorted((path.parent for path in directory.rglob(EVALUATIONS)), key=_natural)
    if not runs:
        raise ConfigError(
            f"{str(directory)!r} contains no run: there is no {EVALUATIONS} in it or below it. "
            "`axiom-gym train` writes this file at the first evaluation."
        )
    return [directory] if directory in runs else runs


def _natural(path: Path) -> list[tuple[float, str]]:
    """Return a key that sorts seed-2 before seed-10, and rate=1e-05 before rate=0.001."""
    parts = re.split(r"(\d+(?:\.\d+)?(?:e-?\d+)?)", str(path))
    return [(float(part), "") if i % 2 else (-1.0, part) for i, part in enumerate(parts)]


def _label(paths: Sequence[Path]) -> list[str]:
    """Return the paths without the folders that they share."""
    if len(paths) == 1:
        return [paths[0].resolve().name]
    shared = os.path.commonpath([path.resolve().parent for path in paths])
    return [os.path.relpath(path.resolve(), shared) for path in paths]


def choose_metrics(runs: Sequence[Run], wanted: Sequence[str]) -> list[str]:
    """Return the metrics to draw by their full names.

    Args:
        runs: all runs.
        wanted: names of columns, in full or after the slash; by default the mean outcomes in a
            game for one player, and the scores against all opponents in others.

    Raises:
        UnknownNameError: for a name that no run has.
    """
    known = list(dict.fromkeys(name for run in runs for name in run.metrics()))
    if wanted:
        return [_find_metric(name, known) for name in wanted]
    if _OUTCOME in known:
        return [_OUTCOME]
    return [name for name in known if name.startswith("eval/")]


def _find_metric(name: str, known: Sequence[str]) -> str:
    full = [one for one in known if one == name or one.partition("/")[2] == name]
    if not full:
        remedy = f"The sum of an episode's rewards is {_RETURN!r}." if _RETURN in known else ""
        raise UnknownNameError("metric", name, known, remedy)
    return full[0]


def make_curve(runs: Sequence[Run], metric: str, axis: str, band: str) -> Curve | None:
    """Return the curve of a group; None if no run has the metric.

    The runs are interpolated linearly at all points of all of them, from where the last one begins
    to where the first one ends.

    Args:
        runs: the runs of the group.
        metric: the full name of the metric.
        axis: "steps" (millions of agent-steps) or "minutes" (of training).
        band: "range" (the lowest to the highest run), or "interval" (of the mean, 95 %).
    """
    check_choice("horizontal axis", axis, AXES)
    check_choice("band", band, BANDS)
    drawn = [(x, y) for x, y in (run.points(metric, axis) for run in runs) if len(x)]
    if not drawn:
        return None
    start, end = max(x[0] for x, _ in drawn), min(x[-1] for x, _ in drawn)
    every = np.unique(np.concatenate([x for x, _ in drawn]))
    grid = every[(every >= start) & (every <= end)]
    if len(grid) == 0:
        return None
    values = np.stack([np.interp(grid, x, y) for x, y in drawn])
    mean = values.mean(axis=0)
    low, high = values.min(axis=0), values.max(axis=0)
    if band == "interval" and len(drawn) > 1:
        reach = np.array([find_reach(column) for column in values.T.tolist()])
        low, high = mean - reach, mean + reach
    return Curve(grid, mean, low, high, len(drawn))


def read_groups(groups: Mapping[str, Sequence[Path]]) -> dict[str, list[Run]]:
    """Read the tables of all runs."""
    return {label: [Run.read(path) for path in paths] for label, paths in groups.items()}
