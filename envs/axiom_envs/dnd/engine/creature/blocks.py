"""Blocks: the parts of an entity, each with its own values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from axiom_envs.dnd.engine.values.values import ModifiableValue
from axiom_envs.dnd.engine.world.objects import BaseObject
from axiom_envs.dnd.engine.world.world import World

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.creature.entity import Entity


class BaseBlock(BaseObject):
    """A part of an entity.

    Attributes:
        owner: the entity that the block belongs to, or None.
    """

    __slots__ = ("owner",)

    def __init__(self, owner: Entity | None = None, world: World | None = None) -> None:
        """Create a block with the values of an average commoner."""
        super().__init__(world if world is not None or owner is None else owner.world)
        self.owner = owner

    def values(self) -> Iterator[ModifiableValue]:
        """Yield the block's values."""
        for name in self.value_names():
            yield getattr(self, name)

    @classmethod
    def value_names(cls) -> tuple[str, ...]:
        """Return the names of the attributes that are values."""
        return ()

    def make(self, name: str, base: int = 0) -> ModifiableValue:
        """Create a value that belongs to this block's owner."""
        return ModifiableValue(name, base, self.owner, self.world)

    def set_from_target(self, other: BaseBlock) -> None:
        """Let each value receive the outgoing modifiers of its namesake in the other block."""
        for name in self.value_names():
            getattr(self, name).set_from_target(getattr(other, name))

    def reset_from_target(self) -> None:
        """Stop receiving modifiers of another block."""
        for value in self.values():
            value.reset_from_target()
