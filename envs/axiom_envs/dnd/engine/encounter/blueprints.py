"""Blueprints: facts that follow from an entry of the data alone, computed once per entry.

If a number printed in a stat block does not follow from abilities and proficiency, the base of the
value holds the difference, so that totals are as printed.

Monsters are played as printed. Their speed already accounts for their armour. A monster with a
shield and a bow shoots while it carries the shield. A versatile weapon, however, is used with one
hand while a shield is held, because the printed armour class includes the shield.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any

from axiom_envs.dnd.data.load import Library
from axiom_envs.dnd.data.tables import modifier
from axiom_envs.dnd.engine.creature.equipment import Armour
from axiom_envs.dnd.engine.features.riders import make_rider
from axiom_envs.dnd.engine.values.modifiers import ResistanceStatus
from axiom_envs.dnd.engine.values.types import SKILL_ABILITIES, Ability, DamageType, Size, Skill

if TYPE_CHECKING:
    from axiom_envs.dnd.data.models import ArmourSpec, AttackSpec, CreatureSpec

TOO_HEAVY_FEET = 10
"""Reduction of speed in feet by armour that needs more Strength (SRD, Armor)."""
MOST_KEPT = 512
"""Maximum number of blueprints kept; more than there are creatures and classes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Blueprint:
    """The facts that `create` needs.

    Attributes:
        spec: the entry.
        library: the library of its weapons and armour.
        scores, proficiency, size, speed: those of the entity.
        skill_proficiencies, save_proficiencies: multiples of the proficiency bonus.
        skill_rests, save_rests: differences to the printed totals.
        armour: the armour worn, or None.
        natural: the complete armour class of a creature with natural armour only, else None.
        natural_bonus: bonus of natural armour to worn armour.
        weapons: name and properties of each weapon; natural weapons have the property "natural".
        profiles: index of the weapon, and the other arguments of `AttackProfile`.
        main, off: indices of the weapons in the hands.
        plans: alternatives for one Attack action.
        resistances: resistances, vulnerabilities and immunities by damage type.
        senses: names and radii.
        traits: names and parameters.
    """

    spec: CreatureSpec
    library: Library
    scores: Mapping[Ability, int]
    proficiency: int
    size: Size
    speed: int
    skill_proficiencies: Mapping[Ability | Skill, int]
    skill_rests: Sequence[tuple[Skill, int]]
    save_proficiencies: Mapping[Ability | Skill, int]
    save_rests: Sequence[tuple[Ability, int]]
    armour: Armour | None
    natural: int | None
    natural_bonus: int
    weapons: Sequence[tuple[str, Sequence[str]]]
    profiles: Sequence[tuple[int, Mapping[str, Any]]]
    main: int | None
    off: int | None
    plans: tuple[tuple[int, ...], ...]
    resistances: Sequence[tuple[DamageType, ResistanceStatus]]
    senses: Sequence[tuple[str, int]]
    traits: Sequence[tuple[str, Mapping[str, Any]]]


_named: dict[tuple[int, str, int | None], Blueprint] = {}
_of_specs: dict[tuple[int, int], Blueprint] = {}


def named_blueprint(library: Library, name: str, level: int | None) -> Blueprint:
    """Return the blueprint of a creature, or of a class at a level.

    Raises:
        UnknownNameError, ConfigError: see `Library.creature`.
    """
    # A kept blueprint keeps its library alive, so no other library can have the same id.
    key = (id(library), name, level)
    found = _named.get(key)
    if found is None:
        if len(_named) >= MOST_KEPT:
            _named.clear()
        found = _named[key] = make_blueprint(library.creature(name, level), library)
    return found


def blueprint(spec: CreatureSpec, library: Library) -> Blueprint:
    """Return the blueprint of an entry."""
    key = (id(library), id(spec))
    found = _of_specs.get(key)
    if found is None:
        if len(_of_specs) >= MOST_KEPT:
            _of_specs.clear()
        found = _of_specs[key] = make_blueprint(spec, library)
    return found


def make_blueprint(spec: CreatureSpec, library: Library) -> Blueprint:
    """Create a blueprint."""
    scores = {Ability(name): score for name, score in spec.abilities.items()}
    worn = None if spec.armour is None else library.armour(spec.armour)
    skills = {Skill(name): total for name, total in spec.skills.items()}
    saves = {Ability(name): total for name, total in spec.saves.items()}
    skill_times = {
        skill: _times(total - modifier(scores[SKILL_ABILITIES[skill]]), spec.proficiency, 2)
        for skill, total in skills.items()
    }
    save_times = {
        ability: _times(total - modifier(scores[ability]), spec.proficiency, 1)
        for ability, total in saves.items()
    }
    names, weapons = _weapons(spec, library)
    return Blueprint(
        spec=spec,
        library=library,
        scores=scores,
        proficiency=spec.proficiency,
        size=Size(spec.size),
        speed=_speed(spec, worn),
        skill_proficiencies={skill: times for skill, (times, _) in skill_times.items() if times},
        skill_rests=[(skill, rest) for skill, (_, rest) in skill_times.items() if rest],
        save_proficiencies={ability: times for ability, (times, _) in save_times.items() if times},
        save_rests=[(ability, rest) for ability, (_, rest) in save_times.items() if rest],
        armour=None if worn is None else _armour(worn),
        natural=spec.ac if worn is None and spec.natural_armour else None,
        natural_bonus=0 if worn is None else spec.natural_armour,
        weapons=weapons,
        profiles=[
            (names.index(_weapon_name(attack)), _facts(spec, attack, k))
            for k, attack in enumerate(spec.attacks)
        ],
        main=None if spec.attacks[0].weapon is None else 0,
        off=None if spec.off_hand is None else names.index(spec.off_hand),
        plans=_plans(spec),
        resistances=_resistances(spec),
        senses=[(name, radius) for name, radius in spec.senses if radius],
        traits=[(trait.name, trait.parameters) for trait in spec.traits],
    )


def _times(rest: int, proficiency: int, most: int) -> tuple[int, int]:
    """Return the multiple of proficiency in `rest`, and the difference that remains."""
    for times in range(1, most + 1):
        if rest == times * proficiency:
            return times, 0
    return 0, rest


def _speed(spec: CreatureSpec, worn: ArmourSpec | None) -> int:
    """Return the speed in feet; a monster's printed speed already accounts for its armour."""
    too_heavy = spec.player and worn is not None and spec.abilities["str"] < worn.strength
    return max(0, spec.speed - TOO_HEAVY_FEET) if too_heavy else spec.speed


def _armour(spec: ArmourSpec) -> Armour:
    return Armour(
        spec.name.replace("_", " "),
        spec.base,
        spec.dex_cap,
        spec.strength,
        spec.stealth_disadvantage,
    )


# -- attacks ---------------------------------------------------------------------------------------


def _weapon_name(attack: AttackSpec) -> str:
    """Return the name that identifies a weapon, the same for all its attacks."""
    return attack.weapon or attack.name


def _weapons(
    spec: CreatureSpec, library: Library
) -> tuple[list[str], list[tuple[str, Sequence[str]]]]:
    """Return the weapons' names in the data, and a (title, properties) pair for each weapon."""
    properties: dict[str, Sequence[str]] = {}
    for attack in spec.attacks:
        if attack.weapon is None:
            properties.setdefault(attack.name, ("natural",))
        else:
            properties.setdefault(attack.weapon, sorted(library.weapon(attack.weapon).properties))
    titled = [(name.replace("_", " "), those) for name, those in properties.items()]
    return list(properties), titled


def _facts(spec: CreatureSpec, attack: AttackSpec, index: int) -> dict[str, Any]:
    """Return the arguments of `AttackProfile`, except for the weapon."""
    ability = spec.modifier(attack.ability)
    proficiency = spec.proficiency if attack.proficient else 0
    dice = attack.dice
    normal, farthest = attack.range or (0, 0)
    return {
        "name": attack.name,
        "mode": attack.mode,
        "ability": Ability(attack.ability),
        "count": 0 if dice is None else dice.count,
        "sides": 0 if dice is None else dice.sides,
        "damage_type": DamageType(attack.damage_type or "bludgeoning"),
        "reach": attack.reach,
        "normal": normal,
        "long": farthest,
        "two_handed": attack.two_handed and not _has_shield_on_arm(spec, attack),
        "proficient": attack.proficient,
        "to_hit": attack.to_hit - ability - proficiency,
        "damage": 0 if dice is None else attack.damage_bonus + dice.bonus - ability,
        "riders": tuple(make_rider(rider) for rider in attack.riders),
        "recharge": attack.recharge or 0,
        "index": index,
    }


def _has_shield_on_arm(spec: CreatureSpec, attack: AttackSpec) -> bool:
    return spec.shield and not spec.player and attack.mode == "ranged"


def _plans(spec: CreatureSpec) -> tuple[tuple[int, ...], ...]:
    """Return the plans of one Attack action.

    With a Multiattack, these are its plans, and one attack with each profile that is in none of
    them. Without one, there are as many attacks as features allow, with any profiles.
    """
    names = [attack.name for attack in spec.attacks]
    if not spec.multiattack:
        return tuple(combinations_with_replacement(range(len(names)), 1 + spec.extra_attacks))
    plans = [tuple(sorted(names.index(name) for name in plan)) for plan in spec.multiattack]
    used = {index for plan in plans for index in plan}
    return (*plans, *((k,) for k in range(len(names)) if k not in used))


def _resistances(spec: CreatureSpec) -> list[tuple[DamageType, ResistanceStatus]]:
    found = []
    for names, status in (
        (spec.resistances, ResistanceStatus.RESISTANCE),
        (spec.vulnerabilities, ResistanceStatus.VULNERABILITY),
        (spec.immunities, ResistanceStatus.IMMUNITY),
    ):
        found += [(DamageType(name), status) for name in sorted(names)]
    return found
