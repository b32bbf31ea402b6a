"""Values: channels, constraints, statuses, and modifiers received from another value."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from axiom_envs.dnd.engine.creature.entity import Entity
from axiom_envs.dnd.engine.values.modifiers import (
    AdvantageModifier,
    AdvantageStatus,
    AutoHitModifier,
    AutoHitStatus,
    ContextualNumericalModifier,
    CriticalModifier,
    CriticalStatus,
    MaximumConstraint,
    MinimumConstraint,
    NumericalModifier,
)
from axiom_envs.dnd.engine.values.values import ModifiableValue, Received
from axiom_envs.dnd.engine.world.world import World
from axiom_gym.errors import ConfigError


@pytest.fixture
def value(world: World) -> ModifiableValue:
    return ModifiableValue("strength", 3)


def test_score__is_the_base_and_all_numbers_and_explains_itself(value: ModifiableValue) -> None:
    value.self_static.add(NumericalModifier("bless", 2))
    value.self_static.add(NumericalModifier("curse", -1))
    assert value.score == 4
    assert value.read().explain() == "4 = 3 (strength) + 2 (bless) - 1 (curse)"


def test_constraints__tightest_applies_and_maximum_overrides_minimum(
    value: ModifiableValue,
) -> None:
    for least in (5, 8, 6):
        value.self_static.add(MinimumConstraint("floor", least))
    assert value.score == 8
    for most in (9, 4, 7):
        value.self_static.add(MaximumConstraint("roof", most))
    assert value.score == 4


@pytest.mark.parametrize(
    ("advantages", "disadvantages", "expected"),
    [(0, 0, 0), (1, 0, 1), (3, 0, 1), (0, 2, -1), (3, 1, 0), (1, 3, 0)],
)
def test_advantage__cancels_with_disadvantage(
    value: ModifiableValue, advantages: int, disadvantages: int, expected: int
) -> None:
    for _ in range(advantages):
        value.self_static.add(AdvantageModifier("help", AdvantageStatus.ADVANTAGE))
    for _ in range(disadvantages):
        value.self_static.add(AdvantageModifier("mud", AdvantageStatus.DISADVANTAGE))
    assert value.read().advantage == expected


def test_statuses__miss_overrides_hit_and_never_overrides_always(value: ModifiableValue) -> None:
    value.self_static.add(AutoHitModifier("sure", AutoHitStatus.AUTOHIT))
    value.self_static.add(CriticalModifier("sharp", CriticalStatus.AUTOCRIT))
    score = value.read()
    assert (score.hits, score.criticals) == (True, True)
    value.self_static.add(AutoHitModifier("blunder", AutoHitStatus.AUTOMISS))
    value.self_static.add(CriticalModifier("plate", CriticalStatus.NOCRIT))
    score = value.read()
    assert (score.hits, score.criticals) == (False, False)


def test_contextual__is_called_with_source_target_and_context(make: Callable[..., Entity]) -> None:
    reader, other = make("reader"), make("other")
    value = ModifiableValue("bonus", 0, reader)
    asked = []

    def ask(source: object, target: object, context: object) -> NumericalModifier | None:
        asked.append((source, target, context))
        return NumericalModifier("rage", 2) if target is other else None

    value.self_contextual.add(ContextualNumericalModifier("rage", ask))
    context = {"melee": True}
    assert value.read(other, context).total == 2
    assert value.score == 0
    assert asked == [(reader, other, context), (reader, None, {})]


def test_received__applies_outgoing_channels_only_in_the_context(
    make: Callable[..., Entity],
) -> None:
    attacker, target = make("attacker"), make("target")
    bonus, armour = attacker.equipment.attack_bonus, target.equipment.armour_class
    armour.to_target_static.add(NumericalModifier("mist", -2))
    bonus.to_target_static.add(NumericalModifier("acid", -1))
    asked = []
    armour.to_target_contextual.add(
        ContextualNumericalModifier(
            "aura", lambda source, to, context: asked.append((source, to)) or None
        )
    )

    def read_and_fail() -> None:
        with Received(bonus, armour):
            assert (bonus.read(target).total, armour.read(attacker).total) == (-2, -1)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        read_and_fail()
    assert asked == [(target, attacker)]
    assert bonus.score == 0
    assert armour.score == 0, "what goes out does not count at home"


def test_channels__refuse_the_other_kind_and_added_modifiers(value: ModifiableValue) -> None:
    contextual = ContextualNumericalModifier("rage", lambda *_: None)
    with pytest.raises(ConfigError, match="static channel takes no other"):
        value.self_static.add(contextual)
    plain = NumericalModifier("bless", 1)
    with pytest.raises(ConfigError, match="contextual channel takes no other"):
        value.self_contextual.add(plain)
    value.self_static.add(plain)
    with pytest.raises(ConfigError, match="already in a channel"):
        value.self_static.add(plain)


def test_modifiers__are_found_by_uuid_while_added(world: World, value: ModifiableValue) -> None:
    modifier = value.self_static.add(NumericalModifier("bless", 1))
    uuid = modifier.uuid
    assert world.get(uuid) is modifier
    value.remove_modifier(modifier)
    assert world.get(uuid) is None
    assert value.score == 3
