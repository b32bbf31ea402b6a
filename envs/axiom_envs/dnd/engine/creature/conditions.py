"""Conditions, such as poisoned: their base class, and the events of their application and removal.

A condition adds modifiers to values, handlers to events, and sub-conditions to itself, all in its
`_apply`; its removal undoes all of them. An applied condition does not change: an effect that
changes is a sub-condition that is added and removed.
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
    """A saving throw that prevents a condition, or ends it.

    Attributes:
        ability: the ability of the saving throw.
        dc: the difficulty class.
        moment: the moment of the target's turns at which a saving throw that ends it is made.
    """

    ability: Ability
    dc: int
    moment: Moment = Moment.TURN_END


class BaseCondition(BaseObject):
    """Base class of all conditions.

    A subclass has a docstring that states its effects, and overrides `_apply`. It keeps each
    argument of its constructor in an attribute of the same name, because saves write and read them
    by name. Loading a save calls `_apply` again outside of any event; it must add the same
    modifiers and handlers as before.

    Attributes:
        source: the entity that causes the condition, or None.
        target: the entity that has the condition, None before it is applied.
        duration: the time until the condition ends.
        application_save: a saving throw that prevents the condition, or None.
        removal_save: a saving throw that ends the condition, made at each end (or start) of the
            target's turns, or None.
        holders: the conditions that this one is a sub-condition of.
        is_own: if True, the condition was also applied on its own, and stays without holders.
    """

    name: ClassVar[str] = ""
    """The name, in lower case; by default the name of the class."""
    stacks: ClassVar[bool] = False
    """If True, one entity can have several conditions of this class from the same source."""

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
        """Create the condition; `Entity.add_condition` applies it."""
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
        """Give the class its name."""
        super().__init_subclass__(**kwargs)
        if "name" not in cls.__dict__:
            cls.name = cls.__name__.lower()

    def __setattr__(self, name: str, value: Any) -> None:
        """Set an attribute of a condition that is not applied.

        Raises:
            GameError: if the condition is applied.
        """
        if self._applied:
            raise GameError(
                f"the condition {self.name!r} is applied and can no longer change ({name}): "
                "add or remove a sub-condition instead."
            )
        object.__setattr__(self, name, value)

    def __setstate__(self, state: Any) -> None:
        """Restore a copy, applied or not."""
        parts = state if isinstance(state, tuple) else (state,)
        for part in parts:
            for name, value in (part or {}).items():
                object.__setattr__(self, name, value)

    # -- for subclasses ----------------------------------------------------------------------------

    def _apply(self, event: Event) -> None:
        """Add the effects, with `modify`, `handle` and `add_sub_condition`.

        `self.target` is the entity that gets the condition; `event` is the application.
        """

    def _removed(self, event: Event) -> None:
        """React to the removal of all effects; `event` is the removal."""

    def modify(self, channel: Channel, modifier: Modifier) -> Modifier:
        """Add a modifier that lasts as long as this condition."""
        channel.add(modifier)
        self._modifiers.append((channel, modifier))
        return modifier

    def handle(
        self, triggers: Trigger | Iterable[Trigger], function: Process, priority: int = 0
    ) -> EventHandler:
        """Register a handler that lasts as long as this condition."""
        handler = EventHandler(
            function, triggers, owner=self.target, name=self.name, priority=priority
        )
        self._handlers.append(handler)
        return handler

    def add_sub_condition(self, condition: BaseCondition, event: Event | None = None) -> Event:
        """Add a sub-condition to this condition.

        A sub-condition that the target already has is shared, if both are of the same class and
        only end with their holders. Conditions that stack, or that have arguments of their own, are
        never shared. Handlers may call this method at any time while the condition lasts.
        """
        return self.the_target.add_condition(condition, parent=event, holder=self)

    def remove_sub_condition(self, condition: BaseCondition) -> None:
        """Release a sub-condition; it ends if no other condition holds it."""
        self.the_target.release_condition(condition, self)

    @property
    def the_target(self) -> Entity:
        """The entity that has the condition.

        Raises:
            GameError: before the condition is applied.
        """
        if self.target is None:
            raise GameError(f"the condition {self.name!r} is not applied to any entity.")
        return self.target

    # -- contents ----------------------------------------------------------------------------------

    @property
    def is_applied(self) -> bool:
        """True while the target has the condition."""
        return bool(self._applied)

    @property
    def sub_conditions(self) -> tuple[BaseCondition, ...]:
        """The sub-conditions that this condition holds."""
        return tuple(self._sub_conditions)

    @property
    def modifiers(self) -> tuple[Modifier, ...]:
        """The modifiers that this condition has added."""
        return tuple(modifier for _, modifier in self._modifiers)

    @property
    def handlers(self) -> tuple[EventHandler, ...]:
        """The handlers that this condition has registered."""
        return tuple(self._handlers)

    def parameters(self) -> dict[str, Any]:
        """Return the constructor arguments that are specific to the class, by name."""
        kind: Any = type(self)
        return {name: getattr(self, name) for name in parameter_names(kind)}

    def describe(self) -> str:
        """Return a text such as "poisoned by goblin for 3 rounds"."""
        by = f" by {self.source.name}" if self.source is not None else ""
        lasts = self.duration.describe()
        return f"{self.name}{by}" + (f" for {lasts}" if lasts != "permanent" else "")

    # -- application and removal; called by the entity ---------------------------------------------

    def enact(self, event: Event) -> None:
        """Apply all effects; from now on the condition does not change."""
        self.target = event.target
        self._apply(event)
        object.__setattr__(self, "_applied", True)

    def revoke(self, event: Event) -> None:
        """Remove all effects, in reverse order; then the condition can be applied again."""
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
    """Return the names of the parameters that are specific to a condition class."""
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
    """The application of a condition; a handler that cancels this event prevents the condition.

    Attributes:
        condition: the condition that is applied.
        holder: the condition that it becomes a sub-condition of, or None.
    """

    event_type: ClassVar[str] = EventType.CONDITION_APPLICATION
    condition: BaseCondition
    holder: BaseCondition | None = None

    def describe(self) -> str:
        whom = self.target.name if self.target is not None else "nobody"
        return f"{whom} is {self.condition.describe()}"


@dataclass(slots=True, kw_only=True, eq=False)
class ConditionRemoval(Event):
    """The removal of a condition; handlers may cancel it unless the condition's time is over.

    Attributes:
        condition: the condition that is removed.
        expired: True if the condition's time is over.
    """

    event_type: ClassVar[str] = EventType.CONDITION_REMOVAL
    condition: BaseCondition
    expired: bool = False

    def describe(self) -> str:
        whom = self.target.name if self.target is not None else "nobody"
        return f"{whom} is no longer {self.condition.name}"
