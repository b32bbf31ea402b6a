"""Worlds: several at once, objects by UUID, and memory after a world is dropped."""

from __future__ import annotations

import gc
import weakref

import pytest

from axiom_envs.dnd.engine.creature.checks import roll_check
from axiom_envs.dnd.engine.creature.entity import Entity
from axiom_envs.dnd.engine.creature.health import Health
from axiom_envs.dnd.engine.rules.standard import Grappled, Paralyzed
from axiom_envs.dnd.engine.values.types import Skill
from axiom_envs.dnd.engine.world.objects import BaseObject
from axiom_envs.dnd.engine.world.world import World
from axiom_gym.errors import ConfigError, GameError


def test_worlds__hold_their_own_objects_and_nest() -> None:
    with World(seed=1) as outer:
        first = Entity("first")
        with World(seed=2) as inner:
            second = Entity("second")
        third = Entity("third")
    assert [one.world for one in (first, second, third)] == [outer, inner, outer]
    assert outer.entities == [first, third]
    assert inner.get(first.uuid) is None
    first.add_condition(Paralyzed())
    assert first.conditions["incapacitated"][0].world is outer, "found without an active world"


def test_world__needs_to_be_active_for_new_objects() -> None:
    with pytest.raises(GameError, match="no world is active"):
        Entity()


def test_world__finds_by_uuid_and_type() -> None:
    with World(seed=5) as world:
        entity = Entity("goblin")
        assert Entity.get(entity.uuid) is entity
        assert Health.get(entity.uuid) is None
        assert world.get(entity.health.uuid, Health) is entity.health
        assert world.of_type(Entity) == [entity]
        event = entity.add_condition(Paralyzed())
        assert world.get(event.uuid) is event, "events are found while the log has them"
    with World(seed=5):
        assert Entity("goblin").uuid == entity.uuid, "the same seed, the same identities"
    with World(seed=6):
        assert Entity("goblin").uuid != entity.uuid


def test_world__is_freed_when_it_is_dropped() -> None:
    with World(seed=1) as world:
        held, holder = Entity("held"), Entity("holder")
        held.add_condition(Grappled(source=holder))
        held.add_condition(Paralyzed(source=holder))
        roll_check(held, Skill.STEALTH, 10)
    gone = [weakref.ref(world), weakref.ref(held), weakref.ref(held.health)]
    del world, held, holder
    gc.collect()
    assert [ref() for ref in gone] == [None, None, None]


@pytest.mark.parametrize(("mode", "expected"), [("off", 0), ("bounded", 5), ("full", 16)])
def test_log__keeps_no_recent_or_all_events(mode: str, expected: int) -> None:
    with World(seed=1, log=mode, log_size=5) as world:
        entity = Entity()
        objects = len(world.objects)
        for _ in range(2):
            roll_check(entity, Skill.STEALTH, 10)
        assert len(world.log) == expected
        assert len(world.objects) == objects, "events are kept by the log alone"


def test_world__refuses_bad_settings() -> None:
    with pytest.raises(ConfigError, match="seed"):
        World(seed=-1)
    with pytest.raises(ConfigError, match="bounded"):
        World(log="some")


def test_stream__does_not_depend_on_advantage_or_the_log() -> None:
    draws = []
    for mode, condition in (("full", Paralyzed), ("off", None)):
        with World(seed=9, log=mode) as world:
            entity = Entity()
            if condition is not None:
                entity.add_condition(condition())
            roll_check(entity, Skill.STEALTH, 10)
            draws.append(world.rng.below(1000))
    assert draws[0] == draws[1]


def test_objects__do_not_accumulate_with_conditions() -> None:
    with World(seed=1) as world:
        entity = Entity()
        entity.add_condition(Paralyzed())
        entity.remove_condition("paralyzed")  # values of saves are created on first use
        before = {number: type(one) for number, one in world.objects.items()}
        for _ in range(50):
            entity.add_condition(Paralyzed())
            entity.remove_condition("paralyzed")
        assert {number: type(one) for number, one in world.objects.items()} == before
        assert all(isinstance(one, BaseObject) for one in world.objects.values())
