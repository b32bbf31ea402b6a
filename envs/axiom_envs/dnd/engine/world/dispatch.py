"""Handlers, their triggers, and the dispatcher that hands events to them."""

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
"""(event, the handler's owner) -> the event changed or canceled, or None to leave it as it is."""

MAX_DEPTH = 24
"""So deep may handlers cause events that have handlers; deeper is taken for an endless chain."""

PHASES = tuple(EventPhase)


class Trigger:
    """When a handler runs; what is not given may be anything.

    Attributes:
        event_types, phases: of the event.
        sources, targets: the entities it comes from, or goes to.
        event: one event alone, in whatever phase.
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
        """Any subset may be given; a text or a phase alone stands for itself."""
        types = [event_types] if isinstance(event_types, str) else event_types
        steps = [phases] if isinstance(phases, EventPhase) else phases
        self.event_types = None if types is None else tuple(types)
        self.phases = PHASES if steps is None else tuple(steps)
        self.sources = None if sources is None else tuple(sources)
        self.targets = None if targets is None else tuple(targets)
        self.lineage = None if event is None else event.lineage

    def matches(self, event: Event) -> bool:
        """Whether an event fits; its type and phase are what the dispatcher looks up by."""
        return (
            (self.sources is None or event.source in self.sources)
            and (self.targets is None or event.target in self.targets)
            and (self.lineage is None or event.lineage == self.lineage)
        )


class EventHandler(BaseObject):
    """Runs a function where one of its triggers fits.

    Attributes:
        name: what messages call it.
        triggers: when it runs.
        function: what it does.
        owner: whose it is; handed to the function.
        priority: higher ones run first; equal ones in the order of registration.
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
        """Registers the handler; it runs from now on."""
        super().__init__(world if world is not None or owner is None else owner.world)
        self.function = function
        self.triggers = (triggers,) if isinstance(triggers, Trigger) else tuple(triggers)
        self.owner = owner
        self.name = name or getattr(function, "__name__", type(function).__name__)
        self.priority = priority
        self.world.events.add(self)

    def remove(self) -> None:
        """It runs no more."""
        self.world.events.remove(self)
        self.world.forget(self)

    def fits(self, event: Event) -> bool:
        """Whether one of its triggers fits an event of its type and phase."""
        phase, kind = event.phase, event.event_type
        for trigger in self.triggers:
            if phase in trigger.phases and (
                trigger.event_types is None or kind in trigger.event_types
            ):
                if trigger.matches(event):
                    return True
        return False

    def describe(self) -> str:
        """Its name, and whose it is."""
        return f"{self.name!r} of {self.owner.name}" if self.owner is not None else repr(self.name)


def _order(handler: EventHandler) -> tuple[int, int]:
    return -handler.priority, handler.number


class Dispatcher:
    """Hands every event to the handlers that wait for it, in their order.

    A handler that raises, or causes events without end, cancels the event, and with it the whole
    chain of events that it is a part of: each of them comes back canceled, now or in its next
    phase, and the message names the handler. What had taken effect before stays.
    """

    __slots__ = ("_depth", "_faults", "_typed", "_untyped", "current", "world")

    def __init__(self, world: World) -> None:
        """No handlers."""
        self.world = world
        self._typed: tuple[dict[str, list[EventHandler]], ...] = tuple({} for _ in PHASES)
        self._untyped: tuple[list[EventHandler], ...] = tuple([] for _ in PHASES)
        self.current: Event | None = None
        """The event that a handler is at; what it causes is a part of that."""
        self._depth = 0
        self._faults: dict[int, tuple[str, Exception]] = {}

    # -- handlers ----------------------------------------------------------------------------------

    def _lists(self, handler: EventHandler) -> list[list[EventHandler]]:
        """The lists that a handler stands in, each once."""
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
        """From now on it runs."""
        for one in self._lists(handler):
            insort(one, handler, key=_order)

    def remove(self, handler: EventHandler) -> None:
        """It runs no more; nothing happens if it did not."""
        for one in self._lists(handler):
            if handler in one:
                one.remove(handler)

    # -- events ------------------------------------------------------------------------------------

    def post(self, event: E) -> E:
        """Numbers and logs an event, and lets the handlers see it.

        Returns:
            The event as the handlers leave it.
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
        """Gives an event its number and its place in the lineage, and logs it."""
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
                continue  # removed by one before it, or not meant
            result = self._call(event, handler)
            if result is not None and result is not event:
                event = result
                self._enter(event)
                if event.canceled:
                    self._tell_of_cancel(event)
                    break
            if self._faults and event.root in self._faults:
                return self._break(event)  # by a handler of what the handler has caused
        return event

    def _call(self, event: E, handler: EventHandler) -> E | None:
        """What a handler makes of an event; the event canceled if the handler fails."""
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
        """The event canceled, and its whole chain with it."""
        message = f"handler {handler.describe()} failed: {type(error).__name__}: {error}"
        self._faults.setdefault(event.root, (message, error))
        return event.cancel(message, error)

    def _break(self, event: E) -> E:
        """An event of a chain that is broken, canceled."""
        message, error = self._faults[event.root]
        event = event.cancel(message, error)
        self._enter(event)
        self._tell_of_cancel(event)
        return event

    def _tell_of_cancel(self, event: Event) -> None:
        """Lets the handlers of CANCEL see an event; they change nothing any more."""
        handlers = {*self._untyped[EventPhase.CANCEL]}
        handlers.update(self._typed[EventPhase.CANCEL].get(event.event_type, ()))
        for handler in sorted(handlers, key=_order):
            if handler.fits(event):
                self._call(event, handler)
