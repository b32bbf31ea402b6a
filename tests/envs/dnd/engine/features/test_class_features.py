"""Each class feature by its text, except for those that are actions."""

from __future__ import annotations

from typing import Any

import pytest

from axiom_envs.dnd.engine.creature.checks import read_save
from axiom_envs.dnd.engine.creature.entity import Entity
from axiom_envs.dnd.engine.creature.equipment import Armour, Weapon
from axiom_envs.dnd.engine.encounter.creation import create
from axiom_envs.dnd.engine.rules import standard
from axiom_envs.dnd.engine.rules.attack import Attack, Outcome
from axiom_envs.dnd.engine.values.modifiers import (
    AdvantageModifier,
    AdvantageStatus,
    CriticalModifier,
    CriticalStatus,
)
from axiom_envs.dnd.engine.values.types import Ability, CostType, DamageType
from axiom_envs.dnd.engine.world.world import World


def grant(entity: Entity, status: AdvantageStatus) -> None:
    entity.equipment.attack_bonus.self_static.add(AdvantageModifier("test", status))


# -- fighter ---------------------------------------------------------------------------------------


def test_dueling__one_weapon_in_one_hand(
    dice: Any, ogre: Entity, attack: Any, hero: Any, parts: Any
) -> None:
    fighter = hero("fighter", 1)
    strength = fighter.abilities.modifier(Ability.STRENGTH)
    dice.show(15, 1, 1)
    assert parts(attack(fighter, ogre, "longsword")) == [f"1d8+{strength + 2}"]
    dice.show(15, 15, 1)
    assert parts(attack(fighter, ogre, "javelin_thrown")) == [f"1d6+{strength + 2}"]
    fighter.equipment.hands.off = Weapon("dagger", (), fighter)
    dice.show(15, 1, 1)
    assert parts(attack(fighter, ogre, "longsword")) == [f"1d8+{strength}"]


def test_dueling__not_with_both_hands(
    dice: Any, ogre: Entity, attack: Any, hero: Any, parts: Any
) -> None:
    fighter = hero("fighter", 1)
    fighter.equipment.hands.shield = False
    sword = fighter.equipment.profile("longsword")
    assert sword is not None
    sword.two_handed = True
    dice.show(15, 1, 1)
    strength = fighter.abilities.modifier(Ability.STRENGTH)
    assert parts(attack(fighter, ogre, "longsword")) == [f"1d8+{strength}"]


def test_dueling__not_with_ranged_weapons(dice: Any, ogre: Entity, hero: Any, parts: Any) -> None:
    fighter = hero("fighter", 1)
    crossbow = fighter.equipment.profiles[0]
    crossbow.mode, crossbow.two_handed = "ranged", False
    crossbow.normal = crossbow.long = 30
    strength = fighter.abilities.modifier(Ability.STRENGTH)
    dice.show(15, 15, 1)
    event = Attack(fighter, ogre, crossbow, costs=()).apply()
    assert parts(event)[0].endswith(f"+{strength}")


@pytest.mark.parametrize(
    ("level", "natural", "outcome"),
    [
        (1, 19, Outcome.HIT),
        (3, 18, Outcome.HIT),
        (3, 19, Outcome.CRITICAL),
        (3, 20, Outcome.CRITICAL),
    ],
)
def test_improved_critical__from_19_on(
    dice: Any, ogre: Entity, level: int, natural: int, outcome: Outcome, attack: Any, hero: Any
) -> None:
    fighter = hero("fighter", level)
    dice.show(natural, 1, 1, 1)
    event = attack(fighter, ogre, "longsword")
    assert event.outcome is outcome
    assert len(dice.asked) == (4 if outcome is Outcome.CRITICAL else 3)


def test_improved_critical__19_must_hit(dice: Any, ogre: Entity, attack: Any, hero: Any) -> None:
    fighter = hero("fighter", 3)
    ogre.equipment.natural = 30
    dice.show(19, 1)
    assert attack(fighter, ogre, "longsword").outcome is Outcome.MISS


def test_improved_critical__respects_never_critical(
    dice: Any, ogre: Entity, attack: Any, hero: Any
) -> None:
    fighter = hero("fighter", 3)
    never = CriticalModifier("test", CriticalStatus.NOCRIT)
    ogre.equipment.armour_class.to_target_static.add(never)
    dice.show(19, 1, 1)
    assert attack(fighter, ogre, "longsword").outcome is Outcome.HIT


# -- rogue -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("advantage", "ally", "sneaks"),
    [
        (None, False, False),
        (None, True, True),
        (AdvantageStatus.ADVANTAGE, False, True),
        (AdvantageStatus.DISADVANTAGE, True, False),
        ("both", True, True),
        ("both", False, False),
    ],
)
def test_sneak_attack__needs_advantage_or_an_ally(
    dice: Any,
    ogre: Entity,
    advantage: Any,
    ally: bool,
    sneaks: bool,
    attack: Any,
    hero: Any,
    parts: Any,
) -> None:
    rogue = hero("rogue", 3)
    if ally:
        hero("fighter", 1, (3, 0))
    for status in AdvantageStatus:
        if advantage in (status, "both"):
            grant(rogue, status)
    dice.show(15, 15, 1, *[1, 1] * sneaks)
    event = attack(rogue, ogre, "shortsword")
    assert len(parts(event)) == 1 + sneaks
    assert dice.faces == []


@pytest.mark.parametrize(
    ("weapon", "x"), [("shortsword", 0), ("dagger", 0), ("dagger_thrown", -2), ("shortbow", -2)]
)
def test_sneak_attack__finesse_or_ranged(
    dice: Any, ogre: Entity, weapon: str, x: int, attack: Any, hero: Any, parts: Any
) -> None:
    rogue = hero("rogue", 1, (x, 0))
    hero("fighter", 1, (3, 0))
    dice.show(15, 15, 1, 1)
    assert parts(attack(rogue, ogre, weapon))[1:] == ["1d6"]


def test_sneak_attack__not_with_a_club(
    dice: Any, ogre: Entity, attack: Any, hero: Any, parts: Any
) -> None:
    rogue = hero("rogue", 1)
    hero("fighter", 1, (3, 0))
    rogue.equipment.profiles[0].weapon.properties = frozenset({"light"})
    dice.show(15, 1, 1)
    assert len(parts(attack(rogue, ogre, "shortsword"))) == 1


def test_sneak_attack__once_a_turn(
    dice: Any, ogre: Entity, attack: Any, hero: Any, parts: Any
) -> None:
    rogue = hero("rogue", 5)
    hero("fighter", 1, (3, 0))
    counts = []
    for _ in range(2):
        dice.show(15, 1, *[1] * 4)
        counts.append(len(parts(attack(rogue, ogre, "shortsword"))))
    rogue.economy.end_turn()  # a reaction happens in another creature's turn
    dice.show(15, 1, *[1] * 4)
    counts.append(len(parts(attack(rogue, ogre, "shortsword"))))
    assert counts == [2, 1, 2]


def test_sneak_attack__an_incapacitated_ally_does_not_help(
    dice: Any, ogre: Entity, attack: Any, hero: Any, parts: Any
) -> None:
    rogue = hero("rogue", 1)
    hero("fighter", 1, (3, 0)).add_condition(standard.Incapacitated())
    dice.show(15, 1, 1)
    assert len(parts(attack(rogue, ogre, "shortsword"))) == 1


def test_uncanny_dodge__halves_one_attack(dice: Any, ogre: Entity, attack: Any, hero: Any) -> None:
    rogue = hero("rogue", 5)
    lost = []
    for _ in range(2):
        rogue.health.current = 38
        dice.show(15, 1, 8, 5)
        attack(ogre, rogue, "greatclub")
        lost.append(38 - rogue.health.current)
    assert lost == [17 // 2, 17]
    assert rogue.economy.left(CostType.REACTIONS) == 0


@pytest.mark.parametrize("hindrance", [standard.Blinded, standard.Incapacitated])
def test_uncanny_dodge__needs_sight_and_a_reaction(
    dice: Any, ogre: Entity, hindrance: Any, attack: Any, hero: Any
) -> None:
    rogue = hero("rogue", 5)
    rogue.add_condition(hindrance())
    dice.show(15, 15, 1, 1)
    assert not attack(ogre, rogue, "greatclub").halved


def test_uncanny_dodge__not_against_hits_without_damage(dice: Any, attack: Any, hero: Any) -> None:
    rogue, spider = hero("rogue", 5), create("giant_spider", side="b", position=(4, 0))
    dice.show(15, 15)
    attack(spider, rogue, "web")
    assert rogue.economy.left(CostType.REACTIONS) == 1


# -- barbarian -------------------------------------------------------------------------------------


def test_unarmoured_defence__only_without_armour(world: World, hero: Any) -> None:
    barbarian = hero("barbarian", 1)
    assert barbarian.equipment.read_armour_class().total == 14
    barbarian.equipment.armour = Armour("leather", 11)
    assert barbarian.equipment.read_armour_class().total == 13


def test_danger_sense__dexterity_saves_against_visible_sources(
    world: World, ogre: Entity, hero: Any
) -> None:
    barbarian = hero("barbarian", 3)
    assert read_save(barbarian, Ability.DEXTERITY, ogre).advantage == 1
    assert read_save(barbarian, Ability.DEXTERITY).advantage == 1
    assert read_save(barbarian, Ability.CONSTITUTION, ogre).advantage == 0
    ogre.add_condition(standard.Invisible())
    assert read_save(barbarian, Ability.DEXTERITY, ogre).advantage == 0
    barbarian.add_condition(standard.Deafened())
    assert read_save(barbarian, Ability.DEXTERITY).advantage == 0


def test_fast_movement__not_in_heavy_armour(world: World, hero: Any) -> None:
    barbarian = hero("barbarian", 5)
    assert barbarian.economy.current_speed == 40
    barbarian.equipment.armour = Armour("plate", 18, 0)
    assert barbarian.economy.current_speed == 30


# -- ranger ----------------------------------------------------------------------------------------


def test_archery__only_ranged_weapons(world: World, ogre: Entity, hero: Any) -> None:
    novice, archer = hero("ranger", 1), hero("ranger", 3)
    bows = [Attack(one, ogre, "longbow").read()[0].total for one in (novice, archer)]
    swords = [Attack(one, ogre, "shortsword").read()[0].total for one in (novice, archer)]
    assert bows[1] - bows[0] == 2
    assert swords[1] - swords[0] == 0


def test_archery__not_for_thrown_weapons(world: World, ogre: Entity, hero: Any) -> None:
    archer = hero("ranger", 3)
    archer.equipment.profiles[0].mode = "thrown"
    score = Attack(archer, ogre, archer.equipment.profiles[0]).read()[0]
    assert "archery" not in score.explain()


def test_colossus_slayer__against_the_wounded_once_a_turn(
    dice: Any, ogre: Entity, attack: Any, hero: Any, parts: Any
) -> None:
    ranger = hero("ranger", 3)
    found = []
    for _ in range(3):
        dice.show(15, 1, 1, 1)
        found.append(parts(attack(ranger, ogre, "shortsword"))[1:])
    assert found == [[], ["1d8"], []]


def test_damage__of_one_type_is_one_amount(dice: Any, ogre: Entity, attack: Any, hero: Any) -> None:
    ranger = hero("ranger", 3)
    ogre.health.current = 30
    dice.show(15, 1, 2, 3)
    event = attack(ranger, ogre, "shortsword")
    assert event.damage is not None
    dexterity = ranger.abilities.modifier(Ability.DEXTERITY)
    assert event.damage.amounts == ((2 + dexterity + 3, DamageType.PIERCING),)
