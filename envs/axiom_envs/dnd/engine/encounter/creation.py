"""Entities from the data files.

    goblin = create("goblin", position=(2, 3), side="foes")
    fighter = create("fighter", level=3)

Facts that follow from an entry of the data alone are computed once and kept: see `blueprints`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from axiom_envs.dnd.data.load import Library
from axiom_envs.dnd.engine.creature.entity import Entity
from axiom_envs.dnd.engine.creature.equipment import AttackProfile, Weapon
from axiom_envs.dnd.engine.encounter.blueprints import Blueprint, blueprint, named_blueprint
from axiom_envs.dnd.engine.features.traits import install_trait
from axiom_envs.dnd.engine.values.dice import roll_die
from axiom_envs.dnd.engine.values.modifiers import (
    AdvantageModifier,
    AdvantageStatus,
    ResistanceModifier,
)
from axiom_envs.dnd.engine.values.types import Skill
from axiom_gym.errors import ConfigError

if TYPE_CHECKING:
    from axiom_envs.dnd.data.models import CreatureSpec
    from axiom_envs.dnd.engine.world.world import World

Position = tuple[int, int]


def create(
    name: str,
    *,
    level: int | None = None,
    position: Position | None = None,
    side: str | None = None,
    title: str | None = None,
    library: Library | None = None,
    world: World | None = None,
    roll_hit_points: bool = False,
) -> Entity:
    """Create a creature, or a character of a class.

    Args:
        name: name of a creature or a class, as in the data files.
        level: level of a character; by default 1.
        position: (x, y) of its square, for a large creature the lowest; by default no position.
        side: the side that it fights for.
        title: the entity's name; by default as in the data.
        library: the library for names; by default the built-in one.
        world: the world to join; by default the active one.
        roll_hit_points: if True, its hit dice are rolled, one draw each; else their mean is used.

    Raises:
        UnknownNameError: if the library does not have the name.
        ConfigError: if the level does not exist, or the creature cannot stand on the square.
    """
    found = named_blueprint(library or Library.builtin(), name, level)
    return _build(found, position, side, title, world, roll_hit_points)


def create_from(
    spec: CreatureSpec,
    *,
    position: Position | None = None,
    side: str | None = None,
    title: str | None = None,
    library: Library | None = None,
    world: World | None = None,
    roll_hit_points: bool = False,
) -> Entity:
    """Create a creature from an entry of the data; the arguments are those of `create`."""
    found = blueprint(spec, library or Library.builtin())
    return _build(found, position, side, title, world, roll_hit_points)


def _build(
    plan: Blueprint,
    position: Position | None,
    side: str | None,
    title: str | None,
    world: World | None,
    roll_hit_points: bool,
) -> Entity:
    entity = Entity(
        title or plan.spec.title,
        scores=plan.scores,
        hit_points=plan.spec.hp,
        hit_dice=(plan.spec.hit_dice.count, plan.spec.hit_dice.sides),
        speed=plan.speed,
        proficiency=plan.proficiency,
        kind=plan.spec.kind,
        size=plan.size,
        side=side,
        world=world,
    )
    if position is not None:
        _place(entity, position)
    entity.spec = plan.spec.name
    entity.level = plan.spec.level or 0
    entity.is_player = plan.spec.player
    _set_proficiencies(entity, plan)
    _dress(entity, plan)
    _arm(entity, plan)
    _protect(entity, plan)
    for name, radius in plan.senses:
        getattr(entity.senses, name).base = radius
    for name, parameters in plan.traits:
        install_trait(entity, name, parameters)
    if roll_hit_points:
        _roll_hit_points(entity, plan)
    return entity


def _place(entity: Entity, position: Position) -> None:
    """Place a new entity on its square; on failure, remove it from the world again."""
    try:
        entity.place(position)
    except ConfigError:
        entity.world.entities.remove(entity)
        raise


def _set_proficiencies(entity: Entity, plan: Blueprint) -> None:
    entity.skills.proficiencies.update(plan.skill_proficiencies)
    entity.saves.proficiencies.update(plan.save_proficiencies)
    for skill, rest in plan.skill_rests:
        entity.skills[skill].base = rest
    for ability, rest in plan.save_rests:
        entity.saves[ability].base = rest


def _dress(entity: Entity, plan: Blueprint) -> None:
    equipment = entity.equipment
    equipment.armour = plan.armour
    equipment.natural = plan.natural
    equipment.armour_class.base = plan.natural_bonus
    if plan.armour is not None and plan.armour.stealth_disadvantage:
        noisy = AdvantageModifier(plan.armour.name, AdvantageStatus.DISADVANTAGE)
        entity.skills[Skill.STEALTH].self_static.add(noisy)


def _arm(entity: Entity, plan: Blueprint) -> None:
    equipment = entity.equipment
    weapons = [Weapon(name, properties, entity) for name, properties in plan.weapons]
    hands = equipment.hands
    hands.count = plan.spec.hands
    hands.main = None if plan.main is None else weapons[plan.main]
    hands.off = None if plan.off is None else weapons[plan.off]
    hands.shield = plan.spec.shield
    equipment.profiles = [AttackProfile(weapon=weapons[k], **facts) for k, facts in plan.profiles]
    equipment.plans = plan.plans
    equipment.replaces = not plan.spec.multiattack


def _protect(entity: Entity, plan: Blueprint) -> None:
    for damage_type, status in plan.resistances:
        modifier = ResistanceModifier(plan.spec.title, damage_type, status)
        entity.health.resistances.self_static.add(modifier)
    for name in plan.spec.condition_immunities:
        entity.immunities[name] = [plan.spec.title]


def _roll_hit_points(entity: Entity, plan: Blueprint) -> None:
    dice = plan.spec.hit_dice
    rolled = sum(roll_die(entity.world, dice.sides) for _ in range(dice.count))
    entity.health.maximum.base = entity.health.current = max(1, rolled + dice.bonus)
