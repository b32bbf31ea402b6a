"""Studies: runs of several seeds, and of several settings, in one directory.

    DIRECTORY/study.json               the runs with their settings and configurations
    DIRECTORY/seed-0, seed-1, ...      the runs of `--seeds`
    DIRECTORY/SETTING/seed-0, ...      the runs of a setting of `--sweep`
    DIRECTORY/summary.json, .csv       the results, see `axiom_training.study_report`

Each run is equal to that of `axiom-gym train` with its options and seed.
"""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from axiom_gym.errors import CheckpointError, ConfigError
from axiom_gym.files import replacing
from axiom_gym.registry import get_game
from axiom_training.against import load_opponents
from axiom_training.config import TrainConfig
from axiom_training.directories import STUDY, check_new, make_directory
from axiom_training.sweep import MOST_RUNS, Setting, name_setting

_FORMAT = 1


@dataclass(frozen=True, slots=True)
class PlannedRun:
    """A run of a study.

    Attributes:
        name: the directory of the run, relative to that of the study.
        setting: the values of the swept options; {} without a sweep.
        config: the configuration.
    """

    name: str
    setting: Setting
    config: TrainConfig


@dataclass(frozen=True, slots=True)
class Study:
    """The runs of a study.

    Attributes:
        directory: the directory.
        runs: the runs, by setting and then by seed.
    """

    directory: Path
    runs: list[PlannedRun]

    def save(self) -> None:
        """Write `STUDY`."""
        runs = [
            {"name": run.name, "setting": run.setting, "config": run.config.to_json()}
            for run in self.runs
        ]
        text = json.dumps({"format": _FORMAT, "runs": runs}, indent=2)
        with replacing(self.directory / STUDY) as file:
            file.write(f"{text}\n".encode())


def plan(
    config: TrainConfig, settings: Sequence[Setting], seeds: Sequence[int]
) -> list[PlannedRun]:
    """Return a run for each setting and seed, and check all of them.

    Args:
        config: the options that are not swept.
        settings: the settings, as `parse_sweep` returns them.
        seeds: the seeds of each setting.

    Raises:
        ConfigError: for a value that is not allowed, or an opponent that does not exist; nothing
            has been run by then.
    """
    runs = []
    for setting in settings:
        folder = f"{name_setting(setting)}/" if setting else ""
        for seed in seeds:
            changed = dataclasses.replace(config, **setting, seed=seed)
            runs.append(PlannedRun(f"{folder}seed-{seed}", setting, changed))
    if len(runs) > MOST_RUNS:
        raise ConfigError(f"at most {MOST_RUNS} runs can be trained at once, got {len(runs)}.")
    if len({run.name for run in runs}) < len(runs):
        raise ConfigError("two settings of the sweep have the same name as directories.")
    for against in {run.config.against: run.config for run in runs}.values():
        load_opponents(get_game(config.game), against)
    return runs


def start_study(directory: Path, runs: Sequence[PlannedRun]) -> Study:
    """Make the directory of a new study.

    Raises:
        ConfigError: if it is not empty, or cannot be made.
    """
    check_new(directory)
    make_directory(directory)
    study = Study(directory, list(runs))
    study.save()
    return study


def is_study(directory: Path) -> bool:
    """Return True for the directory of a study."""
    return (directory / STUDY).is_file()


def load_study(directory: Path, minutes: float = 0.0, steps: int = 0) -> Study:
    """Return the study in a directory.

    Args:
        directory: the directory.
        minutes, steps: a new budget for each run, if one of them is above 0.

    Raises:
        CheckpointError: if its file is damaged or of another format.
        ConfigError: for a new budget of a study that compares budgets.
    """
    try:
        facts = json.loads((directory / STUDY).read_text(encoding="utf-8"))
        found = facts["format"]
        runs = [_read_run(one) for one in facts["runs"]] if found == _FORMAT else []
    except (KeyError, TypeError, ValueError, OSError) as error:
        raise CheckpointError(
            f"{str(directory / STUDY)!r} is damaged: {type(error).__name__}: {error}"
        ) from error
    if found != _FORMAT:
        raise CheckpointError(
            f"{str(directory / STUDY)!r} has format {found!r}, and this version of Axiom Gym reads "
            f"format {_FORMAT}: resume the study with the version that wrote it."
        )
    if minutes or steps:
        if any({"minutes", "steps"} & run.setting.keys() for run in runs):
            raise ConfigError("the runs have different budgets; resume them one by one.")
        runs = [
            dataclasses.replace(
                run, config=dataclasses.replace(run.config, minutes=minutes, steps=steps)
            )
            for run in runs
        ]
    return Study(directory, runs)


def _read_run(facts: dict[str, Any]) -> PlannedRun:
    setting = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in facts["setting"].items()
    }
    return PlannedRun(facts["name"], setting, TrainConfig.from_json(facts["config"]))


def count_jobs(runs: Sequence[PlannedRun], jobs: int = 0) -> int:
    """Return the number of runs to train at the same time.

    Args:
        runs: the runs.
        jobs: the number; 0 for as many as the cores have room for, given `torch_threads`.
    """
    if not jobs:
        get_cores = getattr(os, "sched_getaffinity", None)
        cores = len(get_cores(0)) if get_cores else os.cpu_count() or 1
        jobs = cores // max(run.config.torch_threads for run in runs)
    return max(1, min(jobs, len(runs)))
