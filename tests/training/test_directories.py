from __future__ import annotations

import os
from pathlib import Path

import pytest

from axiom_gym.errors import CheckpointError, ConfigError
from axiom_training.directories import CHECKPOINT, CONFIG, STUDY, check_new, check_resumable


def touch(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"")


def test_new__is_a_directory_that_is_missing_or_empty(tmp_path: Path) -> None:
    check_new(tmp_path)
    check_new(tmp_path / "runs" / "first")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("file", "message"),
    [
        (CHECKPOINT, "already contains a run: choose another directory, or continue that run with"),
        (STUDY, "already contains a run"),
        ("notes.txt", r"is not empty: choose another directory\."),
    ],
)
def test_new__is_no_directory_with_files(tmp_path: Path, file: str, message: str) -> None:
    touch(tmp_path / file)
    with pytest.raises(ConfigError, match=message):
        check_new(tmp_path)


def test_new__is_no_file_and_not_below_a_file(tmp_path: Path) -> None:
    touch(tmp_path / "file")
    for path in (tmp_path / "file", tmp_path / "file" / "run"):
        with pytest.raises(ConfigError, match=r"cannot be made: .*Not a directory: '.*file'\."):
            check_new(path)


def test_new__is_where_files_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != tmp_path)
    with pytest.raises(ConfigError, match=r"cannot be made: .*Permission denied"):
        check_new(tmp_path / "run")


def test_resumable__has_a_checkpoint(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match=r"there is no directory '.*run': name the directory"):
        check_resumable(tmp_path / "run")
    touch(tmp_path / "run" / CONFIG)
    with pytest.raises(CheckpointError, match=r"is missing\. The run ended before its first check"):
        check_resumable(tmp_path / "run")
    touch(tmp_path / "run" / CHECKPOINT)
    check_resumable(tmp_path / "run")


def test_resumable__names_the_latest_run_below(tmp_path: Path) -> None:
    for name, seconds in {"b": 2, "a": 1}.items():
        touch(tmp_path / name / CHECKPOINT)
        os.utime(tmp_path / name / CHECKPOINT, (seconds, seconds))
    with pytest.raises(CheckpointError, match=r"Name a run in it; the latest is '.*/b'\."):
        check_resumable(tmp_path)
