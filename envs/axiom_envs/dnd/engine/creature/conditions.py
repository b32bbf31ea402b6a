"""Conditions: what entities are under, such as poisoned, and how it comes and goes.

A condition puts modifiers on values, handlers on events, and sub-conditions under itself, all in
its `_apply`; its removal takes all of them away again. It does not change while it lasts: what
changes is expressed by sub-conditions that come and go.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

from axiom_envs.dnd.engine.creature.durations import Duration, Moment, permanent
from axiom_envs.dnd.engine.values.modifiers import Modifier
from axiom_envs.dnd.engine.values.types import Ability
from axiom_envs.dnd.engine.values.values import Channel
from axiom_envs.dnd.engine.world.dispatch import EventHandler, Process, Trigger
from axiom_envs.dnd.engine.world.events import Event, EventType
from axiom_envs.dnd.engine.world.objects import BaseObject
from axiom_gym.errors import GameError

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.creature.entity import Entity


@dataclass(frozen=True, slots=True)
class SaveAgainst:
    """A saving throw that avoids a condition, or ends it.

    Attributes:
        ability: what is rolled.
        dc: the difficulty class.
        moment: of the turns of who has the condition, where it ends one.
    """

    ability: Ability
    dc: int
    moment: Moment = Moment.TURN_END


class BaseCondition(BaseObject):
    """Base of all conditions.

    A subclass has a docstring that says what it does, and `_apply`. Its constructor's arguments
    must stand in attributes of their names: saves are written and read by them. Loading a save
    calls `_apply` again, while no event takes place: it must put the same modifiers and handlers in
    place.

    Attributes:
        source: who has caused it, None for nobody.
        target: who is under it, None before it is applied.
        duration: how long it lasts.
        application_save: avoids it; None for no save.
        removal_save: ends it, made at each end (or start) of the target's turns; None for no save.
        holders: the conditions that it is a sub-condition of.
        is_own: whether it was also applied by itself, and so stays when no holder is left.
    """

    name: ClassVar[str] = ""
    """What it is called, in lower case; the class's name if not given."""
    stacks: ClassVar[bool] = False
    """Whether one entity may be under several from the same source."""

    __slots__ = (
        "_applied",
        "_handlers",
        "_modifiers",
        "_sub_conditions",
        "application_save",
        "duration",
        "holders",
        "is_own",
        "removal_save",
        "source",
        "target",
    )

    _applied: bool
    target: Entity | None

    def __init__(
        self,
        *,
        source: Entity | None = None,
        duration: Duration | None = None,
        application_save: SaveAgainst | None = None,
        removal_save: SaveAgainst | None = None,
    ) -> None:
        """Makes the condition; `Entity.add_condition` applies it."""
        set_ = object.__setattr__
        set_(self, "_applied", False)
        set_(self, "number", 0)
        self.source = source
        self.target = None
        self.duration = duration or permanent()
        self.application_save = application_save
        self.removal_save = removal_save
        self.holders: list[BaseCondition] = []
        self.is_own = False
        self._modifiers: list[tuple[Channel, Modifier]] = []
        self._handlers: list[EventHandler] = []
        self._sub_conditions: list[BaseCondition] = []

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Names the condition."""
        super().__init_subclass__(**kwargs)
        if "name" not in cls.__dict__:
            cls.name = cls.__name__.lower()

    def __setattr__(self, name: str, value: Any) -> None:
        """Refuses what would change a condition that is applied.

        Raises:
            GameError: after its application.
        """
        if self._applied:
            raise GameError(
                f"the condition {self.name!r} is applied, and does not change any more ({name}): "
                "put a sub-condition under it, or take one away."
            )
        object.__setattr__(self, name, value)

    def __setstate__(self, state: Any) -> None:
        """Fills a copy, applied or not."""
        parts = state if isinstance(state, tuple) else (state,)
        for part in parts:
            for name, value in (part or {}).items():
                object.__setattr__(self, name, value)

    # -- for subclasses ----------------------------------------------------------------------------

    def _apply(self, event: Event) -> None:
        """Puts the effects in place, by `modify`, `handle` and `add_sub_condition`.

        `self.target` is who is under the condition; `event` is the application.
        """

    def _removed(self, event: Event) -> None:
        """Called when all effects are gone; `event` is the removal."""

    def modify(self, channel: Channel, modifier: Modifier) -> Modifier:
        """Adds a modifier that goes with this condition."""
        channel.add(modifier)
        self._modifiers.append((channel, modifier))
        return modifier

    def handle(
        self, triggers: Trigger | Iterable[Trigger], function: Process, priority: int = 0
    ) -> EventHandler:
        """Registers a handler that goes with this condition."""
        handler = EventHandler(
            function, triggers, owner=self.target, name=self.name, priority=priority
        )
        self._handlers.append(handler)
        return handler

    def add_sub_condition(self, condition: BaseCondition, event: Event | None = None) -> Event:
        """Puts a condition under this one.

        If the target is under one of the same class already, and nothing but its holders ends
        either, that one is shared; no condition that stacks, or has arguments of its own, is.
        Handlers may call this at any time while the condition lasts.
        """
        return self.the_target.add_condition(condition, parent=event, holder=self)

    def remove_sub_condition(self, condition: BaseCondition) -> None:
        """Lets go of a sub-condition; it ends if nobody else holds it."""
        self.the_target.release_condition(condition, self)

    @property
    def the_target(self) -> Entity:
        """Who is under the condition.

        Raises:
            GameError: before it is applied.
        """
        if self.target is None:
            raise GameError(f"the condition {self.name!r} is not applied to anybody.")
        return self.target

    # -- what it holds -----------------------------------------------------------------------------

    @property
    def is_applied(self) -> bool:
        """Whether its target is under it now."""
        return bool(self._applied)

    @property
    def sub_conditions(self) -> tuple[BaseCondition, ...]:
        """What it has put under itself, and still holds."""
        return tuple(self._sub_conditions)

    @property
    def modifiers(self) -> tuple[Modifier, ...]:
        """What it has put on values."""
        return tuple(modifier for _, modifier in self._modifiers)

    @property
    def handlers(self) -> tuple[EventHandler, ...]:
        """What it has put on events."""
        return tuple(self._handlers)

    def parameters(self) -> dict[str, Any]:
        """The arguments of its constructor that are its class's own, by name."""
        kind: Any = type(self)
        return {name: getattr(self, name) for name in parameter_names(kind)}

    def describe(self) -> str:
        """Such as "poisoned by goblin for 3 rounds"."""
        by = f" by {self.source.name}" if self.source is not None else ""
        lasts = self.duration.describe()
        return f"{self.name}{by}" + (f" for {lasts}" if lasts != "permanent" else "")

    # -- coming and going; called by the entity ----------------------------------------------------

    def enact(self, event: Event) -> None:
        """Puts everything in place; from here on the condition does not change."""
        self.target = event.target
        self._apply(event)
        object.__setattr__(self, "_applied", True)

    def revoke(self, event: Event) -> None:
        """Takes everything away again, in the reverse order, and then is a condition like new."""
        object.__setattr__(self, "_applied", False)
        for handler in reversed(self._handlers):
            handler.remove()
        for channel, modifier in reversed(self._modifiers):
            channel.remove(modifier)
        self._handlers.clear()
        self._modifiers.clear()
        for sub_condition in reversed(self.sub_conditions):
            self.the_target.release_condition(sub_condition, self, event)
        self._removed(event)
        self.target = None


_COMMON = frozenset({"self", "source", "duration", "application_save", "removal_save"})


@cache
def parameter_names(kind: Any) -> tuple[str, ...]:
    """Names of a condition class's own parameters."""
    names: list[str] = []
    for one in kind.__mro__:
        init = one.__dict__.get("__init__")
        if init is not None and issubclass(one, BaseCondition):
            names += [
                given.name
                for given in inspect.signature(init).parameters.values()
                if given.kind not in (given.VAR_POSITIONAL, given.VAR_KEYWORD)
            ]
    return tuple(name for name in dict.fromkeys(names) if name not in _COMMON)


@dataclass(slots=True, kw_only=True, eq=False)
class ConditionApplication(Event):
    """A condition comes; a handler that cancels this prevents it.

    Attributes:
        condition: what comes.
        holder: the condition that it is put under, None if it comes by itself.
    """

    event_type: ClassVar[str] = EventType.CONDITION_APPLICATION
    condition: BaseCondition
    holder: BaseCondition | None = None

    def describe(self) -> str:
        whom = self.target.name if self.target is not None else "nobody"
        return f"{whom} is {self.condition.describe()}"


@dataclass(slots=True, kw_only=True, eq=False)
class ConditionRemoval(Event):
    """A condition goes; a handler may cancel this, but not where its time is over.

    Attributes:
        condition: what goes.
        expired: whether its time is over.
    """

    event_type: ClassVar[str] = EventType.CONDITION_REMOVAL
    condition: BaseCondition
    expired: bool = False

    def describe(self) -> str:
        whom = self.target.name if self.target is not None else "nobody"
        return f"{whom} is no longer {self.condition.name}"
