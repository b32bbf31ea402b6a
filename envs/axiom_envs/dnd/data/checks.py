"""Consistency checks between the fields of an entry, and between entries.

Every check yields mistakes as (place, message); the place is a path within the entry, such as
"attacks[1].to_hit".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, TypeAlias, get_args

from axiom_envs.dnd.constants import SKILL_ABILITIES, AbilityName, DamageName
from axiom_envs.dnd.data.dice import parse_dice
from axiom_envs.dnd.data.tables import SIZE_DICE, TRAITS, XP_BY_CR
from axiom_gym.errors import ConfigError

if TYPE_CHECKING:
    from axiom_envs.dnd.data.models import (
        ArmourSpec,
        AttackSpec,
        CreatureSpec,
        RiderSpec,
        TraitSpec,
        WeaponSpec,
    )

Found: TypeAlias = Iterator[tuple[str, str]]


def weapon_mistakes(weapon: WeaponSpec) -> Found:
    """Find properties that exclude or require one another."""
    properties = weapon.properties
    if ("versatile" in properties) != (weapon.versatile_dice is not None):
        yield "versatile_dice", "given if, and only if, the weapon is versatile"
    if "two_handed" in properties and properties & {"versatile", "light"}:
        yield "properties", "a two_handed weapon is neither versatile nor light"
    if "loading" in properties and "ammunition" not in properties:
        yield "properties", "loading needs ammunition"
    if not weapon.melee and properties & {"reach", "versatile"}:
        yield "properties", "reach and versatile are for melee weapons"
    flies = not weapon.melee or "thrown" in properties
    if flies != (weapon.range is not None):
        yield "range", "given if, and only if, the weapon is shot or thrown"
    yield from _range_mistakes(weapon.range)


def armour_mistakes(armour: ArmourSpec) -> Found:
    """Check the cap on Dexterity by category: none, at most 2, or 0."""
    cap = {"light": None, "medium": 2, "heavy": 0, "shield": None}[armour.category]
    if armour.dex_cap != cap:
        yield "dex_cap", f"{armour.dex_cap}, but {armour.category} armour has {cap}"


def creature_mistakes(
    creature: CreatureSpec,
    weapons: Mapping[str, WeaponSpec | None],
    armour: Mapping[str, ArmourSpec | None],
) -> Found:
    """Compare printed numbers with those that they follow from, and names with known names.

    Args:
        creature: a monster, or a character of a class.
        weapons, armour: all known ones by name; None for those that have mistakes themselves.
    """
    names = [attack.name for attack in creature.attacks]
    for i, attack in enumerate(creature.attacks):
        for place, message in _attack_mistakes(attack, creature, weapons):
            yield f"attacks[{i}].{place}", message
        if attack.name in names[:i]:
            yield f"attacks[{i}].name", f"{attack.name!r} twice; give each attack its own name"
    for i, alternative in enumerate(creature.multiattack):
        for name in alternative:
            if name not in names:
                yield f"multiattack[{i}]", f"{name!r} is none of its attacks: {', '.join(names)}"
    for i, trait in enumerate(creature.traits):
        for place, message in _trait_mistakes(trait, names):
            yield f"traits[{i}].{place}", message
    yield from _number_mistakes(creature)
    yield from _wear_mistakes(creature, armour)
    yield from _off_hand_mistakes(creature, weapons)


def _number_mistakes(creature: CreatureSpec) -> Found:
    if creature.player != (creature.level is not None) or creature.player == bool(
        creature.cr is not None
    ):
        yield "player", "a character has a level and no cr, a monster a cr and no level"
    if creature.cr is not None and creature.xp != XP_BY_CR[creature.cr]:
        yield "xp", f"{creature.xp}, but challenge {creature.cr} makes {XP_BY_CR[creature.cr]}"
    if not creature.player:
        yield from _hit_point_mistakes(creature)
    for skill, total in creature.skills.items():
        ability = creature.modifier(SKILL_ABILITIES[skill])
        allowed = (ability + creature.proficiency, ability + 2 * creature.proficiency)
        if total not in allowed:
            yield (
                f"skills.{skill}",
                (
                    f"{total}, but {SKILL_ABILITIES[skill]} {ability:+d} and proficiency "
                    f"{creature.proficiency:+d} make {allowed[0]}, or {allowed[1]} with expertise"
                ),
            )
    for save, total in creature.saves.items():
        yield from _sum_mistakes(f"saves.{save}", total, creature, save)


def _hit_point_mistakes(creature: CreatureSpec) -> Found:
    dice = creature.hit_dice
    if dice.sides != SIZE_DICE[creature.size]:
        yield "hit_dice", f"{dice}, but size {creature.size} has d{SIZE_DICE[creature.size]}"
    bonus = dice.count * creature.modifier("con")
    if dice.bonus != bonus:
        yield "hit_dice", f"{dice}, but {dice.count} times con make {bonus:+d}"
    if creature.hp != max(1, int(dice.mean())):
        yield "hp", f"{creature.hp}, but {dice} make {max(1, int(dice.mean()))}"


def _sum_mistakes(
    place: str, total: int, creature: CreatureSpec, ability: AbilityName, bonus: int = 0
) -> Found:
    expected = creature.modifier(ability) + creature.proficiency + bonus
    if total != expected:
        more = f" and bonus {bonus:+d}" if bonus else ""
        yield (
            place,
            (
                f"{total}, but {ability} {creature.modifier(ability):+d} and proficiency "
                f"{creature.proficiency:+d}{more} make {expected}"
            ),
        )


def _wear_mistakes(creature: CreatureSpec, armour: Mapping[str, ArmourSpec | None]) -> Found:
    bodies = [name for name, spec in armour.items() if spec is None or spec.category != "shield"]
    worn = armour.get(creature.armour or "")
    if creature.armour is not None and creature.armour not in bodies:
        yield "armour", f"no armour {creature.armour!r}; there are {', '.join(bodies)}"
    if creature.armour is not None and worn is None:
        return
    if creature.ac is None:
        if not creature.player:
            yield "ac", "a monster needs it as printed"
        return
    dexterity = creature.modifier("dex")
    expected = 10 + dexterity + creature.natural_armour
    if worn is not None:
        cap = dexterity if worn.dex_cap is None else min(dexterity, worn.dex_cap)
        # Heavy armour ignores Dexterity, a negative modifier included.
        expected = worn.base + (0 if worn.category == "heavy" else cap) + creature.natural_armour
    shield = armour.get("shield") if creature.shield else None
    expected += shield.base if shield is not None else 0
    if creature.ac != expected:
        yield "ac", f"{creature.ac}, but armour, dexterity and shield make {expected}"


def _off_hand_mistakes(creature: CreatureSpec, weapons: Mapping[str, WeaponSpec | None]) -> Found:
    if creature.off_hand is None:
        return
    weapon = weapons.get(creature.off_hand)
    if weapon is None and creature.off_hand in weapons:
        return
    if weapon is None or not weapon.melee or "light" not in weapon.properties:
        yield "off_hand", f"{creature.off_hand!r} is not a light melee weapon"
    elif creature.shield:
        yield "off_hand", f"{creature.off_hand!r}, but the hand holds a shield"
    elif creature.off_hand not in [attack.weapon for attack in creature.attacks]:
        yield "off_hand", f"{creature.off_hand!r}, but no attack has this weapon"


def _attack_mistakes(
    attack: AttackSpec, creature: CreatureSpec, weapons: Mapping[str, WeaponSpec | None]
) -> Found:
    if attack.proficient:
        yield from _sum_mistakes("to_hit", attack.to_hit, creature, attack.ability, attack.bonus)
    elif attack.to_hit != creature.modifier(attack.ability) + attack.bonus:
        expected = creature.modifier(attack.ability) + attack.bonus
        yield "to_hit", f"{attack.to_hit}, but {attack.ability} without proficiency is {expected}"
    ability = creature.modifier(attack.ability) if attack.dice is not None else 0
    if attack.damage_bonus != ability:
        yield "damage_bonus", f"{attack.damage_bonus}, but {attack.ability} is {ability:+d}"
    if attack.dice is not None and attack.dice.bonus:
        yield "dice", f"{attack.dice}; write what is added as damage_bonus"
    if (attack.dice is None) != (attack.damage_type is None):
        yield "damage_type", "given if, and only if, there are dice"
    if (attack.mode == "melee") != (attack.range is None):
        yield "range", "given if, and only if, the attack is ranged or thrown"
    yield from _range_mistakes(attack.range)
    if attack.weapon is not None and attack.weapon not in weapons:
        yield "weapon", f"no weapon {attack.weapon!r}; there are {', '.join(sorted(weapons))}"
    weapon = weapons.get(attack.weapon or "")
    if weapon is not None:
        yield from _use_mistakes(attack, weapon)
    for i, rider in enumerate(attack.riders):
        for place, message in _rider_mistakes(rider):
            yield f"riders[{i}].{place}", message


def _use_mistakes(attack: AttackSpec, weapon: WeaponSpec) -> Found:
    """Check the use of a weapon; weapons of larger creatures have more of the same dice."""
    if attack.mode == "melee" and not weapon.melee:
        yield "mode", f"melee, but {weapon.name} is a ranged weapon"
    if attack.mode == "ranged" and weapon.melee:
        yield "mode", f"ranged, but {weapon.name} is a melee weapon; is it thrown?"
    if attack.mode == "thrown" and "thrown" not in weapon.properties:
        yield "mode", f"thrown, but {weapon.name} has no such property"
    if "two_handed" in weapon.properties and not attack.two_handed:
        yield "two_handed", f"false, but {weapon.name} needs two hands"
    dice = weapon.dice
    if attack.two_handed and weapon.versatile_dice is not None:
        dice = weapon.versatile_dice
    elif attack.two_handed and "two_handed" not in weapon.properties:
        yield "two_handed", f"true, but {weapon.name} is for one hand"
    if attack.dice is not None and (
        attack.dice.sides != dice.sides or attack.dice.count < dice.count
    ):
        yield "dice", f"{attack.dice}, but {weapon.name} has {dice}"
    if attack.damage_type != weapon.damage_type:
        yield "damage_type", f"{attack.damage_type}, but {weapon.name}'s is {weapon.damage_type}"
    if attack.mode != "melee" and attack.range != weapon.range:
        yield "range", f"{attack.range}, but {weapon.name} has {weapon.range}"
    if attack.mode == "melee" and attack.reach != weapon.reach:
        yield "reach", f"{attack.reach}, but {weapon.name} has {weapon.reach}"


def _range_mistakes(distances: tuple[int, int] | None) -> Found:
    if distances is not None and not 0 < distances[0] <= distances[1]:
        yield "range", f"{distances}, but it is 0 < normal <= long"


def _rider_mistakes(rider: RiderSpec) -> Found:
    if (rider.save is None) != (rider.dc is None):
        yield "dc", "a save and its dc go together"
    if (rider.escape is None) != (rider.escape_dc is None):
        yield "escape_dc", "an escape and its dc go together"
    if rider.repeat is not None and rider.save is None:
        yield "repeat", "there is no save to repeat"
    if rider.half and rider.save is None:
        yield "half", "there is no save that could halve the damage"
    needed = {
        "condition": ("condition",),
        "damage": ("dice", "damage_type"),
        "push": ("feet",),
        "prone": (),
    }[rider.kind]
    for field in ("condition", "dice", "damage_type", "feet"):
        given = getattr(rider, field) is not None
        if given != (field in needed):
            state = "given" if given else "missing"
            wanted = ", ".join(needed) or "none of its own"
            yield field, f"{state}; the fields of kind {rider.kind!r} are: {wanted}"


def _trait_mistakes(trait: TraitSpec, attacks: list[str]) -> Found:
    wanted = TRAITS[trait.name]
    for name in trait.parameters.keys() - wanted.keys():
        listed = ", ".join(wanted) or "none"
        yield f"parameters.{name}", f"no such parameter; {trait.name} has: {listed}"
    for name, kind in wanted.items():
        if name not in trait.parameters:
            yield f"parameters.{name}", f"missing; it is a {kind}"
        else:
            message = _parameter_mistake(kind, trait.parameters[name], attacks)
            if message:
                yield f"parameters.{name}", message


def _parameter_mistake(kind: str, value: object, attacks: list[str]) -> str:
    if kind == "number":
        good = isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 100
        return "" if good else f"{value!r} is not an integer from 1 to 100"
    if kind == "attack":
        return "" if value in attacks else f"{value!r} is none of its attacks: {', '.join(attacks)}"
    if kind == "damage":
        types: tuple[str, ...] = get_args(DamageName)
        good = isinstance(value, list | tuple) and all(entry in types for entry in value)
        return "" if good else f"{value!r} is not a list of damage types: {', '.join(types)}"
    try:
        parse_dice(value)
    except ConfigError as error:
        return str(error)
    return ""
