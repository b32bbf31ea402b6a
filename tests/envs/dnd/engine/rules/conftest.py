"""Fixtures: facts about attacks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from axiom_envs.dnd.engine.creature.entity import Entity
from axiom_envs.dnd.engine.encounter.encounter import Encounter
from axiom_envs.dnd.engine.rules.attack import Attack, AttackEvent


@pytest.fixture
def advantage() -> Callable[..., int]:
    """A function that returns the advantage of an attack with a profile: 1, -1 or 0."""

    def advantage(source: Entity, target: Entity, weapon: Any = 0) -> int:
        return Attack(source, target, source.equipment.profiles[weapon]).read()[0].advantage

    return advantage


@pytest.fixture
def attacks() -> Callable[[Encounter], list[AttackEvent]]:
    """A function that returns the attacks since the last decision."""
    return lambda encounter: [one for one in encounter.events if isinstance(one, AttackEvent)]
