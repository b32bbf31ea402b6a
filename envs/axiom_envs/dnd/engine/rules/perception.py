"""Who sees whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from axiom_envs.dnd.engine.rules.space import distance

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.creature.entity import Entity


def in_line_of_sight(observer: Entity, other: Entity) -> bool:
    """Whether nothing opaque stands between them; true where there is no grid."""
    grid = observer.world.grid
    if grid is None or observer.body < 0 or other.body < 0:
        return True
    return bool(grid.sees(observer.body, other.body))


def sees(observer: Entity, other: Entity) -> bool:
    """Whether an entity can see another, by sight or a sense that does as well.

    Who is blinded or unconscious sees nobody; who is invisible, or hidden from the observer, is not
    seen; blindsight, tremorsense and truesight see what is invisible within their radius. With the
    option `light`, what stands in the dark is seen by darkvision alone.
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
    """Whether an entity knows where another is, seen or not: who does not hide is heard (SRD)."""
    return not _is_hidden_from(other, observer)


def _is_hidden_from(other: Entity, observer: Entity) -> bool:
    hidden = other.conditions.get("hidden")
    return hidden is not None and any(observer in one.unaware for one in hidden)  # type: ignore[attr-defined]


def light_at(entity: Entity) -> int:
    """0 dark, 1 dim, 2 bright: the light where an entity stands."""
    grid = entity.world.grid
    if grid is None or entity.senses.position is None:
        return 2
    x, y = entity.senses.position
    return int(grid.light[y, x])


def is_in_the_dark(other: Entity, observer: Entity) -> bool:
    """Whether darkness hides an entity: within darkvision it is only dim (SRD)."""
    if light_at(other) > 0:
        return False
    reach = max(observer.senses.darkvision.score, observer.senses.truesight.score)
    return distance(observer, other) > reach


def is_dim_to(other: Entity, observer: Entity) -> bool:
    """Whether an observer sees an entity in dim light only (option `light`).

    Darkvision makes dim light bright, and darkness dim, within its radius (SRD).
    """
    if not observer.world.options.light:
        return False
    reach = max(observer.senses.darkvision.score, observer.senses.truesight.score)
    return light_at(other) == (0 if distance(observer, other) <= reach else 1)


def cover_of(target: Entity, attacker: Entity) -> int:
    """The grade of the target's cover: 0 none, 1 half, 2 three-quarters, 3 total."""
    grid = target.world.grid
    if grid is None or attacker.body < 0 or target.body < 0:
        return 0
    return int(grid.cover(attacker.body, target.body))
