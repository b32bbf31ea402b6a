"""Lifecycle of conditions: sub-conditions and their holders, durations, saves, immunities."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from axiom_envs.dnd.engine.creature.conditions import BaseCondition, SaveAgainst
from axiom_envs.dnd.engine.creature.durations import Moment, rounds, until, until_long_rest
from axiom_envs.dnd.engine.creature.entity import Entity
from axiom_envs.dnd.engine.creature.lifecycle import tick
from axiom_envs.dnd.engine.rules.movement import ForcedMovement, Step
from axiom_envs.dnd.engine.rules.standard import (
    Grappled,
    Incapacitated,
    Paralyzed,
    Petrified,
    Poisoned,
    Stunned,
)
from axiom_envs.dnd.engine.values.types import Ability
from axiom_envs.dnd.engine.world.dispatch import EventHandler, Trigger
from axiom_envs.dnd.engine.world.events import Event, EventPhase, EventType
from axiom_envs.dnd.engine.world.world import World
from axiom_gym.errors import ConfigError

Load = Callable[[int], EventHandler]
START, END = Moment.TURN_START, Moment.TURN_END


# -- sub-conditions --------------------------------------------------------------------------------


def test_sub_condition__is_shared_and_lasts_as_long_as_one_holder(
    fighter: Entity, goblin: Entity
) -> None:
    """Three holders from two sources share one "incapacitated", in any order of ending."""
    fighter.add_condition(Paralyzed(source=goblin))
    fighter.add_condition(Stunned())
    fighter.add_condition(Petrified(source=fighter))
    assert len(fighter.conditions["incapacitated"]) == 1
    for name in ("paralyzed", "petrified"):
        fighter.remove_condition(name)
        assert fighter.has("incapacitated")
    fighter.remove_condition("stunned")
    assert not fighter.conditions
    assert fighter.can_act


@pytest.mark.parametrize("own_first", [True, False])
@pytest.mark.parametrize("own_ends_first", [True, False])
def test_sub_condition__also_applied_on_its_own_outlives_its_holder(
    fighter: Entity, goblin: Entity, own_first: bool, own_ends_first: bool
) -> None:
    own, holder = Incapacitated(source=goblin), Stunned(source=goblin)
    for condition in (own, holder) if own_first else (holder, own):
        fighter.add_condition(condition)
    assert own.is_applied
    first, second = (own, holder) if own_ends_first else (holder, own)
    fighter.remove_condition(first)
    assert not fighter.can_act
    fighter.remove_condition(second)
    assert fighter.can_act


def test_sub_condition__keeps_its_own_time(fighter: Entity, goblin: Entity) -> None:
    """A condition of one round ends after it, even if another condition holds an equal one."""
    fighter.add_condition(Stunned(source=goblin))
    own = Incapacitated(source=goblin, duration=rounds(1))
    fighter.add_condition(own)
    tick(goblin, START)
    assert not own.is_applied
    assert fighter.has("incapacitated")
    holder = Poisoned()
    fighter.add_condition(holder)
    held = Incapacitated(source=goblin, duration=rounds(1))
    holder.add_sub_condition(held)
    assert holder.sub_conditions == (held,)
    tick(goblin, START)
    assert holder.sub_conditions == ()
    assert holder.is_applied


def test_removal__takes_sub_conditions_after_the_effects_newest_first(
    world: World, fighter: Entity
) -> None:
    class Cursed(BaseCondition):
        """A condition with three sub-conditions."""

        def _apply(self, event: Event) -> None:
            self.add_sub_condition(Poisoned(), event)
            self.add_sub_condition(Stunned(), event)

    fighter.add_condition(Cursed())
    world.log.clear()
    fighter.remove_condition("cursed")
    order = [
        (event.phase.name, event.condition.name)  # type: ignore[attr-defined]
        for event in world.log
        if event.phase in (EventPhase.DECLARATION, EventPhase.COMPLETION)
    ]
    assert order == [
        ("DECLARATION", "cursed"),
        ("DECLARATION", "stunned"),
        ("DECLARATION", "incapacitated"),
        ("COMPLETION", "incapacitated"),
        ("COMPLETION", "stunned"),
        ("DECLARATION", "poisoned"),
        ("COMPLETION", "poisoned"),
        ("COMPLETION", "cursed"),
    ]


def test_release__ends_a_sub_condition_without_other_holders(fighter: Entity) -> None:
    first, second = Poisoned(), Stunned()
    fighter.add_condition(first)
    fighter.add_condition(second)
    first.add_sub_condition(Incapacitated())
    (held,) = fighter.conditions["incapacitated"]
    assert held.holders == [second, first]
    second.remove_sub_condition(held)
    assert fighter.has("incapacitated")
    first.remove_sub_condition(held)
    assert not fighter.has("incapacitated")
    assert first.is_applied
    assert second.is_applied


def test_failing_apply__leaves_nothing(world: World, fighter: Entity) -> None:
    class Broken(BaseCondition):
        """A condition whose `_apply` fails half-way."""

        def _apply(self, event: Event) -> None:
            self.add_sub_condition(Poisoned(), event)
            raise ZeroDivisionError

    before = dict(world.objects)
    with pytest.raises(ZeroDivisionError):
        fighter.add_condition(Broken())
    assert not fighter.conditions
    assert world.objects == before


# -- repeated applications -------------------------------------------------------------------------


def test_second_application__the_longer_one_stays(fighter: Entity, goblin: Entity) -> None:
    for count, expected in ((2, 2), (1, 2), (5, 5)):
        fighter.add_condition(Poisoned(source=goblin, duration=rounds(count)))
        (found,) = fighter.conditions["poisoned"]
        assert found.duration.remaining == expected
    fighter.add_condition(Poisoned(source=goblin))
    assert fighter.conditions["poisoned"][0].describe() == "poisoned by goblin"
    fighter.add_condition(Poisoned(source=fighter, duration=rounds(1)))
    assert len(fighter.conditions["poisoned"]) == 2, "each source has its own"


# -- durations and saves ---------------------------------------------------------------------------


def test_duration__counts_the_turns_of_its_source(fighter: Entity, goblin: Entity) -> None:
    fighter.add_condition(Poisoned(source=goblin, duration=rounds(2)))
    for entity, moment, lasts in (
        (fighter, START, True),
        (goblin, END, True),
        (goblin, START, True),
        (fighter, START, True),
        (goblin, START, False),
    ):
        tick(entity, moment)
        assert fighter.has("poisoned") is lasts


def test_duration__of_the_target_until_something_holds_or_a_long_rest(
    fighter: Entity, goblin: Entity
) -> None:
    own = rounds(1, moment=END, of_target=True)
    fighter.add_condition(Poisoned(source=goblin, duration=own))
    tick(goblin, END)
    assert fighter.has("poisoned")
    tick(fighter, END)
    assert not fighter.has("poisoned")
    fighter.add_condition(Poisoned(duration=until(lambda one: goblin.health.dead)))
    fighter.add_condition(Stunned(duration=until_long_rest()))
    tick(goblin, START)
    assert fighter.has("poisoned")
    goblin.health.dead = True
    tick(goblin, START)
    assert not fighter.has("poisoned")
    assert fighter.has("stunned")
    with pytest.raises(ConfigError, match="rounds of a duration"):
        rounds(0)


def test_saves__prevent_and_end_conditions(fighter: Entity, load_dice: Load) -> None:
    save = SaveAgainst(Ability.CONSTITUTION, 12)
    load_dice(12)
    event = fighter.add_condition(Poisoned(application_save=save))
    assert event.message == "fighter saves against poisoned"
    load_dice(11)
    fighter.add_condition(Poisoned(application_save=save, removal_save=save))
    tick(fighter, END)
    assert fighter.has("poisoned")
    load_dice(12)
    tick(fighter, START)
    assert fighter.has("poisoned"), "saved against at the end of turns"
    tick(fighter, END)
    assert not fighter.has("poisoned")


def test_save__ends_a_sub_condition_too(fighter: Entity, load_dice: Load) -> None:
    holder = Poisoned()
    fighter.add_condition(holder)
    fighter.add_condition(Stunned())
    save = SaveAgainst(Ability.CONSTITUTION, 12)
    holder.add_sub_condition(Incapacitated(removal_save=save))
    assert len(fighter.conditions["incapacitated"]) == 2, "one with a save is not shared"
    load_dice(12)
    tick(fighter, END)
    assert holder.sub_conditions == ()
    assert list(fighter.conditions) == ["poisoned", "stunned", "incapacitated"]


# -- prevention ------------------------------------------------------------------------------------


def test_immunity__static_and_contextual(fighter: Entity, goblin: Entity) -> None:
    fighter.immunities["poisoned"] = ["undead nature"]
    event = fighter.add_condition(Poisoned())
    assert event.canceled
    assert event.message == "fighter is immune to poisoned: undead nature"
    goblin.contextual_immunities.append(
        lambda source, target, context: "a ward" if source is fighter else None
    )
    assert goblin.add_condition(Stunned(source=fighter)).canceled
    assert not goblin.add_condition(Stunned()).canceled


@pytest.mark.parametrize("phase", list(EventPhase)[:3])
def test_handler__prevents_a_condition_at_each_phase(
    world: World, fighter: Entity, phase: EventPhase
) -> None:
    before = dict(world.objects)
    trigger = Trigger(EventType.CONDITION_APPLICATION, phase, targets=[fighter])
    handler = EventHandler(lambda event, _: event.cancel("a ward"), trigger, world=world)
    event = fighter.add_condition(Stunned())
    handler.remove()
    assert event.canceled
    assert event.message == "a ward"
    assert not fighter.conditions
    assert world.objects == before


@pytest.mark.parametrize("phase", list(EventPhase)[:3])
def test_handler__prevents_a_removal_but_not_the_expiry(
    world: World, fighter: Entity, phase: EventPhase
) -> None:
    fighter.add_condition(Poisoned())
    trigger = Trigger(EventType.CONDITION_REMOVAL, phase)
    handler = EventHandler(lambda event, _: event.cancel("sticky"), trigger, world=world)
    event = fighter.remove_condition("poisoned")
    assert event is not None
    assert event.canceled
    assert fighter.has("poisoned")
    if phase is not EventPhase.DECLARATION:
        handler.remove()
    fighter.remove_condition("poisoned", expired=True)
    assert not fighter.has("poisoned")
    assert fighter.remove_condition("poisoned") is None


def test_sharing__that_a_handler_prevents_changes_nothing(world: World, fighter: Entity) -> None:
    fighter.add_condition(Stunned())
    other = Poisoned()
    fighter.add_condition(other)
    trigger = Trigger(EventType.CONDITION_APPLICATION, EventPhase.EFFECT)
    EventHandler(lambda event, _: event.cancel("a ward"), trigger, world=world)
    assert other.add_sub_condition(Incapacitated()).canceled
    assert other.sub_conditions == ()
    assert len(fighter.conditions["incapacitated"][0].holders) == 1


# -- a grapple -------------------------------------------------------------------------------------


def test_grapple__ends_out_of_reach_whoever_moves(fighter: Entity, goblin: Entity) -> None:
    def step(who: Entity, to: tuple[int, int]) -> None:
        who.senses.position = to
        event = Step(source=who, origin=(0, 0), destination=to).declare()
        event.phase_to(EventPhase.COMPLETION)

    fighter.add_condition(Grappled(source=goblin))
    step(goblin, (1, 1))
    assert fighter.has("grappled"), "still beside it"
    step(goblin, (2, 1))
    assert not fighter.has("grappled")
    fighter.add_condition(Grappled(source=goblin, reach=10))
    assert fighter.has("grappled")
    fighter.senses.position = (5, 5)
    pushed = ForcedMovement(target=fighter, origin=(0, 0), destination=(5, 5)).declare()
    pushed.phase_to(EventPhase.COMPLETION)
    assert not fighter.has("grappled")
