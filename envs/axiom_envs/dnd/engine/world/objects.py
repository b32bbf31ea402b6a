"""The base class of all objects in a world, and the active world, which new objects join."""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING, TypeVar
from uuid import UUID

from axiom_gym.errors import GameError

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.world.world import World

T = TypeVar("T", bound="BaseObject")

active: ContextVar[World | None] = ContextVar("axiom_dnd_world", default=None)
"""The active world of the current context; `with world:` sets it."""


def active_world() -> World:
    """Return the active world of the current context.

    Raises:
        GameError: if no world is active.
    """
    world = active.get()
    if world is None:
        raise GameError("no world is active: create objects inside `with World(seed=...):`.")
    return world


class BaseObject:
    """Base class of everything that has a UUID and belongs to a world.

    Attributes:
        world: the world that the object belongs to.
        number: the object's number in its world; the UUID is derived from it.
    """

    __slots__ = ("__weakref__", "number", "world")

    world: World
    number: int

    def __init__(self, world: World | None = None) -> None:
        """Register the object in `world`, or in the active world."""
        self.world = world if world is not None else active_world()
        self.world.register(self)

    @property
    def uuid(self) -> UUID:
        """The object's UUID, unique in its world."""
        return self.world.make_uuid(self.number)

    @classmethod
    def get(cls: type[T], uuid: UUID) -> T | None:
        """Return the object of this class with this UUID in the active world, or None."""
        return active_world().get(uuid, cls)
