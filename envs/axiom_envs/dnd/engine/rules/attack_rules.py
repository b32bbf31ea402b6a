"""Prerequisites of attacks, and the modifiers that an attack roll gets from the situation."""

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
"""Alternatives for the attacks of an Attack action, each a tuple of profile indices."""

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
    """Return the reason that prevents an attack, apart from costs ("range: ..."), or None."""
    reason = why_not_profile(source, profile)
    if reason is not None:
        return f"weapon: {reason}"
    return why_not_target(source, target) or why_not_range(source, target, profile)


def why_not_target(source: Entity, target: Entity) -> str | None:
    """Return the reason that prevents any attack on a target, or None."""
    if target is source:
        return "target: a creature cannot attack itself"
    if target.health.dead:
        return f"target: {target.name} is dead"
    for charmed in source.conditions.get("charmed", ()):
        if charmed.source is target:
            return f"charmed: {source.name} cannot attack {target.name}, who has charmed it"
    if cover_of(target, source) == TOTAL_COVER:
        return f"cover: {target.name} has total cover"
    return None


def why_not_range(source: Entity, target: Entity, profile: AttackProfile) -> str | None:
    """Return the reason that a target is out of range, or None."""
    away = distance(source, target)
    if away <= profile.farthest:
        return None
    what = "reaches" if profile.is_melee else "flies"
    return (
        f"range: {target.name} is {away} ft away, and {profile.name} {what} {profile.farthest} ft"
    )


def why_not_profile(source: Entity, profile: AttackProfile) -> str | None:
    """Return the reason that prevents the use of a profile now, or None."""
    if not profile.charged:
        return f"{profile.name} is not recharged"
    if profile.uses == 0:
        return f"{profile.name} has no uses left"
    if profile.weapon in source.equipment.dropped:
        return f"{profile.name} lies on the ground"
    # Drawing or putting away a weapon is part of an attack; a shield takes an action (SRD).
    if profile.two_handed and source.equipment.hands.shield:
        return f"{profile.name} needs both hands, and one of them holds a shield"
    if LOADING in profile.weapon.properties and f"loading {profile.weapon.number}" in (
        source.economy.marks
    ):
        return f"{profile.name} is not loaded"
    return None


def why_not_paid(source: Entity, profile: AttackProfile, costs: Sequence[Cost]) -> str | None:
    """Return the reason that an attack cannot be paid for, or None."""
    economy = source.economy
    for cost in costs:
        if cost.kind is not CostType.ATTACKS:
            if economy.left(cost.kind) < cost.amount:
                return f"cost: {source.name} does not have {cost.describe()} left"
        elif has_attack(economy.plans, profile.index):
            continue
        elif economy.left(CostType.ACTIONS) < 1:
            return f"cost: {source.name} has no attack with {profile.name} left"
        elif not has_attack(attack_plans(source), profile.index):
            return f"cost: no Attack action of {source.name} includes {profile.name}"
    return None


def attack_plans(source: Entity) -> Plans:
    """Return the plans of one Attack action; by default one attack with any profile."""
    equipment = source.equipment
    return equipment.plans or tuple((one.index,) for one in equipment.profiles)


def has_attack(plans: Plans, index: int) -> bool:
    """Return True if one of the plans contains this profile."""
    return any(index in plan for plan in plans)


def without(plans: Plans, index: int) -> Plans:
    """Remove a profile once from the plans that contain it; drop all other plans."""
    rest = []
    for plan in plans:
        if index in plan:
            k = plan.index(index)
            left = plan[:k] + plan[k + 1 :]
            if left and left not in rest:
                rest.append(left)
    return tuple(rest)


def use_profile(source: Entity, profile: AttackProfile) -> None:
    """Record the use of a profile: uses, recharge and loading."""
    if profile.uses is not None:
        profile.uses -= 1
    if profile.recharge:
        profile.charged = False
    if LOADING in profile.weapon.properties:
        source.economy.marks.add(f"loading {profile.weapon.number}")


# -- the situation ---------------------------------------------------------------------------------


def cover_grade(source: Entity, target: Entity) -> int:
    """Return the target's cover against a creature's attack: 0 none, 1 half, 2 three-quarters."""
    return cover_of(target, source)


def make_context(source: Entity, target: Entity, profile: AttackProfile) -> Context:
    """Return the facts about an attack for contextual modifiers."""
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
    """Return the advantages and disadvantages from the situation, in a fixed order."""
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
    """Return True if a hostile creature within 5 ft sees the entity and is not incapacitated."""
    for other in source.world.entities:
        if (
            other.is_hostile_to(source)
            and other.can_act
            and distance(other, source) <= SQUARE
            and sees(other, source)
        ):
            return True
    return False
