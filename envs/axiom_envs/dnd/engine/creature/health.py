"""Hit points, temporary hit points, resistances and death saving throws."""

from __future__ import annotations

from typing import TYPE_CHECKING

from axiom_envs.dnd.engine.creature.blocks import BaseBlock
from axiom_envs.dnd.engine.values.modifiers import ResistanceModifier, ResistanceStatus
from axiom_envs.dnd.engine.values.types import DamageType
from axiom_envs.dnd.engine.world.world import World

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.creature.entity import Entity


class Health(BaseBlock):
    """The hit points of an entity.

    Attributes:
        maximum: the hit point maximum.
        current: current hit points, 0 to the maximum.
        temporary: temporary hit points, which are lost first and do not add up.
        hit_dice: number and sides of the hit dice.
        reduction: an amount that reduces all damage before resistances apply.
        resistances: a value that holds `ResistanceModifier`s.
        successes, failures: results of death saving throws, 0 to 3 each.
        stable: if True, no death saving throws are made at 0 hit points.
        dead: True if the entity is dead.
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
        """Create an entity's health, without wounds."""
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
        """Return resistance, vulnerability and immunity to a damage type, each with its reasons."""
        found: dict[ResistanceStatus, list[str]] = {}
        if self.resistances.is_plain:
            return found
        for modifier in self.resistances.read(source).parts:
            if isinstance(modifier, ResistanceModifier) and modifier.damage_type is damage_type:
                found.setdefault(modifier.status, []).append(modifier.name)
        return found

    def reset_death_saves(self) -> None:
        """Clear the results of all death saving throws."""
        self.successes = self.failures = 0
        self.stable = False
