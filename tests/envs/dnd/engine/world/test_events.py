"""Events and their handlers: triggers, order, parents, changes, and handlers that fail."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain, combinations
from typing import Any

import pytest

from axiom_envs.dnd.engine.creature.checks import roll_check, roll_save
from axiom_envs.dnd.engine.creature.entity import Entity
from axiom_envs.dnd.engine.rules.attack import Attack, AttackEvent, Outcome
from axiom_envs.dnd.engine.rules.damage import Damage, deal_damage
from axiom_envs.dnd.engine.values.types import Ability, DamageType, Skill
from axiom_envs.dnd.engine.world.dispatch import MAX_DEPTH, EventHandler, Trigger
from axiom_envs.dnd.engine.world.events import Event, EventPhase, EventType
from axiom_envs.dnd.engine.world.world import World

Make = Callable[..., Entity]
EXECUTION, EFFECT, COMPLETION = (
    EventPhase.EXECUTION,
    EventPhase.EFFECT,
    EventPhase.COMPLETION,
)


# -- triggers and order ----------------------------------------------------------------------------

PARTS = ("event_types", "phases", "sources", "targets", "event")
SUBSETS = list(chain.from_iterable(combinations(PARTS, n) for n in range(len(PARTS) + 1)))


@pytest.mark.parametrize("given", SUBSETS, ids="+".join)
def test_trigger__any_subset_of_conditions(
    world: World, fighter: Entity, goblin: Entity, given: tuple[str, ...]
) -> None:
    meant = Event(source=fighter, target=goblin).declare()
    parts: dict[str, Any] = {
        "event_types": "event",
        "phases": EFFECT,
        "sources": [fighter],
        "targets": [goblin],
        "event": meant,
    }
    trigger = Trigger(**{name: parts[name] for name in given})
    seen = []
    EventHandler(lambda event, _: seen.append(event.number), trigger, world=world)
    others = {
        "event_types": roll_check(fighter, Skill.STEALTH).fill(target=goblin),
        "phases": meant.fill(),
        "sources": meant.fill(source=goblin),
        "targets": meant.fill(target=fighter),
        "event": Event(source=fighter, target=goblin),
    }
    seen.clear()
    meant.phase_to(EFFECT)
    assert len(seen) == 1
    for name, other in others.items():
        seen.clear()
        other.phase_to(COMPLETION if name == "phases" else EFFECT)
        # An event of another type has another lineage too.
        excluded = {name, "event"} if name == "event_types" else {name}
        assert bool(seen) is not bool(excluded & set(given)), name


def test_handlers__run_by_priority_then_registration(world: World) -> None:
    order: list[str] = []
    for name, priority, types in (
        ("second", 0, "event"),
        ("third", 0, None),
        ("last", -1, "event"),
        ("first", 5, None),
    ):
        trigger = Trigger(types, COMPLETION)
        EventHandler(
            lambda event, _, name=name: order.append(name), trigger, priority=priority, world=world
        )
    Event().declare().phase_to(COMPLETION)
    assert order == ["first", "second", "third", "last"]


def test_handler__with_several_triggers_runs_once(world: World) -> None:
    seen = []
    triggers = (Trigger("event"), Trigger(phases=COMPLETION), Trigger("event", COMPLETION))
    EventHandler(lambda event, _: seen.append(event.phase), triggers, world=world)
    Event().declare().phase_to(COMPLETION)
    assert seen == [EventPhase.DECLARATION, COMPLETION]


def test_handler__removed_by_an_earlier_one_does_not_run(world: World) -> None:
    seen = []
    first = EventHandler(lambda event, _: second.remove(), Trigger(), world=world)
    second = EventHandler(lambda event, _: seen.append(event), Trigger(), world=world)
    once = EventHandler(lambda event, _: once.remove(), Trigger(), world=world)
    Event().declare()
    assert not seen
    assert world.of_type(EventHandler) == [first]


def test_cancel__stops_later_handlers_and_reaches_cancel_handlers(world: World) -> None:
    seen = []
    EventHandler(lambda event, _: event.cancel("no"), Trigger(phases=EXECUTION), world=world)
    EventHandler(lambda event, _: seen.append("after"), Trigger(phases=EXECUTION), world=world)
    EventHandler(lambda event, _: seen.append(event.phase), Trigger("event"), world=world)
    event = Event().declare().phase_to(EXECUTION)
    assert event.canceled
    assert event.phase_to(EFFECT) is event
    assert event.message == "no"
    assert seen == [EventPhase.DECLARATION, EventPhase.CANCEL], "and each is told once"


# -- lineage and parents ---------------------------------------------------------------------------


def test_phases__share_a_lineage_and_are_separate_events() -> None:
    with World(seed=1, log="full") as world:
        first = Event().declare()
        last = first.phase_to(EXECUTION).phase_to(COMPLETION)
        assert first.phase is EventPhase.DECLARATION
        assert first.uuid != last.uuid
        assert first.lineage_uuid == last.lineage_uuid == first.uuid
        assert [event.phase for event in world.log] == [0, 1, 3]


def test_attack__is_the_parent_of_events_that_it_causes(
    world: World, fighter: Entity, goblin: Entity, load_dice: Callable[[int], Any]
) -> None:
    load_dice(19)
    event = Attack(fighter, goblin, "sword").apply()
    kinds = [one.event_type for one in world.log if one.phase is COMPLETION]
    assert kinds == ["roll", "cost", "roll", "damage", "attack"]
    assert {one.root for one in world.log} == {event.lineage}
    assert event.explain().startswith(
        "to-hit 5 = 3 (strength) + 2 (proficiency); rolled 19; 24 against 10: hit; "
    )


def test_handlers_events__are_children_of_the_handled_event(world: World, fighter: Entity) -> None:
    def save(event: Event, owner: Entity | None) -> None:
        roll_save(fighter, Ability.WISDOM, 10)

    EventHandler(save, Trigger("event", EFFECT), world=world)
    event = Event().declare().phase_to(EFFECT)
    (saved,) = [one for one in world.log if one.event_type == "save" and one.phase is COMPLETION]
    assert saved.root == event.lineage
    assert saved.parent is not None
    assert saved.parent.lineage == event.lineage


# -- changing outcomes -----------------------------------------------------------------------------


def test_effect__handlers_change_the_outcome(world: World, fighter: Entity, goblin: Entity) -> None:
    def miss(event: AttackEvent, owner: Entity | None) -> AttackEvent:
        return event.change(outcome=Outcome.MISS)

    def halve(event: Damage, owner: Entity | None) -> Damage:
        return event.change(taken=tuple((n // 2, kind) for n, kind in event.taken))

    handler = EventHandler(miss, Trigger(EventType.ATTACK, EFFECT), world=world)
    event = Attack(fighter, goblin, "sword", costs=()).apply()
    assert (event.outcome, event.damage, event.modified) == (Outcome.MISS, None, True)
    handler.remove()
    EventHandler(halve, Trigger(EventType.DAMAGE, EFFECT), world=world)
    assert deal_damage(goblin, [(9, DamageType.FIRE)]).lost == 4
    assert goblin.health.current == 96


def test_effect__a_save_and_a_roll_can_be_changed(world: World, fighter: Entity) -> None:
    def turn(event: Any, owner: Entity | None) -> Any:
        return event.change(natural=20)

    handler = EventHandler(turn, Trigger(EventType.ROLL, EFFECT), world=world)
    result = roll_save(fighter, Ability.WISDOM, 20)
    assert (result.total, result.success) == (20, True)
    handler.remove()
    fail = Trigger(EventType.SAVE, EFFECT)
    EventHandler(lambda event, _: event.change(success=False), fail, world=world)
    assert not roll_save(fighter, Ability.WISDOM, -20).success


# -- handlers that fail ----------------------------------------------------------------------------


def test_raising_handler__cancels_the_chain_and_is_named(
    world: World, fighter: Entity, goblin: Entity, load_dice: Callable[[int], Any]
) -> None:
    def explode(event: Event, owner: Entity | None) -> None:
        raise ZeroDivisionError("oops")

    load_dice(19)
    trigger = Trigger(EventType.DAMAGE, EXECUTION)
    handler = EventHandler(explode, trigger, owner=goblin, name="shell")
    event = Attack(fighter, goblin, "sword", costs=()).apply()
    assert event.canceled
    assert event.message == "handler 'shell' of goblin failed: ZeroDivisionError: oops"
    assert isinstance(event.fault, ZeroDivisionError)
    assert goblin.health.current == 100
    assert world.of_type(Attack) == []
    handler.remove()
    assert Attack(fighter, goblin, "sword", costs=()).apply().hits, "the world goes on"


def test_handler__that_returns_another_type_is_named(world: World, fighter: Entity) -> None:
    EventHandler(lambda event, _: fighter, Trigger(EventType.CHECK), name="odd", world=world)
    event = roll_check(fighter, Skill.STEALTH, 5)
    assert event.canceled
    assert not event.success
    assert "handler 'odd' failed: TypeError: it must return a AbilityCheck" in event.message


def test_endless_handlers__are_stopped_and_the_world_stays_valid(
    world: World, fighter: Entity, goblin: Entity
) -> None:
    """Two handlers answer damage with damage."""

    def answer(event: Damage, owner: Entity | None) -> None:
        assert event.source is not None
        assert event.target is not None
        deal_damage(event.source, [(1, DamageType.FIRE)], source=event.target)

    handlers = [
        EventHandler(answer, Trigger(EventType.DAMAGE, COMPLETION, targets=[one]), owner=one)
        for one in (fighter, goblin)
    ]
    event = deal_damage(goblin, [(1, DamageType.FIRE)], source=fighter)
    assert event.canceled
    assert "RecursionError" in event.message
    lost = 200 - fighter.health.current - goblin.health.current
    assert lost == MAX_DEPTH + 1, "what had taken effect stays"
    for handler in handlers:
        handler.remove()
    assert not deal_damage(goblin, [(1, DamageType.FIRE)], source=fighter).canceled
    assert world.events.current is None
