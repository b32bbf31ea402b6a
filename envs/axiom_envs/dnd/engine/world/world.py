"""Worlds: where all objects of the engine live, and are found by their UUID.

A process may hold several worlds at once. One of them is the active one of a context (a thread, an
asynchronous task), and new objects belong to it:

    with World(seed=7) as world:
        goblin = create("goblin")

Dropping a world frees all that belongs to it: nothing outside refers to it.
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
"""What makes a number a UUID of version 8, whose other bits are the maker's own."""


class World:
    """A registry of objects with one generator, one log and one dispatcher of events.

    Attributes:
        seed: what the generator started from.
        rng: where all chance comes from; see `values.dice` for the order of draws.
        events: hands events to their handlers.
        log: what has happened.
        options: the optional rules.
        grid: the squares that entities stand on; None where only distances matter.
        objects: all objects by number, but for events, which are in the log.
        entities: all entities, in the order in which they were made.
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
        """An empty world.

        Args:
            seed: 0 to 2**32 - 1.
            log: "off", "bounded" keeps the last events, "full" keeps all.
            log_size: how many a bounded log keeps.
            grid: the map.
            options: the optional rules; those of the SRD's main text if not given.

        Raises:
            ConfigError: for a value that is not allowed.
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
        """Numbers given out; the next object gets the next one."""
        self._salt = mix_seed(seed, 0xD20) << 32 | mix_seed(seed, 0xD21)
        self._tokens: list[Token[World | None]] = []

    def __enter__(self) -> World:
        """Makes this world the active one."""
        self._tokens.append(active.set(self))
        return self

    def __exit__(self, *_: object) -> None:
        active.reset(self._tokens.pop())

    def __getstate__(self) -> dict[str, Any]:
        """A copy is not active anywhere."""
        return {**self.__dict__, "_tokens": []}

    # -- the registry ------------------------------------------------------------------------------

    def register(self, one: BaseObject) -> None:
        """Gives an object its number, and keeps it."""
        self.count = one.number = self.count + 1
        self.objects[one.number] = one

    def forget(self, one: BaseObject) -> None:
        """Drops an object; it is found no more."""
        self.objects.pop(one.number, None)

    def make_uuid(self, number: int) -> UUID:
        """The UUID of the object with this number; the same for worlds of the same seed."""
        low = (self._salt & 0x3FF) << 52 | number
        return UUID(int=((self._salt >> 10) & ((1 << 48) - 1)) << 80 | _UUID_BITS | low)

    def get(self, uuid: UUID, kind: type[T] | None = None) -> T | Any | None:
        """The object or event with this UUID, None if there is none of this kind."""
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
        """All objects of a class, in the order in which they were made."""
        return [one for one in self.objects.values() if isinstance(one, kind)]
