"""Directories of runs: the names of their files, and checks before a command starts.

PyTorch is not imported here, so that a command refuses a directory at once.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path

from axiom_gym.errors import CheckpointError, ConfigError
from axiom_training.runlog import EVALUATIONS, ITERATIONS

CHECKPOINT = "checkpoint.zip"
MODEL = "model.zip"
CONFIG = "config.json"
RESULTS = "results.json"
STUDY = "study.json"
"""The file of a directory with several runs; see `axiom_training.study`."""

_RUN_FILES = (STUDY, CONFIG, MODEL, CHECKPOINT, ITERATIONS, EVALUATIONS)


def make_run_directory(directory: Path) -> None:
    """Make the directory of a run; it may exist, and contain other files than those of a run.

    Raises:
        ConfigError: if it already contains a run, or cannot be made.
    """
    _check_no_run(directory)
    make_directory(directory)


def make_directory(directory: Path) -> None:
    """Make a directory and those above it.

    Raises:
        ConfigError: if it cannot be made.
    """
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _cannot_be_made(directory, error) from error


def check_new(directory: Path) -> None:
    """Check that a directory is empty, or that it does not exist and can be made.

    Raises:
        ConfigError: if it is not empty, is a file, or no files can be written there.
    """
    _check_no_run(directory)
    path = directory.absolute()
    try:
        nearest = next(one for one in (path, *path.parents) if one.exists())
        if not nearest.is_dir():
            raise _os_error(errno.ENOTDIR, nearest)
        if not os.access(nearest, os.W_OK | os.X_OK):
            raise _os_error(errno.EACCES, nearest)
        is_empty = nearest != path or next(path.iterdir(), None) is None
    except OSError as error:
        raise _cannot_be_made(directory, error) from error
    if not is_empty:
        raise ConfigError(f"{str(directory)!r} is not empty: choose another directory.")


def check_resumable(directory: Path) -> None:
    """Check that a directory contains a run that can be continued.

    Raises:
        CheckpointError: if it does not exist, or has no checkpoint.
    """
    if (directory / CHECKPOINT).is_file():
        return
    where = repr(str(directory))
    if not directory.is_dir():
        raise CheckpointError(
            f"there is no directory {where}: name the directory of a run, as `axiom-gym train` "
            "printed it."
        )
    message = f"{where} contains no run: {CHECKPOINT} is missing."
    below = sorted(directory.glob(f"*/{CHECKPOINT}"), key=lambda path: path.stat().st_mtime)
    if below:
        message += f" Name a run in it; the latest is {str(below[-1].parent)!r}."
    elif (directory / CONFIG).is_file():
        message += " The run ended before its first checkpoint; start a new one."
    raise CheckpointError(message)


def _check_no_run(directory: Path) -> None:
    if any(os.path.exists(directory / name) for name in _RUN_FILES):
        raise ConfigError(
            f"{str(directory)!r} already contains a run: choose another directory, or continue "
            "that run with --resume."
        )


def _os_error(number: int, path: Path) -> OSError:
    return OSError(number, os.strerror(number), str(path))


def _cannot_be_made(directory: Path, error: OSError) -> ConfigError:
    return ConfigError(f"directory {str(directory)!r} cannot be made: {error}.")
