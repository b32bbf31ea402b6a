"""Pattern: a fact that a condition learns is a sub-condition, which is replaced."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from axiom_envs.dnd.engine import (
    BaseCondition,
    Damage,
    DamageType,
    Entity,
    Event,
    EventPhase,
    EventType,
    ResistanceModifier,
    ResistanceStatus,
    Trigger,
    deal_damage,
)

FIRE, COLD = DamageType.FIRE, DamageType.COLD


class Adapted(BaseCondition):
    """Resistance to one type of damage."""

    def __init__(self, damage_type: DamageType, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.damage_type = damage_type

    def _apply(self, event: Event) -> None:
        resistance = ResistanceModifier(self.name, self.damage_type, ResistanceStatus.RESISTANCE)
        self.modify(self.the_target.health.resistances.self_static, resistance)


class AdaptiveArmour(BaseCondition):
    """Resistance to the type of damage that was taken last."""

    name = "adaptive armour"

    def _apply(self, event: Event) -> None:
        taken = Trigger(EventType.DAMAGE, EventPhase.COMPLETION, targets=[self.the_target])
        self.handle(taken, self._adapt)

    def _adapt(self, event: Damage, owner: Entity | None) -> None:
        if event.total == 0:
            return
        for old in self.sub_conditions:
            self.remove_sub_condition(old)
        _, kind = max(event.taken, key=lambda part: part[0])
        self.add_sub_condition(Adapted(kind), event)


def test_adaptive_armour__learns_the_last_type_and_forgets_the_one_before(
    make: Callable[..., Entity],
) -> None:
    golem = make("golem")
    golem.add_condition(AdaptiveArmour())
    taken = [deal_damage(golem, [(10, kind)]).total for kind in (FIRE, FIRE, COLD, COLD, FIRE)]
    assert taken == [10, 5, 10, 5, 10]
    golem.remove_condition("adaptive armour")
    assert not golem.conditions
    assert deal_damage(golem, [(10, FIRE)]).total == 10
