"""Effects that several conditions share: advantage, bounds, tests that fail automatically.

Each function adds modifiers through a condition, which removes them when it ends.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from axiom_envs.dnd.constants import SQUARE
from axiom_envs.dnd.engine.creature.conditions import BaseCondition
from axiom_envs.dnd.engine.values.modifiers import (
    AdvantageModifier,
    AdvantageStatus,
    AutoHitModifier,
    AutoHitStatus,
    Context,
    ContextualAdvantageModifier,
    ContextualAutoHitModifier,
    ContextualCriticalModifier,
    ContextualMaximumConstraint,
    CriticalModifier,
    CriticalStatus,
    MaximumConstraint,
    Modifier,
)
from axiom_envs.dnd.engine.values.types import Ability
from axiom_envs.dnd.engine.values.values import Channel, ModifiableValue

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.creature.entity import Entity

ADVANTAGE, DISADVANTAGE = AdvantageStatus.ADVANTAGE, AdvantageStatus.DISADVANTAGE
Applies = Callable[["Entity | None", "Entity | None", Context], bool]
"""(source, target, context) -> True if a modifier applies now."""


def put_advantage(condition: BaseCondition, channel: Channel, status: AdvantageStatus) -> None:
    """Add advantage or disadvantage that always applies, named after the condition."""
    condition.modify(channel, AdvantageModifier(condition.name, status, condition.source))


def put_advantage_where(
    condition: BaseCondition, channel: Channel, status: AdvantageStatus, applies: Applies
) -> None:
    """Add advantage or disadvantage to a contextual channel; it applies while `applies` is True."""
    given = AdvantageModifier(condition.name, status, condition.source)
    ask = partial(_give_where, applies, given)
    condition.modify(channel, ContextualAdvantageModifier(condition.name, ask, condition.source))


def _give_where(
    applies: Applies,
    given: Modifier,
    source: Entity | None,
    target: Entity | None,
    context: Context,
) -> Modifier | None:
    return given if applies(source, target, context) else None


def put_maximum(condition: BaseCondition, value: ModifiableValue, most: int = 0) -> None:
    """Add a maximum to a value."""
    condition.modify(value.self_static, MaximumConstraint(condition.name, most, condition.source))


def put_half(condition: BaseCondition, value: ModifiableValue) -> None:
    """Limit a value to half of what it is without this limit, rounded down."""
    ask = _Half(condition.name, value)
    condition.modify(value.self_contextual, ContextualMaximumConstraint(condition.name, ask))


class _Half:
    """A callable that returns a maximum: half of what its value is without this maximum."""

    __slots__ = ("is_reading", "name", "value")

    def __init__(self, name: str, value: ModifiableValue) -> None:
        self.name = name
        self.value = value
        self.is_reading = False

    def __call__(
        self, source: Entity | None, target: Entity | None, context: Context
    ) -> Modifier | None:
        if self.is_reading:
            return None
        self.is_reading = True
        try:
            whole = self.value.read(target, context).total
        finally:
            self.is_reading = False
        return MaximumConstraint(self.name, whole // 2)


def put_failing_saves(condition: BaseCondition) -> None:
    """Make Strength and Dexterity saves fail automatically."""
    saves = condition.the_target.saves
    for ability in (Ability.STRENGTH, Ability.DEXTERITY):
        fails = AutoHitModifier(condition.name, AutoHitStatus.AUTOMISS, condition.source)
        condition.modify(saves[ability].self_static, fails)


def put_failing_checks(condition: BaseCondition, sense: str) -> None:
    """Make checks fail whose context requires a sense, "sight" or "hearing"."""
    fails = AutoHitModifier(condition.name, AutoHitStatus.AUTOMISS, condition.source)
    ask = partial(_give_where, partial(_needs, sense), fails)
    condition.modify(
        condition.the_target.abilities.checks.self_contextual,
        ContextualAutoHitModifier(condition.name, ask, condition.source),
    )


def _needs(sense: str, source: Entity | None, target: Entity | None, context: Context) -> bool:
    return bool(context.get(sense))


def is_beside(source: Entity | None, target: Entity | None, context: Context) -> bool:
    """Return True if an attack is made from within 5 ft, or if the distance is not known."""
    return bool(context.get("distance", SQUARE) <= SQUARE)


def is_away(source: Entity | None, target: Entity | None, context: Context) -> bool:
    """Return True if an attack is made from more than 5 ft away."""
    return not is_beside(source, target, context)


def put_critical_beside(condition: BaseCondition) -> None:
    """Make hits from within 5 ft critical."""
    critical = CriticalModifier(condition.name, CriticalStatus.AUTOCRIT, condition.source)
    ask = partial(_give_where, is_beside, critical)
    condition.modify(
        condition.the_target.equipment.armour_class.to_target_contextual,
        ContextualCriticalModifier(condition.name, ask, condition.source),
    )
