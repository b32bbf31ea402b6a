"""Test fixture: commands that run in this process."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from axiom_gym.cli import app


@pytest.fixture(scope="session")
def run() -> Callable[..., str]:
    """A function that runs a command and returns its output: `run("info", "chess", status=2)`."""

    def run_command(*args: str | Path, typed: str = "", status: int = 0) -> str:
        result = CliRunner().invoke(app, [str(arg) for arg in args], input=typed)
        assert result.exit_code == status, result.output
        assert result.exception is None or isinstance(result.exception, SystemExit)
        return result.output

    return run_command
