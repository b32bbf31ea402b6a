"""Fixtures: characters and an ogre."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from axiom_envs.dnd.engine.creature.entity import Entity
from axiom_envs.dnd.engine.encounter.creation import create
from axiom_envs.dnd.engine.rules.attack import AttackEvent
from axiom_envs.dnd.engine.world.world import World


@pytest.fixture
def ogre(world: World) -> Entity:
    """An ogre at (1, 0)."""
    return create("ogre", side="b", position=(1, 0))


@pytest.fixture
def hero(world: World) -> Callable[..., Entity]:
    """A factory of characters, by default next to the ogre: `hero("fighter", 3)`."""

    def hero(name: str, level: int, position: tuple[int, int] = (0, 0)) -> Entity:
        return create(name, level=level, side="a", position=position)

    return hero


@pytest.fixture
def parts() -> Callable[[AttackEvent], list[str]]:
    """A function that returns the parts of an attack's damage."""

    def parts(event: AttackEvent) -> list[str]:
        assert event.damage_roll is not None
        return [str(part).split()[0] for part in event.damage_roll.parts]

    return parts
