"""Pattern: a handler gets its state by `functools.partial`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from axiom_envs.dnd.engine import (
    Damage,
    DamageType,
    Entity,
    EventHandler,
    EventPhase,
    EventType,
    Trigger,
    deal_damage,
)


def reflect(share: float, budget: list[int], event: Damage, owner: Entity | None) -> Damage | None:
    """Return a share of fire damage to its source; `budget` is the amount that is left."""
    back = min(int(event.total * share), budget[0])
    if owner is None or event.source is None or event.source is owner or back == 0:
        return None
    budget[0] -= back
    deal_damage(event.source, [(back, DamageType.FIRE)], source=owner, parent=event)
    return None


def mirror(entity: Entity, share: float, most: int) -> EventHandler:
    """Register a mirror: one function serves all, and the partial holds the state."""
    function = partial(reflect, share, [most])
    trigger = Trigger(EventType.DAMAGE, EventPhase.COMPLETION, targets=[entity])
    return EventHandler(function, trigger, owner=entity, name="mirror")


def test_mirrors__each_have_a_state_of_their_own(
    make: Callable[..., Entity], fighter: Entity, goblin: Entity
) -> None:
    other = make("other")
    mirror(goblin, 0.5, most=7)
    mirror(other, 1.0, most=100)
    for expected in (5, 2, 0):
        before = fighter.health.current
        deal_damage(goblin, [(10, DamageType.COLD)], source=fighter)
        assert before - fighter.health.current == expected
    deal_damage(other, [(10, DamageType.COLD)], source=fighter)
    assert fighter.health.current == 100 - 7 - 10
