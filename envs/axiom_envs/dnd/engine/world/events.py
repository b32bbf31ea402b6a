"""Events: everything that happens, phase by phase.

An event is never changed. `phase_to` and `change` make a new one of the same lineage, which is
handed to the handlers and stands in the log; what the handlers make of it is what counts.

    DECLARATION   what is intended; nothing has happened
    EXECUTION     it is being done: dice are rolled
    EFFECT        the outcome is known, and takes effect when all handlers have seen it
    COMPLETION    it has taken effect
    CANCEL        it does not take place, or no further
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
    """How far an event has come."""

    DECLARATION = 0
    EXECUTION = 1
    EFFECT = 2
    COMPLETION = 3
    CANCEL = 4


class EventType(StrEnum):
    """The engine's own types of events; an event of yours may have any other text as its type."""

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
    """Something that happens.

    Attributes:
        source: who does it.
        target: to whom.
        parent: the event that it is a part of.
        phase: how far it has come.
        canceled: whether it does not take place.
        modified: whether a handler has changed it.
        message: why it was canceled.
        fault: the exception of the handler that broke it, if one did.
        lineage: number of its first event, the same in all phases.
        root: lineage of the outermost event that it is a part of.
    """

    event_type: ClassVar[str] = "event"
    name: ClassVar[str] = ""
    """What it is called; its type if not given."""

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
        """Finds the world: of the parent, the source, the target, or the active one.

        What a handler causes is a part of the event that it handles.
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
        """The UUID of its first event, the same in all phases."""
        return self.world.make_uuid(self.lineage)

    @property
    def title(self) -> str:
        """What it is called."""
        return self.name or self.event_type

    # -- going on ----------------------------------------------------------------------------------

    def declare(self: E) -> E:
        """Hands a new event to the handlers, in its phase DECLARATION.

        Returns:
            The event as the handlers leave it.
        """
        return self.world.events.post(self)

    def phase_to(self: E, phase: EventPhase, **changes: Any) -> E:
        """A new event of this lineage in another phase, after its handlers.

        Args:
            phase: the phase it comes to.
            **changes: fields that change on the way.

        Returns:
            The event as the handlers leave it; a canceled event is returned as it is.
        """
        if self.canceled:
            return self
        new = self._copy(changes)
        new.phase = phase
        return self.world.events.post(new)

    def fill(self: E, **results: Any) -> E:
        """A copy in the same phase with what has come out so far; handlers see it with the next."""
        return self._copy(results)

    def change(self: E, **changes: Any) -> E:
        """A copy with these fields changed, for a handler to return."""
        return self._copy({**changes, "modified": True})

    def cancel(self: E, message: str, fault: Exception | None = None) -> E:
        """A copy that is canceled, for a handler to return; `message` says why."""
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

    # -- words -------------------------------------------------------------------------------------

    def explain(self) -> str:
        """What happened, with all numbers and where they come from."""
        text = self.describe()
        return f"{text} (canceled: {self.message})" if self.canceled else text

    def describe(self) -> str:
        """What happened, in one sentence."""
        names = [one.name for one in (self.source, self.target) if one is not None]
        return f"{self.title}: {' -> '.join(names)}" if names else str(self.title)


_COPIERS: dict[type[Event], Callable[[Any, Any], None]] = {}


def _make_copier(kind: type[Event]) -> Callable[[Any, Any], None]:
    """A function (old, new) that copies all fields; written out, for it is called all the time."""
    names = ["world", *(entry.name for entry in dataclasses.fields(kind))]
    lines = [f"    new.{name} = old.{name}" for name in names]
    scope: dict[str, Any] = {}
    exec("\n".join(["def copy(old, new):", *lines]), scope)
    made: Callable[[Any, Any], None] = scope["copy"]
    return made
