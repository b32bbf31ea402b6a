"""Fixtures: worlds with creatures made by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from axiom_envs.dnd.engine.creature.entity import Entity
from axiom_envs.dnd.engine.creature.equipment import AttackProfile, Weapon
from axiom_envs.dnd.engine.values.dice import D20Roll
from axiom_envs.dnd.engine.values.types import Ability, DamageType
from axiom_envs.dnd.engine.world.dispatch import EventHandler, Trigger
from axiom_envs.dnd.engine.world.events import EventPhase, EventType
from axiom_envs.dnd.engine.world.world import World

Make = Callable[..., Entity]


@pytest.fixture
def world() -> Iterator[World]:
    """An active world with a full log."""
    with World(seed=1, log="full") as world:
        yield world


@pytest.fixture
def make(world: World) -> Make:
    """A factory of creatures with a sword in hand and a bow: `make("name", (x, y), side="a")`."""

    def make(name: str = "fighter", position: Any = None, **settings: Any) -> Entity:
        settings = {"scores": {Ability.STRENGTH: 16}, "hit_points": 100, **settings}
        entity = Entity(name, position=position, **settings)
        sword, bow = Weapon("sword", (), entity), Weapon("bow", (), entity)
        entity.equipment.hands.main = sword
        entity.equipment.profiles = [
            AttackProfile("sword", sword, "melee", Ability.STRENGTH, 1, 8, DamageType.SLASHING),
            AttackProfile(
                "bow",
                bow,
                "ranged",
                Ability.DEXTERITY,
                1,
                8,
                DamageType.PIERCING,
                normal=80,
                long=320,
                index=1,
            ),
        ]
        return entity

    return make


@pytest.fixture
def fighter(make: Make) -> Entity:
    """A fighter at (0, 0)."""
    return make("fighter", (0, 0), side="a")


@pytest.fixture
def goblin(make: Make) -> Entity:
    """An enemy next to the fighter."""
    return make("goblin", (1, 0), side="b")


@pytest.fixture
def load_dice(world: World) -> Callable[[int], EventHandler]:
    """A function that makes every later d20 show a number: `load_dice(20)`."""

    def load_dice(natural: int) -> EventHandler:
        def turn(event: Any, owner: Entity | None) -> Any:
            return event.change(natural=natural) if isinstance(event, D20Roll) else None

        return EventHandler(turn, Trigger(EventType.ROLL, EventPhase.EFFECT), world=world)

    return load_dice
