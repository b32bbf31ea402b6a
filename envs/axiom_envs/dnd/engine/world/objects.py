"""Objects of a world, and the world that new ones belong to."""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING, TypeVar
from uuid import UUID

from axiom_gym.errors import GameError

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.world.world import World

T = TypeVar("T", bound="BaseObject")

active: ContextVar[World | None] = ContextVar("axiom_dnd_world", default=None)
"""The active world of a context; `with world:` sets it."""


def active_world() -> World:
    """The active world of this context.

    Raises:
        GameError: if there is none.
    """
    world = active.get()
    if world is None:
        raise GameError("no world is active: make objects inside `with World(seed=...):`.")
    return world


class BaseObject:
    """What has a UUID, and belongs to a world.

    Attributes:
        world: where it belongs.
        number: of the object in its world; the UUID follows from it.
    """

    __slots__ = ("__weakref__", "number", "world")

    world: World
    number: int

    def __init__(self, world: World | None = None) -> None:
        """Registers the object in `world`, or in the active one."""
        self.world = world if world is not None else active_world()
        self.world.register(self)

    @property
    def uuid(self) -> UUID:
        """Its identity."""
        return self.world.make_uuid(self.number)

    @classmethod
    def get(cls: type[T], uuid: UUID) -> T | None:
        """The object of this class with this UUID in the active world, None if there is none."""
        return active_world().get(uuid, cls)
