"""The action economy of an entity: actions, bonus actions, reactions and movement."""

from __future__ import annotations

from typing import TYPE_CHECKING

from axiom_envs.dnd.engine.creature.blocks import BaseBlock
from axiom_envs.dnd.engine.values.types import CostType
from axiom_envs.dnd.engine.values.values import ModifiableValue
from axiom_envs.dnd.engine.world.world import World

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.creature.entity import Entity

"""Feet."""


class ActionEconomy(BaseBlock):
    """The budgets of a turn: a value for each budget, and the amount used.

    Attributes:
        actions, bonus_actions, reactions, object_interactions: number per turn (of reactions, per
            round).
        speed: speed in feet.
        used: amount used of each budget.
        moved: feet moved in this turn.
        extra: extra feet of movement, from dashing.
        toward: the part of `extra` that may only be used to move closer to an enemy, in feet.
        path: the squares occupied in this turn, oldest first; empty before the first movement.
        plans: the attacks left in this turn's Attack action: alternatives, each a tuple of profile
            indices.
        marks: names of things already done that can be done only once per turn.
    """

    __slots__ = (
        "actions",
        "bonus_actions",
        "extra",
        "marks",
        "moved",
        "object_interactions",
        "path",
        "plans",
        "reactions",
        "speed",
        "toward",
        "used",
    )

    def __init__(
        self, speed: int = 30, owner: Entity | None = None, world: World | None = None
    ) -> None:
        """Create unused budgets."""
        super().__init__(owner, world)
        self.actions = self.make("actions", 1)
        self.bonus_actions = self.make("bonus actions", 1)
        self.reactions = self.make("reactions", 1)
        self.object_interactions = self.make("object interactions", 1)
        self.speed = self.make("speed", speed)
        self.used = {
            CostType.ACTIONS: 0,
            CostType.BONUS_ACTIONS: 0,
            CostType.REACTIONS: 0,
            CostType.OBJECT_INTERACTIONS: 0,
        }
        self.moved = self.extra = self.toward = 0
        self.path: list[tuple[int, int]] = []
        self.plans: tuple[tuple[int, ...], ...] = ()
        self.marks: set[str] = set()

    @classmethod
    def value_names(cls) -> tuple[str, ...]:
        return ("actions", "bonus_actions", "reactions", "object_interactions", "speed")

    # -- budgets -----------------------------------------------------------------------------------

    def left(self, kind: CostType) -> int:
        """Return the remaining amount of a cost; for movement in feet."""
        if kind is CostType.MOVEMENT:
            return self.movement_left
        if kind is CostType.ATTACKS:
            return self.attacks_left
        value: ModifiableValue = getattr(self, _BUDGETS[kind])
        return max(0, (value.base if value.is_plain else value.score) - self.used[kind])

    @property
    def movement_left(self) -> int:
        """Remaining feet of movement; 0 at speed 0, even after a dash."""
        speed = self.current_speed
        return max(0, speed + self.extra - self.moved) if speed > 0 else 0

    @property
    def current_speed(self) -> int:
        """The speed in feet, with all modifiers, at least 0."""
        speed = self.speed
        return max(0, speed.base if speed.is_plain else speed.score)

    @property
    def attacks_left(self) -> int:
        """Number of attacks left in this turn's Attack action."""
        return max((len(plan) for plan in self.plans), default=0)

    def spend(self, kind: CostType, amount: int = 1) -> None:
        """Use part of a budget."""
        if kind is CostType.MOVEMENT:
            self.moved += amount
        else:
            self.used[kind] += amount

    def renew_turn(self) -> None:
        """Restore all budgets at the start of the owner's turn, the reaction included."""
        for kind in self.used:
            self.used[kind] = 0
        self.end_turn()

    def end_turn(self) -> None:
        """Reset everything that lasts for one turn only."""
        self.moved = self.extra = self.toward = 0
        self.path.clear()
        self.plans = ()
        self.marks.clear()


_BUDGETS = {
    CostType.ACTIONS: "actions",
    CostType.BONUS_ACTIONS: "bonus_actions",
    CostType.REACTIONS: "reactions",
    CostType.OBJECT_INTERACTIONS: "object_interactions",
}
