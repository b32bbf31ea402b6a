"""0 hit points: monsters die; player characters fall unconscious, die or recover."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from axiom_envs.dnd.engine.creature.checks import roll_save
from axiom_envs.dnd.engine.creature.entity import Entity
from axiom_envs.dnd.engine.rules.damage import Fall, deal_damage, heal, roll_death_save
from axiom_envs.dnd.engine.rules.standard import Blinded, Grappled
from axiom_envs.dnd.engine.values.types import Ability, DamageType
from axiom_envs.dnd.engine.world.dispatch import EventHandler, Trigger
from axiom_envs.dnd.engine.world.events import EventPhase, EventType
from axiom_envs.dnd.engine.world.options import Options
from axiom_envs.dnd.engine.world.world import World

SLASHING = DamageType.SLASHING
Load = Callable[[int], EventHandler]


@pytest.fixture
def hero(make: Callable[..., Entity]) -> Entity:
    hero = make("hero", hit_points=20)
    hero.is_player = True
    return hero


@pytest.fixture
def fallen(hero: Entity) -> Entity:
    deal_damage(hero, [(20, SLASHING)])
    return hero


def test_monsters__die_at_0_and_lose_all_conditions(
    world: World, make: Callable[..., Entity]
) -> None:
    monster, other = make("orc", hit_points=15), make()
    monster.add_condition(Blinded())
    monster.add_condition(Grappled(source=other))
    deal_damage(monster, [(15, SLASHING)])
    assert monster.health.dead
    assert not monster.conditions
    assert heal(monster, 5).regained == 0
    kinds = [event.event_type for event in world.log if event.phase is EventPhase.COMPLETION]
    assert kinds[-4:-2] == [EventType.DEATH, EventType.FALL]


def test_player__falls_unconscious_drops_its_sword_and_is_prone(fallen: Entity) -> None:
    assert (fallen.health.current, fallen.health.dead, fallen.health.stable) == (0, False, False)
    assert list(fallen.conditions) == ["felled", "unconscious", "incapacitated", "prone"]
    assert [one.name for one in fallen.equipment.dropped] == ["sword"]


@pytest.mark.parametrize(("damage", "dies"), [(39, False), (40, True), (90, True)])
def test_player__dies_of_excess_damage(hero: Entity, damage: int, dies: bool) -> None:
    deal_damage(hero, [(damage, SLASHING)])
    assert hero.health.dead is dies


@pytest.mark.parametrize(
    ("natural", "successes", "failures"), [(1, 0, 2), (2, 0, 1), (9, 0, 1), (10, 1, 0), (19, 1, 0)]
)
def test_death_save__counts(
    fallen: Entity, load_dice: Load, natural: int, successes: int, failures: int
) -> None:
    load_dice(natural)
    roll_death_save(fallen)
    assert (fallen.health.successes, fallen.health.failures) == (successes, failures)


def test_death_save__of_20_wakes_with_one_hit_point(fallen: Entity, load_dice: Load) -> None:
    load_dice(20)
    roll_death_save(fallen)
    assert (fallen.health.current, list(fallen.conditions)) == (1, ["prone"])
    assert (fallen.health.successes, fallen.health.failures) == (0, 0)


def test_death_save__three_of_a_kind_end_it(fallen: Entity, load_dice: Load) -> None:
    load_dice(12)
    for _ in range(3):
        assert not fallen.health.stable
        roll_death_save(fallen)
    assert fallen.health.stable
    assert fallen.health.current == 0
    deal_damage(fallen, [(1, SLASHING)])
    assert not fallen.health.stable, "damage begins the dying anew"


def test_death_save__three_failures_kill(fallen: Entity, load_dice: Load) -> None:
    load_dice(5)
    for _ in range(3):
        assert not fallen.health.dead
        roll_death_save(fallen)
    assert fallen.health.dead


@pytest.mark.parametrize(
    ("damage", "critical", "failures", "dies"),
    [(1, False, 1, False), (19, True, 2, False), (20, False, 0, True)],
)
def test_damage_at_0__is_a_failure_or_death(
    fallen: Entity, damage: int, critical: bool, failures: int, dies: bool
) -> None:
    deal_damage(fallen, [(damage, SLASHING)], critical=critical)
    assert (fallen.health.failures, fallen.health.dead) == (failures, dies)


def test_healing__wakes_and_leaves_prone(fallen: Entity) -> None:
    fallen.health.failures = 2
    assert heal(fallen, 5).regained == 5
    assert list(fallen.conditions) == ["prone"]
    assert fallen.economy.current_speed == 30
    assert fallen.health.failures == 0


def test_fall__that_a_handler_cancels_leaves_one_hit_point(
    make: Callable[..., Entity], load_dice: Load
) -> None:
    """Undead Fortitude works like this, with a save against the damage."""
    zombie = make("zombie", hit_points=22, scores={Ability.CONSTITUTION: 16})

    def endure(event: Fall, owner: Entity | None) -> Fall | None:
        assert owner is not None
        assert event.damage is not None
        dc = 5 + event.damage.total
        saved = roll_save(owner, Ability.CONSTITUTION, dc, parent=event).success
        return event.cancel("undead fortitude") if saved else None

    trigger = Trigger(EventType.FALL, EventPhase.EXECUTION, targets=[zombie])
    EventHandler(endure, trigger, owner=zombie)
    load_dice(20)
    deal_damage(zombie, [(18, SLASHING)])
    deal_damage(zombie, [(10, SLASHING)])
    assert (zombie.health.current, zombie.health.dead) == (1, False)
    load_dice(1)
    deal_damage(zombie, [(1, SLASHING)])
    assert zombie.health.dead


def test_knock_out__is_an_option_of_melee() -> None:
    for knock_out, melee in ((True, True), (True, False), (False, True)):
        with World(seed=1, options=Options(knock_out=knock_out)):
            victim = Entity("victim", hit_points=3)
            deal_damage(victim, [(5, SLASHING)], melee=melee)
            assert victim.health.dead is not (knock_out and melee)
            assert victim.health.stable is (knock_out and melee)
