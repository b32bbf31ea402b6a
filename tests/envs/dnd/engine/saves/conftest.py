"""Fixtures: the state of a world for comparisons."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from axiom_envs.dnd.engine.world.world import World


@pytest.fixture
def state() -> Callable[[World], Any]:
    """A function that returns the state that must be equal in two worlds."""

    def state(world: World) -> Any:
        return (
            world.rng.state,
            world.count,
            [
                (
                    one.uuid,
                    one.health.current,
                    one.position,
                    one.economy.used,
                    one.uses,
                    [(name, [each.uuid for each in all_]) for name, all_ in one.conditions.items()],
                )
                for one in world.entities
            ],
            [(number, type(one)) for number, one in world.objects.items()],
        )

    return state
