"""The four classes at their three levels."""

from __future__ import annotations

import pytest

from axiom_envs.dnd.data import class_names, creature
from axiom_gym.errors import ConfigError

# Hit points at levels 1, 3 and 5; attacks at levels 1 and 5; wear; the standard array of a human.
HIT_POINTS = {
    "fighter": (12, 28, 44),
    "rogue": (10, 24, 38),
    "barbarian": (14, 32, 50),
    "ranger": (12, 28, 44),
}
ATTACKS = {
    "fighter": ("spear 5 1d6+3", "spear 7 1d6+4"),
    "rogue": ("shortsword 5 1d6+3", "shortsword 7 1d6+4"),
    "barbarian": ("greataxe 5 1d12+3", "greataxe 7 1d12+4"),
    "ranger": ("longbow 5 1d8+3", "longbow 7 1d8+4"),
}
TRAITS = {
    ("fighter", 1): "dueling second_wind",
    ("fighter", 3): "dueling second_wind action_surge improved_critical",
    ("fighter", 5): "dueling second_wind action_surge improved_critical",
    ("rogue", 1): "sneak_attack",
    ("rogue", 3): "sneak_attack cunning_action",
    ("rogue", 5): "sneak_attack cunning_action uncanny_dodge",
    ("barbarian", 1): "unarmoured_defence rage",
    ("barbarian", 3): "unarmoured_defence rage reckless danger_sense",
    ("barbarian", 5): "unarmoured_defence rage reckless danger_sense fast_movement",
    ("ranger", 1): "",
    ("ranger", 3): "archery colossus_slayer",
    ("ranger", 5): "archery colossus_slayer",
}


def test_classes__are_four() -> None:
    assert set(class_names()) == set(HIT_POINTS)
    assert creature("fighter") == creature("fighter", level=1)


@pytest.mark.parametrize("name", HIT_POINTS)
def test_character__has_its_numbers(name: str) -> None:
    characters = [creature(name, level) for level in (1, 3, 5)]
    assert tuple(spec.hp for spec in characters) == HIT_POINTS[name]
    assert [spec.proficiency for spec in characters] == [2, 2, 3]
    assert [spec.xp for spec in characters] == [100, 300, 700]
    for i, spec in ((0, characters[0]), (1, characters[2])):
        first = spec.attacks[0]
        assert f"{first.name} {first.to_hit} {first.dice}+{first.damage_bonus}" == ATTACKS[name][i]
    for spec in characters:
        assert (spec.player, spec.cr, spec.ac, spec.kind) == (True, None, None, "humanoid")
        assert " ".join(trait.name for trait in spec.traits) == TRAITS[name, spec.level or 0]
    assert sorted(characters[0].abilities.values()) == [9, 11, 13, 14, 15, 16]
    assert sum(characters[2].abilities.values()) == 72 + 6 + 2


def test_extra_attack__comes_at_level_5() -> None:
    extra = {name: [creature(name, n).extra_attacks for n in (1, 3, 5)] for name in HIT_POINTS}
    assert extra.pop("rogue") == [0, 0, 0]
    assert all(counts == [0, 0, 1] for counts in extra.values())


def test_equipment__is_worn_and_used() -> None:
    wear = {name: (creature(name).armour, creature(name).shield) for name in HIT_POINTS}
    assert wear == {
        "fighter": ("chain_mail", True),
        "rogue": ("leather", False),
        "barbarian": (None, False),
        "ranger": ("studded_leather", False),
    }
    assert [creature(name).off_hand for name in HIT_POINTS] == [
        None,
        "dagger",
        "handaxe",
        "shortsword",
    ]
    modes = {a.name: (a.mode, a.two_handed, a.ability, a.range) for a in creature("rogue").attacks}
    assert modes == {
        "shortsword": ("melee", False, "dex", None),
        "dagger": ("melee", False, "dex", None),
        "dagger_thrown": ("thrown", False, "dex", (20, 60)),
        "shortbow": ("ranged", True, "dex", (80, 320)),
    }


def test_skills__count_expertise_twice() -> None:
    rogue = creature("rogue", 5)
    assert rogue.skills == {"acrobatics": 7, "athletics": 2, "perception": 8, "stealth": 10}
    assert rogue.saves == {"dex": 7, "int": 4}


def test_dice_of_features__grow() -> None:
    assert [str(creature("rogue", n).traits[0].dice) for n in (1, 3, 5)] == ["1d6", "2d6", "3d6"]
    assert [str(creature("fighter", n).traits[1].dice) for n in (1, 3, 5)] == [
        "1d10+1",
        "1d10+3",
        "1d10+5",
    ]


def test_level_one_of_the_ranger__says_why_it_has_nothing() -> None:
    assert "nothing for a fight" in creature("ranger").notes


@pytest.mark.parametrize("level", [0, 2, 20, True, "x"])
def test_level__that_is_not_there_is_refused(level: int) -> None:
    with pytest.raises(ConfigError, match="level of 'rogue' must be one of 1, 3, 5, got"):
        creature("rogue", level)
