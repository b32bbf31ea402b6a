"""Behaviour that all commands share."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
import typer.main

from axiom_gym import __version__
from axiom_gym.cli import app

Run = Callable[..., str]


def test_cli__prints_the_version(run: Run) -> None:
    assert run("--version") == f"axiom-gym {__version__}\n"


def test_cli__help_names_all_commands(run: Run) -> None:
    text = run("--help")
    for command in (
        "list",
        "info",
        "play",
        "playthrough",
        "replay",
        "config",
        "bench",
        "train",
        "evaluate",
    ):
        assert re.search(rf"^\s+{command}\s", text, re.MULTILINE), command


def commands(group: Any = None, path: str = "") -> dict[str, Any]:
    """Return all commands by their full names."""
    group = group or typer.main.get_command(app)
    found = {}
    for name in group.list_commands(None):
        one = group.get_command(None, name)
        found[f"{path}{name}"] = one
        if hasattr(one, "list_commands"):
            found |= commands(one, f"{path}{name} ")
    return found


def test_cli__help_has_a_whole_summary_of_each_command() -> None:
    cut = [name for name, one in commands().items() if one.get_short_help_str(60).endswith("...")]
    assert cut == []


def test_cli__help_names_the_values_of_options_in_one_way(run: Run) -> None:
    for name in commands():
        options = run(*name.split(), "--help").partition("Options:")[2]
        assert not re.search(r"^ +-.*<\w", options, re.MULTILINE), name


def test_cli__examples_can_be_parsed(run: Run) -> None:
    lines = [line for one in commands().values() for line in getattr(one, "examples", ())]
    assert len(lines) > 15
    for line in lines:
        program, name, *words = shlex.split(line)
        assert program == "axiom-gym"
        assert commands()[name].make_context(name, words).args == [], line
    assert "\nExamples:\n  axiom-gym bench quantaris\n" in run("bench", "--help")


def test_cli__suggests_a_similar_command(run: Run) -> None:
    assert "Did you mean 'info'?" in run("inof", status=2)


@pytest.mark.parametrize("command", ["info", "play", "bench"])
def test_cli__suggests_a_similar_game(run: Run, command: str) -> None:
    text = run(command, "quantris", status=2)
    assert text.startswith("error: unknown game 'quantris'. Did you mean 'quantaris-v0'?")
    assert text.count("\n") == 1


@pytest.mark.parametrize("command", ["info", "play", "bench"])
def test_cli__suggests_a_similar_option(run: Run, command: str) -> None:
    text = run(command, "quantaris", "-o", "rulset=0.1", status=2)
    assert text.startswith("error: unknown option of quantaris 'rulset'. Did you mean 'ruleset'?")
    assert "unknown preset of quantaris" in run(command, "quantaris", "--preset", "x", status=2)


def test_cli__prints_errors_to_stderr_and_without_a_traceback(run: Run) -> None:
    process = subprocess.run(
        [sys.executable, "-c", "from axiom_gym.cli import main; main()", "info", "chess"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (process.returncode, process.stdout) == (2, "")
    assert process.stderr.startswith("error: unknown game 'chess'.")
    assert process.stderr.count("\n") == 1


@pytest.mark.parametrize("arguments", [["list"], ["info", "quantaris"], ["play", "--help"]])
def test_cli__imports_nothing_slow_for_facts_and_help(run: Run, arguments: list[str]) -> None:
    code = (
        "import sys; from typer.testing import CliRunner; from axiom_gym.cli import app\n"
        f"assert CliRunner().invoke(app, {arguments!r}).exit_code == 0\n"
        "print({'numba', 'torch', 'axiom_training'} & set(sys.modules))"
    )
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert process.stdout == "set()\n", process.stderr
