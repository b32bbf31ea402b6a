"""Opportunity attacks: the creatures that may make one, and the profile that they use.

A creature that leaves the reach of a hostile creature provokes an attack just before it leaves, if
the hostile creature sees it and has a reaction left. A creature that has disengaged, or that is
moved by others, provokes none (SRD).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from axiom_envs.dnd.constants import SQUARE
from axiom_envs.dnd.engine.rules.attack_rules import why_not_profile
from axiom_envs.dnd.engine.rules.perception import sees
from axiom_envs.dnd.engine.rules.reactions import can_react
from axiom_envs.dnd.engine.rules.space import Position, distance, distance_from

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.creature.entity import Entity
    from axiom_envs.dnd.engine.creature.equipment import AttackProfile


def reach_of(entity: Entity) -> int:
    """Return the reach in feet of an entity's longest available melee attack; 0 without one."""
    return max(
        (
            one.reach
            for one in entity.equipment.profiles
            if one.is_melee and why_not_profile(entity, one) is None
        ),
        default=0,
    )


def opportunists(entity: Entity, square: Position) -> list[Entity]:
    """Return the entities that may attack one that steps to a square, in the world's order."""
    if "disengaged" in entity.conditions:
        return []
    return [
        other
        for other in entity.world.entities
        if other.is_hostile_to(entity) and leaves_reach(entity, square, other) and can_react(other)
        if sees(other, entity)
    ]


def leaves_reach(entity: Entity, square: Position, other: Entity) -> bool:
    """Return True if a step to a square leaves the reach of another entity."""
    away = distance_from(entity, square, other)
    if away <= SQUARE or other.senses.position is None:
        return False
    return distance(entity, other) <= reach_of(other) < away


def opportunity_profile(entity: Entity, target: Entity) -> AttackProfile | None:
    """Return the melee profile in reach with the highest expected damage, or None."""
    away = distance(entity, target)
    best: AttackProfile | None = None
    for one in entity.equipment.profiles:
        if not one.is_melee or one.reach < away or why_not_profile(entity, one) is not None:
            continue
        if best is None or _worth(entity, one, target) > _worth(entity, best, target):
            best = one
    return best


def _worth(entity: Entity, profile: AttackProfile, target: Entity) -> float:
    return entity.equipment.weapon_dice(profile, target).mean()
