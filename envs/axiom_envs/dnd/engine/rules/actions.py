"""Actions: base class, costs and events.

An action is declared, its prerequisites are checked, and then it takes effect. Its costs are paid
when it takes effect, so an action that is canceled earlier costs nothing.
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
"""(action) -> the reason that prevents the action, or None."""
Consequence = Callable[[Any, Any], Event | None]
"""(event, action) -> the event changed or canceled, or None to leave it unchanged."""


@dataclass(frozen=True, slots=True)
class Cost:
    """One cost of an action: feet for movement, a number for other kinds."""

    kind: CostType
    amount: int = 1

    def describe(self) -> str:
        """Return a text such as "1 action" or "15 ft of movement"."""
        if self.kind is CostType.MOVEMENT:
            return f"{self.amount} ft of movement"
        return f"{self.amount} {self.kind.value}{'s' if self.amount != 1 else ''}"


@dataclass(slots=True, kw_only=True, eq=False)
class CostEvent(Event):
    """The payment of a cost; a handler that cancels it makes the action free of this cost."""

    event_type: ClassVar[str] = EventType.COST
    cost: Cost

    def describe(self) -> str:
        who = self.source.name if self.source is not None else "nobody"
        return f"{who} uses {self.cost.describe()}"


def pay(entity: Entity, cost: Cost, parent: Event | None = None) -> CostEvent:
    """Subtract a cost from an entity's budget."""
    event = CostEvent(source=entity, parent=parent, cost=cost).declare()
    event = event.phase_to(EventPhase.EXECUTION).phase_to(EventPhase.EFFECT)
    if not event.canceled:
        entity.economy.spend(event.cost.kind, event.cost.amount)
    return event.phase_to(EventPhase.COMPLETION)


@dataclass(slots=True, kw_only=True, eq=False)
class ActionEvent(Event):
    """An action that an entity takes."""

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
    """Base class of the actions of an entity.

    A subclass sets `name` and `default_costs`, and overrides `prerequisites` and `consequences`.
    These can also be passed to the constructor. Two prerequisites are common to all actions and are
    checked first: the entity is able to act, and it can pay the costs.

    Attributes:
        source: the entity that acts.
        target: the target of the action, or None.
        costs: the costs of the action.
    """

    name: ClassVar[str] = "action"
    description: ClassVar[str] = ""
    default_costs: ClassVar[tuple[Cost, ...]] = (Cost(CostType.ACTIONS),)
    revalidates: ClassVar[bool] = False
    """If True, the prerequisites are checked again after each consequence, but not the costs."""

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
        """Create the action; `apply` carries it out.

        Args:
            source: the entity that acts.
            target: the target of the action, or None.
            costs: costs that replace those of the class.
            prerequisites: additional prerequisites by name.
            consequences: additional consequences by name.
        """
        super().__init__(source.world)
        self.source = source
        self.target = target
        self.costs = self.default_costs if costs is None else costs
        self._prerequisites = dict(prerequisites or {})
        self._consequences = dict(consequences or {})

    # -- for subclasses ----------------------------------------------------------------------------

    def prerequisites(self) -> Mapping[str, Prerequisite]:
        """Return the prerequisites by name, in the order in which they are checked."""
        return self._prerequisites

    def consequences(self) -> Mapping[str, Consequence]:
        """Return the consequences by name, in their order."""
        return self._consequences

    def make_event(self, parent: Event | None) -> Event:
        """Create the event that declares the action."""
        return ActionEvent(source=self.source, target=self.target, parent=parent, action=self)

    # -- carrying it out ---------------------------------------------------------------------------

    def why_not(self, with_costs: bool = True) -> str | None:
        """Return the first failed prerequisite with its reason ("in reach: ..."), or None."""
        reason = why_unable(self.source)
        if reason is not None:
            return f"able to act: {reason}"
        if with_costs:
            for cost in self.costs:
                if self.source.economy.left(cost.kind) < cost.amount:
                    return f"cost: {self.source.name} does not have {cost.describe()} left"
        for name, prerequisite in self.prerequisites().items():
            reason = prerequisite(self)
            if reason is not None:
                return f"{name}: {reason}"
        return None

    def apply(self, parent: Event | None = None) -> Event:
        """Carry out the action.

        Returns:
            The event in its last phase. It is canceled if a handler cancels it or a prerequisite
            fails; its message gives the reason.
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
    """Return the reason that prevents an entity from taking any action, or None."""
    if entity.can_act:
        return None
    if entity.health.dead:
        return f"{entity.name} is dead"
    cause = entity.conditions["incapacitated"][0]
    holder = cause.holders[0].name if cause.holders else cause.name
    return f"{entity.name} is {holder}"
