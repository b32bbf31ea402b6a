"""The position and the senses of an entity."""

from __future__ import annotations

from typing import TYPE_CHECKING

from axiom_envs.dnd.engine.creature.blocks import BaseBlock
from axiom_envs.dnd.engine.world.world import World

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.creature.entity import Entity


class Senses(BaseBlock):
    """The position and the senses of an entity.

    Attributes:
        position: (x, y) of the entity's square, for a large creature the one with the lowest x and
            y; None if it has no position.
        darkvision, blindsight, tremorsense, truesight: radii in feet.
    """

    __slots__ = ("blindsight", "darkvision", "position", "tremorsense", "truesight")

    def __init__(
        self,
        position: tuple[int, int] | None = None,
        owner: Entity | None = None,
        world: World | None = None,
    ) -> None:
        """Create ordinary senses."""
        super().__init__(owner, world)
        self.position = position
        self.darkvision = self.make("darkvision")
        self.blindsight = self.make("blindsight")
        self.tremorsense = self.make("tremorsense")
        self.truesight = self.make("truesight")

    @classmethod
    def value_names(cls) -> tuple[str, ...]:
        return ("darkvision", "blindsight", "tremorsense", "truesight")
