"""Entities and weapons in a save.

An entity is saved completely, so loading it needs no entry of the data. Its traits are installed
again by name; then the saved fields replace what the traits have set.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from axiom_envs.dnd.engine.creature.entity import Entity
from axiom_envs.dnd.engine.creature.equipment import Armour, AttackProfile, Equipment, Weapon
from axiom_envs.dnd.engine.features.traits import INSTALLERS, install_trait
from axiom_envs.dnd.engine.saves.encoding import JSON, Reader, encode
from axiom_envs.dnd.engine.values.modifiers import Modifier
from axiom_envs.dnd.engine.values.types import Ability, Skill
from axiom_envs.dnd.engine.values.values import ModifiableValue
from axiom_envs.dnd.engine.world.dispatch import EventHandler
from axiom_envs.dnd.engine.world.world import World
from axiom_gym.errors import StateError, check_range

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.saves.models import (
        SavedEconomy,
        SavedEntity,
        SavedEquipment,
        SavedHealth,
        SavedWeapon,
    )

Part = EventHandler | Modifier
BLOCKS = ("abilities", "health", "equipment", "economy", "senses")
HEALTH = ("current", "temporary", "successes", "failures", "stable", "dead")
ECONOMY = ("moved", "extra", "toward")
WEAPON_VALUES = ("attack bonus", "damage bonus")
PLAIN = ("name", "kind", "level", "is_player", "side", "spec", "body")


@cache
def part_count() -> int:
    """Return the number of objects in a new entity: itself, its blocks and their values."""
    scratch = World(log="off")
    Entity(world=scratch)
    return scratch.count


def values_of(entity: Entity) -> Iterator[tuple[str, ModifiableValue]]:
    """Yield the path and value of each value that every entity has."""
    yield "proficiency", entity.proficiency
    yield "size", entity.size_modifiers
    yield "saves.all", entity.saves.all
    for block in BLOCKS:
        part = getattr(entity, block)
        for name in part.value_names():
            yield f"{block}.{name}", getattr(part, name)


def made_values(entity: Entity) -> dict[str, ModifiableValue]:
    """Return the values that are created on first use, by path, in the order of creation."""
    found = [(f"skills.{one.value}", value) for one in Skill for value in entity.skills.made(one)]
    found += [(f"saves.{one.value}", value) for one in Ability for value in entity.saves.made(one)]
    return dict(sorted(found, key=lambda pair: pair[1].number))


def _make_value(entity: Entity, path: str) -> ModifiableValue:
    block, _, key = path.partition(".")
    if block == "skills":
        return entity.skills[Skill(key)]
    if block == "saves":
        return entity.saves[Ability(key)]
    raise StateError(f"an entity has no value {path!r}.")


# -- writing ---------------------------------------------------------------------------------------


def save_entity(entity: Entity, trait_parts: list[Part]) -> dict[str, JSON]:
    """Encode an entity, without the effects of conditions and of parts added by hand.

    Args:
        entity: the entity.
        trait_parts: the handlers and modifiers of its traits; see `find_trait_parts`.

    Raises:
        StateError: if something cannot be saved.
    """
    if type(entity) is not Entity:
        raise StateError(
            f"{entity.name} is a {type(entity).__name__}: entities of custom classes cannot be "
            "saved; give an Entity traits, conditions and uses instead."
        )
    made = made_values(entity)
    values = {**dict(values_of(entity)), **made}
    return {
        **{name: getattr(entity, name) for name in PLAIN},
        "number": entity.number,
        "parts": part_count(),
        "size": entity.base_size.value,
        "position": entity.position,
        "values": {path: value.base for path, value in values.items()},
        "made": {path: value.number for path, value in made.items()},
        "skills": {one.value: times for one, times in entity.skills.proficiencies.items()},
        "saves": {one.value: times for one, times in entity.saves.proficiencies.items()},
        "health": _save_health(entity),
        "economy": _save_economy(entity),
        "equipment": _save_equipment(entity.equipment),
        "traits": [[name, encode(entity.traits[name])] for name in entity.traits],
        "trait_parts": [part.number for part in trait_parts],
        "uses": dict(entity.uses),
        "immunities": {name: list(reasons) for name, reasons in entity.immunities.items()},
        "conditions": [
            [name, [one.number for one in several]] for name, several in entity.conditions.items()
        ],
    }


def _save_health(entity: Entity) -> dict[str, JSON]:
    health = entity.health
    return {**{name: getattr(health, name) for name in HEALTH}, "hit_dice": list(health.hit_dice)}


def _save_economy(entity: Entity) -> dict[str, JSON]:
    economy = entity.economy
    return {
        **{name: getattr(economy, name) for name in ECONOMY},
        "used": {kind.value: count for kind, count in economy.used.items()},
        "path": [list(square) for square in economy.path],
        "plans": [list(plan) for plan in economy.plans],
        "marks": sorted(economy.marks),
    }


def _save_equipment(equipment: Equipment) -> dict[str, JSON]:
    hands = equipment.hands
    unarmoured = equipment.unarmoured
    return {
        "armour": encode(equipment.armour),
        "natural": equipment.natural,
        "unarmoured": None if unarmoured is None else unarmoured.value,
        "main": None if hands.main is None else hands.main.number,
        "off": None if hands.off is None else hands.off.number,
        "shield": hands.shield,
        "hands": hands.count,
        "dropped": [weapon.number for weapon in equipment.dropped],
        "profiles": [_save_profile(one) for one in equipment.profiles],
        "plans": [list(plan) for plan in equipment.plans],
        "replaces": equipment.replaces,
    }


def _save_profile(profile: AttackProfile) -> dict[str, JSON]:
    names = [one.name for one in dataclasses.fields(profile) if one.name != "weapon"]
    facts = {name: encode(getattr(profile, name)) for name in names}
    return {"weapon": profile.weapon.number, "facts": facts}


def save_weapon(weapon: Weapon) -> dict[str, JSON]:
    """Encode a weapon, with its values if they exist."""
    values = {name: one for name in WEAPON_VALUES for one in weapon.made(name)}
    return {
        "number": weapon.number,
        "name": weapon.name,
        "properties": sorted(weapon.properties),
        "owner": None if weapon.owner is None else weapon.owner.number,
        "values": {name: [value.number, value.base] for name, value in values.items()},
    }


# -- traits ----------------------------------------------------------------------------------------


def install(entity: Entity, name: str, parameters: Any) -> list[Part]:
    """Install a trait on an entity, and return the handlers and modifiers that it adds.

    A name without an installer is a flag that other rules look up.
    """
    first = entity.world.count
    if name in INSTALLERS:
        install_trait(entity, name, parameters)
    else:
        entity.traits[name] = parameters
    objects = entity.world.objects
    news = [objects[number] for number in range(first + 1, entity.world.count + 1)]
    return [one for one in news if isinstance(one, EventHandler | Modifier)]


def find_trait_parts(entity: Entity, candidates: list[Part]) -> tuple[list[Part], list[Part]]:
    """Separate the handlers and modifiers of an entity's traits from others.

    A new entity with the same traits shows which ones the traits add.

    Args:
        entity: the entity.
        candidates: its handlers and modifiers that no condition has added, in their order.

    Returns:
        Those of the traits, and the others.

    Raises:
        StateError: if a part that a trait adds is missing, or a callable that was added by hand
            cannot be saved.
    """
    twin = Entity(world=World(log="off"))
    made = [part for name in entity.traits for part in install(twin, name, entity.traits[name])]
    _compare_lists(entity, twin)
    rest = list(candidates)
    found: list[Part] = []
    for part in made:
        same = [one for one in rest if type(one) is type(part) and one.name == part.name]
        if not same:
            raise StateError(
                f"{entity.name} has lost {part.name!r}, which one of its traits added: remove the "
                "trait with it."
            )
        found.append(same[0])
        rest.remove(same[0])
    return found, rest


def _compare_lists(entity: Entity, twin: Entity) -> None:
    """Check that traits have added all callables in the lists, because others would be lost."""
    for what, own, known in (
        ("extra damage", entity.equipment.extra_damage, twin.equipment.extra_damage),
        ("reactions", entity.reactions, twin.reactions),
        ("contextual immunities", entity.contextual_immunities, twin.contextual_immunities),
    ):
        if len(own) != len(known):
            raise StateError(
                f"{entity.name} has {what} that no trait has added, and that cannot be saved: "
                "write a trait, and add it to `traits.INSTALLERS`."
            )


# -- reading ---------------------------------------------------------------------------------------


def load_shell(saved: SavedEntity, world: World, reader: Reader) -> Entity:
    """Create an entity with its values and proficiencies; the rest is loaded later."""
    first = world.count
    entity = Entity(saved.name, size=saved.size, world=world)
    if world.count - first != saved.parts:
        raise StateError(
            f"it consists of {saved.parts} objects, and here of {world.count - first}: it was "
            "saved by another version."
        )
    for k in range(saved.parts):
        reader.keep(saved.number + k, world.objects[first + 1 + k])
    for path, number in saved.made.items():
        reader.keep(number, _make_value(entity, path))
    values = {**dict(values_of(entity)), **made_values(entity)}
    for path, base in saved.values.items():
        if path not in values:
            raise StateError(f"an entity has no value {path!r}.")
        values[path].base = base
    for skill, times in saved.skills.items():
        entity.skills.proficiencies[skill] = times
    for ability, times in saved.saves.items():
        entity.saves.proficiencies[ability] = times
    return entity


def load_weapon(saved: SavedWeapon, world: World, reader: Reader) -> None:
    """Create a weapon, whose owner exists already."""
    owner = reader.find_or_none(saved.owner, Entity)
    weapon = Weapon(saved.name, saved.properties, owner, world)
    reader.keep(saved.number, weapon)
    for name, (number, base) in saved.values.items():
        if name not in WEAPON_VALUES:
            raise StateError(f"a weapon has no value {name!r}.")
        value: ModifiableValue = getattr(weapon, name.replace(" ", "_"))
        value.base = base
        reader.keep(number, value)


def load_traits(saved: SavedEntity, reader: Reader) -> None:
    """Restore an entity's equipment, and install its traits."""
    entity = reader.find(saved.number, Entity)
    _load_equipment(saved.equipment, entity.equipment, reader)
    parts: list[Part] = []
    for name, parameters in saved.traits:
        parts += install(entity, name, reader.decode(parameters))
    if len(parts) != len(saved.trait_parts):
        raise StateError(
            f"its traits consist of {len(saved.trait_parts)} objects, and now of {len(parts)}: the "
            "traits have changed since it was saved."
        )
    for number, part in zip(saved.trait_parts, parts, strict=True):
        reader.keep(number, part)


def _load_equipment(saved: SavedEquipment, equipment: Equipment, reader: Reader) -> None:
    armour = reader.decode(saved.armour)
    equipment.armour = None if armour is None else reader.read(saved.armour, Armour)
    equipment.natural = saved.natural
    hands = equipment.hands
    hands.main = reader.find_or_none(saved.main, Weapon)
    hands.off = reader.find_or_none(saved.off, Weapon)
    hands.shield, hands.count = saved.shield, saved.hands
    equipment.profiles = [
        AttackProfile(
            weapon=reader.find(one.weapon, Weapon),
            **{name: reader.decode(fact) for name, fact in one.facts.items()},
        )
        for one in saved.profiles
    ]
    equipment.plans = _load_plans(saved.plans, equipment)
    equipment.dropped = [reader.find(number, Weapon) for number in saved.dropped]
    equipment.replaces = saved.replaces


def _load_plans(saved: list[list[int]], equipment: Equipment) -> tuple[tuple[int, ...], ...]:
    most = len(equipment.profiles) - 1
    for index in (index for plan in saved for index in plan):
        check_range("profile of a plan", index, 0, most)
    return tuple(map(tuple, saved))


def load_state(saved: SavedEntity, reader: Reader) -> None:
    """Restore the state that traits and conditions may have changed."""
    entity = reader.find(saved.number, Entity)
    for name in PLAIN:
        setattr(entity, name, getattr(saved, name))
    _load_place(saved, entity)
    entity.uses = dict(saved.uses)
    entity.immunities = {name: list(reasons) for name, reasons in saved.immunities.items()}
    entity.equipment.unarmoured = saved.equipment.unarmoured
    for profile, one in zip(entity.equipment.profiles, saved.equipment.profiles, strict=True):
        profile.riders = reader.decode(one.facts["riders"])
    _load_health(saved.health, entity)
    _load_economy(saved.economy, entity)


def _load_place(saved: SavedEntity, entity: Entity) -> None:
    grid = entity.world.grid
    if saved.body >= 0 and (grid is None or grid.position(saved.body) != saved.position):
        raise StateError(f"the body {saved.body} of {saved.name} is not at {saved.position}.")
    entity.senses.position = saved.position


def _load_health(saved: SavedHealth, entity: Entity) -> None:
    for name in (*HEALTH, "hit_dice"):
        setattr(entity.health, name, getattr(saved, name))


def _load_economy(saved: SavedEconomy, entity: Entity) -> None:
    economy = entity.economy
    for name in ECONOMY:
        setattr(economy, name, getattr(saved, name))
    economy.used = dict(saved.used)
    economy.path = list(saved.path)
    economy.plans = _load_plans(saved.plans, entity.equipment)
    economy.marks = set(saved.marks)
