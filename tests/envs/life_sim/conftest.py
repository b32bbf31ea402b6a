"""Lives that start in any state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from axiom_envs.life_sim import CONFIG
from axiom_gym.config.engine import Engine, create_engine
from axiom_gym.rng import SeededRNG

Life = Callable[..., Engine]


@pytest.fixture
def life() -> Life:
    """Return a function that starts a life with some fields given and the others as usual."""

    def begin(seed: int = 0, **known: Any) -> Engine:
        start = create_engine(CONFIG).get_state()
        assert set(known) <= set(start)
        return Engine(CONFIG, start | known, SeededRNG(seed))

    return begin
