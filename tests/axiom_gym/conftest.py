"""The test games of the core, and separate Python processes."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from axiom_gym.game import GameLoop, GameResult, KernelGameObject, MatchConfig
from axiom_gym.play import kernel_object
from axiom_gym.registry import games as registry
from axiom_gym.seeded_rng import SeededRNG

GAMES = Path(__file__).parents[1] / "games"


def _load_game(name: str) -> ModuleType:
    """Import a module of `tests/games` by the name under which another process finds it."""
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
    """The module of the test game for one player, whose rules have a time limit and a fault."""
    return _load_game("climb_game")


@pytest.fixture(scope="session")
def brawl() -> ModuleType:
    """The module of the sequential test game, for two to four players who can be eliminated."""
    return _load_game("brawl_game")


@pytest.fixture(scope="session")
def slips() -> ModuleType:
    """The module of the test game whose kernel forgets what the option `slip` names."""
    return _load_game("slip_game")


@pytest.fixture(scope="session")
def raft() -> ModuleType:
    """The module of the simultaneous test game, for up to 64 players who can be eliminated."""
    return _load_game("raft_game")


@pytest.fixture(scope="session")
def race() -> ModuleType:
    """The module of the plain Python games `Race` and `Scribble`."""
    return _load_game("race_game")


@pytest.fixture(scope="session")
def heap() -> ModuleType:
    """The module of the plain Python game `Heap`, whose states are tuples."""
    return _load_game("heap_game")


@pytest.fixture(scope="session")
def tally() -> ModuleType:
    """The module of the sequential test game whose kernel is plain Python."""
    return _load_game("tally_game")


@pytest.fixture
def known_climb(climb: ModuleType, monkeypatch: pytest.MonkeyPatch) -> str:
    """The id of that game, which is registered while the test runs."""
    monkeypatch.setitem(registry._registered, "climb-v0", climb.GAME)
    return "climb-v0"


@pytest.fixture(scope="session")
def python() -> Callable[..., str]:
    """Run code in a new Python process with more environment variables, and return its output."""

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


Play = Callable[..., GameResult]


def draw(state: Any, actions: list[Any], player_id: str, rng: SeededRNG) -> Any:
    return rng.pick(actions)


def first(state: Any, actions: list[Any], player_id: str, rng: SeededRNG) -> Any:
    return actions[0]


@pytest.fixture
def play(race: ModuleType) -> Play:
    """A function `play(seed, ann=agent, ..., listeners=[...], retries=1)` that plays a race."""

    def run(
        seed: int = 1, listeners: Any = (), goal: int = 20, lives: int = 1, **given: Any
    ) -> Any:
        agents = {name: given.pop(name) for name in ("ann", "bob", "cid", "dan") if name in given}
        config = MatchConfig(options={"goal": goal, "lives": lives}, **given)
        agents = agents or {"ann": draw, "bob": draw}
        return GameLoop(race.Race(), agents, config, listeners, on_error="forfeit").run(seed)

    return run


@pytest.fixture(scope="session")
def bots() -> dict[str, Any]:
    """Agents: "draw" takes a random action, "first" the first."""
    return {"draw": draw, "first": first}


@pytest.fixture(scope="session")
def quantaris() -> KernelGameObject:
    return KernelGameObject("quantaris")


@pytest.fixture(scope="session")
def trio(pennies: ModuleType) -> KernelGameObject:
    return KernelGameObject(pennies.TRIO, min_turns=5, stop=128)


@pytest.fixture
def one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_object, "MOST_JOINT_ACTIONS", 1)
