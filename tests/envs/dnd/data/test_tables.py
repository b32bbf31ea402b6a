"""Weapons, armour and monsters against the tables of the SRD, typed in a second time."""

from __future__ import annotations

import pickle
from fractions import Fraction
from typing import get_args

import pytest

from axiom_envs.dnd.constants import AbilityName, DamageName, SizeName, SkillName
from axiom_envs.dnd.data import (
    armour,
    armour_names,
    class_names,
    creature,
    creature_names,
    parse_dice,
    weapon,
    weapon_names,
)
from axiom_envs.dnd.data.models import AttackSpec, CreatureSpec
from axiom_envs.dnd.data.tables import TRAITS, modifier
from axiom_envs.dnd.engine.values import types
from axiom_gym.errors import ConfigError, UnknownNameError

TYPES = {"B": "bludgeoning", "P": "piercing", "S": "slashing"}

# Name, dice (and in two hands), type, range, properties.
WEAPONS = """
dagger 1d4 P 20/60 finesse light thrown
handaxe 1d6 S 20/60 light thrown
javelin 1d6 P 30/120 thrown
mace 1d6 B -
quarterstaff 1d6/1d8 B - versatile
spear 1d6/1d8 P 20/60 thrown versatile
club 1d4 B - light
greatclub 1d8 B - two_handed
light_crossbow 1d8 P 80/320 ammunition loading two_handed
shortbow 1d6 P 80/320 ammunition two_handed
sling 1d4 B 30/120 ammunition
battleaxe 1d8/1d10 S - versatile
longsword 1d8/1d10 S - versatile
warhammer 1d8/1d10 B - versatile
glaive 1d10 S - heavy reach two_handed
halberd 1d10 S - heavy reach two_handed
pike 1d10 P - heavy reach two_handed
greataxe 1d12 S - heavy two_handed
greatsword 2d6 S - heavy two_handed
maul 2d6 B - heavy two_handed
rapier 1d8 P - finesse
scimitar 1d6 S - finesse light
shortsword 1d6 P - finesse light
morningstar 1d8 P -
flail 1d8 B -
whip 1d4 S - finesse reach
hand_crossbow 1d6 P 30/120 ammunition light loading
heavy_crossbow 1d10 P 100/400 ammunition heavy loading two_handed
longbow 1d8 P 150/600 ammunition heavy two_handed
"""

# Name, armour class, maximum Dexterity modifier, Strength, disadvantage on Stealth.
ARMOUR = """
padded 11 - 0 noise
leather 11 - 0
studded_leather 12 - 0
hide 12 2 0
chain_shirt 13 2 0
scale_mail 14 2 0 noise
breastplate 14 2 0
half_plate 15 2 0 noise
ring_mail 14 0 0 noise
chain_mail 16 0 13 noise
splint 17 0 15 noise
plate 18 0 15 noise
shield 2 - 0
"""

# Name | challenge, armour class, hit points, dice, speed, six abilities, size | attacks | traits.
CREATURES = """
commoner|0 10 4 1d8 30 10 10 10 10 10 10 M|club +2 1d4 B
bandit|1/8 12 11 2d8+2 30 11 12 12 10 10 10 M|scimitar +3 1d6+1 S; light_crossbow +3 1d8+1 P 80/320
guard|1/8 16 11 2d8+2 30 13 12 12 10 11 10 M|spear +3 1d6+1 P; spear_two_handed +3 1d8+1 P;\
 spear_thrown +3 1d6+1 P 20/60
kobold|1/8 12 5 2d6-2 30 7 15 9 8 7 8 S|dagger +4 1d4+2 P; sling +4 1d4+2 B 30/120|pack_tactics\
 sunlight_sensitivity
goblin|1/4 15 7 2d6 30 8 14 10 10 8 8 S|scimitar +4 1d6+2 S; shortbow +4 1d6+2 P 80/320\
|nimble_escape
skeleton|1/4 13 13 2d8+4 30 10 14 15 6 8 5 M|shortsword +4 1d6+2 P; shortbow +4 1d6+2 P 80/320
zombie|1/4 8 22 3d8+9 20 13 6 16 3 6 5 M|slam +3 1d6+1 B|undead_fortitude
wolf|1/4 13 11 2d8+2 40 12 15 12 3 12 6 M|bite +4 2d4+2 P|pack_tactics
orc|1/2 13 15 2d8+6 30 16 12 16 7 11 10 M|greataxe +5 1d12+3 S; javelin +5 1d6+3 P;\
 javelin_thrown +5 1d6+3 P 30/120|aggressive
hobgoblin|1/2 18 11 2d8+2 30 13 12 12 10 10 9 M|longsword +3 1d8+1 S;\
 longsword_two_handed +3 1d10+1 S; longbow +3 1d8+1 P 150/600|martial_advantage
gnoll|1/2 15 22 5d8 30 14 12 11 6 10 7 M|spear +4 1d6+2 P; bite +4 1d4+2 P;\
 spear_thrown +4 1d6+2 P 20/60; longbow +3 1d8+1 P 150/600|rampage
thug|1/2 11 32 5d8+10 30 15 11 14 10 10 11 M|mace +4 1d6+2 B; heavy_crossbow +2 1d10 P 100/400\
|pack_tactics
scout|1/2 13 16 3d8+3 30 11 14 12 11 13 11 M|shortsword +4 1d6+2 P; longbow +4 1d8+2 P 150/600
worg|1/2 13 26 4d10+4 50 16 13 13 7 11 8 L|bite +5 2d6+3 P
bugbear|1 16 27 5d8+5 30 15 14 13 8 11 9 M|morningstar +4 2d8+2 P; javelin +4 2d6+2 P;\
 javelin_thrown +4 1d6+2 P 30/120|surprise_attack
ghoul|1 12 22 5d8 30 13 15 10 7 10 6 M|claws +4 2d4+2 S; bite +2 2d6+2 P
giant_spider|1 14 26 4d10+4 30 14 16 12 2 11 4 L|bite +5 1d8+3 P; web +5 - - 30/60
dire_wolf|1 14 37 5d10+10 50 17 15 15 3 12 7 L|bite +5 2d6+3 P|pack_tactics
brown_bear|1 11 34 4d10+12 40 19 10 16 2 13 7 L|claws +5 2d6+4 S; bite +5 1d8+4 P
ogre|2 11 59 7d10+21 40 19 8 16 5 7 7 L|greatclub +6 2d8+4 B; javelin +6 2d6+4 P;\
 javelin_thrown +6 2d6+4 P 30/120
berserker|2 13 67 9d8+27 30 16 12 17 9 11 9 M|greataxe +5 1d12+3 S|reckless
bandit_captain|2 15 65 10d8+20 30 15 16 14 14 11 14 M|scimitar +5 1d6+3 S; dagger +5 1d4+3 P;\
 dagger_thrown +5 1d4+3 P 20/60|parry
veteran|3 17 58 9d8+18 30 16 13 14 10 11 10 M|longsword +5 1d8+3 S;\
 longsword_two_handed +5 1d10+3 S; shortsword +5 1d6+3 P; heavy_crossbow +3 1d10+1 P 100/400
knight|3 18 52 8d8+16 30 16 11 14 11 11 15 M|greatsword +5 2d6+3 S;\
 heavy_crossbow +2 1d10 P 100/400|brave parry
minotaur|3 14 76 9d10+27 40 18 11 16 6 16 9 L|greataxe +6 2d12+4 S; gore +6 2d8+4 P\
|charge reckless
troll|5 15 84 8d10+40 30 18 13 20 7 9 7 L|claw +7 2d6+4 S; bite +7 1d6+4 P|regeneration
gladiator|5 16 112 15d8+45 30 18 15 16 10 12 15 M|spear +7 2d6+4 P; spear_thrown +7 2d6+4 P 20/60;\
 shield_bash +7 2d4+4 B|brave parry
"""

XP = {"0": 10, "1/8": 25, "1/4": 50, "1/2": 100, "1": 200, "2": 450, "3": 700, "5": 1800}

MULTIATTACK = {
    "thug": "mace mace",
    "scout": "shortsword shortsword|longbow longbow",
    "brown_bear": "bite claws",
    "bandit_captain": "scimitar scimitar dagger|dagger_thrown dagger_thrown",
    "veteran": "longsword longsword shortsword|longsword_two_handed longsword_two_handed",
    "knight": "greatsword greatsword",
    "troll": "bite claw claw",
    "gladiator": "spear spear spear|spear spear shield_bash|spear shield_bash shield_bash"
    "|shield_bash shield_bash shield_bash|spear_thrown spear_thrown",
}

# Difficulty class of the save against a rider.
RIDERS = {
    "wolf": ("bite", "prone", "str", 11),
    "worg": ("bite", "prone", "str", 13),
    "dire_wolf": ("bite", "prone", "str", 13),
    "gladiator": ("shield_bash", "prone", "str", 15),
    "ghoul": ("claws", "condition", "con", 10),
    "giant_spider": ("bite", "damage", "con", 11),
}


def rows(table: str) -> list[list[str]]:
    return [line.split("|") for line in table.strip().splitlines()]


def attack(spec: CreatureSpec, name: str) -> AttackSpec:
    return next(entry for entry in spec.attacks if entry.name == name)


def test_weapons__match_the_table() -> None:
    assert set(weapon_names()) == {row[0].split()[0] for row in rows(WEAPONS)}
    for (line,) in rows(WEAPONS):
        name, dice, kind, distances, *properties = line.split()
        spec = weapon(name)
        assert (spec.name, spec.damage_type) == (name, TYPES[kind])
        hands = [str(entry) for entry in (spec.dice, spec.versatile_dice) if entry is not None]
        assert "/".join(hands) == dice
        assert spec.range == (None if distances == "-" else tuple(map(int, distances.split("/"))))
        assert spec.properties == set(properties)
        assert spec.melee == ("ammunition" not in properties)
        assert spec.reach == (10 if "reach" in properties else 5)


def test_armour__matches_the_table() -> None:
    assert set(armour_names()) == {row[0].split()[0] for row in rows(ARMOUR)}
    for (line,) in rows(ARMOUR):
        name, base, cap, strength, *noise = line.split()
        spec = armour(name)
        assert (spec.base, spec.strength) == (int(base), int(strength))
        assert spec.dex_cap == (None if cap == "-" else int(cap))
        assert spec.stealth_disadvantage == bool(noise)


def test_creatures__match_the_table() -> None:
    table = rows(CREATURES)
    assert set(creature_names()) == {row[0] for row in table}
    for name, numbers, attacks, *traits in table:
        spec = creature(name)
        rating, ac, hp, dice, speed, *abilities, size = numbers.split()
        assert (spec.cr, spec.xp) == (Fraction(rating), XP[rating]), name
        assert (spec.ac, spec.hp, str(spec.hit_dice)) == (int(ac), int(hp), dice), name
        assert (spec.speed, spec.size[0].upper()) == (int(speed), size), name
        assert list(spec.abilities.values()) == list(map(int, abilities)), name
        assert list(spec.abilities) == ["str", "dex", "con", "int", "wis", "cha"]
        assert [entry.name for entry in spec.traits] == " ".join(traits).split(), name
        assert (spec.player, spec.level) == (False, None)
        assert [printed(entry) for entry in spec.attacks] == attacks.split("; "), name


def printed(entry: AttackSpec) -> str:
    damage = str(entry.dice or "-") + (f"{entry.damage_bonus:+d}" if entry.damage_bonus else "")
    kind = entry.damage_type[0].upper() if entry.damage_type else "-"
    distances = f" {entry.range[0]}/{entry.range[1]}" if entry.range else ""
    return f"{entry.name} {entry.to_hit:+d} {damage} {kind}{distances}"


def test_hit_points__are_the_mean_of_the_dice_rounded_down() -> None:
    for spec in map(creature, creature_names()):
        assert spec.hp == int(spec.hit_dice.mean())
        assert spec.hit_dice.bonus == spec.hit_dice.count * spec.modifier("con")


def test_to_hit__follows_from_the_scores_except_for_two_creatures() -> None:
    odd = set()
    for spec in map(creature, creature_names()):
        for entry in spec.attacks:
            if entry.to_hit != spec.modifier(entry.ability) + spec.proficiency:
                odd.add((spec.name, entry.name))
                assert spec.notes
    assert odd == {("ghoul", "bite"), ("brown_bear", "claws"), ("brown_bear", "bite")}


def test_multiattack__matches_the_table() -> None:
    for name in creature_names():
        alternatives = ["|".join(map(" ".join, creature(name).multiattack))]
        assert alternatives == [MULTIATTACK.get(name, "")]


def test_riders__match_the_table() -> None:
    for name in creature_names():
        riders = [(e.name, r.kind, r.save, r.dc) for e in creature(name).attacks for r in e.riders]
        web = [("web", "condition", None, None)] if name == "giant_spider" else []
        assert riders == ([RIDERS[name]] if name in RIDERS else []) + web
    claws = attack(creature("ghoul"), "claws").riders[0]
    assert (claws.condition, claws.rounds, claws.repeat) == ("paralyzed", 10, "turn_end")
    assert claws.spares == ("undead",)
    poison = attack(creature("giant_spider"), "bite").riders[0]
    assert (str(poison.dice), poison.damage_type, poison.half) == ("2d8", "poison", True)
    web_attack = attack(creature("giant_spider"), "web")
    held = web_attack.riders[0]
    assert (web_attack.recharge, held.condition) == (5, "restrained")
    assert (held.escape, held.escape_dc) == ("str", 12)


def test_traits__have_their_numbers() -> None:
    def parameters(name: str, trait: str) -> dict[str, object]:
        return dict(next(t for t in creature(name).traits if t.name == trait).parameters)

    assert parameters("zombie", "undead_fortitude") == {"dc": 5}
    assert parameters("hobgoblin", "martial_advantage") == {"dice": "2d6"}
    assert parameters("gnoll", "rampage") == {"attack": "bite"}
    assert parameters("bugbear", "surprise_attack") == {"dice": "2d6"}
    assert [parameters(n, "parry")["bonus"] for n in ("bandit_captain", "knight", "gladiator")] == [
        2,
        2,
        3,
    ]
    charge = {"attack": "gore", "distance": 10, "dice": "2d8", "dc": 14}
    assert parameters("minotaur", "charge") == charge
    regeneration = {"amount": 10, "stopped_by": ["acid", "fire"]}
    assert parameters("troll", "regeneration") == regeneration
    assert creature("hobgoblin").traits[0].dice.mean() == 7


def test_defences_and_senses__match_the_table() -> None:
    skeleton, zombie, ghoul = map(creature, ("skeleton", "zombie", "ghoul"))
    assert skeleton.vulnerabilities == {"bludgeoning"}
    assert {spec.immunities for spec in (skeleton, zombie, ghoul)} == {frozenset({"poison"})}
    assert skeleton.condition_immunities == {"poisoned", "exhaustion"}
    assert ghoul.condition_immunities == {"charmed", "exhaustion", "poisoned"}
    assert zombie.saves == {"wis": 0}
    assert creature("goblin").skills == {"stealth": 6}
    assert creature("scout").skills["perception"] == 5
    assert creature("guard").skills == {"perception": 2}
    assert creature("goblin").senses.darkvision == 60
    assert creature("giant_spider").senses.blindsight == 10
    assert [name for name in creature_names() if creature(name).hands == 0] == [
        "wolf",
        "worg",
        "giant_spider",
        "dire_wolf",
        "brown_bear",
    ]


def test_proficiency__rises_with_the_challenge() -> None:
    assert creature("commoner").proficiency == creature("kobold").proficiency == 2
    assert creature("knight").proficiency == 2
    assert creature("troll").proficiency == 3
    assert [modifier(score) for score in (1, 8, 9, 10, 11, 12, 30)] == [-5, -1, -1, 0, 0, 1, 10]


def test_dice__are_read_and_written() -> None:
    assert [parse_dice(t).mean() for t in ("1d8", "2d6+3", "2d6-2", "10d8+20")] == [4.5, 10, 5, 65]
    assert [str(parse_dice(t)) for t in ("1d8", "2d6+3", "2d6-2")] == ["1d8", "2d6+3", "2d6-2"]
    for text in ("d6", "0d6", "2d0", "2d6+", "2 d6", "2d6+3\n", 7, None, "1\uff12d6"):
        with pytest.raises(ConfigError, match="does not describe dice"):
            parse_dice(text)


def test_specs__are_frozen_and_can_be_pickled() -> None:
    ghoul = creature("ghoul")
    assert creature("ghoul") is ghoul
    assert pickle.loads(pickle.dumps(ghoul)) == ghoul
    with pytest.raises(ValueError, match="frozen"):
        ghoul.hp = 1  # type: ignore[misc]


def test_names__unknown_ones_list_the_known_ones() -> None:
    with pytest.raises(UnknownNameError, match=r"unknown weapon 'dager'.*'dagger'"):
        weapon("dager")
    with pytest.raises(UnknownNameError, match=r"unknown armour 'shields'.*'shield'"):
        armour("shields")
    with pytest.raises(UnknownNameError, match=r"unknown creature 'fihgter'.*'fighter'.*'goblin'"):
        creature("fihgter")
    with pytest.raises(ConfigError, match="level must be None, as 'goblin' is not a class, got 3"):
        creature("goblin", 3)


def test_traits__are_all_used() -> None:
    specs = [creature(name) for name in creature_names()]
    specs += [creature(name, level) for name in class_names() for level in (1, 3, 5)]
    assert {trait.name for spec in specs for trait in spec.traits} == set(TRAITS)


def test_names__are_those_of_the_engine() -> None:
    assert get_args(AbilityName) == tuple(entry.value for entry in types.Ability)
    assert get_args(SkillName) == tuple(entry.value for entry in types.Skill)
    assert get_args(DamageName) == tuple(entry.value for entry in types.DamageType)
    assert set(get_args(SizeName)) <= {entry.value for entry in types.Size}
    assert list(types.SKILL_ABILITIES) == list(types.Skill)
