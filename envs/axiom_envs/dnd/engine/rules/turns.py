"""Turns: what happens by itself when one begins and when it ends.

Order at the start, with its draws: budgets are renewed; durations run out, and saves at the start
of a turn end conditions (a d20 test each); handlers of the event's EFFECT, such as regeneration;
a d6 for each attack that waits to recharge, in the order of the profiles; the death save of who is
dying (a d20 test); who dropped a weapon picks it up. At the end: durations run out, and saves at
the end of a turn (a d20 test each, in the order in which the conditions came).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from axiom_envs.dnd.engine.creature.durations import Moment
from axiom_envs.dnd.engine.creature.lifecycle import tick
from axiom_envs.dnd.engine.rules.actions import Cost, pay
from axiom_envs.dnd.engine.rules.damage import roll_death_save
from axiom_envs.dnd.engine.values.dice import roll_die
from axiom_envs.dnd.engine.values.types import CostType
from axiom_envs.dnd.engine.world.events import Event, EventPhase, EventType

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.creature.entity import Entity

RECHARGE_DIE = 6


@dataclass(slots=True, kw_only=True, eq=False)
class TurnStart(Event):
    """A turn of the source begins."""

    event_type: ClassVar[str] = EventType.TURN_START


@dataclass(slots=True, kw_only=True, eq=False)
class TurnEnd(Event):
    """A turn of the source ends."""

    event_type: ClassVar[str] = EventType.TURN_END


@dataclass(slots=True, kw_only=True, eq=False)
class PickUp(Event):
    """The source takes up what it had dropped."""

    event_type: ClassVar[str] = EventType.EQUIPMENT
    weapon: str = ""

    def describe(self) -> str:
        return f"{self.source.name if self.source is not None else 'nobody'} picks up {self.weapon}"


def start_turn(entity: Entity) -> TurnStart:
    """Begins an entity's turn; also of who is dead, whose durations still run."""
    event = TurnStart(source=entity).declare()
    entity.economy.renew_turn()
    tick(entity, Moment.TURN_START, event)
    event = event.phase_to(EventPhase.EXECUTION).phase_to(EventPhase.EFFECT)
    if not entity.health.dead:
        _recharge(entity)
        if entity.health.current == 0 and entity.is_player and not entity.health.stable:
            roll_death_save(entity, event)
        _pick_up(entity, event)
    return event.phase_to(EventPhase.COMPLETION)


def end_turn(entity: Entity) -> TurnEnd:
    """Ends an entity's turn."""
    event = TurnEnd(source=entity).declare()
    event = event.phase_to(EventPhase.EXECUTION).phase_to(EventPhase.EFFECT)
    tick(entity, Moment.TURN_END, event)
    entity.economy.end_turn()
    return event.phase_to(EventPhase.COMPLETION)


def _recharge(entity: Entity) -> None:
    for profile in entity.equipment.profiles:
        if not profile.charged:
            profile.charged = roll_die(entity.world, RECHARGE_DIE) >= profile.recharge


def _pick_up(entity: Entity, parent: Event) -> None:
    """One thing a turn, by the free interaction with an object (SRD)."""
    dropped = entity.equipment.dropped
    if not dropped or not entity.can_act:
        return
    cost = Cost(CostType.OBJECT_INTERACTIONS)
    if entity.economy.left(cost.kind) < cost.amount:
        return
    event = PickUp(source=entity, parent=parent, weapon=dropped[0].name).declare()
    event = event.phase_to(EventPhase.EXECUTION).phase_to(EventPhase.EFFECT)
    if event.canceled:
        return
    pay(entity, cost, event)
    dropped.pop(0)
    event.phase_to(EventPhase.COMPLETION)
