"""A loaded world equals the saved one."""

from __future__ import annotations

import json
from typing import Any

import pytest

from axiom_envs.dnd.engine import conditions, saves
from axiom_envs.dnd.engine.creature.conditions import BaseCondition, SaveAgainst
from axiom_envs.dnd.engine.creature.durations import (
    Moment,
    rounds,
    until,
    until_long_rest,
)
from axiom_envs.dnd.engine.creature.entity import Entity
from axiom_envs.dnd.engine.encounter.creation import create
from axiom_envs.dnd.engine.features.riders import Bonds
from axiom_envs.dnd.engine.rules import effects, standard
from axiom_envs.dnd.engine.rules.attack import Attack
from axiom_envs.dnd.engine.rules.turns import end_turn, start_turn
from axiom_envs.dnd.engine.values.modifiers import MinimumConstraint, NumericalModifier
from axiom_envs.dnd.engine.values.types import Ability, CostType
from axiom_envs.dnd.engine.world.world import World


def is_hurt(condition: BaseCondition) -> bool:
    """Return True when hurt; a duration refers to this function by name."""
    return condition.the_target.health.current < 50


def reload_world(world: World) -> World:
    loaded = saves.from_json(json.loads(json.dumps(saves.to_json(world))))
    assert isinstance(loaded, World)
    return loaded


@pytest.fixture
def fight() -> Any:
    """A world with a fighter next to a goblin."""
    with World(seed=7, log="full") as world:
        goblin = create("goblin", position=(2, 3), side="foes")
        fighter = create("fighter", level=3, position=(3, 3), side="party")
        yield world, fighter, goblin


def twins_of(world: World) -> list[Entity]:
    """Return the same entities in a saved and loaded world."""
    return reload_world(world).entities


def test_world__attack_by_attack_alike(fight: Any, state: Any) -> None:
    world, fighter, goblin = fight
    twin_goblin, twin = twins_of(world)
    for _ in range(2):
        event, other = Attack(fighter, goblin).apply(), Attack(twin, twin_goblin).apply()
        assert event.explain() == other.explain()
    assert state(world) == state(twin.world)


def test_world__keeps_uuids_and_log_settings(fight: Any) -> None:
    world, fighter, _ = fight
    loaded = reload_world(world)
    assert loaded.get(fighter.uuid, Entity) is loaded.entities[1]
    assert (loaded.log.mode, len(loaded.log)) == ("full", 0)


def every_condition(source: Entity, foe: Entity) -> list[BaseCondition]:
    """Return one condition of each kind, with all kinds of endings."""
    con = SaveAgainst(Ability.CONSTITUTION, 12, Moment.TURN_START)
    return [
        standard.Blinded(source=source, duration=rounds(3)),
        standard.Charmed(source=source),
        standard.Frightened(source=source, duration=until_long_rest()),
        standard.Grappled(source=source, reach=10),
        standard.Poisoned(source=source, removal_save=con),
        standard.Petrified(),
        standard.Paralyzed(source=source, duration=until(is_hurt)),
        standard.Exhaustion(3),
        standard.Prone(),
        Bonds(condition="restrained", ability="str", dc=12, source=source),
        effects.Helped(foe),
        effects.Hidden((foe,), 17),
        effects.Raging(duration=rounds(4)),
        effects.Reckless(),
        effects.Dodging(),
    ]


def test_conditions__are_restored(fight: Any) -> None:
    world, fighter, goblin = fight
    for condition in every_condition(goblin, goblin):
        fighter.add_condition(condition)
    fighter.add_condition(standard.Exhaustion(1))
    twin = twins_of(world)[1]
    before, after = fighter.active_conditions(), twin.active_conditions()
    assert len(before) == len(after) > 16
    for one, other in zip(before, after, strict=True):
        assert one.describe() == other.describe()
        assert [part.number for part in one.modifiers] == [part.number for part in other.modifiers]
        assert [part.number for part in one.handlers] == [part.number for part in other.handlers]
        assert [each.number for each in one.holders] == [each.number for each in other.holders]
    assert twin.equipment.attack_bonus.read().explain() == (
        fighter.equipment.attack_bonus.read().explain()
    )
    assert twin.health.resistances.read().parts[0].name == "petrified"


def test_conditions__end_as_they_would(fight: Any, state: Any) -> None:
    world, fighter, goblin = fight
    for condition in every_condition(goblin, goblin):
        fighter.add_condition(condition)
    twin_goblin, twin = twins_of(world)
    for _ in range(4):
        for one, other in ((fighter, twin), (goblin, twin_goblin)):
            start_turn(one), start_turn(other)
            end_turn(one), end_turn(other)
            assert state(world) == state(twin.world)
    fighter.remove_condition("petrified"), twin.remove_condition("petrified")
    assert state(world) == state(twin.world)
    assert twin.immunities == fighter.immunities == {}


def test_conditions__load_without_events_or_draws(fight: Any) -> None:
    world, fighter, _ = fight
    fighter.add_condition(standard.Unconscious())
    fighter.remove_condition("prone")
    fighter.equipment.dropped.clear()
    loaded = reload_world(world)
    twin = loaded.entities[1]
    assert (loaded.count, loaded.rng.state) == (world.count, world.rng.state)
    assert "prone" not in twin.conditions
    assert twin.equipment.dropped == []


def test_shared_sub_condition__stays_until_its_last_holder_goes(fight: Any) -> None:
    world, fighter, _ = fight
    fighter.add_condition(standard.Stunned())
    fighter.add_condition(standard.Paralyzed())
    twin = twins_of(world)[1]
    twin.remove_condition("stunned")
    assert twin.has("incapacitated")
    twin.remove_condition("paralyzed")
    assert not twin.conditions


class Weakened(conditions.BaseCondition):
    """A condition whose effect depends on the target's state, not on its arguments."""

    __slots__ = ()

    def _apply(self, event: Any) -> None:
        speed = self.the_target.economy.speed
        self.modify(speed.self_static, NumericalModifier("weak", -self.the_target.health.current))


class Levelled(conditions.BaseCondition):
    """A condition with a level."""

    __slots__ = ("level",)

    def __init__(self, level: int, **common: Any) -> None:
        super().__init__(**common)
        self.level = level


class AtLevelThree(Levelled):
    """A subclass that fixes an argument of its base class."""

    __slots__ = ()

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(level=3, **kwargs)


def test_condition__whose_class_fixes_an_argument_of_its_base(fight: Any) -> None:
    world, fighter, goblin = fight
    fighter.add_condition(AtLevelThree(source=goblin, duration=rounds(2)))
    twin_goblin, twin = twins_of(world)
    condition = twin.condition("atlevelthree", twin_goblin)
    assert isinstance(condition, AtLevelThree)
    assert (condition.level, condition.duration.remaining) == (3, 2)


def test_static_modifiers_of_conditions__keep_their_numbers(fight: Any) -> None:
    world, fighter, _ = fight
    fighter.add_condition(Weakened())
    slow = fighter.economy.current_speed
    fighter.health.current -= 5
    assert twins_of(world)[1].economy.current_speed == slow


def test_entity__keeps_changes_made_by_hand(fight: Any) -> None:
    world, fighter, goblin = fight
    fighter.proficiency.base = 9
    fighter.economy.spend(CostType.ACTIONS)
    fighter.economy.marks.update({"b", "a"})
    fighter.equipment.hands.main.attack_bonus.base = 2
    fighter.abilities.strength.to_target_static.add(NumericalModifier("aura", -1, goblin))
    fighter.saves[Ability.WISDOM].self_static.add(MinimumConstraint("calm", 10))
    fighter.health.temporary, goblin.health.dead = 4, True
    fighter.immunities["charmed"] = ["a ring"]
    fighter.economy.path = [(3, 2), (3, 3)]
    twin_goblin, twin = twins_of(world)
    assert (twin.proficiency.score, twin.economy.left(CostType.ACTIONS)) == (9, 0)
    assert twin.economy.marks == {"a", "b"}
    assert (twin.health.temporary, twin_goblin.is_alive) == (4, False)
    assert twin.equipment.hands.main is twin.equipment.profiles[0].weapon
    assert twin.equipment.hands.main.attack_bonus.score == 2
    assert twin.saves[Ability.WISDOM].score == 10
    assert twin.abilities.strength.to_target_static.modifiers[0].source is twin_goblin
    assert saves.to_json(twin.world) == saves.to_json(world)


def test_modifiers__keep_their_order(fight: Any) -> None:
    world, fighter, _ = fight
    channel = fighter.equipment.attack_bonus.self_static
    channel.add(NumericalModifier("first", 1))
    fighter.add_condition(standard.Poisoned())
    channel.add(NumericalModifier("third", 1))
    twin = twins_of(world)[1]
    parts = twin.equipment.attack_bonus.read().parts
    assert [part.name for part in parts] == ["first", "poisoned", "third"]


def test_trait__adds_a_rider_only_once() -> None:
    with World(seed=1) as world:
        minotaur = create("minotaur")
    twin = twins_of(world)[0]
    riders = [profile.riders for profile in twin.equipment.profiles]
    assert riders == [profile.riders for profile in minotaur.equipment.profiles]


def test_entity__made_by_hand_is_restored(fighter: Entity, goblin: Entity) -> None:
    twin, other = twins_of(fighter.world)
    assert (twin.name, twin.side, twin.position) == (fighter.name, fighter.side, (0, 0))
    event, again = Attack(fighter, goblin, "bow").apply(), Attack(twin, other, "bow").apply()
    assert event.explain() == again.explain()
