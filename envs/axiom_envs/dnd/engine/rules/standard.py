"""The conditions of the SRD (SRD, Conditions), and the condition at 0 hit points.

In the docstrings of conditions, "it" is the creature that has the condition.

Order of draws: none here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from axiom_envs.dnd.constants import SQUARE
from axiom_envs.dnd.engine.creature.conditions import BaseCondition
from axiom_envs.dnd.engine.rules.condition_parts import (
    ADVANTAGE,
    DISADVANTAGE,
    is_away,
    is_beside,
    put_advantage,
    put_advantage_where,
    put_critical_beside,
    put_failing_checks,
    put_failing_saves,
    put_half,
    put_maximum,
)
from axiom_envs.dnd.engine.rules.death import die
from axiom_envs.dnd.engine.rules.perception import in_line_of_sight
from axiom_envs.dnd.engine.rules.space import distance
from axiom_envs.dnd.engine.values.modifiers import Context, ResistanceModifier, ResistanceStatus
from axiom_envs.dnd.engine.values.types import SOCIAL_SKILLS, Ability, DamageType
from axiom_envs.dnd.engine.world.dispatch import Trigger
from axiom_envs.dnd.engine.world.events import Event, EventPhase, EventType
from axiom_gym.errors import check_range

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.creature.entity import Entity
    from axiom_envs.dnd.engine.creature.equipment import Weapon

MOST_EXHAUSTED = 6


def put_helplessness(condition: BaseCondition, event: Event) -> None:
    """Make the target helpless.

    It is incapacitated and cannot move; its Strength and Dexterity saves fail; attacks against it
    have advantage.
    """
    target = condition.the_target
    condition.add_sub_condition(Incapacitated(source=condition.source), event)
    put_maximum(condition, target.economy.speed)
    put_failing_saves(condition)
    put_advantage(condition, target.equipment.armour_class.to_target_static, ADVANTAGE)


# -- the conditions --------------------------------------------------------------------------------


class Blinded(BaseCondition):
    """Checks that need sight fail; its attacks have disadvantage, attacks against it advantage.

    (SRD, Conditions)
    """

    __slots__ = ()

    def _apply(self, event: Event) -> None:
        equipment = self.the_target.equipment
        put_failing_checks(self, "sight")
        put_advantage(self, equipment.attack_bonus.self_static, DISADVANTAGE)
        put_advantage(self, equipment.armour_class.to_target_static, ADVANTAGE)


class Charmed(BaseCondition):
    """It cannot attack its source, which has advantage on social checks against it.

    The prerequisites of attacks check for this condition. (SRD, Conditions)
    """

    __slots__ = ()

    def _apply(self, event: Event) -> None:
        if self.source is not None:
            channel = self.source.abilities.checks.self_contextual
            put_advantage_where(self, channel, ADVANTAGE, self._is_social)

    def _is_social(self, source: Entity | None, target: Entity | None, context: Context) -> bool:
        return target is self.target and context.get("skill") in SOCIAL_SKILLS


class Deafened(BaseCondition):
    """Checks that need hearing fail (SRD, Conditions)."""

    __slots__ = ()

    def _apply(self, event: Event) -> None:
        put_failing_checks(self, "hearing")


class Frightened(BaseCondition):
    """Its checks and attacks have disadvantage while the source of fear is in line of sight.

    It cannot willingly move closer to the source, which the rules of movement check. Without a
    source the condition always applies. (SRD, Conditions)
    """

    __slots__ = ()

    def _apply(self, event: Event) -> None:
        target = self.the_target
        for value in (target.abilities.checks, target.equipment.attack_bonus):
            put_advantage_where(self, value.self_contextual, DISADVANTAGE, self._is_near_its_fear)

    def _is_near_its_fear(
        self, source: Entity | None, target: Entity | None, context: Context
    ) -> bool:
        return self.source is None or in_line_of_sight(self.the_target, self.source)


class Grappled(BaseCondition):
    """Its speed is 0.

    Ends when the source is incapacitated, or when the two are no longer within reach of each other.
    (SRD, Conditions)
    """

    __slots__ = ("reach",)

    def __init__(self, *, reach: int = SQUARE, **kwargs: Any) -> None:
        """Create the condition; `reach` is that of the source, in feet."""
        super().__init__(**kwargs)
        self.reach = check_range("reach of a grapple", reach, SQUARE)

    def _apply(self, event: Event) -> None:
        target, source = self.the_target, self.source
        put_maximum(self, target.economy.speed)
        if source is None:
            return
        ended = (EventType.CONDITION_APPLICATION, EventType.DEATH)
        both, at = (source, target), EventPhase.COMPLETION
        self.handle(
            (
                Trigger(ended, at, targets=[source]),
                Trigger(EventType.STEP, at, sources=both),
                Trigger(EventType.FORCED_MOVEMENT, at, targets=both),
            ),
            self._let_go,
        )

    def _let_go(self, event: Event, owner: Entity | None) -> None:
        target, source = self.the_target, self.source
        if source is None or (source.can_act and distance(source, target) <= self.reach):
            return
        target.remove_condition(self, parent=event, expired=True)


class Incapacitated(BaseCondition):
    """Takes no actions, bonus actions or reactions (SRD, Conditions)."""

    __slots__ = ()

    def _apply(self, event: Event) -> None:
        economy = self.the_target.economy
        for budget in (economy.actions, economy.bonus_actions, economy.reactions):
            put_maximum(self, budget)


class Invisible(BaseCondition):
    """Attacks against it have disadvantage and its attacks advantage, if the other cannot see it.

    Blindsight, tremorsense and truesight can see it. (SRD, Conditions)
    """

    __slots__ = ()

    def _apply(self, event: Event) -> None:
        equipment = self.the_target.equipment
        put_advantage_where(
            self, equipment.attack_bonus.self_contextual, ADVANTAGE, partial(_is_unseen, "seen")
        )
        outgoing = equipment.armour_class.to_target_contextual
        put_advantage_where(self, outgoing, DISADVANTAGE, partial(_is_unseen, "sees"))


def _is_unseen(key: str, source: Entity | None, target: Entity | None, context: Context) -> bool:
    return not context.get(key, False)


class Paralyzed(BaseCondition):
    """Incapacitated and unable to move; its Strength and Dexterity saves fail.

    Attacks against it have advantage. Hits from within 5 ft are critical. (SRD, Conditions)
    """

    __slots__ = ()

    def _apply(self, event: Event) -> None:
        put_helplessness(self, event)
        put_critical_beside(self)


class Petrified(BaseCondition):
    """Turned to stone: incapacitated and unable to move, with all effects below.

    Strength and Dexterity saves fail, and attacks against it have advantage. It resists all damage,
    and is immune to poison damage and to being poisoned. A poison that already affects it stays,
    but has no effect on stone. (SRD, Conditions)
    """

    __slots__ = ()

    def _apply(self, event: Event) -> None:
        put_helplessness(self, event)
        target = self.the_target
        resistances = target.health.resistances.self_static
        for kind in DamageType:
            self.modify(
                resistances, ResistanceModifier(self.name, kind, ResistanceStatus.RESISTANCE)
            )
        self.modify(
            resistances,
            ResistanceModifier(self.name, DamageType.POISON, ResistanceStatus.IMMUNITY),
        )
        target.immunities.setdefault("poisoned", []).append(self.name)

    def _removed(self, event: Event) -> None:
        immunities = self.the_target.immunities
        reasons = immunities.get("poisoned", [])
        if self.name in reasons:
            reasons.remove(self.name)
        if not reasons:
            immunities.pop("poisoned", None)


class Poisoned(BaseCondition):
    """Its attacks and checks have disadvantage (SRD, Conditions)."""

    __slots__ = ()

    def _apply(self, event: Event) -> None:
        target = self.the_target
        put_advantage(self, target.equipment.attack_bonus.self_static, DISADVANTAGE)
        put_advantage(self, target.abilities.checks.self_static, DISADVANTAGE)


class Prone(BaseCondition):
    """Its attacks have disadvantage; those against it advantage within 5 ft, else disadvantage.

    It can only crawl or stand up, which the rules of movement check. (SRD, Conditions)
    """

    __slots__ = ()

    def _apply(self, event: Event) -> None:
        equipment = self.the_target.equipment
        put_advantage(self, equipment.attack_bonus.self_static, DISADVANTAGE)
        outgoing = equipment.armour_class.to_target_contextual
        put_advantage_where(self, outgoing, ADVANTAGE, is_beside)
        put_advantage_where(self, outgoing, DISADVANTAGE, is_away)


class Restrained(BaseCondition):
    """Its speed is 0; its attacks have disadvantage, attacks against it advantage.

    Its Dexterity saves have disadvantage. (SRD, Conditions)
    """

    __slots__ = ()

    def _apply(self, event: Event) -> None:
        target = self.the_target
        put_maximum(self, target.economy.speed)
        put_advantage(self, target.equipment.attack_bonus.self_static, DISADVANTAGE)
        put_advantage(self, target.equipment.armour_class.to_target_static, ADVANTAGE)
        put_advantage(self, target.saves[Ability.DEXTERITY].self_static, DISADVANTAGE)


class Stunned(BaseCondition):
    """Incapacitated and unable to move; its Strength and Dexterity saves fail.

    Attacks against it have advantage. (SRD, Conditions)
    """

    __slots__ = ()

    def _apply(self, event: Event) -> None:
        put_helplessness(self, event)


class Unconscious(BaseCondition):
    """Incapacitated and unable to move; its Strength and Dexterity saves fail.

    Attacks against it have advantage. Hits from within 5 ft are critical. It drops what it holds
    and falls prone; it is still prone after it wakes up. (SRD, Conditions)
    """

    __slots__ = ()

    def _apply(self, event: Event) -> None:
        put_helplessness(self, event)
        put_critical_beside(self)
        target = self.the_target
        drop_weapons(target, event)
        if "prone" not in target.conditions:
            target.add_condition(Prone(), parent=event)


class Exhaustion(BaseCondition):
    """Six levels, each with the effects of all lower levels; new levels are added.

    1: checks have disadvantage; 2: half speed; 3: attacks and saves have disadvantage; 4: half the
    hit point maximum; 5: speed 0; 6: death. (SRD, Conditions)

    An applied condition does not change, so a new application replaces it by one with both levels
    added.
    """

    stacks: ClassVar[bool] = True

    __slots__ = ("level",)

    def __init__(self, level: int = 1, **kwargs: Any) -> None:
        """Create the condition; `level`, 1 to 6, is added to existing levels."""
        super().__init__(**kwargs)
        self.level = check_range("level of exhaustion", level, 1, MOST_EXHAUSTED)

    def _apply(self, event: Event) -> None:
        self._gather(event)
        target, level = self.the_target, self.level
        put_advantage(self, target.abilities.checks.self_static, DISADVANTAGE)
        if level >= 2:
            put_half(self, target.economy.speed)
        if level >= 3:
            put_advantage(self, target.equipment.attack_bonus.self_static, DISADVANTAGE)
            put_advantage(self, target.saves.all.self_static, DISADVANTAGE)
        if level >= 4:
            put_half(self, target.health.maximum)
            target.health.current = min(target.health.current, target.health.maximum.score)
        if level >= 5:
            put_maximum(self, target.economy.speed)
        if level >= MOST_EXHAUSTED:
            self.handle(Trigger(phases=EventPhase.COMPLETION, event=event), self._kill)

    def _gather(self, event: Event) -> None:
        """Replace the existing exhaustion, and add its levels."""
        target = self.the_target
        for one in list(target.conditions.get(self.name, ())):
            if isinstance(one, Exhaustion) and one is not self and not one.holders:
                self.level = min(MOST_EXHAUSTED, self.level + one.level)
                target.remove_condition(one, parent=event, expired=True)

    def _kill(self, event: Event, owner: Entity | None) -> None:
        die(self.the_target, event, self.source)


class Felled(BaseCondition):
    """At 0 hit points and alive: unconscious until healed (SRD, Damage and Healing)."""

    __slots__ = ()

    def _apply(self, event: Event) -> None:
        self.add_sub_condition(Unconscious(source=self.source), event)


# -- dropped weapons -------------------------------------------------------------------------------


@dataclass(slots=True, kw_only=True, eq=False)
class DropWeapon(Event):
    """The source drops a weapon.

    Attributes:
        weapon: the weapon.
    """

    event_type: ClassVar[str] = EventType.EQUIPMENT
    weapon: Weapon

    def describe(self) -> str:
        who = self.source.name if self.source is not None else "nobody"
        return f"{who} drops {self.weapon.name}"


def drop_weapons(entity: Entity, parent: Event | None = None) -> None:
    """Drop the weapons in hand; they lie at the entity's feet until they are picked up."""
    equipment = entity.equipment
    for weapon in (equipment.hands.main, equipment.hands.off):
        if weapon is None or weapon in equipment.dropped:
            continue
        event = DropWeapon(source=entity, parent=parent, weapon=weapon).declare()
        event = event.phase_to(EventPhase.EXECUTION).phase_to(EventPhase.EFFECT)
        if not event.canceled:
            equipment.dropped.append(weapon)
            event.phase_to(EventPhase.COMPLETION)
