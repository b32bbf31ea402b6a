"""Pattern: a reaction that cancels an action of another creature during EXECUTION."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from axiom_envs.dnd.engine import (
    Action,
    ActionEvent,
    Consequence,
    Cost,
    CostType,
    DamageType,
    Entity,
    Event,
    EventHandler,
    EventPhase,
    EventType,
    Trigger,
    can_react,
    deal_damage,
    distance,
    pay,
)

RANGE = 60


class FireBolt(Action):
    """10 fire damage."""

    name = "fire bolt"

    def consequences(self) -> Mapping[str, Consequence]:
        return {"damage": self._burn}

    def _burn(self, event: Event, action: Action) -> None:
        if self.target is not None:
            deal_damage(self.target, [(10, DamageType.FIRE)], source=self.source, parent=event)


def learn_counterspell(entity: Entity) -> EventHandler:
    """Let a mage cancel spells of enemies within 60 ft, for a reaction each."""

    def counter(event: ActionEvent, owner: Entity | None) -> ActionEvent | None:
        caster = event.source
        if owner is None or caster is None or not isinstance(event.action, FireBolt):
            return None
        if not owner.is_hostile_to(caster) or distance(owner, caster) > RANGE:
            return None
        if not can_react(owner):
            return None
        pay(owner, Cost(CostType.REACTIONS), event)
        return event.cancel(f"{owner.name} counters it")

    trigger = Trigger(EventType.ACTION, EventPhase.EXECUTION)
    return EventHandler(counter, trigger, owner=entity, name="counterspell")


def test_counterspell__costs_a_reaction_and_the_caster_nothing(
    make: Callable[..., Entity], fighter: Entity, goblin: Entity
) -> None:
    mage = make("mage", (3, 0), side="b")
    learn_counterspell(mage)
    event = FireBolt(fighter, goblin).apply()
    assert event.message == "mage counters it"
    assert goblin.health.current == 100
    assert mage.economy.left(CostType.REACTIONS) == 0
    assert fighter.economy.left(CostType.ACTIONS) == 1, "what was canceled is not charged"
    assert not FireBolt(fighter, goblin).apply().canceled, "one reaction a round"
    assert goblin.health.current == 90
