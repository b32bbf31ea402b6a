"""The actions that features grant, and breaking free of bonds."""

from __future__ import annotations

from typing import Any

import pytest

from axiom_envs.dnd.engine.creature.checks import read_save
from axiom_envs.dnd.engine.creature.entity import Entity
from axiom_envs.dnd.engine.creature.equipment import Armour
from axiom_envs.dnd.engine.encounter.creation import create
from axiom_envs.dnd.engine.features.feature_actions import (
    FEATURES,
    ActionSurge,
    EscapeBonds,
    FeatureAction,
    Rage,
    RecklessAttack,
    SecondWind,
    make_feature,
    why_not_feature,
)
from axiom_envs.dnd.engine.features.riders import Bonds
from axiom_envs.dnd.engine.rules import standard
from axiom_envs.dnd.engine.rules.attack import Attack
from axiom_envs.dnd.engine.rules.turns import end_turn, start_turn
from axiom_envs.dnd.engine.values.types import Ability, CostType
from axiom_envs.dnd.engine.world.world import World
from axiom_gym.errors import UnknownNameError


@pytest.mark.parametrize("level", [1, 3, 5])
def test_second_wind__heals_a_die_and_the_level_once(dice: Any, level: int, hero: Any) -> None:
    fighter = hero("fighter", level)
    fighter.health.current = 1
    dice.show(4)
    SecondWind(fighter).apply()
    assert dice.asked == [10]
    assert fighter.health.current == 1 + 4 + level
    assert fighter.economy.left(CostType.BONUS_ACTIONS) == 0
    assert fighter.economy.left(CostType.ACTIONS) == 1
    fighter.economy.renew_turn()
    event = SecondWind(fighter).apply()
    assert event.canceled
    assert event.message == "second wind: Fighter has no uses of it left"
    assert fighter.economy.left(CostType.BONUS_ACTIONS) == 1


def test_action_surge__one_more_action_in_one_turn(world: World, ogre: Entity, hero: Any) -> None:
    fighter = hero("fighter", 5)
    start_turn(fighter)
    assert not ActionSurge(fighter).apply().canceled
    assert fighter.economy.left(CostType.ACTIONS) == 2
    ogre.health.current = ogre.health.maximum.base = 1000
    attacks = [Attack(fighter, ogre, "longsword").apply() for _ in range(5)]
    assert [one.canceled for one in attacks] == [False] * 4 + [True]
    end_turn(fighter)
    assert not fighter.has("surging")
    start_turn(fighter)
    assert fighter.economy.left(CostType.ACTIONS) == 1
    assert why_not_feature(fighter, "action surge") == "Fighter has no uses of it left"


def test_rage__strength_and_resistance(
    dice: Any, ogre: Entity, attack: Any, hero: Any, parts: Any
) -> None:
    barbarian = hero("barbarian", 1)
    assert not Rage(barbarian).apply().canceled
    assert read_save(barbarian, Ability.STRENGTH).advantage == 1
    strength = barbarian.abilities.modifier(Ability.STRENGTH)
    dice.show(15, 1, 1)
    assert parts(attack(barbarian, ogre, "greataxe")) == [f"1d12+{strength + 2}"]
    dice.show(15, 15, 1)
    assert parts(attack(barbarian, ogre, "handaxe_thrown")) == [f"1d6+{strength}"]
    barbarian.health.current = 14
    dice.show(15, 1, 8, 5)
    attack(ogre, barbarian, "greatclub")
    assert barbarian.health.current == 14 - 17 // 2


def test_rage__costs_a_use_and_a_bonus_action(world: World, hero: Any) -> None:
    barbarian = hero("barbarian", 1)
    for left in (1, 0):
        assert not Rage(barbarian).apply().canceled
        assert barbarian.uses["rage"] == left
        assert why_not_feature(barbarian, "rage") in (
            "Barbarian already rages",
            "Barbarian has no uses of it left",
        )
        barbarian.remove_condition("raging")
        barbarian.economy.renew_turn()
    assert Rage(barbarian).apply().message == "rage: Barbarian has no uses of it left"


def test_rage__not_in_heavy_armour_nor_without_a_bonus_action(world: World, hero: Any) -> None:
    barbarian = hero("barbarian", 1)
    barbarian.economy.spend(CostType.BONUS_ACTIONS)
    assert why_not_feature(barbarian, "rage") == "Barbarian does not have 1 bonus action left"
    barbarian.equipment.armour = Armour("plate", 18, 0, 15, stealth_disadvantage=True)
    assert why_not_feature(barbarian, "rage") == "Barbarian wears heavy armour"


def test_rage__lasts_ten_rounds(world: World, hero: Any) -> None:
    barbarian = hero("barbarian", 1)
    start_turn(barbarian)
    Rage(barbarian).apply()
    for _ in range(9):
        end_turn(barbarian)
        start_turn(barbarian)
    assert barbarian.has("raging")
    end_turn(barbarian)
    start_turn(barbarian)
    assert not barbarian.has("raging")


def test_reckless__before_the_first_attack_and_free(world: World, ogre: Entity, hero: Any) -> None:
    barbarian = hero("barbarian", 5)
    start_turn(barbarian)
    assert not RecklessAttack(barbarian).apply().canceled
    assert barbarian.economy.left(CostType.ACTIONS) == 1
    assert Attack(barbarian, ogre, "greataxe").read()[0].advantage == 1
    assert Attack(ogre, barbarian, "greatclub").read()[0].advantage == 1
    assert why_not_feature(barbarian, "reckless") == "Barbarian is already reckless"
    end_turn(barbarian)
    assert Attack(ogre, barbarian, "greatclub").read()[0].advantage == 1
    start_turn(barbarian)
    assert Attack(ogre, barbarian, "greatclub").read()[0].advantage == 0


def test_reckless__not_after_an_attack(world: World, ogre: Entity) -> None:
    berserker = create("berserker", side="a", position=(0, 0))
    assert why_not_feature(berserker, "reckless") is None
    Attack(berserker, ogre, "greataxe").apply()
    event = RecklessAttack(berserker).apply()
    assert event.message == "reckless: Berserker has already attacked in this turn"


# -- breaking free ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("natural", "free"), [(7, False), (8, True)])
def test_escape_bonds__a_strength_check(dice: Any, ogre: Entity, natural: int, free: bool) -> None:
    ogre.add_condition(Bonds(ability="str", dc=12))
    assert ogre.has("restrained")
    dice.show(natural, 1)
    EscapeBonds(ogre).apply()
    assert ogre.has("restrained") != free
    assert ogre.has("bonds") != free
    assert ogre.economy.left(CostType.ACTIONS) == 0


def test_escape_bonds__only_for_held_creatures(world: World, ogre: Entity) -> None:
    assert EscapeBonds(ogre).apply().message == "break free: nothing holds Ogre"
    assert ogre.economy.left(CostType.ACTIONS) == 1


# -- all of them -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FEATURES)
def test_features__need_the_trait(world: World, ogre: Entity, name: str) -> None:
    reason = why_not_feature(ogre, name)
    assert reason is not None
    feature = make_feature(ogre, name)
    assert isinstance(feature, FeatureAction)
    assert feature.apply().message == f"{name}: {reason}"
    assert ogre.economy.used == dict.fromkeys(ogre.economy.used, 0)


def test_features__need_the_ability_to_act(world: World, hero: Any) -> None:
    fighter = hero("fighter", 3)
    fighter.add_condition(standard.Incapacitated())
    reason = why_not_feature(fighter, "action surge")
    assert reason == "Fighter is incapacitated"


def test_features__an_unknown_one_is_an_error(world: World, ogre: Entity) -> None:
    with pytest.raises(UnknownNameError, match="second wind"):
        make_feature(ogre, "second win")
    with pytest.raises(UnknownNameError, match="second wind"):
        why_not_feature(ogre, "second win")
