"""Attacks of creatures of the data: order of draws, riders, explanations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from axiom_envs.dnd.engine.creature.conditions import SaveAgainst
from axiom_envs.dnd.engine.encounter.creation import create
from axiom_envs.dnd.engine.features.riders import Bonds, PushRider
from axiom_envs.dnd.engine.rules import standard
from axiom_envs.dnd.engine.rules.attack import Attack
from axiom_envs.dnd.engine.rules.turns import end_turn
from axiom_envs.dnd.engine.values.types import Ability, DamageType
from axiom_envs.dnd.engine.world.world import World
from axiom_envs.dnd.geometry.terrain import parse_map
from axiom_envs.dnd.grid import Grid
from axiom_gym.errors import UnknownNameError

TEST = [20, 20]
"""The draws of a d20 test: both dice, with or without advantage."""


# -- order of draws --------------------------------------------------------------------------------


@pytest.fixture
def drawn(attack: Any, dice: Any) -> Any:
    """A function that returns the draws of an attack with chosen dice, all of which are used."""

    def drawn(faces: Iterable[int], *args: Any) -> list[int]:
        dice.show(*faces)
        attack(*args)
        assert dice.faces == []
        return dice.asked

    return drawn


def test_draws__of_a_miss_are_one_test(dice: Any, drawn: Any, pair: Any) -> None:
    bandit, ogre = pair("bandit")
    assert drawn([2, 20], bandit, ogre, "scimitar") == TEST


def test_draws__of_a_hit_are_the_test_and_the_damage(dice: Any, drawn: Any, pair: Any) -> None:
    bandit, ogre = pair("bandit")
    assert drawn([15, 1, 6], bandit, ogre, "scimitar") == [*TEST, 6]


def test_draws__of_a_critical_hit_are_all_dice_twice(dice: Any, drawn: Any, pair: Any) -> None:
    minotaur, ogre = pair("minotaur")
    assert drawn([20, 1, 1, 1, 1, 1], minotaur, ogre, "greataxe") == [*TEST, 12, 12, 12, 12]


def test_draws__sneak_attack_comes_after_the_weapon(dice: Any, drawn: Any, pair: Any) -> None:
    rogue, ogre = pair("rogue", level=5)
    create("commoner", side="a", position=(2, 0))
    assert drawn([15, 1, 3, 4, 5, 6], rogue, ogre, "shortsword") == [*TEST, 6, 6, 6, 6]
    assert drawn([15, 1, 3], rogue, ogre, "shortsword") == [*TEST, 6]


def test_draws__of_a_critical_sneak_attack_go_part_by_part(
    dice: Any, attack: Any, pair: Any
) -> None:
    rogue, ogre = pair("rogue", level=1)
    create("commoner", side="a", position=(2, 0))
    dice.show(20, 1, 1, 2, 3, 4)
    roll = attack(rogue, ogre, "shortsword").damage_roll
    assert dice.asked == [*TEST, 6, 6, 6, 6]
    assert roll is not None
    assert roll.rolled == ((1, 2), (3, 4))


def test_draws__a_rider_saves_and_then_hurts(dice: Any, drawn: Any, pair: Any) -> None:
    spider, ogre = pair("giant_spider")
    assert drawn([15, 1, 4, 5, 1, 8, 8], spider, ogre, "bite") == [*TEST, 8, *TEST, 8, 8]


def test_draws__a_rider_of_a_critical_hit_is_not_doubled(dice: Any, drawn: Any, pair: Any) -> None:
    spider, ogre = pair("giant_spider")
    faces = [20, 1, 4, 4, 5, 1, 8, 8]
    assert drawn(faces, spider, ogre, "bite") == [*TEST, 8, 8, *TEST, 8, 8]


def test_draws__a_fall_comes_before_the_riders(dice: Any, drawn: Any, pair: Any) -> None:
    wolf, zombie = pair("wolf", "zombie")
    zombie.health.current = 3
    # It survives with 1 hit point, and then makes the save against falling prone.
    faces = [15, 1, 4, 4, 15, 1, 9, 1]
    assert drawn(faces, wolf, zombie, "bite") == [*TEST, 4, 4, *TEST, *TEST]
    assert zombie.health.current == 1
    assert zombie.has("prone")


def test_draws__none_for_dead_immune_or_prone_targets(dice: Any, drawn: Any, pair: Any) -> None:
    wolf, commoner = pair("wolf", "commoner")
    assert drawn([15, 1, 4, 4], wolf, commoner, "bite") == [*TEST, 4, 4]
    ghoul, ogre = pair("ghoul")
    ogre.immunities["paralyzed"] = ["test"]
    assert drawn([15, 1, 2, 2], ghoul, ogre, "claws") == [*TEST, 4, 4]
    wolf, ogre = pair("wolf")
    ogre.add_condition(standard.Prone())
    assert drawn([15, 15, 2, 2], wolf, ogre, "bite") == [*TEST, 4, 4]


# -- riders ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("save", "prone"), [(7, True), (8, False)])
def test_prone__strength_save_as_printed(
    dice: Any, save: int, prone: bool, attack: Any, pair: Any
) -> None:
    wolf, ogre = pair("wolf")  # DC 11; an ogre's strength is +4, and 4 of 11 are missing
    dice.show(15, 1, 1, 1, save - 1, 1)
    attack(wolf, ogre, "bite")
    assert ogre.has("prone") == prone


@pytest.mark.parametrize(("save", "lost"), [(7, 1 + 3 + 9), (8, 1 + 3 + 4)])
def test_poison__is_halved_by_a_save(
    dice: Any, save: int, lost: int, attack: Any, pair: Any
) -> None:
    spider, ogre = pair("giant_spider")  # DC 11 against +3
    dice.show(15, 1, 1, save, 1, 4, 5)
    attack(spider, ogre, "bite")
    assert ogre.health.maximum.score - ogre.health.current == lost


def test_paralysis__lasts_ten_turns_or_until_a_save(dice: Any, attack: Any, pair: Any) -> None:
    ghoul, ogre = pair("ghoul")
    dice.show(15, 1, 1, 1, 2, 1)
    attack(ghoul, ogre, "claws")
    assert not ogre.can_act
    for _ in range(9):
        dice.show(6, 20)  # 9 of 10
        end_turn(ghoul)
        end_turn(ogre)
        assert dice.asked == TEST
        assert ogre.has("paralyzed")
    dice.show()
    end_turn(ogre)
    assert not ogre.has("paralyzed")
    assert ogre.can_act


def test_paralysis__ends_with_a_save(dice: Any, attack: Any, pair: Any) -> None:
    ghoul, ogre = pair("ghoul")
    dice.show(15, 1, 1, 1, 2, 1, 7, 1)
    attack(ghoul, ogre, "claws")
    end_turn(ogre)
    assert not ogre.has("paralyzed")


def test_paralysis__spares_the_undead(dice: Any, attack: Any, pair: Any) -> None:
    ghoul, zombie = pair("ghoul", "zombie")
    dice.show(15, 1, 1, 1)
    attack(ghoul, zombie, "claws")
    assert not zombie.has("paralyzed")


def test_web__holds_without_a_save_and_without_damage(dice: Any, attack: Any, pair: Any) -> None:
    spider, ogre = pair("giant_spider")
    spider.senses.position = (-4, 0)
    dice.show(15, 1)
    event = attack(spider, ogre, "web")
    assert event.damage is None
    assert ogre.health.current == ogre.health.maximum.score
    bonds = ogre.condition("bonds")
    assert isinstance(bonds, Bonds)
    assert bonds.parameters() == {"condition": "restrained", "ability": "str", "dc": 12}
    assert ogre.has("restrained")
    assert ogre.economy.current_speed == 0
    ogre.remove_condition(bonds)
    assert not ogre.has("restrained")
    assert ogre.economy.current_speed == 40


def test_web__must_recharge(dice: Any, attack: Any, pair: Any) -> None:
    spider, ogre = pair("giant_spider")
    web = spider.equipment.profile("web")
    assert web is not None
    assert web.charged
    dice.show(2, 2)
    attack(spider, ogre, "web")
    assert Attack(spider, ogre, "web").why_not() == "weapon: web is not recharged"


def test_web__does_not_affect_creatures_immune_to_restrained(
    dice: Any, attack: Any, pair: Any
) -> None:
    spider, ogre = pair("giant_spider")
    ogre.immunities["restrained"] = ["test"]
    dice.show(15, 15)
    attack(spider, ogre, "web")
    assert not ogre.has("bonds")


def test_push__does_nothing_without_a_grid(dice: Any, attack: Any, pair: Any) -> None:
    bandit, ogre = pair("bandit")
    profile = bandit.equipment.profiles[0]
    profile.riders = (PushRider(save=Ability.STRENGTH, dc=30, feet=10),)
    dice.show(15, 1, 1, 10, 10)
    attack(bandit, ogre, "scimitar")
    assert ogre.position == (1, 0)
    assert dice.faces == []


@pytest.mark.parametrize(
    ("row", "x"), [("........", 3), ("...#....", 2), ("..~.....", 1)], ids=["free", "wall", "water"]
)
def test_push__moves_as_far_as_there_is_room(
    row: str, x: int, dice: Any, attack: Any, pair: Any
) -> None:
    with World(grid=Grid(parse_map([row] * 4))) as world:
        world.rng = dice
        bandit, veteran = pair("bandit", "veteran")
        bandit.equipment.profiles[0].riders = (PushRider(feet=10),)
        dice.show(19, 1, 1)
        attack(bandit, veteran, "scimitar")
        assert veteran.position == (x, 0)
        assert dice.faces == []  # no save, nothing drawn


def test_charge__pushes_and_then_knocks_down(dice: Any, attack: Any) -> None:
    with World(grid=Grid(parse_map(["." * 12] * 4))) as world:
        world.rng = dice
        minotaur = create("minotaur", side="a", position=(2, 0))
        ogre = create("ogre", side="b", position=(4, 0))
        minotaur.economy.path = [(0, 0), (1, 0), (2, 0)]
        dice.show(15, 1, 1, 1, 1, 1, 9, 1)
        attack(minotaur, ogre, "gore")
        assert ogre.position == (6, 0)
        assert ogre.has("prone")


def test_bonds__have_saves_that_prevent_and_end_them(dice: Any) -> None:
    ogre = create("ogre")
    save = SaveAgainst(Ability.STRENGTH, 15)
    dice.show(11, 1)
    event = ogre.add_condition(Bonds(application_save=save))
    assert event.canceled
    assert not ogre.has("restrained")


# -- explanations and unknown weapons --------------------------------------------------------------


def test_explain__names_all_numbers(dice: Any, attack: Any, pair: Any) -> None:
    bear, ogre = pair("brown_bear")
    dice.show(15, 1, 3, 4)
    assert attack(bear, ogre, "claws").explain() == (
        "to-hit 5 = 4 (strength) + 2 (proficiency) - 1 (stat block); rolled 15; 20 against 11: hit;"
        " 2d6+4 slashing: 3 + 4 = 11; Ogre takes 11 of 11 slashing damage"
    )


def test_weapons__claws_are_the_main_hand_of_empty_hands(world: World, pair: Any) -> None:
    wolf, ogre = pair("wolf")
    assert Attack(wolf, ogre, "main_hand").profile.name == "bite"
    with pytest.raises(UnknownNameError, match="weapon of Wolf"):
        Attack(wolf, ogre, "off_hand")


def test_halved__damage_is_halved_in_all(dice: Any, pair: Any) -> None:
    rogue, ogre = pair("rogue", level=1)
    create("commoner", side="a", position=(2, 0))
    dice.show(15, 1, 2, 4)
    begun = Attack(rogue, ogre, "shortsword", costs=()).begin()
    event = begun.attack.finish(begun.fill(halved=True))
    assert event.damage is not None
    # 2 + 3 of the weapon and 4 of the sneak attack are 9, halved once to 4.
    assert event.damage.amounts == ((4, DamageType.PIERCING),)
