"""Sight, hiding, light and cover between entities."""

from __future__ import annotations

from typing import TYPE_CHECKING

from axiom_envs.dnd.engine.rules.space import distance

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.creature.entity import Entity


def in_line_of_sight(observer: Entity, other: Entity) -> bool:
    """Return True if nothing opaque stands between two entities, or if there is no grid."""
    grid = observer.world.grid
    if grid is None or observer.body < 0 or other.body < 0:
        return True
    return bool(grid.sees(observer.body, other.body))


def sees(observer: Entity, other: Entity) -> bool:
    """Return True if an entity perceives another, by sight or an equivalent sense.

    A blinded or unconscious entity sees nobody. An invisible entity, or one hidden from the
    observer, is not seen. Blindsight, tremorsense and truesight perceive invisible entities within
    their radius. With the option `light`, only darkvision sees entities in darkness.
    """
    if observer is other:
        return True
    if "unconscious" in observer.conditions or not in_line_of_sight(observer, other):
        return False
    if _is_hidden_from(other, observer):
        return False
    hindered = "blinded" in observer.conditions or (
        observer.world.options.light and is_in_the_dark(other, observer)
    )
    if not hindered and "invisible" not in other.conditions:
        return True
    away = distance(observer, other)
    senses = observer.senses
    if away <= max(senses.blindsight.score, senses.tremorsense.score):
        return True
    return "blinded" not in observer.conditions and away <= senses.truesight.score


def notices(observer: Entity, other: Entity) -> bool:
    """Return True if an entity knows where another is: it hears one that does not hide (SRD)."""
    return not _is_hidden_from(other, observer)


def _is_hidden_from(other: Entity, observer: Entity) -> bool:
    hidden = other.conditions.get("hidden")
    return hidden is not None and any(observer in one.unaware for one in hidden)  # type: ignore[attr-defined]


def light_at(entity: Entity) -> int:
    """Return the light at an entity's position: 0 dark, 1 dim, 2 bright."""
    grid = entity.world.grid
    if grid is None or entity.senses.position is None:
        return 2
    x, y = entity.senses.position
    return int(grid.light[y, x])


def is_in_the_dark(other: Entity, observer: Entity) -> bool:
    """Return True if darkness conceals an entity; within darkvision it is only dim light (SRD)."""
    if light_at(other) > 0:
        return False
    reach = max(observer.senses.darkvision.score, observer.senses.truesight.score)
    return distance(observer, other) > reach


def is_dim_to(other: Entity, observer: Entity) -> bool:
    """Return True if an entity is in dim light for an observer (option `light`).

    Within its radius, darkvision turns dim light into bright light, and darkness into dim light
    (SRD).
    """
    if not observer.world.options.light:
        return False
    reach = max(observer.senses.darkvision.score, observer.senses.truesight.score)
    return light_at(other) == (0 if distance(observer, other) <= reach else 1)


def cover_of(target: Entity, attacker: Entity) -> int:
    """Return the grade of the target's cover: 0 none, 1 half, 2 three-quarters, 3 total."""
    grid = target.world.grid
    if grid is None or attacker.body < 0 or target.body < 0:
        return 0
    return int(grid.cover(attacker.body, target.body))
