"""Entities from the data: their numbers are those of the stat blocks."""

from __future__ import annotations

from typing import Any

import pytest

from axiom_envs.dnd.data import class_names, creature, creature_names
from axiom_envs.dnd.data.load import Library
from axiom_envs.dnd.engine.creature.checks import passive_perception, read_check, read_save
from axiom_envs.dnd.engine.creature.entity import Entity
from axiom_envs.dnd.engine.encounter.creation import create, create_from
from axiom_envs.dnd.engine.rules.attack import Attack
from axiom_envs.dnd.engine.values.modifiers import ResistanceStatus
from axiom_envs.dnd.engine.values.types import Ability, DamageType, Size, Skill
from axiom_envs.dnd.engine.world.world import World
from axiom_envs.dnd.geometry.terrain import parse_map
from axiom_envs.dnd.grid import Grid
from axiom_gym.errors import ConfigError, UnknownNameError

LEVELS = (1, 3, 5)
EVERYBODY = [
    *((name, None) for name in creature_names()),
    *((name, level) for name in class_names() for level in LEVELS),
]

PRINTED: dict[str, tuple[int, int, int, dict[str, tuple[int, str]]]] = {
    "bandit": (12, 11, 30, {"scimitar": (3, "1d6+1"), "light_crossbow": (3, "1d8+1")}),
    "goblin": (15, 7, 30, {"scimitar": (4, "1d6+2"), "shortbow": (4, "1d6+2")}),
    "zombie": (8, 22, 20, {"slam": (3, "1d6+1")}),
    "wolf": (13, 11, 40, {"bite": (4, "2d4+2")}),
    "hobgoblin": (18, 11, 30, {"longsword": (3, "1d8+1"), "longsword_two_handed": (3, "1d10+1")}),
    "gnoll": (15, 22, 30, {"bite": (4, "1d4+2"), "spear": (4, "1d6+2"), "longbow": (3, "1d8+1")}),
    "bugbear": (16, 27, 30, {"morningstar": (4, "2d8+2"), "javelin_thrown": (4, "1d6+2")}),
    "ghoul": (12, 22, 30, {"bite": (2, "2d6+2"), "claws": (4, "2d4+2")}),
    "giant_spider": (14, 26, 30, {"bite": (5, "1d8+3"), "web": (5, "0")}),
    "brown_bear": (11, 34, 40, {"bite": (5, "1d8+4"), "claws": (5, "2d6+4")}),
    "ogre": (11, 59, 40, {"greatclub": (6, "2d8+4"), "javelin": (6, "2d6+4")}),
    "bandit_captain": (15, 65, 30, {"scimitar": (5, "1d6+3"), "dagger_thrown": (5, "1d4+3")}),
    "knight": (18, 52, 30, {"greatsword": (5, "2d6+3"), "heavy_crossbow": (2, "1d10")}),
    "minotaur": (14, 76, 40, {"greataxe": (6, "2d12+4"), "gore": (6, "2d8+4")}),
    "troll": (15, 84, 30, {"bite": (7, "1d6+4"), "claw": (7, "2d6+4")}),
    "gladiator": (16, 112, 30, {"spear": (7, "2d6+4"), "shield_bash": (7, "2d4+4")}),
}
"""Armour class, hit points, speed, and to-hit and damage of attacks (SRD 5.1)."""


@pytest.fixture
def world() -> Any:
    with World(seed=1) as world:
        yield world


def numbers(entity: Entity, name: str) -> tuple[int, str]:
    """Return to-hit and damage of an attack, as computed by the engine."""
    dummy = Entity("dummy")
    profile = entity.equipment.profile(name)
    assert profile is not None
    attack = Attack(entity, dummy, profile)
    return attack.read()[0].total, str(entity.equipment.weapon_dice(profile, dummy)).split()[0]


@pytest.mark.parametrize("name", PRINTED)
def test_create__has_the_printed_numbers(world: World, name: str) -> None:
    armour_class, hit_points, speed, attacks = PRINTED[name]
    entity = create(name)
    assert entity.equipment.read_armour_class().total == armour_class
    assert entity.health.current == entity.health.maximum.score == hit_points
    assert entity.economy.current_speed == speed
    assert {attack: numbers(entity, attack) for attack in attacks} == attacks


@pytest.mark.parametrize(("name", "level"), EVERYBODY)
def test_create__agrees_with_the_data(world: World, name: str, level: int | None) -> None:
    spec, entity = creature(name, level), create(name, level=level)
    assert (entity.spec, entity.level, entity.is_player) == (name, level or 0, level is not None)
    assert entity.name == spec.title
    if spec.ac is not None:
        assert entity.equipment.read_armour_class().total == spec.ac
    for skill, total in spec.skills.items():
        assert read_check(entity, Skill(skill)).total == total
    for save, total in spec.saves.items():
        assert read_save(entity, Ability(save)).total == total
    assert [one.name for one in entity.equipment.profiles] == [one.name for one in spec.attacks]
    assert [one.index for one in entity.equipment.profiles] == list(range(len(spec.attacks)))
    archery = 2 * ("archery" in entity.traits)
    for attack in spec.attacks:
        bonus = archery if attack.mode == "ranged" else 0
        assert numbers(entity, attack.name)[0] == attack.to_hit + bonus
    assert list(entity.traits) == [trait.name for trait in spec.traits]


@pytest.mark.parametrize(("name", "level"), EVERYBODY)
def test_create__can_attack(world: World, name: str, level: int | None) -> None:
    entity = create(name, level=level, side="a")
    target = create("commoner", side="b")
    event = Attack(entity, target, "main_hand").apply()
    assert not event.canceled, event.message
    assert event.profile.index == 0
    assert entity.economy.used[Attack.default_costs[0].kind.ACTIONS] == 1


@pytest.mark.parametrize(
    ("name", "level", "explained"),
    [
        ("fighter", 1, "18 = 16 (chain mail) + 2 (shield)"),
        ("rogue", 1, "14 = 11 (leather) + 3 (dexterity)"),
        ("barbarian", 1, "14 = 10 (unarmoured) + 2 (dexterity) + 2 (constitution)"),
        ("ranger", 1, "15 = 12 (studded leather) + 3 (dexterity)"),
    ],
)
def test_create__armour_class_of_characters(
    world: World, name: str, level: int, explained: str
) -> None:
    assert create(name, level=level).equipment.read_armour_class().explain() == explained


def test_create__explains_the_armour_class(world: World) -> None:
    score = create("goblin").equipment.read_armour_class()
    assert score.explain() == "15 = 11 (leather) + 2 (dexterity) + 2 (shield)"


def test_create__shares_a_weapon_that_is_used_in_two_ways(world: World) -> None:
    javelins = [create("orc").equipment.profile(name) for name in ("javelin", "javelin_thrown")]
    assert javelins[0] is not None
    assert javelins[1] is not None
    captain = create("bandit_captain").equipment
    dagger, thrown = captain.profiles[1], captain.profiles[2]
    assert dagger.weapon is thrown.weapon
    assert dagger.weapon is not captain.profiles[0].weapon is captain.hands.main


def test_create__natural_weapons_leave_the_hands_free(world: World) -> None:
    troll, wolf, guard = create("troll").equipment, create("wolf").equipment, create("guard")
    assert (troll.hands.main, troll.hands.free) == (None, 2)
    assert wolf.hands.free == 0
    assert guard.equipment.hands.free == 0  # spear and shield
    assert "natural" in troll.profiles[0].weapon.properties


def test_create__a_shield_leaves_bows_but_no_second_hand(world: World) -> None:
    goblin, guard, dummy = create("goblin", side="a"), create("guard", side="a"), create("ogre")
    assert Attack(goblin, dummy, "shortbow").why_not() is None
    reason = Attack(guard, dummy, "spear_two_handed").why_not()
    assert reason is not None
    assert "shield" in reason


@pytest.mark.parametrize(
    ("name", "level", "plans"),
    [
        ("commoner", None, {(0,)}),
        ("orc", None, {(0,), (1,), (2,)}),
        ("thug", None, {(0, 0), (1,)}),
        ("bandit_captain", None, {(0, 0, 1), (2, 2)}),
        ("veteran", None, {(0, 0, 2), (1, 1), (3,)}),
        ("troll", None, {(0, 0, 1)}),
        ("ranger", 5, {(0, 0), (0, 1), (1, 1)}),
    ],
)
def test_create__plans_of_the_attack_action(
    world: World, name: str, level: int | None, plans: set[tuple[int, ...]]
) -> None:
    equipment = create(name, level=level).equipment
    assert set(equipment.plans) == plans
    assert equipment.replaces == (name not in ("thug", "bandit_captain", "veteran", "troll"))


def test_create__multiattack_is_used_up_attack_by_attack(world: World) -> None:
    captain, dummy = create("bandit_captain"), Entity("dummy", hit_points=10**6)
    for name in ("scimitar", "dagger", "scimitar"):
        assert not Attack(captain, dummy, name).apply().canceled
    reason = Attack(captain, dummy, "scimitar").why_not()
    assert reason is not None
    assert reason.startswith("cost")


def test_create__resistances_and_immunities(world: World) -> None:
    skeleton = create("skeleton")
    assert list(skeleton.health.statuses(DamageType.BLUDGEONING)) == [
        ResistanceStatus.VULNERABILITY
    ]
    assert list(skeleton.health.statuses(DamageType.POISON)) == [ResistanceStatus.IMMUNITY]
    assert set(skeleton.immunities) == {"exhaustion", "poisoned"}


def test_create__senses_size_and_kind(world: World) -> None:
    spider = create("giant_spider", position=(2, 3), side="foes", title="Boris")
    assert (spider.senses.blindsight.score, spider.senses.darkvision.score) == (10, 60)
    assert (spider.size, spider.kind, spider.position) == (Size.LARGE, "beast", (2, 3))
    assert (spider.name, spider.side) == ("Boris", "foes")


def test_create__noisy_armour_hinders_stealth(world: World) -> None:
    assert read_check(create("fighter"), Skill.STEALTH).advantage == -1
    assert read_check(create("rogue"), Skill.STEALTH).advantage == 0


def test_create__proficiency_multiples_follow_from_the_totals(world: World) -> None:
    scout, rogue = create("scout"), create("rogue", level=3)
    assert scout.skills.proficiencies[Skill.STEALTH] == 2
    assert scout.skills.proficiencies[Skill.PERCEPTION] == 2
    assert rogue.skills.proficiencies[Skill.ATHLETICS] == 1
    assert passive_perception(scout) == 15


def test_create_from__keeps_totals_that_do_not_follow(world: World) -> None:
    spec = creature("goblin").model_copy(update={"skills": {"stealth": 9}, "saves": {"wis": 3}})
    goblin = create_from(spec)
    assert read_check(goblin, Skill.STEALTH).total == 9
    assert read_save(goblin, Ability.WISDOM).total == 3
    assert goblin.skills.proficiencies == {}


def test_create__armour_slows_the_weak(world: World) -> None:
    strong = creature("fighter", 1)
    weak = strong.model_copy(update={"abilities": {**strong.abilities, "str": 12}})
    assert create_from(strong).economy.current_speed == 30
    assert create_from(weak).economy.current_speed == 20


def test_create__rolls_hit_points(world: World) -> None:
    asked = []

    class Dice:
        def below(self, sides: int) -> int:
            asked.append(sides)
            return 2

    world.rng = Dice()  # type: ignore[assignment]
    ogre = create("ogre", roll_hit_points=True)
    assert asked == [10] * 7
    assert ogre.health.current == ogre.health.maximum.score == 7 * 3 + 21


def test_create__on_an_occupied_square_creates_no_entity() -> None:
    with World(grid=Grid(parse_map(["..#."] * 4))) as world:
        create("goblin", position=(0, 0))
        for square in ((0, 0), (2, 0), (4, 0)):
            with pytest.raises(ConfigError):
                create("goblin", position=square)
        assert [one.position for one in world.entities] == [(0, 0)]


def test_create__does_not_draw(world: World) -> None:
    before = world.rng.state
    create("ogre")
    assert world.rng.state == before


def test_create__uses_a_library(world: World) -> None:
    frosty = {
        "title": "Frosty",
        "cr": "0",
        "xp": 10,
        "kind": "elemental",
        "size": "medium",
        "hp": 4,
        "hit_dice": "1d8",
        "ac": 10,
        "speed": 30,
        "abilities": dict.fromkeys(("str", "dex", "con", "int", "wis", "cha"), 10),
        "attacks": [
            {
                "name": "claws",
                "mode": "melee",
                "ability": "dex",
                "dice": "1d4",
                "damage_type": "cold",
                "to_hit": 2,
            }
        ],
    }
    library = Library.builtin().extended_by({"creatures": {"frosty": frosty}})
    assert create("frosty", library=library).name == "Frosty"
    with pytest.raises(UnknownNameError, match="frosty"):
        create("frosty")


def test_create__unknown_names_list_the_known_ones(world: World) -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'goblin'"):
        create("gobblin")
    with pytest.raises(ConfigError, match="level of 'fighter' must be one of 1, 3, 5, got 2"):
        create("fighter", level=2)
