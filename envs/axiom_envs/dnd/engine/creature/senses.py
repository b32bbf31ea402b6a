"""Where an entity is, and how it perceives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from axiom_envs.dnd.engine.creature.blocks import BaseBlock
from axiom_envs.dnd.engine.world.world import World

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.creature.entity import Entity


class Senses(BaseBlock):
    """An entity's place and its senses.

    Attributes:
        position: (x, y) of its square, of a large creature of the one with the lowest x and y; None
            where it is nowhere.
        darkvision, blindsight, tremorsense, truesight: radii in feet.
    """

    __slots__ = ("blindsight", "darkvision", "position", "tremorsense", "truesight")

    def __init__(
        self,
        position: tuple[int, int] | None = None,
        owner: Entity | None = None,
        world: World | None = None,
    ) -> None:
        """Ordinary senses."""
        super().__init__(owner, world)
        self.position = position
        self.darkvision = self.make("darkvision")
        self.blindsight = self.make("blindsight")
        self.tremorsense = self.make("tremorsense")
        self.truesight = self.make("truesight")

    @classmethod
    def value_names(cls) -> tuple[str, ...]:
        return ("darkvision", "blindsight", "tremorsense", "truesight")
