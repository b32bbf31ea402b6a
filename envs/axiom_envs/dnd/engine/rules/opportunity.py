"""Opportunity attacks: who may make one, and what with.

A hostile creature that sees who leaves its reach may attack just before, once a round; not if that
one has disengaged, or is moved by others (SRD).
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
    """Feet within which an entity can make a melee attack now; 0 if it cannot."""
    return max(
        (
            one.reach
            for one in entity.equipment.profiles
            if one.is_melee and why_not_profile(entity, one) is None
        ),
        default=0,
    )


def opportunists(entity: Entity, square: Position) -> list[Entity]:
    """Who may attack an entity that steps to a square, in the order of the world's entities."""
    if "disengaged" in entity.conditions:
        return []
    return [
        other
        for other in entity.world.entities
        if other.is_hostile_to(entity) and leaves_reach(entity, square, other) and can_react(other)
        if sees(other, entity)
    ]


def leaves_reach(entity: Entity, square: Position, other: Entity) -> bool:
    """Whether a step to a square leaves the reach of another entity."""
    away = distance_from(entity, square, other)
    if away <= SQUARE or other.senses.position is None:
        return False
    return distance(entity, other) <= reach_of(other) < away


def opportunity_profile(entity: Entity, target: Entity) -> AttackProfile | None:
    """What an opportunity attack is made with: of what reaches, the highest expected damage."""
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
