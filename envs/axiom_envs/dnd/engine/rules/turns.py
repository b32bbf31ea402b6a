"""Turns: the automatic events at their start and end.

Order at the start, with its draws:

    1. budgets are restored
    2. durations run out, and saves at the start of a turn end conditions (a d20 test each)
    3. handlers of the event's EFFECT run, such as regeneration
    4. a d6 is rolled for each attack that waits to recharge, in the order of the profiles
    5. a dying creature makes its death saving throw (a d20 test)
    6. a creature that dropped a weapon picks it up

Order at the end: durations run out; then saves at the end of a turn (a d20 test each, in the order
in which the conditions were applied).
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
    """The start of the source's turn."""

    event_type: ClassVar[str] = EventType.TURN_START


@dataclass(slots=True, kw_only=True, eq=False)
class TurnEnd(Event):
    """The end of the source's turn."""

    event_type: ClassVar[str] = EventType.TURN_END


@dataclass(slots=True, kw_only=True, eq=False)
class PickUp(Event):
    """The source picks up a weapon that it had dropped."""

    event_type: ClassVar[str] = EventType.EQUIPMENT
    weapon: str = ""

    def describe(self) -> str:
        return f"{self.source.name if self.source is not None else 'nobody'} picks up {self.weapon}"


def start_turn(entity: Entity) -> TurnStart:
    """Start an entity's turn, even that of a dead entity, whose durations still run."""
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
    """End an entity's turn."""
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
    """Pick up one weapon per turn, with the free object interaction (SRD)."""
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
