"""A plain Python game with players for it, and kernel games as objects."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from axiom_gym.game import GameLoop, GameResult, KernelGameObject, MatchConfig
from axiom_gym.loop import kernel_object
from axiom_gym.seeded_rng import SeededRNG

Play = Callable[..., GameResult]


def draw(state: Any, actions: list[Any], player_id: str, rng: SeededRNG) -> Any:
    return rng.pick(actions)


def first(state: Any, actions: list[Any], player_id: str, rng: SeededRNG) -> Any:
    return actions[0]


@pytest.fixture
def play(race: ModuleType) -> Play:
    """`play(seed, ann=agent, ..., listeners=[...], retries=1)`: a race."""

    def run(
        seed: int = 1, listeners: Any = (), goal: int = 20, lives: int = 1, **given: Any
    ) -> Any:
        agents = {name: given.pop(name) for name in ("ann", "bob", "cid", "dan") if name in given}
        config = MatchConfig(options={"goal": goal, "lives": lives}, **given)
        agents = agents or {"ann": draw, "bob": draw}
        return GameLoop(race.Race(), agents, config, listeners).run(seed)

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
