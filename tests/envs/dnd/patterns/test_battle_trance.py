"""Pattern: a count is a number of sub-conditions, because conditions do not change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from axiom_envs.dnd.engine import (
    Attack,
    AttackEvent,
    BaseCondition,
    Entity,
    Event,
    EventPhase,
    EventType,
    NumericalModifier,
    Trigger,
)

MOST = 3


class Fury(BaseCondition):
    """1 more to hit; several add up."""

    stacks: ClassVar[bool] = True

    def _apply(self, event: Event) -> None:
        bonus = self.the_target.equipment.attack_bonus
        self.modify(bonus.self_static, NumericalModifier(self.name, 1))


class BattleTrance(BaseCondition):
    """Each hit gives 1 more to hit, up to 3; a miss removes the bonus."""

    name = "battle trance"

    def _apply(self, event: Event) -> None:
        attacked = Trigger(EventType.ATTACK, EventPhase.COMPLETION, sources=[self.the_target])
        self.handle(attacked, self._count)

    def _count(self, event: AttackEvent, owner: Entity | None) -> None:
        if event.hits and len(self.sub_conditions) < MOST:
            self.add_sub_condition(Fury(), event)
        elif not event.hits:
            for fury in self.sub_conditions:
                self.remove_sub_condition(fury)


def test_battle_trance__grows_by_hits_and_is_lost_by_a_miss(
    fighter: Entity, goblin: Entity, load_dice: Callable[[int], Any]
) -> None:
    def attack(natural: int) -> int:
        """Return the bonus of the attack that follows this roll."""
        handler = load_dice(natural)
        Attack(fighter, goblin, "sword", costs=()).apply()
        handler.remove()
        return Attack(fighter, goblin, "sword").read()[0].total

    fighter.add_condition(BattleTrance())
    assert [attack(19) for _ in range(4)] == [6, 7, 8, 8]
    assert attack(1) == 5
    assert list(fighter.conditions) == ["battle trance"]
    attack(19)
    fighter.remove_condition("battle trance")
    assert not fighter.conditions
    assert attack(19) == 5
