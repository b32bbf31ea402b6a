"""A class at a level, expanded to a creature.

Characters are humans with the standard array (SRD), which raises each score by one.
"""

from __future__ import annotations

from collections.abc import Mapping

from axiom_envs.dnd.constants import SKILL_ABILITIES, AbilityName
from axiom_envs.dnd.data.checks import Found, creature_mistakes
from axiom_envs.dnd.data.dice import DiceSpec
from axiom_envs.dnd.data.models import (
    ArmourSpec,
    AttackSpec,
    ClassAttackSpec,
    ClassSpec,
    CreatureSpec,
    WeaponSpec,
)
from axiom_envs.dnd.data.tables import modifier, proficiency_of_level


def class_mistakes(
    spec: ClassSpec,
    weapons: Mapping[str, WeaponSpec | None],
    armour: Mapping[str, ArmourSpec | None],
) -> Found:
    """Yield mistakes of a class, and of its characters at all levels, as (place, message).

    Args:
        spec: the class.
        weapons, armour: all known ones by name; None for those that have mistakes themselves.
    """
    if not spec.expertise <= spec.skills:
        extra = ", ".join(sorted(spec.expertise - spec.skills))
        yield "expertise", f"{extra}: no expertise without the skill"
    for i, attack in enumerate(spec.attacks):
        if attack.weapon not in weapons:
            listed = ", ".join(sorted(weapons))
            yield f"attacks[{i}].weapon", f"no weapon {attack.weapon!r}; there are {listed}"
    whole = {name: weapon for name, weapon in weapons.items() if weapon is not None}
    if all(attack.weapon in whole for attack in spec.attacks):
        # A mistake that all levels share is reported once.
        yield from dict.fromkeys(_level_mistakes(spec, whole, armour))


def _level_mistakes(
    spec: ClassSpec, weapons: Mapping[str, WeaponSpec], armour: Mapping[str, ArmourSpec | None]
) -> Found:
    for level in spec.levels:
        character = expand(spec, int(level), weapons)
        for place, message in creature_mistakes(character, weapons, armour):
            yield f"levels.{level}.{place}" if place.startswith("traits") else place, message


def attack_name(attack: ClassAttackSpec) -> str:
    """Return the weapon's name, with a suffix for an unusual use."""
    suffix = "_thrown" if attack.mode == "thrown" else "_two_handed" if attack.two_handed else ""
    return attack.weapon + suffix


def expand(spec: ClassSpec, level: int, weapons: Mapping[str, WeaponSpec]) -> CreatureSpec:
    """Return the character of a class at a level.

    Hit points are the maximum of the first die, then for each level the mean, rounded up; the
    Constitution modifier is added for every level.

    Args:
        spec: the class, without mistakes.
        level: one of its levels.
        weapons: all known weapons by name.
    """
    at = spec.levels[str(level)]
    scores = {name: modifier(score) for name, score in at.abilities.items()}
    proficiency = proficiency_of_level(level)
    return CreatureSpec(
        name=spec.name,
        title=spec.title,
        cr=None,
        kind="humanoid",
        size="medium",
        xp=at.xp,
        hp=max(1, spec.hit_die + (level - 1) * (spec.hit_die // 2 + 1) + level * scores["con"]),
        hit_dice=DiceSpec(level, spec.hit_die, level * scores["con"]),
        ac=None,
        armour=spec.armour,
        shield=spec.shield,
        speed=spec.speed,
        abilities=at.abilities,
        skills={
            skill: scores[SKILL_ABILITIES[skill]]
            + proficiency * (2 if skill in spec.expertise else 1)
            for skill in sorted(spec.skills)
        },
        saves={name: scores[name] + proficiency for name in spec.saves},
        attacks=tuple(
            _attack(attack, weapons[attack.weapon], scores, proficiency) for attack in spec.attacks
        ),
        extra_attacks=at.extra_attacks,
        off_hand=spec.off_hand,
        traits=at.traits,
        player=True,
        level=level,
        notes=at.notes,
    )


def _attack(
    attack: ClassAttackSpec,
    weapon: WeaponSpec,
    scores: Mapping[AbilityName, int],
    proficiency: int,
) -> AttackSpec:
    ability = _ability(weapon, scores)
    two_handed = attack.two_handed or "two_handed" in weapon.properties
    versatile = weapon.versatile_dice if attack.two_handed else None
    return AttackSpec(
        name=attack_name(attack),
        weapon=weapon.name,
        mode=attack.mode,
        two_handed=two_handed,
        ability=ability,
        dice=versatile or weapon.dice,
        damage_type=weapon.damage_type,
        reach=10 if weapon.reach == 10 and attack.mode == "melee" else 5,
        range=None if attack.mode == "melee" else weapon.range,
        to_hit=scores[ability] + proficiency,
        damage_bonus=scores[ability],
    )


def _ability(weapon: WeaponSpec, scores: Mapping[AbilityName, int]) -> AbilityName:
    """Return Strength for melee, Dexterity for range, the better of both for finesse weapons."""
    if "finesse" in weapon.properties:
        return "dex" if scores["dex"] >= scores["str"] else "str"
    return "str" if weapon.melee else "dex"
