"""Events: everything that happens, in phases.

Events are not changed in place. `phase_to` and `change` make a new event of the same lineage. The
new event is logged and passed to the handlers, and the event that they return is the one that
counts.

    DECLARATION   the event is intended; nothing has happened yet
    EXECUTION     the event takes place: dice are rolled
    EFFECT        the result is known; it is applied after all handlers have seen it
    COMPLETION    the result has been applied
    CANCEL        the event does not take place, or is cut short
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar
from uuid import UUID

from axiom_envs.dnd.engine.world.objects import BaseObject, active_world

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.creature.entity import Entity

E = TypeVar("E", bound="Event")


class EventPhase(IntEnum):
    """The phase that an event has reached."""

    DECLARATION = 0
    EXECUTION = 1
    EFFECT = 2
    COMPLETION = 3
    CANCEL = 4


class EventType(StrEnum):
    """The engine's own event types; a custom event may use any other text as its type."""

    ACTION = "action"
    ATTACK = "attack"
    CHECK = "check"
    CONDITION_APPLICATION = "condition application"
    CONDITION_REMOVAL = "condition removal"
    COST = "cost"
    DAMAGE = "damage"
    DEATH = "death"
    EQUIPMENT = "equipment"
    FALL = "fall to 0 hit points"
    FORCED_MOVEMENT = "forced movement"
    HEALING = "healing"
    ROLL = "roll"
    ROUND = "round"
    SAVE = "save"
    STEP = "step"
    TEMPORARY_HIT_POINTS = "temporary hit points"
    TURN_END = "turn end"
    TURN_START = "turn start"


@dataclass(slots=True, kw_only=True, eq=False)
class Event(BaseObject):
    """Base class of everything that happens.

    Attributes:
        source: the entity that causes the event.
        target: the entity that the event affects.
        parent: the event that this one is a part of.
        phase: the phase that the event has reached.
        canceled: True if the event does not take place.
        modified: True if a handler has changed the event.
        message: the reason for the cancellation.
        fault: the exception of the handler that failed, or None.
        lineage: the number of the lineage's first event, the same in all phases.
        root: the lineage of the outermost event that this one is a part of.
    """

    event_type: ClassVar[str] = "event"
    name: ClassVar[str] = ""
    """The event's name; if empty, its type is used."""

    source: Entity | None = None
    target: Entity | None = None
    parent: Event | None = field(default=None, repr=False)
    phase: EventPhase = EventPhase.DECLARATION
    canceled: bool = False
    modified: bool = False
    message: str = ""
    fault: Exception | None = None
    lineage: int = 0
    root: int = 0

    def __post_init__(self) -> None:
        """Find the world: that of the parent, the source or the target, else the active one.

        An event that a handler causes becomes a child of the event that the handler processes.
        """
        self.number = 0  # type: ignore[misc]
        near = self.parent or self.source or self.target
        self.world = near.world if near is not None else active_world()  # type: ignore[misc]
        if self.parent is None:
            self.parent = self.world.events.current

    # -- identity ----------------------------------------------------------------------------------

    @property
    def source_entity_uuid(self) -> UUID | None:
        """The source's UUID."""
        return self.source.uuid if self.source is not None else None

    @property
    def target_entity_uuid(self) -> UUID | None:
        """The target's UUID."""
        return self.target.uuid if self.target is not None else None

    @property
    def lineage_uuid(self) -> UUID:
        """The UUID of the lineage's first event, the same in all phases."""
        return self.world.make_uuid(self.lineage)

    @property
    def title(self) -> str:
        """The event's name, or its type if it has no name."""
        return self.name or self.event_type

    # -- phases ------------------------------------------------------------------------------------

    def declare(self: E) -> E:
        """Pass a new event to the handlers, in phase DECLARATION.

        Returns:
            The event as the handlers return it.
        """
        return self.world.events.post(self)

    def phase_to(self: E, phase: EventPhase, **changes: Any) -> E:
        """Make a new event of this lineage in another phase, and pass it to the handlers.

        Args:
            phase: the new phase.
            **changes: fields that change with the phase.

        Returns:
            The event as the handlers return it; a canceled event is returned unchanged.
        """
        if self.canceled:
            return self
        new = self._copy(changes)
        new.phase = phase
        return self.world.events.post(new)

    def fill(self: E, **results: Any) -> E:
        """Return a copy in the same phase with results, which handlers see in the next phase."""
        return self._copy(results)

    def change(self: E, **changes: Any) -> E:
        """Return a copy with these fields changed, as the result of a handler."""
        return self._copy({**changes, "modified": True})

    def cancel(self: E, message: str, fault: Exception | None = None) -> E:
        """Return a canceled copy, as the result of a handler; `message` is the reason."""
        changes = {"canceled": True, "phase": EventPhase.CANCEL, "message": message}
        return self._copy({**changes, "fault": fault})

    def _copy(self: E, changes: dict[str, Any]) -> E:
        kind = type(self)
        copy = _COPIERS.get(kind)
        if copy is None:
            copy = _COPIERS[kind] = _make_copier(kind)
        new: E = kind.__new__(kind)
        copy(self, new)
        for name in changes:
            setattr(new, name, changes[name])
        return new

    # -- texts -------------------------------------------------------------------------------------

    def explain(self) -> str:
        """Describe the event with all its numbers and their origins."""
        text = self.describe()
        return f"{text} (canceled: {self.message})" if self.canceled else text

    def describe(self) -> str:
        """Describe the event in one sentence."""
        names = [one.name for one in (self.source, self.target) if one is not None]
        return f"{self.title}: {' -> '.join(names)}" if names else str(self.title)


_COPIERS: dict[type[Event], Callable[[Any, Any], None]] = {}


def _make_copier(kind: type[Event]) -> Callable[[Any, Any], None]:
    """Generate a function (old, new) that copies all fields fast, because it is called often."""
    names = ["world", *(entry.name for entry in dataclasses.fields(kind))]
    lines = [f"    new.{name} = old.{name}" for name in names]
    scope: dict[str, Any] = {}
    exec("\n".join(["def copy(old, new):", *lines]), scope)
    made: Callable[[Any, Any], None] = scope["copy"]
    return made
