"""The actions of every creature, except attacks, grapples, shoves and hiding.

Order of draws: Stabilise rolls Medicine (a d20 test); nothing else draws.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from axiom_envs.dnd.constants import SQUARE
from axiom_envs.dnd.engine.creature.checks import roll_check
from axiom_envs.dnd.engine.creature.conditions import BaseCondition
from axiom_envs.dnd.engine.creature.durations import Moment, rounds
from axiom_envs.dnd.engine.rules.actions import Action, Consequence, Cost, Prerequisite, pay
from axiom_envs.dnd.engine.rules.effects import Disengaged, Dodging
from axiom_envs.dnd.engine.rules.space import distance
from axiom_envs.dnd.engine.rules.standard import Prone
from axiom_envs.dnd.engine.values.modifiers import (
    AdvantageModifier,
    AdvantageStatus,
    Context,
    ContextualAdvantageModifier,
    Modifier,
)
from axiom_envs.dnd.engine.values.types import CostType, Skill
from axiom_envs.dnd.engine.world.dispatch import Trigger
from axiom_envs.dnd.engine.world.events import Event, EventPhase, EventType

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.creature.entity import Entity

ACTION = (Cost(CostType.ACTIONS),)
BONUS_ACTION = (Cost(CostType.BONUS_ACTIONS),)
FREE: tuple[Cost, ...] = ()
STABILISE_DC = 10


class SimpleAction(Action):
    """An action with one consequence, the method `_do`."""

    __slots__ = ()

    def consequences(self) -> Mapping[str, Consequence]:
        return {self.name: lambda event, action: action._do(event), **self._consequences}

    def _do(self, event: Event) -> Event | None:
        raise NotImplementedError


class Dash(SimpleAction):
    """The Dash action: extra movement in this turn, equal to the speed with all modifiers."""

    name: ClassVar[str] = "dash"
    __slots__ = ()

    def _do(self, event: Event) -> None:
        self.source.economy.extra += self.source.economy.current_speed


class Disengage(SimpleAction):
    """The Disengage action: movement in this turn provokes no opportunity attacks."""

    name: ClassVar[str] = "disengage"
    __slots__ = ()

    def _do(self, event: Event) -> None:
        lasts = rounds(1, moment=Moment.TURN_END, of_target=True)
        condition = Disengaged(source=self.source, duration=lasts)
        self.source.add_condition(condition, parent=event)


class Dodge(SimpleAction):
    """The Dodge action, until the next turn.

    Attacks by attackers that it sees have disadvantage; its Dexterity saves have advantage.
    """

    name: ClassVar[str] = "dodge"
    __slots__ = ()

    def _do(self, event: Event) -> None:
        self.source.add_condition(Dodging(source=self.source, duration=rounds(1)), parent=event)


class Help(SimpleAction):
    """The Help action: an ally's first attack against a creature near the helper has advantage.

    The creature must be within 5 ft of the helper. The effect lasts until the helper's next turn.
    """

    name: ClassVar[str] = "help"
    __slots__ = ()

    def prerequisites(self) -> Mapping[str, Prerequisite]:
        return {"reach": why_not_helped, **self._prerequisites}

    def _do(self, event: Event) -> None:
        if self.target is not None:
            condition = Distracted(source=self.source, duration=rounds(1))
            self.target.add_condition(condition, parent=event)


def why_not_helped(action: Action) -> str | None:
    """Return the reason that nobody can be helped against the target, or None."""
    target = action.target
    if target is None or not target.is_up or not target.is_hostile_to(action.source):
        return "the target must be a hostile creature with hit points left"
    away = distance(action.source, target)
    return f"{target.name} is {away} ft away, and must be within 5 ft" if away > SQUARE else None


class Distracted(BaseCondition):
    """The next attack against it by an ally of the source has advantage (SRD, Help)."""

    __slots__ = ()

    def _apply(self, event: Event) -> None:
        target = self.the_target
        self.modify(
            target.equipment.armour_class.to_target_contextual,
            ContextualAdvantageModifier("help", self._advantage, self.source),
        )
        self.handle(
            Trigger(EventType.ATTACK, EventPhase.COMPLETION, targets=[target]), self._is_over
        )

    def _advantage(
        self, target: Entity | None, attacker: Entity | None, context: Context
    ) -> Modifier | None:
        if attacker is None or attacker is self.source or self.source is None:
            return None
        return None if attacker.is_hostile_to(self.source) else _HELPED

    def _is_over(self, event: Event, owner: Entity | None) -> None:
        attacker, helper = event.source, self.source
        if attacker is None or helper is None or attacker is helper:
            return
        if not attacker.is_hostile_to(helper):
            self.the_target.remove_condition(self, parent=event, expired=True)


_HELPED = AdvantageModifier("help", AdvantageStatus.ADVANTAGE)


# -- standing up and dropping prone ----------------------------------------------------------------


class StandUp(SimpleAction):
    """The end of being prone; costs half the speed."""

    name: ClassVar[str] = "stand up"
    default_costs: ClassVar[tuple[Cost, ...]] = FREE
    __slots__ = ()

    def prerequisites(self) -> Mapping[str, Prerequisite]:
        return {"prone": lambda action: why_not_stand_up(action.source), **self._prerequisites}

    def _do(self, event: Event) -> None:
        pay(self.source, Cost(CostType.MOVEMENT, stand_up_feet(self.source)), event)
        self.source.remove_condition("prone", parent=event)


def stand_up_feet(entity: Entity) -> int:
    """Return half the speed, rounded down."""
    return entity.economy.current_speed // 2


def why_not_stand_up(entity: Entity) -> str | None:
    """Return the reason that an entity cannot stand up, or None."""
    if "prone" not in entity.conditions:
        return f"{entity.name} is not prone"
    if entity.economy.current_speed == 0:
        return f"{entity.name} has a speed of 0"
    feet, left = stand_up_feet(entity), entity.economy.movement_left
    return f"standing up costs {feet} ft, and {left} ft are left" if feet > left else None


class DropProne(SimpleAction):
    """Dropping prone; free, once per turn."""

    name: ClassVar[str] = "drop prone"
    default_costs: ClassVar[tuple[Cost, ...]] = FREE
    __slots__ = ()

    def prerequisites(self) -> Mapping[str, Prerequisite]:
        return {"standing": lambda action: why_not_drop(action.source), **self._prerequisites}

    def _do(self, event: Event) -> None:
        self.source.economy.marks.add("dropped prone")
        self.source.add_condition(Prone(), parent=event)


def why_not_drop(entity: Entity) -> str | None:
    """Return the reason that an entity cannot drop prone, or None."""
    if "prone" in entity.conditions:
        return f"{entity.name} is already prone"
    if "dropped prone" in entity.economy.marks:
        return f"{entity.name} has already dropped prone in this turn"
    return None


# -- stabilising -----------------------------------------------------------------------------------


class Stabilise(SimpleAction):
    """A Medicine check with DC 10 that stabilises a dying creature within 5 ft."""

    name: ClassVar[str] = "stabilise"
    __slots__ = ()

    def prerequisites(self) -> Mapping[str, Prerequisite]:
        dying = {"dying": lambda action: why_not_stabilise(action.source, action.target)}
        return {**dying, **self._prerequisites}

    def _do(self, event: Event) -> None:
        target = self.target
        check = roll_check(self.source, Skill.MEDICINE, STABILISE_DC, against=target, parent=event)
        if check.success and target is not None:
            target.health.reset_death_saves()
            target.health.stable = True


def why_not_stabilise(source: Entity, target: Entity | None) -> str | None:
    """Return the reason that a creature cannot be stabilised, or None."""
    if target is None or target is source:
        return "the target must be another creature"
    health = target.health
    if health.dead or health.current > 0 or health.stable or not target.is_player:
        return f"{target.name} is not dying"
    away = distance(source, target)
    return f"{target.name} is {away} ft away, and must be within 5 ft" if away > SQUARE else None
