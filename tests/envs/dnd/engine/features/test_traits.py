"""Each trait of the stat blocks by its text."""

from __future__ import annotations

from typing import Any

import pytest

from axiom_envs.dnd.data.tables import TRAITS
from axiom_envs.dnd.engine.creature.checks import read_save
from axiom_envs.dnd.engine.creature.entity import Entity
from axiom_envs.dnd.engine.encounter.creation import create
from axiom_envs.dnd.engine.features.traits import INSTALLERS, install_trait
from axiom_envs.dnd.engine.rules import effects, standard
from axiom_envs.dnd.engine.rules.actions import Cost
from axiom_envs.dnd.engine.rules.attack import Attack, AttackEvent, Outcome
from axiom_envs.dnd.engine.rules.damage import deal_damage
from axiom_envs.dnd.engine.rules.turns import end_turn, start_turn
from axiom_envs.dnd.engine.values.types import Ability, CostType, DamageType
from axiom_envs.dnd.engine.world.world import World
from axiom_gym.errors import UnknownNameError

REACTION = (Cost(CostType.REACTIONS),)


def advantage(source: Entity, target: Entity) -> int:
    return Attack(source, target, "main_hand").read()[0].advantage


def test_traits__of_the_data_all_have_installers() -> None:
    assert INSTALLERS.keys() == TRAITS.keys()


def test_traits__an_unknown_one_is_an_error(world: World) -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'parry'"):
        install_trait(create("ogre"), "parri", {})


@pytest.mark.parametrize(
    ("name", "trait"),
    [("goblin", "nimble_escape"), ("orc", "aggressive"), ("kobold", "sunlight_sensitivity")],
)
def test_flags__are_found_and_change_nothing(world: World, name: str, trait: str) -> None:
    entity = create(name)
    assert trait in entity.traits
    before = len(world.objects)
    INSTALLERS[trait](entity, {})
    assert len(world.objects) == before


# -- pack tactics ----------------------------------------------------------------------------------


def test_pack_tactics__needs_an_ally_beside_the_target(world: World, pair: Any) -> None:
    wolf, ogre = pair("wolf")
    assert advantage(wolf, ogre) == 0
    ally = create("wolf", side="a", position=(9, 9))
    assert advantage(wolf, ogre) == 0
    ally.place((3, 2))
    assert advantage(wolf, ogre) == 1
    ally.add_condition(standard.Incapacitated())
    assert advantage(wolf, ogre) == 0
    ally.remove_condition("incapacitated")
    deal_damage(ally, [(99, DamageType.FIRE)])
    assert advantage(wolf, ogre) == 0


def test_pack_tactics__an_enemy_is_no_ally(world: World, pair: Any) -> None:
    wolf, ogre = pair("wolf")
    create("ogre", side="b", position=(3, 0))
    create("ogre", position=(3, 0))  # without a side
    assert advantage(wolf, ogre) == 0
    wolf.side = None
    assert advantage(wolf, ogre) == 0


# -- brave -----------------------------------------------------------------------------------------


def test_brave__saves_against_fear_have_advantage(world: World) -> None:
    knight = create("knight")
    fear, poison = {"condition": "frightened"}, {"condition": "poisoned"}
    assert read_save(knight, Ability.WISDOM, None, fear).advantage == 1
    assert read_save(knight, Ability.WISDOM, None, poison).advantage == 0
    assert read_save(knight, Ability.WISDOM).advantage == 0


# -- undead fortitude ------------------------------------------------------------------------------


def zombie_after(dice: Any, save: int, **settings: Any) -> Entity:
    """Return a zombie that takes 22 damage, and so has to save against DC 27 with +3."""
    zombie = create("zombie")
    dice.show(save, 1)
    kind = settings.pop("kind", DamageType.SLASHING)
    zombie.health.current = settings.pop("current", 22)
    deal_damage(zombie, [(settings.pop("amount", 22), kind)], **settings)
    return zombie


@pytest.mark.parametrize(("save", "left"), [(12, 0), (13, 1), (20, 1)])
def test_undead_fortitude__dc_is_5_and_the_damage(dice: Any, save: int, left: int) -> None:
    zombie = zombie_after(dice, save, amount=11, current=4)  # DC 16 against +3
    assert zombie.health.current == left
    assert zombie.is_alive == (left == 1)
    assert dice.asked == [20, 20]


def test_undead_fortitude__not_against_radiant_damage(dice: Any) -> None:
    assert not zombie_after(dice, 20, kind=DamageType.RADIANT).is_alive
    assert dice.asked == []


def test_undead_fortitude__not_against_critical_hits(dice: Any) -> None:
    assert not zombie_after(dice, 20, critical=True).is_alive
    assert dice.asked == []


def test_undead_fortitude__only_at_0_hit_points(dice: Any) -> None:
    assert zombie_after(dice, 20, amount=21).health.current == 1
    assert dice.asked == []


# -- extra dice ------------------------------------------------------------------------------------


def test_martial_advantage__once_a_turn_beside_an_ally(
    dice: Any, attack: Any, pair: Any, parts: Any
) -> None:
    hobgoblin, ogre = pair("hobgoblin")
    dice.show(15, 1, 8)
    assert parts(attack(hobgoblin, ogre, "longsword")) == ["1d8+1"]
    create("goblin", side="a", position=(3, 0))
    dice.show(15, 1, 8, 6, 6)
    assert parts(attack(hobgoblin, ogre, "longsword")) == ["1d8+1", "2d6"]
    dice.show(15, 1, 8)
    assert parts(attack(hobgoblin, ogre, "longsword")) == ["1d8+1"]
    hobgoblin.economy.renew_turn()
    dice.show(15, 1, 8, 6, 6)
    assert parts(attack(hobgoblin, ogre, "longsword")) == ["1d8+1", "2d6"]


def test_martial_advantage__a_miss_does_not_use_it(dice: Any, attack: Any, pair: Any) -> None:
    hobgoblin, ogre = pair("hobgoblin")
    create("goblin", side="a", position=(3, 0))
    dice.show(2, 2)
    attack(hobgoblin, ogre, "longsword")
    assert hobgoblin.economy.marks == set()


def test_surprise_attack__only_against_surprised_targets(
    dice: Any, attack: Any, pair: Any, parts: Any
) -> None:
    bugbear, ogre = pair("bugbear")
    dice.show(15, 1, 8, 8)
    assert parts(attack(bugbear, ogre, "morningstar")) == ["2d8+2"]
    ogre.add_condition(effects.Surprised())
    for _ in range(2):
        dice.show(15, 1, 1, 1, 6, 6)
        assert parts(attack(bugbear, ogre, "morningstar")) == ["2d8+2", "2d6"]


# -- charge ----------------------------------------------------------------------------------------


@pytest.fixture
def charge(attack: Any, dice: Any, parts: Any) -> Any:
    """A function: the damage of a minotaur after a path, against an ogre on (8, 4)."""

    def charge(path: list[tuple[int, int]], weapon: str = "gore") -> list[str]:
        minotaur = create("minotaur", side="a", position=path[-1] if path else (6, 4))
        ogre = create("ogre", side="b", position=(8, 4))
        minotaur.economy.path = list(path)
        dice.show(15, 15, *[1] * 4, 20, 20)
        return parts(attack(minotaur, ogre, weapon))

    return charge


@pytest.mark.parametrize(
    ("path", "charges"),
    [
        pytest.param([(4, 4), (5, 4), (6, 4)], True, id="two steps straight"),
        pytest.param([(5, 4), (6, 4)], False, id="one step"),
        pytest.param([(4, 3), (5, 4), (6, 4)], False, id="around a corner"),
        pytest.param([(4, 5), (4, 4), (5, 4), (6, 4)], True, id="straight in the end"),
        pytest.param([(4, 0), (5, 1), (6, 2)], True, id="diagonally"),
        pytest.param([(6, 0), (6, 1), (6, 2), (6, 3), (6, 4)], False, id="past it"),
        pytest.param([(8, 6), (9, 6), (10, 6)], False, id="along its side"),
        pytest.param([], False, id="not at all"),
    ],
)
def test_charge__needs_10_ft_straight_toward_the_target(
    dice: Any, path: list[tuple[int, int]], charges: bool, charge: Any
) -> None:
    assert charge(path) == (["2d8+4", "2d8"] if charges else ["2d8+4"])


def test_charge__applies_to_gore_only(dice: Any, charge: Any) -> None:
    assert charge([(4, 4), (5, 4), (6, 4)], "greataxe") == ["2d12+4"]


def test_charge__ends_when_the_minotaur_moves_or_is_moved(
    dice: Any, attack: Any, pair: Any, parts: Any
) -> None:
    minotaur, ogre = pair("minotaur")
    minotaur.economy.path = [(-3, 0), (-2, 0), (-1, 0)]
    minotaur.place((-1, 1))
    dice.show(15, 1, 1, 1)
    assert parts(attack(minotaur, ogre, "gore")) == ["2d8+4"]


@pytest.mark.parametrize(("save", "prone"), [(9, True), (10, False)])
def test_charge__knocks_down_unless_strength_saves(
    dice: Any, save: int, prone: bool, attack: Any
) -> None:
    minotaur = create("minotaur", side="a", position=(2, 0))
    ogre = create("ogre", side="b", position=(4, 0))
    minotaur.economy.path = [(0, 0), (1, 0), (2, 0)]
    dice.show(15, 1, 1, 1, 1, 1, save, 1)
    attack(minotaur, ogre, "gore")
    assert dice.asked == [20, 20, 8, 8, 8, 8, 20, 20]
    assert ogre.has("prone") == prone


# -- rampage ---------------------------------------------------------------------------------------


def test_rampage__available_when_a_melee_attack_fells(dice: Any, attack: Any, pair: Any) -> None:
    gnoll, commoner = pair("gnoll", "commoner")
    dice.show(15, 1, 6)
    attack(gnoll, commoner, "spear")
    assert "rampage" in gnoll.economy.marks


def test_rampage__not_without_a_fall_nor_at_range_nor_as_a_reaction(
    dice: Any, attack: Any, pair: Any
) -> None:
    gnoll, ogre = pair("gnoll")
    dice.show(15, 1, 6)
    attack(gnoll, ogre, "spear")
    ogre.health.current = 1
    dice.show(15, 15, 6)
    attack(gnoll, ogre, "longbow")
    assert not ogre.is_alive
    commoner = create("commoner", side="b", position=(1, 0))
    dice.show(15, 1, 6)
    attack(gnoll, commoner, "spear", costs=REACTION)
    assert not commoner.is_alive
    assert gnoll.economy.marks == set()


# -- regeneration ----------------------------------------------------------------------------------


def test_regeneration__heals_at_the_start_of_each_turn(world: World) -> None:
    troll = create("troll")
    troll.health.current = 50
    start_turn(troll)
    assert troll.health.current == 60
    troll.health.current = 80
    start_turn(troll)
    assert troll.health.current == 84


@pytest.mark.parametrize("kind", [DamageType.ACID, DamageType.FIRE])
def test_regeneration__fire_and_acid_stop_it_for_a_turn(world: World, kind: DamageType) -> None:
    troll = create("troll")
    deal_damage(troll, [(30, DamageType.COLD), (5, kind)])
    start_turn(troll)
    assert troll.health.current == 49
    end_turn(troll)
    start_turn(troll)
    assert troll.health.current == 59


def test_regeneration__revives_at_0_hit_points(world: World) -> None:
    troll = create("troll")
    deal_damage(troll, [(500, DamageType.SLASHING)])
    assert (troll.health.current, troll.is_alive, troll.can_act) == (0, True, False)
    for _ in range(4):  # damage at 0 hit points does not kill it
        deal_damage(troll, [(100, DamageType.SLASHING)])
    assert troll.is_alive
    start_turn(troll)
    assert (troll.health.current, troll.can_act) == (10, True)


def test_regeneration__without_it_the_troll_dies_in_its_turn(world: World) -> None:
    troll = create("troll")
    deal_damage(troll, [(500, DamageType.SLASHING)])
    deal_damage(troll, [(1, DamageType.FIRE)])
    assert troll.is_alive
    start_turn(troll)
    assert not troll.is_alive


# -- parry -----------------------------------------------------------------------------------------


@pytest.fixture
def parry(attack: Any, dice: Any, pair: Any) -> Any:
    """A function: an ogre (+6) attacks a knight of armour class 18, who parries with 2."""

    def parry(natural: int, weapon: str = "greatclub") -> AttackEvent:
        knight, ogre = pair("knight")
        if weapon != "greatclub":
            ogre.place((3, 0))
        dice.show(natural, natural, 1, 1, 1, 1)
        return attack(ogre, knight, weapon)

    return parry


@pytest.mark.parametrize(
    ("natural", "outcome", "parries"),
    [
        (11, Outcome.MISS, False),  # 17 misses anyway
        (12, Outcome.MISS, True),  # 18 and 19 would hit
        (13, Outcome.MISS, True),
        (14, Outcome.HIT, False),  # 20 hits anyway
        (20, Outcome.CRITICAL, False),
    ],
)
def test_parry__only_if_it_changes_the_outcome(
    dice: Any, natural: int, outcome: Outcome, parries: bool, parry: Any
) -> None:
    event = parry(natural)
    assert event.outcome is outcome
    assert event.target is not None
    assert event.target.economy.left(CostType.REACTIONS) == (0 if parries else 1)


def test_parry__once_a_round(dice: Any, attack: Any, parry: Any) -> None:
    event = parry(13)
    assert event.source is not None
    assert event.target is not None
    dice.show(13, 1, 1, 1)
    assert attack(event.source, event.target, "greatclub").outcome is Outcome.HIT
    event.target.economy.renew_turn()
    dice.show(13, 1)
    assert attack(event.source, event.target, "greatclub").outcome is Outcome.MISS


def test_parry__explains_itself(dice: Any, parry: Any) -> None:
    event = parry(13)
    assert event.armour_class is not None
    assert event.armour_class.explain() == "20 = 18 (plate) + 2 (parry)"
    assert event.explain().endswith("19 against 20, +2 (parry): miss")


def test_parry__leaves_the_earlier_event_unchanged(dice: Any, pair: Any) -> None:
    knight, ogre = pair("knight")
    dice.show(13, 1)
    before = Attack(ogre, knight, "greatclub", costs=()).begin()
    after = knight.reactions[0].use(knight, before)
    assert before.armour_class is not None
    assert before.armour_class.explain() == "18 = 18 (plate)"
    assert (before.outcome, after.outcome) == (Outcome.HIT, Outcome.MISS)


def test_parry__not_against_missiles(dice: Any, parry: Any) -> None:
    event = parry(13, "javelin_thrown")
    assert event.outcome is Outcome.HIT


@pytest.mark.parametrize("condition", [standard.Blinded, standard.Incapacitated])
def test_parry__needs_sight_and_a_reaction(
    dice: Any, condition: Any, attack: Any, pair: Any
) -> None:
    knight, ogre = pair("knight")
    knight.add_condition(condition())
    dice.show(13, 13, 1, 1)
    assert attack(ogre, knight, "greatclub").outcome is Outcome.HIT


def test_parry__needs_a_melee_weapon_in_the_hand(dice: Any, attack: Any, pair: Any) -> None:
    knight, ogre = pair("knight")
    sword = knight.equipment.hands.main
    assert sword is not None
    knight.equipment.dropped.append(sword)
    dice.show(13, 1, 1, 1)
    assert attack(ogre, knight, "greatclub").outcome is Outcome.HIT
