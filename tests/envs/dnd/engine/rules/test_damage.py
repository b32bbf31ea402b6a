"""Damage: the algebra of resistances, reductions, types, temporary hit points."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from axiom_envs.dnd.engine.creature.entity import Entity
from axiom_envs.dnd.engine.rules.damage import deal_damage, give_temporary_hit_points, heal
from axiom_envs.dnd.engine.values.modifiers import (
    ContextualResistanceModifier,
    NumericalModifier,
    ResistanceModifier,
    ResistanceStatus,
)
from axiom_envs.dnd.engine.values.types import DamageType

RESISTANCE, VULNERABILITY, IMMUNITY = ResistanceStatus
FIRE, COLD = DamageType.FIRE, DamageType.COLD


def put(entity: Entity, status: ResistanceStatus, kind: DamageType = FIRE, times: int = 1) -> None:
    for _ in range(times):
        modifier = ResistanceModifier(status.value, kind, status)
        entity.health.resistances.self_static.add(modifier)


# (resistance, vulnerability, immunity): results of 9 and 10 without and with reduction 3.
ALGEBRA = {
    (False, False, False): (9, 10, 6, 7),
    (True, False, False): (4, 5, 3, 3),
    (False, True, False): (18, 20, 12, 14),
    (True, True, False): (8, 10, 6, 6),
    (False, False, True): (0, 0, 0, 0),
    (True, False, True): (0, 0, 0, 0),
    (False, True, True): (0, 0, 0, 0),
    (True, True, True): (0, 0, 0, 0),
}


@pytest.mark.parametrize("times", [1, 3])
@pytest.mark.parametrize("statuses", list(ALGEBRA))
def test_resistances__all_combinations(
    make: Callable[..., Entity], statuses: tuple[bool, bool, bool], times: int
) -> None:
    target = make()
    for has, status in zip(statuses, (RESISTANCE, VULNERABILITY, IMMUNITY), strict=True):
        put(target, status, times=times * has)
    plain = [deal_damage(target, [(amount, FIRE)]).total for amount in (9, 10)]
    target.health.reduction.self_static.add(NumericalModifier("shell", 3))
    reduced = [deal_damage(target, [(amount, FIRE)]).total for amount in (9, 10)]
    assert (*plain, *reduced) == ALGEBRA[statuses]
    assert target.health.current == 100 - sum(ALGEBRA[statuses])


def test_damage__of_several_types_is_reduced_type_by_type(make: Callable[..., Entity]) -> None:
    target = make()
    put(target, RESISTANCE, FIRE)
    put(target, VULNERABILITY, COLD)
    event = deal_damage(target, [(3, FIRE), (4, COLD), (2, FIRE), (1, DamageType.ACID)])
    assert event.taken == ((2, FIRE), (8, COLD), (1, DamageType.ACID)), "5 fire are halved once"
    assert event.describe() == (
        "fighter takes 11 of 3 fire and 4 cold and 2 fire and 1 acid damage "
        "(resistance to fire: resistance; vulnerability to cold: vulnerability)"
    )


def test_reduction__is_used_up_over_the_types_of_one_damage(make: Callable[..., Entity]) -> None:
    target = make()
    target.health.reduction.self_static.add(NumericalModifier("shell", 5))
    assert deal_damage(target, [(3, FIRE), (4, COLD)]).taken == ((0, FIRE), (2, COLD))


def test_resistance__contextual_depends_on_the_source(make: Callable[..., Entity]) -> None:
    target, foe, other = make(), make("foe"), make("other")
    resistance = ResistanceModifier("ward", FIRE, RESISTANCE)
    target.health.resistances.self_contextual.add(
        ContextualResistanceModifier("ward", lambda _, to, __: resistance if to is foe else None)
    )
    assert deal_damage(target, [(8, FIRE)], source=foe).total == 4
    assert deal_damage(target, [(8, FIRE)], source=other).total == 8


def test_temporary_hit_points__are_lost_first_after_resistance(make: Callable[..., Entity]) -> None:
    target = make()
    put(target, RESISTANCE)
    give_temporary_hit_points(target, 3)
    event = deal_damage(target, [(10, FIRE)])
    assert (event.absorbed, event.lost) == (3, 2)
    assert (target.health.temporary, target.health.current) == (0, 98)


def test_temporary_hit_points__do_not_add_up_and_are_not_healed(
    make: Callable[..., Entity],
) -> None:
    target = make()
    for given, expected in ((5, 5), (3, 5), (7, 7)):
        give_temporary_hit_points(target, given)
        assert target.health.temporary == expected
    deal_damage(target, [(9, FIRE)])
    assert heal(target, 50).regained == 2, "up to the maximum"
    assert (target.health.temporary, target.health.current) == (0, 100)


def test_damage__below_zero_is_none(make: Callable[..., Entity]) -> None:
    target = make()
    assert deal_damage(target, [(-5, FIRE), (2, FIRE)]).total == 2
    assert target.health.current == 98
