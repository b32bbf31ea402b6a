"""Attacks.

    DECLARATION   the prerequisites are checked
    EXECUTION     the attack roll is made, and the outcome determined
    (reactions)   the target may react to a hit: see `axiom_envs.dnd.engine.rules.reactions`
    EFFECT        the cost is paid; damage is rolled and dealt, and riders take effect
    COMPLETION

Order of draws: the d20 test; then, after a hit, the damage dice of the weapon, those of features in
the order of `Equipment.extra_damage`, draws caused by a fall to 0 hit points, and the riders in
their order.

The `context` of contextual modifiers has these keys: `attack` (True), `profile`, `melee` (bool),
`distance` (feet), `sees` (True if the attacker sees the target) and `seen` (True if the target sees
the attacker). Modifiers of the attack bonus are called with the attacker as source; outgoing
modifiers of the target's armour class with the target as source and the attacker as target.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any, ClassVar

from axiom_envs.dnd.constants import COVER_NAMES
from axiom_envs.dnd.engine.creature.checks import explain_score
from axiom_envs.dnd.engine.creature.equipment import LIGHT, AttackProfile
from axiom_envs.dnd.engine.creature.lifecycle import refuse
from axiom_envs.dnd.engine.rules import attack_rules as rules
from axiom_envs.dnd.engine.rules.actions import Action, Cost, Prerequisite, pay, why_unable
from axiom_envs.dnd.engine.rules.damage import Amount, Damage, deal_damage
from axiom_envs.dnd.engine.rules.reactions import find_reaction
from axiom_envs.dnd.engine.values.dice import D20Roll, DamageDice, DamageRoll, roll_d20, roll_damage
from axiom_envs.dnd.engine.values.modifiers import Context, NumericalModifier
from axiom_envs.dnd.engine.values.types import CostType, DamageType
from axiom_envs.dnd.engine.values.values import Received, Score, Term, read_together
from axiom_envs.dnd.engine.world.events import Event, EventPhase, EventType
from axiom_gym.errors import UnknownNameError

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.creature.entity import Entity

BEST = 20
WORST = 1


class Outcome(Enum):
    """The outcome of an attack roll."""

    MISS = "miss"
    HIT = "hit"
    CRITICAL = "critical hit"


@dataclass(slots=True, kw_only=True, eq=False)
class AttackEvent(Event):
    """An attack.

    Attributes:
        attack: the action.
        profile: the attack profile.
        context: the facts passed to contextual modifiers.
        cover: the grade of the target's cover, 0 to 2.
        bonus, armour_class: attack bonus and target's armour class; None before EXECUTION.
        roll: the d20; None before EXECUTION.
        outcome: the outcome; None before EXECUTION. Handlers may change it until EFFECT.
        halved: True if a reaction halves the damage.
        damage_roll, damage: the damage of a hit; None before it is rolled.
    """

    event_type: ClassVar[str] = EventType.ATTACK
    attack: Attack
    profile: AttackProfile
    context: Context = field(default_factory=dict)
    cover: int = 0
    bonus: Score | None = None
    armour_class: Score | None = None
    roll: D20Roll | None = None
    outcome: Outcome | None = None
    halved: bool = False
    damage_roll: DamageRoll | None = None
    damage: Damage | None = None

    @property
    def hits(self) -> bool:
        """True if the current outcome is a hit."""
        return self.outcome is not None and self.outcome is not Outcome.MISS

    @property
    def total(self) -> int:
        """The sum of die and attack bonus."""
        natural = self.roll.natural if self.roll is not None else 0
        return natural + (self.bonus.total if self.bonus is not None else 0)

    def against(self, armour_class: int) -> Outcome:
        """Return the outcome of the roll against an armour class."""
        if self.roll is None or self.bonus is None or self.roll.canceled:
            return Outcome.MISS
        return judge(self.roll.natural, self.total, armour_class, self.bonus)

    def explain(self) -> str:
        if self.bonus is None or self.armour_class is None or self.roll is None:
            text = self.describe()
        else:
            text = f"to-hit {explain_score(self.bonus)}; {self.roll.describe()}; {self._result()}"
            for part in (self.damage_roll, self.damage):
                text += f"; {part.describe()}" if part is not None else ""
        return f"{text} (canceled: {self.message})" if self.canceled else text

    def _result(self) -> str:
        armour_class = self.armour_class.total if self.armour_class is not None else 0
        parts = self.armour_class.parts if self.armour_class is not None else ()
        changes = [one.describe() for one in parts if isinstance(one, NumericalModifier)]
        changed = f", {', '.join(changes)}" if changes else ""
        cover = f" with {COVER_NAMES[self.cover]}" if self.cover else ""
        outcome = self.outcome.value if self.outcome is not None else ""
        return f"{self.total} against {armour_class}{cover}{changed}: {outcome}"

    def describe(self) -> str:
        who = self.source.name if self.source is not None else "nobody"
        whom = self.target.name if self.target is not None else "nobody"
        text = f"{who} attacks {whom} with {self.profile.name}"
        if self.outcome is None:
            return text
        lost = f", {self.damage.total} damage" if self.damage is not None else ""
        return f"{text}: {self.outcome.value}{lost}"


def judge(natural: int, total: int, armour_class: int, bonus: Score) -> Outcome:
    """Return the outcome of an attack roll.

    Automatic misses and then automatic hits take precedence over the die. A natural 20 hits, and is
    a critical hit unless critical hits are prevented; a natural 1 misses.

    Args:
        natural: the die.
        total: the die with the bonus.
        armour_class: the armour class that is attacked.
        bonus: the score that holds automatic hits, misses and critical hits.
    """
    if bonus.hits is False:
        return Outcome.MISS
    if bonus.hits is None and (natural == WORST or (natural != BEST and total < armour_class)):
        return Outcome.MISS
    is_critical = natural == BEST or bonus.criticals is True
    return Outcome.CRITICAL if is_critical and bonus.criticals is not False else Outcome.HIT


class Attack(Action):
    """One attack with one of an entity's profiles.

    By default it is one attack of the Attack action; the first attack starts that action.
    """

    name = "attack"
    description = "A weapon or natural attack against one creature."
    default_costs = (Cost(CostType.ATTACKS),)

    __slots__ = ("profile", "with_ability")

    def __init__(
        self,
        source: Entity,
        target: Entity,
        weapon: str | AttackProfile = "main_hand",
        *,
        costs: tuple[Cost, ...] | None = None,
        with_ability: bool = True,
        prerequisites: Mapping[str, Prerequisite] | None = None,
    ) -> None:
        """Create the attack; `apply` carries it out.

        Args:
            source: the attacker.
            target: the target.
            weapon: a profile, its name, or "main_hand" or "off_hand": the first profile of the
                weapon in that hand that can reach the target.
            costs: costs that replace one attack of the Attack action: a bonus action, a reaction,
                or no costs.
            with_ability: False for the attack with the second weapon, to whose damage a positive
                ability modifier is not added.
            prerequisites: additional prerequisites by name.

        Raises:
            UnknownNameError: if the entity does not have the weapon.
        """
        super().__init__(source, target, costs=costs, prerequisites=prerequisites)
        self.profile = find_profile(source, target, weapon)
        self.with_ability = with_ability

    @property
    def victim(self) -> Entity:
        """The target, which every attack has."""
        assert self.target is not None
        return self.target

    def why_not(self, with_costs: bool = True) -> str | None:
        reason = why_unable(self.source)
        if reason is not None:
            return f"able to act: {reason}"
        reason = rules.why_not_attack(self.source, self.victim, self.profile)
        if reason is None and with_costs:
            reason = rules.why_not_paid(self.source, self.profile, self.costs)
        for name, prerequisite in self._prerequisites.items():
            if reason is None and (found := prerequisite(self)) is not None:
                reason = f"{name}: {found}"
        return reason

    def make_event(self, parent: Event | None) -> AttackEvent:
        return AttackEvent(
            source=self.source,
            target=self.target,
            parent=parent,
            attack=self,
            profile=self.profile,
        )

    # -- phases ------------------------------------------------------------------------------------

    def apply(self, parent: Event | None = None) -> AttackEvent:
        """Carry out the attack; the target uses each reaction that helps it.

        Returns:
            The event in its last phase. It is canceled if a handler cancels it or a prerequisite
            fails; its message gives the reason.
        """
        event = self.begin(parent)
        number = find_reaction(event)
        while number >= 0:
            event = self.victim.reactions[number].use(self.victim, event)
            number = find_reaction(event, number + 1)
        return self.finish(event)

    def begin(self, parent: Event | None = None) -> AttackEvent:
        """Check the prerequisites, make the attack roll, and determine the outcome."""
        event = self.make_event(parent).declare()
        reason = None if event.canceled else self.why_not()
        if reason is not None:
            event = refuse(event, reason)
        context = rules.make_context(self.source, self.victim, self.profile)
        event = event.phase_to(EventPhase.EXECUTION, context=context)
        return event if event.canceled else self._roll(event)

    def _roll(self, event: AttackEvent) -> AttackEvent:
        bonus, armour_class, cover = self.read(event.context)
        roll = roll_d20(self.source, self.name, bonus.advantage, event)
        event = event.fill(bonus=bonus, armour_class=armour_class, cover=cover, roll=roll)
        return event.fill(outcome=event.against(armour_class.total))

    def read(self, context: Context | None = None) -> tuple[Score, Score, int]:
        """Return the attack bonus, the armour class and the grade of cover that apply now."""
        source, target, profile = self.source, self.victim, self.profile
        if context is None:
            context = rules.make_context(source, target, profile)
        attack_bonus, armour_class = source.equipment.attack_bonus, target.equipment.armour_class
        cover = rules.cover_grade(source, target)
        with Received(attack_bonus, armour_class):
            values = source.equipment.attack_values(profile)
            bonus = read_together(values, _terms(source, profile), source, target, context)
            against = target.equipment.read_armour_class(source, context, rules.COVER_TERMS[cover])
        for modifier in rules.situation(source, target, profile, context):
            bonus.take(modifier)
        return bonus, against, cover

    def finish(self, event: AttackEvent) -> AttackEvent:
        """Pay the cost and, if the attack hits, deal its damage and apply its riders."""
        try:
            event = event.phase_to(EventPhase.EFFECT)
            if event.canceled:
                return event
            self._pay(event)
            if event.hits:
                event = self._hit(event)
            return event.phase_to(EventPhase.COMPLETION)
        finally:
            self.world.forget(self)

    def _pay(self, event: AttackEvent) -> None:
        for cost in self.costs:
            if cost.kind is CostType.ATTACKS:
                self._use_attack(event)
            else:
                pay(self.source, cost, event)
        rules.use_profile(self.source, self.profile)

    def _use_attack(self, event: AttackEvent) -> None:
        """Start the Attack action if it has not started, and use one of its attacks."""
        economy, index = self.source.economy, self.profile.index
        if not rules.has_attack(economy.plans, index):
            pay(self.source, Cost(CostType.ACTIONS), event)
            economy.plans = rules.attack_plans(self.source)
            economy.marks.add("attack action")
        economy.plans = rules.without(economy.plans, index)
        if self.profile.is_melee and LIGHT in self.profile.weapon.properties:
            economy.marks.add("light attack")

    def _hit(self, event: AttackEvent) -> AttackEvent:
        if self.profile.deals_damage:
            roll = self._roll_damage(event)
            if roll.canceled:
                return event
            event = event.fill(damage_roll=roll, damage=self._deal(event, roll))
        for rider in self.profile.riders:
            rider.take_effect(event)
        return event

    def _roll_damage(self, event: AttackEvent) -> DamageRoll:
        critical = event.outcome is Outcome.CRITICAL
        return roll_damage(self.source, self.victim, self._dice(event), critical, event)

    def _deal(self, event: AttackEvent, roll: DamageRoll) -> Damage:
        return deal_damage(
            self.victim,
            sum_by_type(roll, event.halved),
            source=self.source,
            critical=roll.critical,
            melee=self.profile.is_melee,
            parent=event,
        )

    def _dice(self, event: AttackEvent) -> list[DamageDice]:
        equipment = self.source.equipment
        dice = [equipment.weapon_dice(self.profile, self.victim, event.context, self.with_ability)]
        for ask in equipment.extra_damage:
            extra = ask(event)
            if extra is not None:
                dice.append(extra)
        return dice


def sum_by_type(roll: DamageRoll, halved: bool = False) -> list[Amount]:
    """Sum damage by type; if halved, each sum is halved once and rounded down."""
    sums: dict[DamageType, int] = {}
    for amount, part in zip(roll.amounts, roll.parts, strict=True):
        sums[part.damage_type] = sums.get(part.damage_type, 0) + amount
    return [(amount // 2 if halved else amount, kind) for kind, amount in sums.items()]


def _terms(source: Entity, profile: AttackProfile) -> list[Term]:
    terms = [source.abilities.term(profile.ability)]
    if profile.proficient:
        terms.append(("proficiency", source.proficiency.score))
    if profile.to_hit:
        terms.append(("stat block", profile.to_hit))
    return terms


def find_profile(source: Entity, target: Entity, weapon: Any) -> AttackProfile:
    """Return the profile that `weapon` stands for; see `Attack`.

    Raises:
        UnknownNameError: if there is no such profile.
    """
    equipment = source.equipment
    if isinstance(weapon, AttackProfile):
        return weapon
    named = equipment.profile(weapon)
    if named is not None:
        return named
    main = equipment.hands.main
    if main is None and equipment.profiles:
        main = equipment.profiles[0].weapon  # a natural weapon, such as claws or teeth
    held = {"main_hand": main, "off_hand": equipment.hands.off}.get(weapon)
    ways = [one for one in equipment.profiles if held is not None and one.weapon is held]
    if not ways:
        names = [one.name for one in equipment.profiles]
        raise UnknownNameError(f"weapon of {source.name}", weapon, names)
    fitting = [one for one in ways if rules.why_not_attack(source, target, one) is None]
    return (fitting or ways)[0]
