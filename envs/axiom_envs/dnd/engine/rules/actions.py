"""Actions: what entities decide to do.

An action declares itself, looks whether all its prerequisites hold, and takes effect. What it costs
is paid when it takes effect, so nothing is charged for what was canceled before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from axiom_envs.dnd.engine.creature.lifecycle import refuse
from axiom_envs.dnd.engine.values.types import CostType
from axiom_envs.dnd.engine.world.events import Event, EventPhase, EventType
from axiom_envs.dnd.engine.world.objects import BaseObject

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.creature.entity import Entity

Prerequisite = Callable[[Any], str | None]
"""(action) -> why it cannot be done, in words; None if it can."""
Consequence = Callable[[Any, Any], Event | None]
"""(event, action) -> the event changed or canceled, or None to leave it as it is."""


@dataclass(frozen=True, slots=True)
class Cost:
    """A part of what an action costs; feet of movement, else how many."""

    kind: CostType
    amount: int = 1

    def describe(self) -> str:
        """Such as "1 action", "15 ft of movement"."""
        if self.kind is CostType.MOVEMENT:
            return f"{self.amount} ft of movement"
        return f"{self.amount} {self.kind.value}{'s' if self.amount != 1 else ''}"


@dataclass(slots=True, kw_only=True, eq=False)
class CostEvent(Event):
    """A cost that is paid; a handler that cancels it makes it free."""

    event_type: ClassVar[str] = EventType.COST
    cost: Cost

    def describe(self) -> str:
        who = self.source.name if self.source is not None else "nobody"
        return f"{who} uses {self.cost.describe()}"


def pay(entity: Entity, cost: Cost, parent: Event | None = None) -> CostEvent:
    """Takes a cost off an entity's budget."""
    event = CostEvent(source=entity, parent=parent, cost=cost).declare()
    event = event.phase_to(EventPhase.EXECUTION).phase_to(EventPhase.EFFECT)
    if not event.canceled:
        entity.economy.spend(event.cost.kind, event.cost.amount)
    return event.phase_to(EventPhase.COMPLETION)


@dataclass(slots=True, kw_only=True, eq=False)
class ActionEvent(Event):
    """Somebody takes an action."""

    event_type: ClassVar[str] = EventType.ACTION
    action: Action

    @property
    def title(self) -> str:
        return self.action.name

    def describe(self) -> str:
        who = self.source.name if self.source is not None else "nobody"
        whom = f" ({self.target.name})" if self.target is not None else ""
        return f"{who}: {self.action.name}{whom}"


class Action(BaseObject):
    """Something an entity can do.

    A subclass gives `name`, `costs`, and overrides `prerequisites` and `consequences`; or both are
    handed in. Prerequisites are looked at in their order, after those that all actions share: that
    the entity can act at all, and can pay.

    Attributes:
        source: who does it.
        target: to whom, if anybody.
        costs: what it costs.
    """

    name: ClassVar[str] = "action"
    description: ClassVar[str] = ""
    default_costs: ClassVar[tuple[Cost, ...]] = (Cost(CostType.ACTIONS),)
    revalidates: ClassVar[bool] = False
    """Whether the prerequisites are looked at again after each consequence; those of cost are not.
    """

    __slots__ = ("_consequences", "_prerequisites", "costs", "source", "target")

    def __init__(
        self,
        source: Entity,
        target: Entity | None = None,
        *,
        costs: tuple[Cost, ...] | None = None,
        prerequisites: Mapping[str, Prerequisite] | None = None,
        consequences: Mapping[str, Consequence] | None = None,
    ) -> None:
        """Makes the action; `apply` does it.

        Args:
            source: who does it.
            target: to whom, if anybody.
            costs: instead of those of its class.
            prerequisites: what else must hold, by name.
            consequences: what else follows, by name.
        """
        super().__init__(source.world)
        self.source = source
        self.target = target
        self.costs = self.default_costs if costs is None else costs
        self._prerequisites = dict(prerequisites or {})
        self._consequences = dict(consequences or {})

    # -- for subclasses ----------------------------------------------------------------------------

    def prerequisites(self) -> Mapping[str, Prerequisite]:
        """What must hold, by name, in the order in which it is looked at."""
        return self._prerequisites

    def consequences(self) -> Mapping[str, Consequence]:
        """What follows, by name, in its order."""
        return self._consequences

    def make_event(self, parent: Event | None) -> Event:
        """The event that declares it."""
        return ActionEvent(source=self.source, target=self.target, parent=parent, action=self)

    # -- doing it ----------------------------------------------------------------------------------

    def why_not(self, with_costs: bool = True) -> str | None:
        """The first prerequisite that fails, and why: "in reach: ..."; None if it can be done."""
        reason = why_unable(self.source)
        if reason is not None:
            return f"able to act: {reason}"
        if with_costs:
            for cost in self.costs:
                if self.source.economy.left(cost.kind) < cost.amount:
                    return f"cost: {self.source.name} has not got {cost.describe()} left"
        for name, prerequisite in self.prerequisites().items():
            reason = prerequisite(self)
            if reason is not None:
                return f"{name}: {reason}"
        return None

    def apply(self, parent: Event | None = None) -> Event:
        """Does it.

        Returns:
            The event at its end; canceled where a prerequisite fails, which its message names, or a
            handler wants it so.
        """
        try:
            return self._apply(self.make_event(parent).declare())
        finally:
            self.world.forget(self)

    def _apply(self, event: Event) -> Event:
        if event.canceled:
            return event
        reason = self.why_not()
        if reason is not None:
            return refuse(event, reason)
        event = event.phase_to(EventPhase.EXECUTION).phase_to(EventPhase.EFFECT)
        if event.canceled:
            return event
        for cost in self.costs:
            pay(self.source, cost, event)
        for consequence in self.consequences().values():
            event = consequence(event, self) or event
            reason = self.why_not(with_costs=False) if self.revalidates else None
            if reason is not None and not event.canceled:
                event = refuse(event, reason)
            if event.canceled:
                return event
        return event.phase_to(EventPhase.COMPLETION)


def why_unable(entity: Entity) -> str | None:
    """Why an entity can do nothing at all, in words; None if it can."""
    if entity.can_act:
        return None
    if entity.health.dead:
        return f"{entity.name} is dead"
    cause = entity.conditions["incapacitated"][0]
    holder = cause.holders[0].name if cause.holders else cause.name
    return f"{entity.name} is {holder}"
