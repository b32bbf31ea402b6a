"""Death, and the failed death saving throws that lead to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from axiom_envs.dnd.engine.world.events import Event, EventPhase, EventType

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.creature.entity import Entity

MOST_DEATH_SAVES = 3


@dataclass(slots=True, kw_only=True, eq=False)
class Death(Event):
    """The death of an entity; a handler may cancel it, and then nothing changes."""

    event_type: ClassVar[str] = EventType.DEATH

    def describe(self) -> str:
        return f"{self.target.name if self.target is not None else 'nobody'} dies"


def fail_death_save(target: Entity, times: int, event: Event) -> None:
    """Count failed death saving throws; the third one kills."""
    health = target.health
    health.failures = min(MOST_DEATH_SAVES, health.failures + times)
    if health.failures >= MOST_DEATH_SAVES:
        die(target, event, event.source)


def die(target: Entity, parent: Event | None = None, source: Entity | None = None) -> Death:
    """Kill an entity, unless a handler prevents it."""
    event = Death(source=source, target=target, parent=parent).declare()
    event = event.phase_to(EventPhase.EXECUTION).phase_to(EventPhase.EFFECT)
    if event.canceled:
        return event
    target.health.current = 0
    target.health.dead = True
    target.health.stable = False
    for condition in reversed(target.active_conditions()):
        if condition.is_applied and not condition.holders:
            target.remove_condition(condition, parent=event, expired=True)
    return event.phase_to(EventPhase.COMPLETION)
