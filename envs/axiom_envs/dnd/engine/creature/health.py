"""Hit points, temporary ones, resistances and the way to death."""

from __future__ import annotations

from typing import TYPE_CHECKING

from axiom_envs.dnd.engine.creature.blocks import BaseBlock
from axiom_envs.dnd.engine.values.modifiers import ResistanceModifier, ResistanceStatus
from axiom_envs.dnd.engine.values.types import DamageType
from axiom_envs.dnd.engine.world.world import World

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.creature.entity import Entity


class Health(BaseBlock):
    """An entity's hit points.

    Attributes:
        maximum: hit points without wounds.
        current: 0 to the maximum.
        temporary: are lost first; they do not add up.
        hit_dice: how many there are, and their sides.
        reduction: taken off every damage before resistances.
        resistances: holds `ResistanceModifier`s.
        successes, failures: of death saving throws, 0 to 3.
        stable: whether, at 0 hit points, no more of these are made.
        dead: whether it is over.
    """

    __slots__ = (
        "current",
        "dead",
        "failures",
        "hit_dice",
        "maximum",
        "reduction",
        "resistances",
        "stable",
        "successes",
        "temporary",
    )

    def __init__(
        self,
        maximum: int = 4,
        hit_dice: tuple[int, int] = (1, 8),
        owner: Entity | None = None,
        world: World | None = None,
    ) -> None:
        """Unhurt."""
        super().__init__(owner, world)
        self.maximum = self.make("maximum hit points", maximum)
        self.reduction = self.make("damage reduction")
        self.resistances = self.make("resistances")
        self.hit_dice = hit_dice
        self.current = maximum
        self.temporary = 0
        self.successes = self.failures = 0
        self.stable = self.dead = False

    @classmethod
    def value_names(cls) -> tuple[str, ...]:
        return ("maximum", "reduction", "resistances")

    def statuses(
        self, damage_type: DamageType, source: Entity | None = None
    ) -> dict[ResistanceStatus, list[str]]:
        """Resistance, vulnerability and immunity to a type of damage, each with its reasons."""
        found: dict[ResistanceStatus, list[str]] = {}
        if self.resistances.is_plain:
            return found
        for modifier in self.resistances.read(source).parts:
            if isinstance(modifier, ResistanceModifier) and modifier.damage_type is damage_type:
                found.setdefault(modifier.status, []).append(modifier.name)
        return found

    def reset_death_saves(self) -> None:
        """As if none had been made."""
        self.successes = self.failures = 0
        self.stable = False
