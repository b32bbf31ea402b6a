"""Data with mistakes: each is reported with its place, and nothing is loaded partially."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from axiom_envs.dnd.data import Library, creature_names, load_file, weapon_names
from axiom_gym.errors import ConfigError, UnknownNameError

BITE = {
    "name": "bite",
    "mode": "melee",
    "ability": "dex",
    "dice": "1d6",
    "damage_type": "piercing",
    "to_hit": 4,
    "damage_bonus": 2,
}
BEAST: dict[str, Any] = {
    "title": "Beast",
    "cr": "1/4",
    "xp": 50,
    "kind": "beast",
    "size": "medium",
    "hp": 11,
    "hit_dice": "2d8+2",
    "ac": 12,
    "speed": 40,
    "abilities": {"str": 10, "dex": 14, "con": 12, "int": 3, "wis": 12, "cha": 6},
    "attacks": [BITE],
}
NET = {"dice": "1d4", "damage_type": "slashing", "melee": True}
SCORES = BEAST["abilities"]
MAGE: dict[str, Any] = {
    "title": "Mage",
    "hit_die": 6,
    "saves": ["int", "wis"],
    "skills": ["arcana"],
    "attacks": [{"weapon": "dagger"}],
    "levels": {"1": {"xp": 50, "abilities": SCORES}, "2": {"xp": 60, "abilities": SCORES}},
}


def mistakes(**sections: Mapping[str, Any]) -> list[str]:
    """Return the lines of the error that these sections raise, or none."""
    try:
        Library.builtin().extended_by(sections)
    except ConfigError as error:
        first, *lines = str(error).split("\n")
        plural = "s" if len(lines) > 1 else ""
        assert first == f"the data has {len(lines)} mistake{plural}:"
        return [line.strip() for line in lines]
    return []


def of_beast(**changes: Any) -> list[str]:
    lines = mistakes(creatures={"beast": BEAST | changes})
    return [line.removeprefix("data: creatures: beast.") for line in lines]


def of_bite(**changes: Any) -> list[str]:
    lines = of_beast(attacks=[BITE | changes])
    return [line.removeprefix("attacks[0].") for line in lines]


def test_good_entries__have_no_mistakes() -> None:
    assert mistakes(weapons={"net": NET}, creatures={"beast": BEAST}, classes={"mage": MAGE}) == []


def test_printed_numbers__that_do_not_follow() -> None:
    assert of_bite(to_hit=5) == ["to_hit: 5, but dex +2 and proficiency +2 make 4"]
    assert of_bite(to_hit=5, bonus=1) == []
    assert of_bite(to_hit=4, bonus=1) == [
        "to_hit: 4, but dex +2 and proficiency +2 and bonus +1 make 5"
    ]
    assert of_bite(proficient=False) == ["to_hit: 4, but dex without proficiency is 2"]
    assert of_bite(damage_bonus=3) == ["damage_bonus: 3, but dex is +2"]
    assert of_bite(dice="1d6+2") == ["dice: 1d6+2; write what is added as damage_bonus"]
    assert of_beast(xp=51) == ["xp: 51, but challenge 1/4 makes 50"]
    assert of_beast(hp=12) == ["hp: 12, but 2d8+2 make 11"]
    assert of_beast(hit_dice="2d8", hp=9) == ["hit_dice: 2d8, but 2 times con make +2"]
    assert of_beast(hit_dice="2d6+2", hp=9) == ["hit_dice: 2d6+2, but size medium has d8"]
    assert of_beast(ac=13) == ["ac: 13, but armour, dexterity and shield make 12"]
    assert of_beast(ac=None) == ["ac: a monster needs it as printed"]
    assert of_beast(ac=16, armour="chain_shirt", shield=True) == [
        "ac: 16, but armour, dexterity and shield make 17"
    ]
    assert of_beast(ac=16, armour="chain_mail") == []
    clumsy = {
        "abilities": SCORES | {"dex": 8},
        "attacks": [BITE | {"to_hit": 1, "damage_bonus": -1}],
    }
    assert of_beast(ac=16, armour="chain_mail", **clumsy) == []
    assert of_beast(ac=11, armour="hide", **clumsy) == []
    assert of_beast(skills={"stealth": 5}) == [
        "skills.stealth: 5, but dex +2 and proficiency +2 make 4, or 6 with expertise"
    ]
    assert of_beast(skills={"stealth": 6}) == of_beast(skills={"stealth": 4}) == []
    assert of_beast(saves={"con": 2}) == ["saves.con: 2, but con +1 and proficiency +2 make 3"]
    assert of_beast(level=1) == [
        "player: a character has a level and no cr, a monster a cr and no level"
    ]


def test_names__that_do_not_exist() -> None:
    assert of_bite(weapon="teeth")[0].startswith("weapon: no weapon 'teeth'; there are battleaxe,")
    assert of_beast(armour="skin")[0].startswith("armour: no armour 'skin'; there are padded,")
    assert of_beast(armour="shield")[0].startswith("armour: no armour 'shield'; there are padded,")
    assert of_beast(multiattack=[["bite"], ["bite", "claw"]]) == [
        "multiattack[1]: 'claw' is none of its attacks: bite"
    ]
    assert of_beast(attacks=[BITE, BITE]) == [
        "attacks[1].name: 'bite' twice; give each attack its own name"
    ]
    assert of_beast(off_hand="greataxe") == ["off_hand: 'greataxe' is not a light melee weapon"]
    assert of_beast(off_hand="dagger") == [
        "off_hand: 'dagger', but no attack has this weapon",
    ]
    assert of_beast(off_hand="dagger", shield=True, ac=14) == [
        "off_hand: 'dagger', but the hand holds a shield",
    ]


def test_weapons__used_in_a_way_that_their_properties_forbid() -> None:
    mace = {"weapon": "mace", "damage_type": "bludgeoning"}
    assert of_bite(**mace) == []
    assert of_bite(**mace, two_handed=True) == ["two_handed: true, but mace is for one hand"]
    assert of_bite(**mace, mode="thrown", range=[20, 60]) == [
        "mode: thrown, but mace has no such property",
        "range: (20, 60), but mace has None",
    ]
    assert of_bite(**mace, mode="ranged", range=[20, 60])[0] == (
        "mode: ranged, but mace is a melee weapon; is it thrown?"
    )
    assert of_bite(**mace, reach=10) == ["reach: 10, but mace has 5"]
    assert of_bite(weapon="mace") == ["damage_type: piercing, but mace's is bludgeoning"]
    assert of_bite(**mace | {"dice": "1d8"}) == ["dice: 1d8, but mace has 1d6"]
    assert of_bite(**mace | {"dice": "2d6"}) == []
    sword = {"weapon": "greatsword", "damage_type": "slashing", "two_handed": True}
    assert of_bite(**sword, dice="1d6") == ["dice: 1d6, but greatsword has 2d6"]
    assert of_bite(**sword, dice="3d6") == []
    bow = {"weapon": "shortbow", "mode": "ranged", "range": [80, 320]}
    assert of_bite(**bow) == ["two_handed: false, but shortbow needs two hands"]
    assert of_bite(**bow | {"two_handed": True}) == []
    assert of_bite(weapon="shortbow", two_handed=True) == [
        "mode: melee, but shortbow is a ranged weapon"
    ]
    assert of_bite(range=[5, 5]) == ["range: given if, and only if, the attack is ranged or thrown"]
    assert of_bite(mode="ranged", range=[60, 30]) == [
        "range: (60, 30), but it is 0 < normal <= long"
    ]
    assert of_bite(damage_type=None) == ["damage_type: given if, and only if, there are dice"]


def test_riders_and_traits__with_missing_and_unknown_fields() -> None:
    def of_rider(**rider: Any) -> list[str]:
        return [line.removeprefix("riders[0].") for line in of_bite(riders=[rider])]

    assert of_rider(kind="prone", save="str", dc=11) == []
    assert of_rider(kind="prone", save="str") == ["dc: a save and its dc go together"]
    assert of_rider(kind="push", feet=10, escape="str") == [
        "escape_dc: an escape and its dc go together"
    ]
    assert of_rider(kind="push") == ["feet: missing; the fields of kind 'push' are: feet"]
    assert of_rider(kind="prone", feet=5) == [
        "feet: given; the fields of kind 'prone' are: none of its own"
    ]
    assert of_rider(kind="condition", condition="charmed", repeat="turn_end") == [
        "repeat: there is no save to repeat"
    ]
    assert of_rider(kind="damage", dice="1d6", damage_type="fire", half=True) == [
        "half: there is no save that could halve the damage"
    ]
    assert of_beast(traits=["parry"]) == ["traits[0].parameters.bonus: missing; it is a number"]
    assert of_beast(traits=[{"name": "brave", "parameters": {"bonus": 2}}]) == [
        "traits[0].parameters.bonus: no such parameter; brave has: none"
    ]
    wrong = {"attack": "gore", "distance": True, "dice": "2d", "dc": 13}
    assert of_beast(traits=[{"name": "charge", "parameters": wrong}]) == [
        "traits[0].parameters.attack: 'gore' is none of its attacks: bite",
        "traits[0].parameters.distance: True is not an integer from 1 to 100",
        "traits[0].parameters.dice: '2d' does not describe dice. Write them like '2d6' or '2d6+3'.",
    ]
    healing = {"amount": 5, "stopped_by": ["acid", "water"]}
    (line,) = of_beast(traits=[{"name": "regeneration", "parameters": healing}])
    assert line.startswith(
        "traits[0].parameters.stopped_by: ['acid', 'water'] is not a list of damage types"
    )
    (line,) = of_beast(traits=["flight"])
    assert line.startswith("traits[0].name: unknown trait 'flight'.")


def test_types_and_ranges() -> None:
    assert of_beast(hp="11") == ["hp: Input should be a valid integer (got '11')"]
    assert of_beast(ac=True) == ["ac: Input should be a valid integer (got True)"]
    assert of_beast(speed=7) == ["speed: Input should be a multiple of 5 (got 7)"]
    assert of_beast(attacks=[]) == ["attacks: at least 1 needed"]
    assert of_beast(attacks=[BITE | {"name": str(i)} for i in range(5)]) == [
        "attacks: at most 4 needed"
    ]
    assert of_beast(colour="red") == ["colour: there is no such field"]
    assert of_beast(abilities={"str": 10}) == [
        "abilities: all six abilities are needed; missing: dex, con, int, wis, cha "
        "(got {'str': 10})"
    ]
    assert of_beast(hit_dice="two") == [
        "hit_dice: 'two' does not describe dice. Write them like '2d6' or '2d6+3'. (got 'two')"
    ]
    (line,) = of_beast(cr="1/3")
    assert line.startswith("cr: a challenge rating is one of '0', '1/8', '1/4', '1/2', '1',")
    (line,) = of_bite(dice="1d")
    assert line.startswith("dice: '1d' does not describe dice.")
    assert of_beast(name="other")[0].startswith("data: creatures: beast: an object without a field")
    assert of_beast(title=float("nan"))[0].startswith("data: creatures: beast: cannot be JSON")


@pytest.mark.parametrize(
    ("changes", "place", "message"),
    [
        ({"properties": ["versatile"]}, "versatile_dice", "the weapon is versatile"),
        ({"properties": ["two_handed", "light"]}, "properties", "neither versatile nor light"),
        ({"properties": ["loading"]}, "properties", "loading needs ammunition"),
        ({"properties": ["thrown"]}, "range", "the weapon is shot or thrown"),
        ({"range": [20, 60]}, "range", "the weapon is shot or thrown"),
        ({"melee": False, "range": [20, 10]}, "range", "0 < normal <= long"),
        (
            {"melee": False, "range": [20, 60], "properties": ["reach"]},
            "properties",
            "reach and versatile are for melee weapons",
        ),
    ],
)
def test_weapons__whose_properties_do_not_fit(
    changes: dict[str, Any], place: str, message: str
) -> None:
    (line,) = mistakes(weapons={"net": NET | changes})
    assert line.startswith(f"data: weapons: net.{place}: ")
    assert line.endswith(message)


def test_armour__whose_cap_does_not_fit_its_category() -> None:
    rags = {"category": "medium", "base": 12, "dex_cap": None}
    assert mistakes(armour={"rags": rags}) == [
        "data: armour: rags.dex_cap: None, but medium armour has 2"
    ]


def test_classes__mistakes_that_levels_share_are_reported_once() -> None:
    def of_mage(**changes: Any) -> list[str]:
        lines = mistakes(classes={"mage": MAGE | changes})
        return [line.removeprefix("data: classes: mage.") for line in lines]

    assert of_mage(armour="robe")[0].startswith("armour: no armour 'robe'; there are padded")
    assert len(of_mage(armour="robe")) == 1
    assert of_mage(attacks=[{"weapon": "wand"}])[0].startswith(
        "attacks[0].weapon: no weapon 'wand'"
    )
    assert of_mage(expertise=["stealth"]) == ["expertise: stealth: no expertise without the skill"]
    levels = {"2": {"xp": 1, "abilities": SCORES, "traits": ["parry"]}}
    assert of_mage(levels=levels) == [
        "levels.2.traits[0].parameters.bonus: missing; it is a number"
    ]
    assert of_mage(levels={"21": levels["2"]})[0].startswith("levels.21: String should match")


def test_all_mistakes__are_reported_at_once_and_nothing_is_loaded() -> None:
    before = creature_names(), weapon_names()
    lines = mistakes(
        weapons={"net": NET | {"melee": 1}, "dagger": NET},
        creatures={
            "beast": BEAST | {"hp": 12, "attacks": [BITE | {"to_hit": 5}]},
            "netter": BEAST | {"attacks": [BITE | {"weapon": "net"}]},
            "fighter": BEAST,
            "nothing": 3,
        },
    )
    assert lines == [
        "data: weapons: net.melee: Input should be a valid boolean (got 1)",
        "data: weapons: dagger: the name is already in use; choose another one",
        "data: creatures: nothing: an object without a field 'name' is needed, got 3",
        "data: creatures: fighter: the name is already in use; choose another one",
        "data: creatures: beast.attacks[0].to_hit: 5, but dex +2 and proficiency +2 make 4",
        "data: creatures: beast.hp: 12, but 2d8+2 make 11",
    ]
    assert (creature_names(), weapon_names()) == before


def test_library__holds_its_own_and_the_built_in_entries() -> None:
    net = BITE | {"name": "net", "weapon": "net", "dice": "1d4", "damage_type": "slashing"}
    beast = BEAST | {"attacks": [net]}
    library = Library.builtin().extended_by({"weapons": {"net": NET}, "creatures": {"b": beast}})
    assert library.creature("b").attacks[0].weapon == library.weapon("net").name == "net"
    assert library.creature("goblin") is Library.builtin().creature("goblin")
    assert library.extended_by({"classes": {"mage": MAGE}}).creature("mage", 2).hp == 6 + 4 + 2
    with pytest.raises(UnknownNameError, match="unknown creature 'b'"):
        Library.builtin().creature("b")


def test_files__of_one_kind_and_with_sections(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({"beast": BEAST}))
    assert load_file("creatures", path).creature("beast").title == "Beast"
    with pytest.raises(
        ConfigError, match=r"the sections of a file are weapons, .* got \['beast'\]"
    ):
        Library.builtin().extended_by(path)
    with pytest.raises(UnknownNameError, match="unknown kind of data 'creature'"):
        load_file("creature", path)
    path.write_text(json.dumps({"creatures": {"beast": BEAST | {"hp": 1}}}))
    with pytest.raises(ConfigError, match=r"mine\.json: creatures: beast\.hp: 1, but"):
        Library.builtin().extended_by(path)
    path.write_text('{"creatures": {}, "creatures": {}}')
    with pytest.raises(ConfigError, match="'creatures' occurs twice in one object"):
        Library.builtin().extended_by(path)
    path.write_text("{")
    with pytest.raises(ConfigError, match=r"data file '.*mine\.json' cannot be read"):
        Library.builtin().extended_by(path)
    path.write_text("[]")
    with pytest.raises(ConfigError, match=r"an object of entries by name is needed, got \[\]"):
        load_file("weapons", path)


def test_pydantic__missing_names_the_package_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "axiom_envs.dnd.data.fields"
    importlib.import_module(name)
    monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pydantic", None)
    with pytest.raises(ConfigError, match=r'Run: pip install "axiom-gym\[dnd\]"'):
        importlib.import_module(name)
