"""When an attack can be made, and what the situation adds to its roll."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from axiom_envs.dnd.constants import COVER_BONUS, COVER_NAMES, SQUARE, TOTAL_COVER
from axiom_envs.dnd.engine.creature.equipment import HEAVY, LOADING, AttackProfile
from axiom_envs.dnd.engine.rules.actions import Cost
from axiom_envs.dnd.engine.rules.perception import cover_of, sees
from axiom_envs.dnd.engine.rules.space import distance
from axiom_envs.dnd.engine.values.modifiers import (
    AdvantageModifier,
    AdvantageStatus,
    Context,
    Modifier,
)
from axiom_envs.dnd.engine.values.types import CostType, Size
from axiom_envs.dnd.engine.values.values import Term

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.creature.entity import Entity

Plans = tuple[tuple[int, ...], ...]
"""Alternatives of what may be attacked with, each of profile indices."""

COVER_TERMS: tuple[Term | None, ...] = (
    None,
    (COVER_NAMES[1], COVER_BONUS[1]),
    (COVER_NAMES[2], COVER_BONUS[2]),
    None,
)

_UNSEEN_TARGET = AdvantageModifier("unseen target", AdvantageStatus.DISADVANTAGE)
_UNSEEN_ATTACKER = AdvantageModifier("unseen attacker", AdvantageStatus.ADVANTAGE)
_LONG_RANGE = AdvantageModifier("long range", AdvantageStatus.DISADVANTAGE)
_THREATENED = AdvantageModifier("hostile within 5 ft", AdvantageStatus.DISADVANTAGE)
_TOO_HEAVY = AdvantageModifier("heavy weapon", AdvantageStatus.DISADVANTAGE)


# -- prerequisites ---------------------------------------------------------------------------------


def why_not_attack(source: Entity, target: Entity, profile: AttackProfile) -> str | None:
    """Why an attack cannot be made, whatever it costs: "range: ..."; None if it can."""
    reason = why_not_profile(source, profile)
    if reason is not None:
        return f"weapon: {reason}"
    return why_not_target(source, target) or why_not_range(source, target, profile)


def why_not_target(source: Entity, target: Entity) -> str | None:
    """Why an entity cannot attack another, whatever with; None if it can."""
    if target is source:
        return "target: nobody attacks itself"
    if target.health.dead:
        return f"target: {target.name} is dead"
    for charmed in source.conditions.get("charmed", ()):
        if charmed.source is target:
            return f"charmed: {source.name} cannot attack {target.name}, who has charmed it"
    if cover_of(target, source) == TOTAL_COVER:
        return f"cover: {target.name} has total cover"
    return None


def why_not_range(source: Entity, target: Entity, profile: AttackProfile) -> str | None:
    """Why a target is too far away; None if it is not."""
    away = distance(source, target)
    if away <= profile.farthest:
        return None
    what = "reaches" if profile.is_melee else "flies"
    return (
        f"range: {target.name} is {away} ft away, and {profile.name} {what} {profile.farthest} ft"
    )


def why_not_profile(source: Entity, profile: AttackProfile) -> str | None:
    """Why a profile cannot be used now; None if it can."""
    if not profile.charged:
        return f"{profile.name} is not recharged"
    if profile.uses == 0:
        return f"{profile.name} is used up"
    if profile.weapon in source.equipment.dropped:
        return f"{profile.name} lies on the ground"
    # A weapon is put away or drawn along with an attack; a shield takes an action (SRD).
    if profile.two_handed and source.equipment.hands.shield:
        return f"{profile.name} takes both hands, and one of them holds a shield"
    if LOADING in profile.weapon.properties and f"loading {profile.weapon.number}" in (
        source.economy.marks
    ):
        return f"{profile.name} is not loaded again"
    return None


def why_not_paid(source: Entity, profile: AttackProfile, costs: Sequence[Cost]) -> str | None:
    """Why an attack cannot be paid for; None if it can."""
    economy = source.economy
    for cost in costs:
        if cost.kind is not CostType.ATTACKS:
            if economy.left(cost.kind) < cost.amount:
                return f"cost: {source.name} has not got {cost.describe()} left"
        elif has_attack(economy.plans, profile.index):
            continue
        elif economy.left(CostType.ACTIONS) < 1:
            return f"cost: {source.name} has no attack with {profile.name} left"
        elif not has_attack(attack_plans(source), profile.index):
            return f"cost: no Attack action of {source.name} holds {profile.name}"
    return None


def attack_plans(source: Entity) -> Plans:
    """What one Attack action may consist of; one attack of any kind if nothing else is said."""
    equipment = source.equipment
    return equipment.plans or tuple((one.index,) for one in equipment.profiles)


def has_attack(plans: Plans, index: int) -> bool:
    """Whether one of the plans holds this profile."""
    return any(index in plan for plan in plans)


def without(plans: Plans, index: int) -> Plans:
    """What the plans that hold a profile hold beside it."""
    rest = []
    for plan in plans:
        if index in plan:
            k = plan.index(index)
            left = plan[:k] + plan[k + 1 :]
            if left and left not in rest:
                rest.append(left)
    return tuple(rest)


def use_profile(source: Entity, profile: AttackProfile) -> None:
    """What using a profile uses up."""
    if profile.uses is not None:
        profile.uses -= 1
    if profile.recharge:
        profile.charged = False
    if LOADING in profile.weapon.properties:
        source.economy.marks.add(f"loading {profile.weapon.number}")


# -- the situation ---------------------------------------------------------------------------------


def cover_grade(source: Entity, target: Entity) -> int:
    """0 none, 1 half, 2 three-quarters: the target's cover against a creature's attack."""
    return cover_of(target, source)


def make_context(source: Entity, target: Entity, profile: AttackProfile) -> Context:
    """What contextual modifiers are told of an attack."""
    return {
        "attack": True,
        "profile": profile,
        "melee": profile.is_melee,
        "distance": distance(source, target),
        "sees": sees(source, target),
        "seen": sees(target, source),
    }


def situation(
    source: Entity, target: Entity, profile: AttackProfile, context: Context
) -> list[Modifier]:
    """What advantages and disadvantages the situation gives, in a fixed order."""
    found: list[Modifier] = []
    if not context["sees"]:
        found.append(_UNSEEN_TARGET)
    if not context["seen"]:
        found.append(_UNSEEN_ATTACKER)
    if not profile.is_melee:
        if context["distance"] > profile.normal:
            found.append(_LONG_RANGE)
        if is_threatened(source):
            found.append(_THREATENED)
    if HEAVY in profile.weapon.properties and source.size.rank <= Size.SMALL.rank:
        found.append(_TOO_HEAVY)
    return found


def is_threatened(source: Entity) -> bool:
    """Whether a hostile creature within 5 ft sees the entity and is not incapacitated."""
    for other in source.world.entities:
        if (
            other.is_hostile_to(source)
            and other.can_act
            and distance(other, source) <= SQUARE
            and sees(other, source)
        ):
            return True
    return False
