"""Games for the tests of adapters, and small functions."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from axiom_gym.registry import get_game


@pytest.fixture(params=["quantaris", "pennies", "trio"])
def game(request: pytest.FixtureRequest, pennies: ModuleType) -> Any:
    """A game of equal sub-actions; one of unequal ones, with chance; the same for three players."""
    games = {"quantaris": get_game("quantaris"), "pennies": pennies.GAME, "trio": pennies.TRIO}
    return games[request.param]


@pytest.fixture(scope="session")
def plain() -> Callable[[Any], Any]:
    """Convert nested results into values that can be compared."""

    def convert(value: Any) -> Any:
        if isinstance(value, np.ndarray):
            return value.dtype, value.shape, value.tobytes()
        if isinstance(value, dict):
            return {key: convert(entry) for key, entry in value.items()}
        return [convert(entry) for entry in value] if isinstance(value, list | tuple) else value

    return convert


@pytest.fixture(scope="session")
def sample() -> Callable[[Any, Any], dict[str, Any]]:
    """Draw a legal action for every agent of a PettingZoo environment."""

    def draw(env: Any, seen: Any) -> dict[str, Any]:
        return {a: env.action_space(a).sample(seen[a]["action_mask"]) for a in env.agents}

    return draw
