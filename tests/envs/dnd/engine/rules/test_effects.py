"""Conditions that actions and features cause."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from axiom_envs.dnd.engine.creature.checks import read_check, read_save, roll_check
from axiom_envs.dnd.engine.creature.entity import Entity
from axiom_envs.dnd.engine.rules.attack import Attack
from axiom_envs.dnd.engine.rules.damage import deal_damage
from axiom_envs.dnd.engine.rules.effects import (
    Disengaged,
    Dodging,
    Helped,
    HelpedCheck,
    Hidden,
    Raging,
    Reckless,
    Surprised,
    reveal_to,
)
from axiom_envs.dnd.engine.rules.perception import sees
from axiom_envs.dnd.engine.rules.standard import Blinded, Grappled, Stunned, Unconscious
from axiom_envs.dnd.engine.rules.turns import end_turn, start_turn
from axiom_envs.dnd.engine.values.types import Ability, CostType, DamageType, Skill

Make = Callable[..., Entity]


def advantage(attacker: Entity, target: Entity, weapon: str = "sword") -> int:
    return Attack(attacker, target, weapon).read()[0].advantage


def test_dodging__until_its_next_turn(fighter: Entity, goblin: Entity) -> None:
    fighter.add_condition(Dodging())
    assert advantage(goblin, fighter) == -1
    assert read_save(fighter, Ability.DEXTERITY).advantage == 1
    end_turn(fighter)
    start_turn(goblin)
    assert fighter.has("dodging")
    start_turn(fighter)
    assert not fighter.has("dodging")
    assert advantage(goblin, fighter) == 0


def test_dodging__has_no_effect_if_unseen_held_or_stunned(fighter: Entity, goblin: Entity) -> None:
    fighter.add_condition(Dodging())
    fighter.add_condition(Blinded())
    assert advantage(goblin, fighter) == 1, "blinded alone, for it cannot see who attacks"
    assert read_save(fighter, Ability.DEXTERITY).advantage == 1
    fighter.remove_condition("blinded")
    for condition in (Grappled(source=goblin), Stunned()):
        fighter.add_condition(condition)
        assert advantage(goblin, fighter) == (condition.name == "stunned")
        assert read_save(fighter, Ability.DEXTERITY).advantage == 0
        fighter.remove_condition(condition)
    assert advantage(goblin, fighter) == -1


def test_disengaged_and_surprised__end_with_its_turn(fighter: Entity, goblin: Entity) -> None:
    for condition in (Disengaged(), Surprised()):
        fighter.add_condition(condition)
    assert fighter.economy.current_speed == 0
    kinds = (CostType.ACTIONS, CostType.BONUS_ACTIONS, CostType.REACTIONS, CostType.MOVEMENT)
    assert [fighter.economy.left(kind) for kind in kinds] == [0, 0, 0, 0]
    for moment in (start_turn, end_turn):
        moment(goblin)
    start_turn(fighter)
    assert list(fighter.conditions) == ["disengaged", "surprised"]
    end_turn(fighter)
    assert not fighter.conditions
    assert [fighter.economy.left(kind) for kind in kinds] == [1, 1, 1, 30]


def test_helped__only_the_first_attack_against_that_creature(make: Make, fighter: Entity) -> None:
    helper, foe, other = make("helper"), make("foe"), make("other")
    fighter.add_condition(Helped(foe, source=helper))
    assert (advantage(fighter, foe), advantage(fighter, other)) == (1, 0)
    Attack(fighter, other, "sword", costs=()).apply()
    assert fighter.has("helped")
    assert Attack(fighter, foe, "sword", costs=()).apply().roll.advantage == 1  # type: ignore[union-attr]
    assert not fighter.has("helped")
    fighter.add_condition(Helped(foe, source=helper))
    start_turn(helper)
    assert not fighter.has("helped")


def test_helped_check__only_the_next_check(make: Make, fighter: Entity) -> None:
    fighter.add_condition(HelpedCheck(source=make("helper")))
    assert roll_check(fighter, Skill.STEALTH).roll.advantage == 1  # type: ignore[union-attr]
    assert roll_check(fighter, Skill.STEALTH).roll.advantage == 0  # type: ignore[union-attr]


def test_hidden__ends_after_one_unseen_attack(fighter: Entity, goblin: Entity) -> None:
    fighter.add_condition(Hidden((goblin,), 15))
    assert not sees(goblin, fighter)
    assert advantage(goblin, fighter) == -1
    event = Attack(fighter, goblin, "sword", costs=()).apply()
    assert event.roll is not None
    assert event.roll.advantage == 1
    assert not fighter.has("hidden")
    assert sees(goblin, fighter)


def test_reveal__affects_one_observer_only(make: Make, fighter: Entity, goblin: Entity) -> None:
    other = make("other", side="b")
    fighter.add_condition(Hidden((goblin, other), 15))
    reveal_to(fighter, goblin)
    assert (sees(goblin, fighter), sees(other, fighter)) == (True, False)
    (hidden,) = fighter.conditions["hidden"]
    assert hidden.parameters() == {"unaware": (other,), "stealth": 15}
    reveal_to(fighter, other)
    assert not fighter.has("hidden")


def test_raging__strength_damage_and_resistance(fighter: Entity, goblin: Entity) -> None:
    fighter.add_condition(Raging(bonus=3))
    equipment = fighter.equipment
    contexts = [Attack(fighter, goblin, name).profile for name in ("sword", "bow")]
    bonuses = [
        equipment.weapon_dice(profile, goblin, {"profile": profile}).bonus for profile in contexts
    ]
    assert bonuses == [6, 0]
    assert read_check(fighter, Skill.ATHLETICS).advantage == 1
    assert read_check(fighter, Ability.STRENGTH).advantage == 1
    assert read_check(fighter, Skill.STEALTH).advantage == 0
    assert read_save(fighter, Ability.STRENGTH).advantage == 1
    taken = [deal_damage(fighter, [(8, kind)]).total for kind in DamageType]
    resisted = (DamageType.BLUDGEONING, DamageType.PIERCING, DamageType.SLASHING)
    assert taken == [4 if kind in resisted else 8 for kind in DamageType]


def test_raging__ends_after_ten_rounds_or_unconscious(fighter: Entity) -> None:
    fighter.add_condition(Raging())
    fighter.add_condition(Stunned())
    assert fighter.has("raging")
    fighter.add_condition(Unconscious())
    assert not fighter.has("raging")
    fighter.remove_condition("unconscious")
    fighter.add_condition(Raging())
    for turn in range(10):
        assert fighter.has("raging"), turn
        start_turn(fighter)
    assert not fighter.has("raging")


@pytest.mark.parametrize(("weapon", "expected"), [("sword", 1), ("bow", 0), ("throw", 0)])
def test_reckless__lasts_until_its_next_turn(
    make: Make, fighter: Entity, weapon: str, expected: int
) -> None:
    foe = make("foe", (1, 0))
    sword = fighter.equipment.profiles[0]
    throw = replace(sword, name="throw", mode="thrown", normal=20, long=60, index=2)
    fighter.equipment.profiles.append(throw)
    start_turn(fighter)
    fighter.add_condition(Reckless())
    assert advantage(fighter, foe, weapon) == expected
    assert advantage(foe, fighter) == 1
    end_turn(fighter)
    assert advantage(fighter, foe, weapon) == 0, "not with a reaction"
    assert advantage(foe, fighter) == 1
    start_turn(fighter)
    assert advantage(foe, fighter) == 0
