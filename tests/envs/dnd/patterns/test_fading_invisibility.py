"""Pattern: a condition that ends with an action of its target."""

from __future__ import annotations

from axiom_envs.dnd.engine import (
    Attack,
    BaseCondition,
    Entity,
    Event,
    EventPhase,
    EventType,
    Trigger,
)
from axiom_envs.dnd.engine.conditions import Invisible


class FadingInvisibility(BaseCondition):
    """Invisible until it attacks; the attack itself is still that of an unseen attacker."""

    name = "fading invisibility"

    def _apply(self, event: Event) -> None:
        self.add_sub_condition(Invisible(source=self.source), event)
        attacks = Trigger(EventType.ATTACK, EventPhase.COMPLETION, sources=[self.the_target])
        self.handle(attacks, self._fade)

    def _fade(self, event: Event, owner: Entity | None) -> None:
        self.the_target.remove_condition(self, parent=event)


def test_fading_invisibility__ends_after_one_attack(fighter: Entity, goblin: Entity) -> None:
    fighter.add_condition(FadingInvisibility())
    assert Attack(goblin, fighter, "sword").read()[0].advantage == -1
    event = Attack(fighter, goblin, "sword").apply()
    assert event.bonus is not None
    assert event.bonus.advantage == 1
    assert not fighter.conditions


def test_fading_invisibility__does_not_end_another_one(fighter: Entity, goblin: Entity) -> None:
    fighter.add_condition(Invisible())
    fighter.add_condition(FadingInvisibility())
    Attack(fighter, goblin, "sword").apply()
    assert list(fighter.conditions) == ["invisible"]
