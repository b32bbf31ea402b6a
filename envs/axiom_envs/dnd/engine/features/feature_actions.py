"""Actions that features grant.

Order of draws: Second Wind rolls its dice; breaking free is an ability check (a d20 test).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from axiom_envs.dnd.engine.creature.checks import roll_check
from axiom_envs.dnd.engine.creature.conditions import BaseCondition
from axiom_envs.dnd.engine.creature.durations import Moment, rounds
from axiom_envs.dnd.engine.features.class_features import is_heavy
from axiom_envs.dnd.engine.features.riders import Bonds
from axiom_envs.dnd.engine.features.trait_rules import dice_of
from axiom_envs.dnd.engine.rules.actions import Action, Consequence, Cost, Prerequisite, why_unable
from axiom_envs.dnd.engine.rules.damage import heal
from axiom_envs.dnd.engine.rules.effects import RAGE_ROUNDS, Raging, Reckless
from axiom_envs.dnd.engine.values.dice import roll_die
from axiom_envs.dnd.engine.values.modifiers import NumericalModifier
from axiom_envs.dnd.engine.values.types import Ability, CostType
from axiom_envs.dnd.engine.world.events import Event
from axiom_gym.errors import UnknownNameError

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.creature.entity import Entity


class FeatureAction(Action):
    """Base class of actions that require a feature or a state of their source, but no target."""

    __slots__ = ()

    def prerequisites(self) -> Mapping[str, Prerequisite]:
        return {self.name: lambda action: action.why_closed(action.source), **self._prerequisites}

    def consequences(self) -> Mapping[str, Consequence]:
        return {self.name: lambda event, action: action.take_effect(event), **self._consequences}

    @classmethod
    def why_closed(cls, entity: Entity) -> str | None:
        """Return the reason that an entity cannot take the action, apart from costs, or None."""
        raise NotImplementedError

    def take_effect(self, event: Event) -> None:
        """Apply the effects of the action."""
        raise NotImplementedError


def why_not_used(entity: Entity, trait: str) -> str | None:
    """Return the reason that an entity cannot use a feature with limited uses, or None."""
    if trait not in entity.traits:
        return f"{entity.name} has no such feature"
    if entity.uses.get(trait, 0) < 1:
        return f"{entity.name} has no uses of it left"
    return None


class SecondWind(FeatureAction):
    """The bonus action Second Wind: healing, once (SRD, Fighter)."""

    name: ClassVar[str] = "second wind"
    description: ClassVar[str] = "Heals the fighter, once."
    default_costs: ClassVar[tuple[Cost, ...]] = (Cost(CostType.BONUS_ACTIONS),)

    __slots__ = ()

    @classmethod
    def why_closed(cls, entity: Entity) -> str | None:
        return why_not_used(entity, "second_wind")

    def take_effect(self, event: Event) -> None:
        who = self.source
        who.uses["second_wind"] -= 1
        dice = dice_of(who.traits["second_wind"]["dice"])
        rolled = sum(roll_die(who.world, dice.sides) for _ in range(dice.count))
        heal(who, rolled + dice.bonus, source=who, parent=event)


class Surging(BaseCondition):
    """One more action in this turn."""

    __slots__ = ()

    def _apply(self, event: Event) -> None:
        actions = self.the_target.economy.actions
        self.modify(actions.self_static, NumericalModifier("action surge", 1, self.source))


class ActionSurge(FeatureAction):
    """Action Surge: one more action in this turn, once, without a cost (SRD, Fighter)."""

    name: ClassVar[str] = "action surge"
    description: ClassVar[str] = "One more action in this turn, once."
    default_costs: ClassVar[tuple[Cost, ...]] = ()

    __slots__ = ()

    @classmethod
    def why_closed(cls, entity: Entity) -> str | None:
        return why_not_used(entity, "action_surge")

    def take_effect(self, event: Event) -> None:
        self.source.uses["action_surge"] -= 1
        lasts = rounds(1, moment=Moment.TURN_END, of_target=True)
        surging = Surging(source=self.source, duration=lasts)
        self.source.add_condition(surging, parent=event)


class Rage(FeatureAction):
    """The bonus action Rage: the condition `Raging` for ten rounds (SRD, Barbarian)."""

    name: ClassVar[str] = "rage"
    description: ClassVar[str] = "Advantage on strength, more damage, resistance; for 10 rounds."
    default_costs: ClassVar[tuple[Cost, ...]] = (Cost(CostType.BONUS_ACTIONS),)

    __slots__ = ()

    @classmethod
    def why_closed(cls, entity: Entity) -> str | None:
        reason = why_not_used(entity, "rage")
        if reason is None and "raging" in entity.conditions:
            return f"{entity.name} already rages"
        if reason is None and is_heavy(entity.equipment.armour):
            return f"{entity.name} wears heavy armour"
        return reason

    def take_effect(self, event: Event) -> None:
        who = self.source
        who.uses["rage"] -= 1
        bonus = who.traits["rage"]["bonus"]
        raging = Raging(source=who, bonus=bonus, duration=rounds(RAGE_ROUNDS))
        who.add_condition(raging, parent=event)


class RecklessAttack(FeatureAction):
    """Reckless Attack: advantage on the source's Strength attacks in this turn.

    Attacks against the source have advantage until its next turn. The choice must be made before
    the first attack of the turn, and costs nothing (SRD, Barbarian; Berserker).
    """

    name: ClassVar[str] = "reckless"
    description: ClassVar[str] = "Attacks with advantage, and is attacked with it."
    default_costs: ClassVar[tuple[Cost, ...]] = ()

    __slots__ = ()

    @classmethod
    def why_closed(cls, entity: Entity) -> str | None:
        if "reckless" not in entity.traits:
            return f"{entity.name} has no such feature"
        if "reckless" in entity.conditions:
            return f"{entity.name} is already reckless"
        if "attack action" in entity.economy.marks:
            return f"{entity.name} has already attacked in this turn"
        return None

    def take_effect(self, event: Event) -> None:
        reckless = Reckless(source=self.source, duration=rounds(1))
        self.source.add_condition(reckless, parent=event)


class EscapeBonds(FeatureAction):
    """An action with an ability check that ends bonds, such as a web (SRD, Giant Spider)."""

    name: ClassVar[str] = "break free"
    description: ClassVar[str] = "A check against what holds the creature."

    __slots__ = ()

    @classmethod
    def why_closed(cls, entity: Entity) -> str | None:
        return None if Bonds.name in entity.conditions else f"nothing holds {entity.name}"

    def take_effect(self, event: Event) -> None:
        bonds = self.source.condition(Bonds.name)
        assert isinstance(bonds, Bonds)  # it is a prerequisite
        check = roll_check(self.source, Ability(bonds.ability), bonds.dc, parent=event)
        if check.success:
            self.source.remove_condition(bonds, parent=event)


FEATURES: dict[str, type[FeatureAction]] = {
    one.name: one for one in (RecklessAttack, SecondWind, ActionSurge, Rage, EscapeBonds)
}
"""All actions of features, by name."""


def make_feature(entity: Entity, name: str) -> FeatureAction:
    """Create the action of this name.

    Raises:
        UnknownNameError: if there is no such action.
    """
    if name not in FEATURES:
        raise UnknownNameError("action of a feature", name, FEATURES)
    return FEATURES[name](entity)


def why_not_feature(entity: Entity, name: str) -> str | None:
    """Return the reason that an entity cannot take the action of this name now, or None.

    Raises:
        UnknownNameError: if there is no such action.
    """
    if name not in FEATURES:
        raise UnknownNameError("action of a feature", name, FEATURES)
    kind = FEATURES[name]
    reason = kind.why_closed(entity) or why_unable(entity)
    if reason is not None:
        return reason
    for cost in kind.default_costs:
        if entity.economy.left(cost.kind) < cost.amount:
            return f"{entity.name} does not have {cost.describe()} left"
    return None
