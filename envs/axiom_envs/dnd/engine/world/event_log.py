"""The log of a world's events: off, the most recent events, or all of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING

from axiom_gym.errors import check_choice, check_range

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.world.events import Event

MODES = ("off", "bounded", "full")


class EventLog:
    """Events in the order in which they happened; each phase of an event is a separate entry."""

    __slots__ = ("_entries", "mode", "size")

    def __init__(self, mode: str = "bounded", size: int = 1000) -> None:
        """Create an empty log.

        Args:
            mode: one of MODES.
            size: maximum number of events in a bounded log, 1 or more.

        Raises:
            ConfigError: if a value is not allowed.
        """
        self.mode = check_choice("event log", mode, MODES)
        self.size = check_range("log_size", size, 1)
        self._entries: deque[Event] = deque(maxlen=self._limit())

    def _limit(self) -> int | None:
        return {"off": 0, "bounded": self.size, "full": None}[self.mode]

    def add(self, event: Event) -> None:
        """Append an event; a full bounded log drops its oldest event."""
        self._entries.append(event)

    def find(self, number: int) -> Event | None:
        """Return the event with this number, or None if the log no longer has it."""
        return next((event for event in self._entries if event.number == number), None)

    def last(self, count: int) -> list[Event]:
        """Return the newest `count` events, oldest first."""
        return list(self._entries)[-count:] if count > 0 else []

    def clear(self) -> None:
        """Remove all events."""
        self._entries.clear()

    def __iter__(self) -> Iterator[Event]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)
