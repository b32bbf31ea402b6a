"""What an entity can still do in its turn: actions, reaction, movement."""

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
    """Budgets of a turn; each is a value, and what was used of it.

    Attributes:
        actions, bonus_actions, reactions, object_interactions: how many there are in a turn (a
            reaction in a round).
        speed: feet.
        used: how many of each were used.
        moved: feet moved in this turn.
        extra: feet gained by dashing.
        toward: feet of these that may be used only to come closer to an enemy.
        path: the squares it stood on in this turn, oldest first; empty before it moves.
        plans: what may still be attacked with in this turn's Attack action: alternatives, each a
            tuple of profile indices.
        marks: what was done that can be done once in a turn, by name.
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
        """Everything unused."""
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
        """How many of a kind of cost can still be paid; feet of movement."""
        if kind is CostType.MOVEMENT:
            return self.movement_left
        if kind is CostType.ATTACKS:
            return self.attacks_left
        value: ModifiableValue = getattr(self, _BUDGETS[kind])
        return max(0, (value.base if value.is_plain else value.score) - self.used[kind])

    @property
    def movement_left(self) -> int:
        """Feet that can still be moved; none where the speed is 0, whatever was gained before."""
        speed = self.current_speed
        return max(0, speed + self.extra - self.moved) if speed > 0 else 0

    @property
    def current_speed(self) -> int:
        """Feet, with all modifiers; never below 0."""
        speed = self.speed
        return max(0, speed.base if speed.is_plain else speed.score)

    @property
    def attacks_left(self) -> int:
        """Attacks that the Attack action of this turn still holds."""
        return max((len(plan) for plan in self.plans), default=0)

    def spend(self, kind: CostType, amount: int = 1) -> None:
        """Uses a budget up, as far as it goes."""
        if kind is CostType.MOVEMENT:
            self.moved += amount
        else:
            self.used[kind] += amount

    def renew_turn(self) -> None:
        """A turn of the owner begins: everything is there again, the reaction included."""
        for kind in self.used:
            self.used[kind] = 0
        self.end_turn()

    def end_turn(self) -> None:
        """What belongs to a turn alone is gone."""
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
