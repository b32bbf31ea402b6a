"""A canceled event costs nothing and changes nothing, in any phase before COMPLETION."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from axiom_envs.dnd.engine.creature.entity import Entity
from axiom_envs.dnd.engine.rules.actions import Action, Cost, pay
from axiom_envs.dnd.engine.rules.attack import Attack
from axiom_envs.dnd.engine.rules.damage import deal_damage, give_temporary_hit_points, heal
from axiom_envs.dnd.engine.rules.death import die
from axiom_envs.dnd.engine.rules.standard import Poisoned
from axiom_envs.dnd.engine.values.types import CostType, DamageType
from axiom_envs.dnd.engine.world.dispatch import EventHandler, Trigger
from axiom_envs.dnd.engine.world.events import Event, EventPhase, EventType
from axiom_envs.dnd.engine.world.world import World

Deed = Callable[[Entity, Entity], Event]


class Shout(Action):
    """An action that poisons its target and exhausts its source."""

    name = "shout"
    default_costs = (Cost(CostType.ACTIONS), Cost(CostType.REACTIONS))

    def consequences(self) -> dict[str, Any]:
        return {"poison": lambda event, action: action.target.add_condition(Poisoned()) and None}


DEEDS: dict[str, Deed] = {
    EventType.ATTACK: lambda one, other: Attack(one, other, "sword").apply(),
    EventType.ACTION: lambda one, other: Shout(one, other).apply(),
    EventType.DAMAGE: lambda one, other: deal_damage(other, [(5, DamageType.FIRE)]),
    EventType.HEALING: lambda one, other: heal(other, 5),
    EventType.TEMPORARY_HIT_POINTS: lambda one, other: give_temporary_hit_points(other, 5),
    EventType.DEATH: lambda one, other: die(other),
    EventType.CONDITION_APPLICATION: lambda one, other: other.add_condition(Poisoned()),
    EventType.COST: lambda one, other: pay(one, Cost(CostType.ACTIONS)),
}


def snapshot(world: World) -> list[Any]:
    """Return everything that these actions could change."""
    found: list[Any] = [dict(world.objects)]
    for entity in world.entities:
        health, economy = entity.health, entity.economy
        found.append((health.current, health.temporary, health.dead, list(entity.conditions)))
        found.append((dict(economy.used), economy.moved, economy.plans, set(economy.marks)))
    return found


@pytest.mark.parametrize("phase", list(EventPhase)[:3])
@pytest.mark.parametrize("kind", DEEDS)
def test_cancel__changes_nothing(
    world: World,
    fighter: Entity,
    goblin: Entity,
    load_dice: Callable[[int], EventHandler],
    kind: str,
    phase: EventPhase,
) -> None:
    load_dice(19)
    goblin.health.current = 50
    before = snapshot(world)
    handler = EventHandler(lambda event, _: event.cancel("no"), Trigger(kind, phase), world=world)
    event = DEEDS[kind](fighter, goblin)
    handler.remove()
    assert event.canceled
    assert event.message == "no"
    assert snapshot(world) == before
    assert not DEEDS[kind](fighter, goblin).canceled
    assert snapshot(world) != before, "it would have changed something"


def test_cancel__at_completion_has_no_effect(world: World, fighter: Entity, goblin: Entity) -> None:
    trigger = Trigger(EventType.DAMAGE, EventPhase.COMPLETION)
    EventHandler(lambda event, _: event.cancel("no"), trigger, world=world)
    assert deal_damage(goblin, [(5, DamageType.FIRE)]).canceled
    assert goblin.health.current == 95


def test_prerequisite__that_fails_is_named_and_nothing_is_charged(
    world: World, fighter: Entity, goblin: Entity
) -> None:
    goblin.senses.position = (9, 9)
    before = snapshot(world)
    event = Attack(fighter, goblin, "sword").apply()
    assert event.message == "range: goblin is 45 ft away, and sword reaches 5 ft"
    assert snapshot(world) == before
    never = {"mood": lambda action: f"{action.source.name} is not in the mood"}
    event = Shout(fighter, goblin, prerequisites=never).apply()
    assert event.message == "mood: fighter is not in the mood"
    assert snapshot(world) == before


def test_cost__canceled_by_a_handler_is_not_paid(
    world: World, fighter: Entity, goblin: Entity
) -> None:
    trigger = Trigger(EventType.COST, EventPhase.DECLARATION)
    EventHandler(lambda event, _: event.cancel("generous"), trigger, world=world)
    assert not Shout(fighter, goblin).apply().canceled
    assert goblin.has("poisoned")
    assert fighter.economy.left(CostType.ACTIONS) == 1
