"""Distances between entities.

Squares are 5 ft wide, and a diagonal is as long as a side (with the option "5-10-5" every second
one is twice as long). The distance of two spaces is that of their nearest squares. Without
positions every distance is 5 ft, as if all entities stood next to each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from axiom_envs.dnd.constants import SQUARE
from axiom_envs.dnd.geometry.distance import distance_between

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.creature.entity import Entity

Position = tuple[int, int]


def distance(a: Entity, b: Entity) -> int:
    """Return the distance between two entities in feet; 5 if one of them has no position."""
    if a.senses.position is None or b.senses.position is None:
        return SQUARE
    return distance_between(
        a.senses.position,
        a.size.squares,
        b.senses.position,
        b.size.squares,
        a.world.options.diagonals,
    )


def distance_from(entity: Entity, position: Position, other: Entity) -> int:
    """Return the distance as `distance` would if the first entity stood on another square."""
    if other.senses.position is None:
        return SQUARE
    return distance_between(
        position,
        entity.size.squares,
        other.senses.position,
        other.size.squares,
        entity.world.options.diagonals,
    )
