"""Skeletons of new games: templates that are filled in, and written completely or not at all.

Templates are the files `templates/FOLDER/NAME.tmpl`, with placeholders such as `$name`.
"""

from __future__ import annotations

import importlib.util
import keyword
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from string import Template

from axiom_gym.errors import ConfigError
from axiom_gym.files import check_new
from axiom_gym.registry.games import game_ids

KINDS = ("kernel", "python", "config")
"""The ways to write a game, each a folder of templates."""

ENTRY_POINTS = '[project.entry-points."axiom_gym.games"]'
LONGEST = 19
"""The most characters of a name, with which no line of a template becomes too long."""
_NAME = re.compile(rf"[a-z](_?[a-z0-9]){{1,{LONGEST - 1}}}")
_RECORD = "from axiom_gym.cli import main; main()"

Files = dict[Path, str]
"""Texts by path."""


def check_name(name: str) -> None:
    """Check the name of a new game.

    Raises:
        ConfigError: for a name that is malformed, or taken by a game or a module.
    """
    if not _NAME.fullmatch(name) or len(name) > LONGEST or keyword.iskeyword(name):
        raise ConfigError(
            f"{name!r} is no name of a game: write 2 to {LONGEST} lower-case letters, digits and "
            "single underscores, beginning with a letter, such as 'my_game'."
        )
    if name in {game_id.rpartition("-v")[0] for game_id in game_ids()}:
        raise ConfigError(f"there is a game {name!r} already; choose another name.")
    if importlib.util.find_spec(name) is not None:
        raise ConfigError(f"there is a module {name!r} already; choose another name.")


def find_repository(start: Path) -> Path:
    """Return the checkout of Axiom Gym that holds a folder.

    Raises:
        ConfigError: if there is none.
    """
    for folder in (start, *start.parents):
        project = folder / "pyproject.toml"
        if (folder / "envs" / "axiom_envs").is_dir() and project.is_file():
            return folder
    raise ConfigError(
        f"{str(start)!r} is not in a checkout of Axiom Gym; add --package to create a package of "
        "your own."
    )


def make_package(name: str, kind: str, folder: Path) -> Files:
    """Return the files of a package of one's own, in a folder of its name.

    Raises:
        ConfigError: if one of them exists, or the game cannot be played.
    """
    values, root = _fill_in(name, name), folder / name
    source, tests = root / "src" / name, root / "tests"
    files = {
        root / "pyproject.toml": _render("package", "pyproject.toml", values),
        source / "__init__.py": _render("package", f"__init__.{kind}.py", values),
        **_render_game(kind, source, tests, values),
        tests / "test_conformance.py": _render("package", "test_conformance.py", values),
    }
    check_new(files)
    return {**files, **_record(name, kind, tests / "playthroughs")}


def make_game(name: str, kind: str, repository: Path) -> Files:
    """Return the files of a game in a checkout, with the changed pyproject.toml.

    Raises:
        ConfigError: if one of them exists, or the game cannot be played.
    """
    values = _fill_in(name, f"axiom_envs.{name}")
    source = repository / "envs" / "axiom_envs" / name
    tests = repository / "tests"
    files = {
        source / "__init__.py": _render("repository", f"__init__.{kind}.py", values),
        **_render_game(kind, source, tests / "envs" / name, values),
    }
    check_new(files)
    project = repository / "pyproject.toml"
    recorded = _record(name, kind, tests / "playthroughs")
    return {**files, **recorded, project: _register(name, project)}


def write_files(files: Mapping[Path, str], changed: Path | None = None) -> None:
    """Write all files, or none of them.

    Args:
        files: the texts by path.
        changed: the only file that may exist already; it is replaced.

    Raises:
        ConfigError: for another file that exists, or one that cannot be written.
    """
    check_new(path for path in files if path != changed)
    before = {} if changed is None else {changed: changed.read_text(encoding="utf-8")}
    written: list[Path] = []
    try:
        for path, text in files.items():
            written += _make_folders(path.parent)
            written.append(path)
            path.write_text(text, encoding="utf-8")
    except BaseException as error:
        _take_back(written, before)
        if isinstance(error, OSError):
            raise ConfigError(f"nothing is written: {error}.") from error
        raise


def _make_folders(folder: Path) -> list[Path]:
    """Make a folder with its parents, and return those that are new."""
    new = [one for one in (folder, *folder.parents) if not one.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    return new[::-1]


def _take_back(written: list[Path], before: Mapping[Path, str]) -> None:
    for path in reversed(written):
        if path in before:
            path.write_text(before[path], encoding="utf-8")
        elif path.is_dir():
            path.rmdir()
        else:
            path.unlink(missing_ok=True)


# -- texts -----------------------------------------------------------------------------------------


def _fill_in(name: str, package: str) -> dict[str, str]:
    """Return the values of the placeholders."""
    return {
        "name": name,
        "package": package,
        "title": name.title().replace("_", ""),
        "words": name.replace("_", " ").title(),
        "distribution": name.replace("_", "-"),
    }


def _render_game(kind: str, source: Path, tests: Path, values: Mapping[str, str]) -> Files:
    """Return the files of a kind: those of the game, and its tests."""
    names = (one.name.removesuffix(".tmpl") for one in _templates().joinpath(kind).iterdir())
    return {
        (tests if name.startswith("test_") else source) / name: _render(kind, name, values)
        for name in sorted(names)
    }


def _render(folder: str, name: str, values: Mapping[str, str]) -> str:
    text = _templates().joinpath(folder, f"{name}.tmpl").read_text(encoding="utf-8")
    return _sort_imports(Template(text).substitute(values))


def _templates() -> resources.abc.Traversable:
    return resources.files("axiom_gym.commands").joinpath("templates")


def _sort_imports(text: str) -> str:
    """Sort runs of `from a import b` lines, whose order depends on the name of the game."""
    lines, sorted_lines, run = text.split("\n"), [], []
    for line in [*lines, ""]:
        if line.startswith("from ") and " import " in line and not line.endswith("("):
            run.append(line)
            continue
        sorted_lines += [*sorted(run, key=lambda one: one.split()[1]), line]
        run = []
    return "\n".join(sorted_lines[:-1])


def _register(name: str, project: Path) -> str:
    """Return the text of pyproject.toml with the entry point of a game, in alphabetical order."""
    head, section, tail = project.read_text(encoding="utf-8").partition(f"{ENTRY_POINTS}\n")
    if not section:
        raise ConfigError(f"{str(project)!r} has no section {ENTRY_POINTS}.")
    entries, blank, rest = tail.partition("\n\n")
    new = f'{name}-v0 = "axiom_envs.{name}.game:GAME"'
    return head + section + "\n".join(sorted([*entries.split("\n"), new])) + blank + rest


def _record(name: str, kind: str, folder: Path) -> Files:
    """Return a playthrough of the game, which another process plays as plain Python.

    Raises:
        ConfigError: if it cannot be played.
    """
    values = _fill_in(name, name)
    with tempfile.TemporaryDirectory() as place:
        root = Path(place)
        source = root / name
        init = {source / "__init__.py": _render("package", f"__init__.{kind}.py", values)}
        write_files({**init, **_render_game(kind, source, root / "tests", values)})
        paths = os.pathsep.join([place, *filter(None, sys.path)])
        plain = {"NUMBA_DISABLE_JIT": "1", "PYTHONWARNINGS": "ignore"}  # mulberry32 overflows
        process = subprocess.run(
            [sys.executable, "-c", _RECORD, "playthrough", f"{name}.game:GAME", "--out", place],
            env={**os.environ, **plain, "PYTHONPATH": paths},
            capture_output=True,
            text=True,
            check=False,
        )
        if process.returncode != 0:
            raise ConfigError(f"nothing is written: no playthrough is recorded: {process.stderr}")
        return {
            folder / path.name: path.read_text(encoding="utf-8") for path in root.glob("*.jsonl")
        }
