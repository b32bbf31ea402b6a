"""Worlds: registries of the engine's objects, which are found by their UUID.

A process may hold several worlds at once. In each context (a thread or an asynchronous task) one of
them is active, and new objects belong to it:

    with World(seed=7) as world:
        goblin = create("goblin")

Dropping a world frees all its objects, because nothing outside of the world refers to them.
"""

from __future__ import annotations

from contextvars import Token
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import UUID

from axiom_envs.dnd.engine.world.dispatch import Dispatcher
from axiom_envs.dnd.engine.world.event_log import EventLog
from axiom_envs.dnd.engine.world.objects import BaseObject, active
from axiom_envs.dnd.engine.world.options import Options
from axiom_gym.errors import check_range
from axiom_gym.seeded_rng import SeededRNG, mix_seed

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.creature.entity import Entity
    from axiom_envs.dnd.grid import Grid

T = TypeVar("T", bound=BaseObject)

_UUID_BITS = (8 << 76) | (2 << 62)
"""The version and variant bits of a UUID of version 8, whose other bits are free to use."""


class World:
    """A registry of objects with one random generator, one event log and one event dispatcher.

    Attributes:
        seed: the seed of the generator.
        rng: the source of all randomness; see `values.dice` for the order of draws.
        events: the dispatcher, which passes events to their handlers.
        log: the events that have happened.
        options: the optional rules.
        grid: the squares that entities stand on; None if only distances matter.
        objects: all objects by number, except for events, which are in the log.
        entities: all entities, in the order of their creation.
    """

    def __init__(
        self,
        seed: int = 0,
        *,
        log: str = "bounded",
        log_size: int = 1000,
        grid: Grid | None = None,
        options: Options | None = None,
    ) -> None:
        """Create an empty world.

        Args:
            seed: 0 to 2**32 - 1.
            log: "off", "bounded" (keep the most recent events) or "full" (keep all events).
            log_size: maximum number of events in a bounded log.
            grid: the map.
            options: the optional rules; by default the main rules of the SRD.

        Raises:
            ConfigError: if a value is not allowed.
        """
        self.seed = check_range("seed", seed, 0, 2**32 - 1)
        self.rng = SeededRNG(seed)
        self.log = EventLog(log, log_size)
        self.options = options or Options()
        self.grid = grid
        self.objects: dict[int, BaseObject] = {}
        self.entities: list[Entity] = []
        self.events = Dispatcher(self)
        self.count = 0
        """The highest number given to an object so far; the next object gets the next number."""
        self._salt = mix_seed(seed, 0xD20) << 32 | mix_seed(seed, 0xD21)
        self._tokens: list[Token[World | None]] = []

    def __enter__(self) -> World:
        """Make this world the active one."""
        self._tokens.append(active.set(self))
        return self

    def __exit__(self, *_: object) -> None:
        active.reset(self._tokens.pop())

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the context tokens: a copy is not active in any context."""
        return {**self.__dict__, "_tokens": []}

    # -- the registry ------------------------------------------------------------------------------

    def register(self, one: BaseObject) -> None:
        """Give an object its number, and keep it."""
        self.count = one.number = self.count + 1
        self.objects[one.number] = one

    def forget(self, one: BaseObject) -> None:
        """Drop an object; `get` no longer finds it."""
        self.objects.pop(one.number, None)

    def make_uuid(self, number: int) -> UUID:
        """Return the UUID of the object with this number, the same in worlds of equal seed."""
        low = (self._salt & 0x3FF) << 52 | number
        return UUID(int=((self._salt >> 10) & ((1 << 48) - 1)) << 80 | _UUID_BITS | low)

    def get(self, uuid: UUID, kind: type[T] | None = None) -> T | Any | None:
        """Return the object or event with this UUID, or None if there is none of this kind."""
        number = uuid.int & ((1 << 52) - 1)
        found: Any = self.objects.get(number) or self.log.find(number)
        if (
            found is None
            or found.uuid != uuid
            or (kind is not None and not isinstance(found, kind))
        ):
            return None
        return found

    def of_type(self, kind: type[T]) -> list[T]:
        """Return all objects of a class, in the order of their creation."""
        return [one for one in self.objects.values() if isinstance(one, kind)]
