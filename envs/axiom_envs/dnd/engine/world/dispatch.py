"""Event handlers, their triggers, and the dispatcher that passes events to them."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from axiom_envs.dnd.engine.world.events import Event, EventPhase
from axiom_envs.dnd.engine.world.objects import BaseObject

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.creature.entity import Entity
    from axiom_envs.dnd.engine.world.world import World

E = TypeVar("E", bound=Event)

Process = Callable[[Any, "Entity | None"], "Event | None"]
"""(event, owner of the handler) -> the event changed or canceled, or None to leave it unchanged."""

MAX_DEPTH = 24
"""Limit on nested handler calls; a deeper chain of events is treated as endless."""

PHASES = tuple(EventPhase)


class Trigger:
    """The conditions under which a handler runs; a condition that is not given always holds.

    Attributes:
        event_types, phases: types and phases of the events that match.
        sources, targets: entities, one of which must be the event's source or target.
        event: a single event to match, in any of its phases.
    """

    __slots__ = ("event_types", "lineage", "phases", "sources", "targets")

    def __init__(
        self,
        event_types: str | Iterable[str] | None = None,
        phases: EventPhase | Iterable[EventPhase] | None = None,
        sources: Iterable[Entity] | None = None,
        targets: Iterable[Entity] | None = None,
        event: Event | None = None,
    ) -> None:
        """Create a trigger; a single event type or a single phase may be given without a list."""
        types = [event_types] if isinstance(event_types, str) else event_types
        steps = [phases] if isinstance(phases, EventPhase) else phases
        self.event_types = None if types is None else tuple(types)
        self.phases = PHASES if steps is None else tuple(steps)
        self.sources = None if sources is None else tuple(sources)
        self.targets = None if targets is None else tuple(targets)
        self.lineage = None if event is None else event.lineage

    def matches(self, event: Event) -> bool:
        """Return True if sources, targets and event match; the caller checks type and phase."""
        return (
            (self.sources is None or event.source in self.sources)
            and (self.targets is None or event.target in self.targets)
            and (self.lineage is None or event.lineage == self.lineage)
        )


class EventHandler(BaseObject):
    """A function that runs when an event matches one of its triggers.

    Attributes:
        name: the handler's name in messages.
        triggers: the triggers that start it.
        function: the function to call.
        owner: the entity that the handler belongs to; it is passed to the function.
        priority: handlers of higher priority run first, those of equal priority in the order of
            registration.
    """

    __slots__ = ("function", "name", "owner", "priority", "triggers")

    def __init__(
        self,
        function: Process,
        triggers: Trigger | Iterable[Trigger],
        *,
        owner: Entity | None = None,
        name: str = "",
        priority: int = 0,
        world: World | None = None,
    ) -> None:
        """Create and register the handler; it is active immediately."""
        super().__init__(world if world is not None or owner is None else owner.world)
        self.function = function
        self.triggers = (triggers,) if isinstance(triggers, Trigger) else tuple(triggers)
        self.owner = owner
        self.name = name or getattr(function, "__name__", type(function).__name__)
        self.priority = priority
        self.world.events.add(self)

    def remove(self) -> None:
        """Unregister the handler."""
        self.world.events.remove(self)
        self.world.forget(self)

    def fits(self, event: Event) -> bool:
        """Return True if an event matches one of the triggers, including its type and phase."""
        phase, kind = event.phase, event.event_type
        for trigger in self.triggers:
            if phase in trigger.phases and (
                trigger.event_types is None or kind in trigger.event_types
            ):
                if trigger.matches(event):
                    return True
        return False

    def describe(self) -> str:
        """Return the handler's name and its owner's name."""
        return f"{self.name!r} of {self.owner.name}" if self.owner is not None else repr(self.name)


def _order(handler: EventHandler) -> tuple[int, int]:
    return -handler.priority, handler.number


class Dispatcher:
    """A dispatcher, which passes each event to the handlers that match it, in their order.

    A handler that raises an exception, or that causes an endless chain of events, cancels its event
    and the whole chain that the event belongs to. Each event of that chain comes back canceled,
    either at once or at its next phase, with a message that names the handler. Effects that have
    already been applied are not undone.
    """

    __slots__ = ("_depth", "_faults", "_typed", "_untyped", "current", "world")

    def __init__(self, world: World) -> None:
        """Create a dispatcher without handlers."""
        self.world = world
        self._typed: tuple[dict[str, list[EventHandler]], ...] = tuple({} for _ in PHASES)
        self._untyped: tuple[list[EventHandler], ...] = tuple([] for _ in PHASES)
        self.current: Event | None = None
        """The event that a handler is processing; events that it causes become its children."""
        self._depth = 0
        self._faults: dict[int, tuple[str, Exception]] = {}

    # -- handlers ----------------------------------------------------------------------------------

    def _lists(self, handler: EventHandler) -> list[list[EventHandler]]:
        """Return the lists that contain a handler, each once."""
        found: dict[int, list[EventHandler]] = {}
        for trigger in handler.triggers:
            for phase in trigger.phases:
                for kind in trigger.event_types or ():
                    one = self._typed[phase].setdefault(kind, [])
                    found[id(one)] = one
                if trigger.event_types is None:
                    found[id(self._untyped[phase])] = self._untyped[phase]
        return list(found.values())

    def add(self, handler: EventHandler) -> None:
        """Activate a handler."""
        for one in self._lists(handler):
            insort(one, handler, key=_order)

    def remove(self, handler: EventHandler) -> None:
        """Deactivate a handler; do nothing if it is not active."""
        for one in self._lists(handler):
            if handler in one:
                one.remove(handler)

    # -- events ------------------------------------------------------------------------------------

    def post(self, event: E) -> E:
        """Give an event its number, log it, and pass it to the handlers.

        Returns:
            The event as the handlers return it.
        """
        self._enter(event)
        if self._faults and event.root in self._faults:
            event = self._break(event)
        else:
            handlers = self._typed[event.phase].get(event.event_type)
            untyped = self._untyped[event.phase]
            if untyped:
                handlers = sorted({*(handlers or ()), *untyped}, key=_order)
            if handlers:
                event = self._run(event, list(handlers))
        if self._faults and event.lineage == event.root and event.phase >= EventPhase.COMPLETION:
            self._faults.pop(event.root, None)
        return event

    def _enter(self, event: Event) -> None:
        """Give an event its number and its place in the lineage, and log it."""
        world = self.world
        number = world.count = world.count + 1
        event.number = number  # type: ignore[misc]
        if not event.lineage:
            event.lineage = number
            event.root = event.parent.root if event.parent is not None else number
        if world.log.mode != "off":
            world.log.add(event)

    def _run(self, event: E, handlers: list[EventHandler]) -> E:
        for handler in handlers:
            if handler.number not in self.world.objects or not handler.fits(event):
                continue  # removed by an earlier handler, or no trigger matches
            result = self._call(event, handler)
            if result is not None and result is not event:
                event = result
                self._enter(event)
                if event.canceled:
                    self._report_cancel(event)
                    break
            if self._faults and event.root in self._faults:
                return self._break(event)  # a handler failed in an event that this handler caused
        return event

    def _call(self, event: E, handler: EventHandler) -> E | None:
        """Return a handler's result for an event; if the handler fails, the event canceled."""
        if self._depth >= MAX_DEPTH:
            error: Exception = RecursionError(f"handlers cause each other {MAX_DEPTH} levels deep")
            return self._fail(event, handler, error)
        outer, self.current = self.current, event
        self._depth += 1
        try:
            result = handler.function(event, handler.owner)
            if result is not None and not isinstance(result, type(event)):
                raise TypeError(f"it must return a {type(event).__name__} or None, not {result!r}")
            return result
        except Exception as error:
            return self._fail(event, handler, error)
        finally:
            self._depth -= 1
            self.current = outer

    def _fail(self, event: E, handler: EventHandler, error: Exception) -> E:
        """Cancel an event and mark its whole chain as broken."""
        message = f"handler {handler.describe()} failed: {type(error).__name__}: {error}"
        self._faults.setdefault(event.root, (message, error))
        return event.cancel(message, error)

    def _break(self, event: E) -> E:
        """Cancel an event of a broken chain."""
        message, error = self._faults[event.root]
        event = event.cancel(message, error)
        self._enter(event)
        self._report_cancel(event)
        return event

    def _report_cancel(self, event: Event) -> None:
        """Pass a canceled event to the handlers of CANCEL; their results are ignored."""
        handlers = {*self._untyped[EventPhase.CANCEL]}
        handlers.update(self._typed[EventPhase.CANCEL].get(event.event_type, ()))
        for handler in sorted(handlers, key=_order):
            if handler.fits(event):
                self._call(event, handler)
