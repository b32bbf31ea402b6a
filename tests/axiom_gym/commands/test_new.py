"""`axiom-gym new`: what it writes passes lint, all checks and its own tests."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import axiom_envs
from axiom_gym.commands import skeleton

Run = Callable[..., str]
ROOT = Path(__file__).parents[3]
LONG = "rock_paper_scissors"
KINDS = [
    pytest.param("kernel", marks=pytest.mark.slow),
    "python",
    pytest.param("config", marks=pytest.mark.slow),
]
IN_REPOSITORY = ("--config", 'lint.isort.known-first-party = ["axiom_gym", "axiom_envs"]')
"""What ruff learns from folders that the copy of the repository does not have."""
CHECK = """
from axiom_gym.check import check_game
from {module}.game import GAME

failed = [f"{{one.check}}: {{one.message}}" for one in check_game(GAME, games=2) if not one.ok]
assert failed == [], failed
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, which is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def repository(here: Path) -> Path:
    """A copy of the parts of the repository that a new game needs."""
    if not (ROOT / "pyproject.toml").exists():
        pytest.skip("the repository is not part of an installed wheel")
    envs = here / "envs" / "axiom_envs"
    envs.mkdir(parents=True)
    for name in ("__init__.py", "lazy.py"):
        shutil.copy(Path(axiom_envs.__path__[0]) / name, envs)
    shutil.copy(ROOT / "pyproject.toml", here)
    return here


def call(*args: str, at: Path, path: Path) -> None:
    """Run Python with another folder on its path, and expect success."""
    paths = os.pathsep.join([str(path), *filter(None, sys.path)])
    process = subprocess.run(
        [sys.executable, *args],
        cwd=at,
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stdout + process.stderr


def check_lint(folder: Path, *more: str) -> None:
    for command in (["check", *more], ["format", "--check"]):
        call("-m", "ruff", *command, "--no-cache", ".", at=folder, path=folder)


def list_files(folder: Path) -> set[str]:
    return {str(one.relative_to(folder)) for one in folder.rglob("*") if one.is_file()}


@pytest.mark.parametrize("kind", KINDS)
def test_package__passes_lint_checks_and_its_tests(run: Run, here: Path, kind: str) -> None:
    text = run("new", "tiny_heap", f"--{kind}", "--package")
    assert "  axiom-gym check tiny_heap\n" in text
    root = here / "tiny_heap"
    assert {
        *("pyproject.toml", "src/tiny_heap/README.md", "src/tiny_heap/game.py"),
        *("tests/test_rules.py", "tests/test_conformance.py"),
        "tests/playthroughs/tiny_heap-v0.jsonl",
    } <= list_files(root)
    for path in list_files(root):
        assert f"wrote   tiny_heap/{path}\n" in text
    check_lint(root)
    call("-m", "pytest", "-q", "-p", "no:cacheprovider", at=root, path=root / "src")


@pytest.mark.slow
@pytest.mark.parametrize("kind", skeleton.KINDS)
def test_game__in_the_repository_passes_lint_checks_and_its_tests(
    run: Run, repository: Path, kind: str
) -> None:
    before = (repository / "pyproject.toml").read_text(encoding="utf-8").splitlines()
    text = run("new", "tiny_heap", f"--{kind}")
    assert "changed pyproject.toml\n" in text
    assert "README.md: a row in the table of games" in text
    after = (repository / "pyproject.toml").read_text(encoding="utf-8").splitlines()
    entry = 'tiny_heap-v0 = "axiom_envs.tiny_heap.game:GAME"'
    assert [line for line in after if line not in before] == [entry]
    entries = after[after.index(skeleton.ENTRY_POINTS) + 1 :]
    entries = entries[: entries.index("")]
    assert entries == sorted(entries)
    check_lint(repository, *IN_REPOSITORY)
    envs = repository / "envs"
    call("-c", CHECK.format(module="axiom_envs.tiny_heap"), at=repository, path=envs)
    tests = str(repository / "tests" / "envs")
    call("-m", "pytest", "-q", "-p", "no:cacheprovider", tests, at=repository, path=envs)
    assert list_files(repository / "tests") >= {
        "envs/tiny_heap/test_rules.py",
        "playthroughs/tiny_heap-v0.jsonl",
    }


@pytest.mark.slow
@pytest.mark.parametrize("kind", skeleton.KINDS)
def test_lint__passes_with_short_and_long_names(run: Run, repository: Path, kind: str) -> None:
    for name in ("zz", LONG):
        run("new", name, f"--{kind}")
        run("new", name, f"--{kind}", "--package")
        check_lint(repository / name)
        shutil.rmtree(repository / name)
    check_lint(repository, *IN_REPOSITORY)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Chess", "'Chess' is no name of a game: write 2 to 19 lower-case letters"),
        ("9men", "is no name"),
        ("my-game", "is no name"),
        ("my__game", "is no name"),
        ("game_", "is no name"),
        ("x", "is no name"),
        (f"{LONG}2", "is no name"),
        ("while", "is no name"),
        ("quantaris", "there is a game 'quantaris' already"),
        ("numpy", "there is a module 'numpy' already"),
    ],
)
def test_name__is_refused(run: Run, here: Path, name: str, said: str) -> None:
    assert said in run("new", name, "--python", "--package", status=2)
    assert list_files(here) == set()


@pytest.mark.parametrize("flags", [[], ["--kernel", "--config"]])
def test_kind__is_one_of_three(run: Run, here: Path, flags: list[str]) -> None:
    text = run("new", "tiny_heap", *flags, status=2)
    assert text.startswith("error: choose one way to write the game. --kernel: compiled functions")


def test_game__needs_a_checkout(run: Run, here: Path) -> None:
    text = run("new", "tiny_heap", "--python", status=2)
    assert f"'{here}' is not in a checkout of Axiom Gym; add --package" in text


def test_files__are_never_overwritten(run: Run, here: Path) -> None:
    mine = here / "tiny_heap" / "tests" / "test_rules.py"
    mine.parent.mkdir(parents=True)
    mine.write_text("mine")
    text = run("new", "tiny_heap", "--python", "--package", status=2)
    assert f"'{mine}' exists already, and is not overwritten" in text
    assert list_files(here) == {"tiny_heap/tests/test_rules.py"}
    assert mine.read_text() == "mine"


def test_write_files__takes_back_what_it_has_written(here: Path) -> None:
    project = here / "pyproject.toml"
    project.write_text("old")
    (here / "taken").write_text("")
    files = {
        project: "new",
        here / "a" / "b" / "one.py": "1",
        here / "taken" / "two.py": "a file stands where a folder must be",
    }
    with pytest.raises(skeleton.ConfigError, match="nothing is written: "):
        skeleton.write_files(files, project)
    assert list_files(here) == {"pyproject.toml", "taken"}
    assert project.read_text() == "old"
    assert not (here / "a").exists()


def test_record__writes_nothing_if_the_game_cannot_be_played(
    run: Run, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(skeleton, "_RECORD", "raise SystemExit('it broke')")
    text = run("new", "tiny_heap", "--python", "--package", status=2)
    assert "error: nothing is written: no playthrough is recorded: it broke" in text
    assert list_files(here) == set()
