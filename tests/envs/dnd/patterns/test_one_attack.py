"""Pattern: an effect on one attack, which is removed when that attack is over."""

from __future__ import annotations

from axiom_envs.dnd.engine import (
    Attack,
    AttackEvent,
    Entity,
    EventHandler,
    EventPhase,
    EventType,
    NumericalModifier,
    Trigger,
    World,
)

OVER = (EventPhase.COMPLETION, EventPhase.CANCEL)


def aim_first_attacks(entity: Entity) -> EventHandler:
    """Add 5 to each attack roll, with a modifier that lasts for one attack."""

    def aim(event: AttackEvent, owner: Entity | None) -> None:
        channel = entity.equipment.attack_bonus.self_static
        modifier = channel.add(NumericalModifier("aim", 5))

        def clean_up(ended: AttackEvent, owner: Entity | None) -> None:
            channel.remove(modifier)
            watcher.remove()

        # Only this attack triggers it, not other attacks in between.
        watcher = EventHandler(clean_up, Trigger(phases=OVER, event=event), owner=entity)

    declared = Trigger(EventType.ATTACK, EventPhase.DECLARATION, sources=[entity])
    return EventHandler(aim, declared, owner=entity)


def test_aim__counts_in_its_attack_and_leaves_nothing(
    world: World, fighter: Entity, goblin: Entity
) -> None:
    aim_first_attacks(fighter)
    before = dict(world.objects)
    for _ in range(3):
        event = Attack(fighter, goblin, "sword", costs=()).apply()
        assert event.bonus is not None
        assert event.bonus.total == 10
        assert world.objects == before
    assert fighter.equipment.attack_bonus.score == 0


def test_aim__is_cleaned_up_after_a_canceled_attack_too(
    world: World, fighter: Entity, goblin: Entity
) -> None:
    aim_first_attacks(fighter)
    trigger = Trigger(EventType.ATTACK, EventPhase.EFFECT)
    EventHandler(lambda event, _: event.cancel("no"), trigger, world=world)
    before = dict(world.objects)
    assert Attack(fighter, goblin, "sword").apply().canceled
    assert world.objects == before


def test_aim__of_an_attack_within_another_ends_with_its_own(
    world: World, fighter: Entity, goblin: Entity
) -> None:
    """The goblin attacks during the fighter's attack."""
    aim_first_attacks(goblin)

    def strike_back(event: AttackEvent, owner: Entity | None) -> None:
        assert Attack(goblin, fighter, "sword", costs=()).apply().bonus.total == 10  # type: ignore[union-attr]
        assert goblin.equipment.attack_bonus.score == 0

    trigger = Trigger(EventType.ATTACK, EventPhase.EXECUTION, sources=[fighter])
    EventHandler(strike_back, trigger, world=world)
    assert not Attack(fighter, goblin, "sword").apply().canceled
