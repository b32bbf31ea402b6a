"""The games that the core is tested with, and Python processes of their own."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from axiom_gym import registry

GAMES = Path(__file__).parents[1] / "games"


def _load_game(name: str) -> ModuleType:
    """A module of `tests/games`, under the name by which another process finds it on its path."""
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, GAMES / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        sys.modules[name] = module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return sys.modules[name]


@pytest.fixture(scope="session")
def pennies() -> ModuleType:
    """The module of the test game: `GAME` for two players, `TRIO` for three."""
    return _load_game("pennies_game")


@pytest.fixture(scope="session")
def climb() -> ModuleType:
    """The module of the test game for one player, with a time limit and a fault of its own."""
    return _load_game("climb_game")


@pytest.fixture(scope="session")
def brawl() -> ModuleType:
    """The module of the sequential test game, for two to four players who can drop out."""
    return _load_game("brawl_game")


@pytest.fixture(scope="session")
def raft() -> ModuleType:
    """The module of the simultaneous test game for up to 64 players, who can drop out."""
    return _load_game("raft_game")


@pytest.fixture(scope="session")
def race() -> ModuleType:
    """The module of the plain Python games `Race` and `Scribble`."""
    return _load_game("race_game")


@pytest.fixture(scope="session")
def heap() -> ModuleType:
    """The module of the plain Python game `Heap`, whose states are tuples."""
    return _load_game("heap_game")


@pytest.fixture
def known_climb(climb: ModuleType, monkeypatch: pytest.MonkeyPatch) -> str:
    """The id of that game, which is registered as long as the test runs."""
    monkeypatch.setitem(registry._registered, "climb-v0", climb.GAME)
    return "climb-v0"


@pytest.fixture(scope="session")
def python() -> Callable[..., str]:
    """Runs code in a new Python process, with further environment variables; returns its output."""

    def run(code: str, **variables: str) -> str:
        path = os.pathsep.join([str(GAMES), variables.pop("PYTHONPATH", "")])
        process = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONPATH": path, **variables},
            capture_output=True,
            text=True,
            check=False,
        )
        assert process.returncode == 0, process.stderr
        return process.stdout

    return run
