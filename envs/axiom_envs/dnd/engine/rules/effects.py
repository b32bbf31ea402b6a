"""Conditions that actions and features cause.

In the docstrings of conditions, "it" is the creature that has the condition.

Order of draws: none here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from axiom_envs.dnd.engine.creature.conditions import BaseCondition
from axiom_envs.dnd.engine.creature.durations import Duration, Moment, rounds
from axiom_envs.dnd.engine.rules.condition_parts import (
    ADVANTAGE,
    DISADVANTAGE,
    put_advantage,
    put_advantage_where,
    put_maximum,
)
from axiom_envs.dnd.engine.values.modifiers import (
    AdvantageModifier,
    Context,
    ContextualAdvantageModifier,
    ContextualNumericalModifier,
    Modifier,
    NumericalModifier,
    ResistanceModifier,
    ResistanceStatus,
)
from axiom_envs.dnd.engine.values.types import Ability, DamageType
from axiom_envs.dnd.engine.world.dispatch import Trigger
from axiom_envs.dnd.engine.world.events import Event, EventPhase, EventType
from axiom_gym.errors import check_range

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.creature.checks import AbilityCheck
    from axiom_envs.dnd.engine.creature.entity import Entity

RAGE_ROUNDS = 10
RAGE_DAMAGE = 2


# -- effects of actions ----------------------------------------------------------------------------


class Dodging(BaseCondition):
    """Attacks by attackers that it sees have disadvantage; its Dexterity saves have advantage.

    Lasts until its next turn. It has no effect while the creature is incapacitated or its speed is
    0. (SRD, Dodge)
    """

    __slots__ = ()

    def __init__(self, *, duration: Duration | None = None, **kwargs: Any) -> None:
        """Create the condition; by default it lasts until the start of the creature's next turn."""
        super().__init__(duration=duration or rounds(1, of_target=True), **kwargs)

    def _apply(self, event: Event) -> None:
        target = self.the_target
        outgoing = target.equipment.armour_class.to_target_contextual
        put_advantage_where(self, outgoing, DISADVANTAGE, self._sees_attack)
        saves = target.saves[Ability.DEXTERITY].self_contextual
        put_advantage_where(self, saves, ADVANTAGE, self._is_nimble)

    def _sees_attack(self, source: Entity | None, target: Entity | None, context: Context) -> bool:
        return bool(context.get("seen", True)) and self._is_nimble(source, target, context)

    def _is_nimble(self, source: Entity | None, target: Entity | None, context: Context) -> bool:
        return self.the_target.can_act and self.the_target.economy.current_speed > 0


class Disengaged(BaseCondition):
    """Its movement provokes no opportunity attacks until its turn ends (SRD, Disengage).

    The rules of movement check for this condition; it has no other effect.
    """

    __slots__ = ()

    def __init__(self, *, duration: Duration | None = None, **kwargs: Any) -> None:
        """Create the condition; by default it lasts until the end of the creature's turn."""
        lasts = duration or rounds(1, moment=Moment.TURN_END, of_target=True)
        super().__init__(duration=lasts, **kwargs)


class Helped(BaseCondition):
    """Its first attack against a certain creature has advantage (SRD, Help).

    Ends with that attack, or at the start of the helper's next turn.
    """

    __slots__ = ("against",)

    def __init__(self, against: Entity, *, duration: Duration | None = None, **kwargs: Any) -> None:
        """Create the condition; `against` is the creature to attack, `source` the helper."""
        super().__init__(duration=duration or rounds(1), **kwargs)
        self.against = against

    def _apply(self, event: Event) -> None:
        target = self.the_target
        channel = target.equipment.attack_bonus.self_contextual
        put_advantage_where(self, channel, ADVANTAGE, self._is_against)
        trigger = Trigger(
            EventType.ATTACK, EventPhase.COMPLETION, sources=[target], targets=[self.against]
        )
        self.handle(trigger, self._is_used)

    def _is_against(self, source: Entity | None, target: Entity | None, context: Context) -> bool:
        return target is self.against

    def _is_used(self, event: Event, owner: Entity | None) -> None:
        self.the_target.remove_condition(self, parent=event, expired=True)


class HelpedCheck(BaseCondition):
    """Its next ability check has advantage (SRD, Help).

    Ends with that check, or at the start of the helper's next turn.
    """

    name = "helped check"

    __slots__ = ()

    def __init__(self, *, duration: Duration | None = None, **kwargs: Any) -> None:
        """Create the condition; `source` is the helper."""
        super().__init__(duration=duration or rounds(1), **kwargs)

    def _apply(self, event: Event) -> None:
        target = self.the_target
        put_advantage(self, target.abilities.checks.self_static, ADVANTAGE)
        trigger = Trigger(EventType.CHECK, EventPhase.COMPLETION, sources=[target])
        self.handle(trigger, self._is_used)

    def _is_used(self, event: AbilityCheck, owner: Entity | None) -> None:
        self.the_target.remove_condition(self, parent=event, expired=True)


# -- hiding ----------------------------------------------------------------------------------------


class Hidden(BaseCondition):
    """Some creatures do not notice it, and therefore do not see it (SRD, Hiding).

    Ends after its first attack, which still counts as an attack by an unseen attacker. `reveal_to`
    lets a creature notice it.
    """

    __slots__ = ("stealth", "unaware")

    def __init__(self, unaware: tuple[Entity, ...], stealth: int, **kwargs: Any) -> None:
        """Create the condition.

        Args:
            unaware: the creatures that do not notice it.
            stealth: the total of the Stealth check.
            **kwargs: the arguments of every condition.
        """
        super().__init__(**kwargs)
        self.unaware = tuple(unaware)
        self.stealth = stealth

    def _apply(self, event: Event) -> None:
        trigger = Trigger(EventType.ATTACK, EventPhase.COMPLETION, sources=[self.the_target])
        self.handle(trigger, self._give_away)

    def _give_away(self, event: Event, owner: Entity | None) -> None:
        self.the_target.remove_condition(self, parent=event, expired=True)


def reveal_to(entity: Entity, observer: Entity, parent: Event | None = None) -> None:
    """Let an observer notice a hidden entity; it stays hidden from others."""
    for hidden in list(entity.conditions.get("hidden", ())):
        if not isinstance(hidden, Hidden) or observer not in hidden.unaware:
            continue
        rest = tuple(one for one in hidden.unaware if one is not observer)
        source, duration, stealth = hidden.source, hidden.duration, hidden.stealth
        entity.remove_condition(hidden, parent=parent, expired=True)
        if rest:
            again = Hidden(rest, stealth, source=source, duration=duration)
            entity.add_condition(again, parent=parent)


# -- features of classes ---------------------------------------------------------------------------


class Raging(BaseCondition):
    """Advantage on Strength checks and saves, and more melee damage with Strength (SRD, Rage).

    It also has resistance to bludgeoning, piercing and slashing damage. Ends after ten rounds, or
    when the creature falls unconscious.
    """

    __slots__ = ("bonus",)

    def __init__(
        self, bonus: int = RAGE_DAMAGE, *, duration: Duration | None = None, **kwargs: Any
    ) -> None:
        """Create the condition with a damage bonus; by default it lasts ten rounds."""
        lasts = duration or rounds(RAGE_ROUNDS, of_target=True)
        super().__init__(duration=lasts, **kwargs)
        self.bonus = check_range("bonus of a rage", bonus, 0)

    def _apply(self, event: Event) -> None:
        target = self.the_target
        put_advantage(self, target.saves[Ability.STRENGTH].self_static, ADVANTAGE)
        self._put_checks(target)
        damage = NumericalModifier(self.name, self.bonus)
        self.modify(
            target.equipment.melee_damage_bonus.self_contextual,
            ContextualNumericalModifier(
                self.name, lambda source, to, context: damage if _is_by_strength(context) else None
            ),
        )
        for kind in (DamageType.BLUDGEONING, DamageType.PIERCING, DamageType.SLASHING):
            resistance = ResistanceModifier(self.name, kind, ResistanceStatus.RESISTANCE)
            self.modify(target.health.resistances.self_static, resistance)
        trigger = Trigger(EventType.CONDITION_APPLICATION, EventPhase.COMPLETION, targets=[target])
        self.handle(trigger, self._calm_down)

    def _put_checks(self, target: Entity) -> None:
        given = AdvantageModifier(self.name, ADVANTAGE)

        def ask(source: Entity | None, to: Entity | None, context: Context) -> Modifier | None:
            return given if context.get("ability") is Ability.STRENGTH else None

        self.modify(
            target.abilities.checks.self_contextual, ContextualAdvantageModifier(self.name, ask)
        )

    def _calm_down(self, event: Event, owner: Entity | None) -> None:
        if "unconscious" in self.the_target.conditions:
            self.the_target.remove_condition(self, parent=event, expired=True)


def _is_by_strength(context: Context) -> bool:
    profile = context.get("profile")
    return profile is not None and profile.is_melee and profile.ability is Ability.STRENGTH


class Reckless(BaseCondition):
    """Its melee attacks with Strength in this turn have advantage (SRD, Reckless Attack).

    Attacks against it have advantage until its next turn begins.
    """

    __slots__ = ()

    def __init__(self, *, duration: Duration | None = None, **kwargs: Any) -> None:
        """Create the condition; by default it lasts until the start of the creature's next turn."""
        super().__init__(duration=duration or rounds(1, of_target=True), **kwargs)

    def _apply(self, event: Event) -> None:
        equipment = self.the_target.equipment
        # Marks are cleared at the end of the turn, so later reactions have no advantage.
        self.the_target.economy.marks.add(self.name)
        put_advantage(self, equipment.armour_class.to_target_static, ADVANTAGE)
        channel = equipment.attack_bonus.self_contextual
        put_advantage_where(self, channel, ADVANTAGE, self._is_this_turn)

    def _is_this_turn(self, source: Entity | None, target: Entity | None, context: Context) -> bool:
        return self.name in self.the_target.economy.marks and _is_by_strength(context)


# -- optional rules --------------------------------------------------------------------------------


class Surprised(BaseCondition):
    """It cannot move, act or react until its first turn ends (SRD, Surprise)."""

    __slots__ = ()

    def __init__(self, *, duration: Duration | None = None, **kwargs: Any) -> None:
        """Create the condition; by default it lasts until the end of the creature's next turn."""
        lasts = duration or rounds(1, moment=Moment.TURN_END, of_target=True)
        super().__init__(duration=lasts, **kwargs)

    def _apply(self, event: Event) -> None:
        economy = self.the_target.economy
        for value in (economy.actions, economy.bonus_actions, economy.reactions, economy.speed):
            put_maximum(self, value)
