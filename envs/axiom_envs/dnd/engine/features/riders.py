"""Riders: the effects of a hit in addition to its damage.

Riders take effect in their order after the damage has been dealt. They do not affect dead creatures
or the kinds of creatures that they spare. Order of draws:

    condition, prone   the save (a d20 test), unless the target is immune or already prone
    push               the save
    damage             the save; then the dice, unless they would have no effect. A critical hit
                       does not double them, because they are not part of the attack's own damage
    charge             the save, if the attacker has charged
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from axiom_envs.dnd.constants import SQUARE
from axiom_envs.dnd.engine.creature.checks import roll_save
from axiom_envs.dnd.engine.creature.conditions import BaseCondition, SaveAgainst
from axiom_envs.dnd.engine.creature.durations import Duration, Moment, permanent, rounds
from axiom_envs.dnd.engine.features.trait_rules import straight_feet
from axiom_envs.dnd.engine.rules import standard
from axiom_envs.dnd.engine.rules.damage import deal_damage
from axiom_envs.dnd.engine.rules.movement import push
from axiom_envs.dnd.engine.values.dice import DamageDice, roll_damage
from axiom_envs.dnd.engine.values.types import Ability, DamageType, Size
from axiom_gym.errors import check_choice

if TYPE_CHECKING:
    from axiom_envs.dnd.data.models import RiderSpec
    from axiom_envs.dnd.engine.creature.entity import Entity
    from axiom_envs.dnd.engine.rules.attack import AttackEvent
    from axiom_envs.dnd.engine.world.events import Event


class Bonds(BaseCondition):
    """Something that holds a creature until it breaks free, such as a web.

    The condition that it causes is its sub-condition. An ability check, made as an action, ends it:
    see `axiom_envs.dnd.engine.features.feature_actions.EscapeBonds`.

    Attributes:
        condition: name of the standard condition that it causes.
        ability: the ability of the check, as in data files.
        dc: the difficulty class of the check.
    """

    __slots__ = ("ability", "condition", "dc")

    def __init__(
        self, condition: str = "restrained", ability: str = "str", dc: int = 10, **kwargs: Any
    ) -> None:
        """Create the condition; the class describes the arguments."""
        super().__init__(**kwargs)
        self.condition = condition
        self.ability = ability
        self.dc = dc

    def _apply(self, event: Event) -> None:
        self.add_sub_condition(standard_condition(self.condition)(source=self.source), event)


@cache
def standard_condition(name: str) -> type[BaseCondition]:
    """Return the class of a standard condition, by its name in data files.

    Raises:
        UnknownNameError: if there is no such condition.
    """
    known = {
        one.name: one
        for one in vars(standard).values()
        if isinstance(one, type) and issubclass(one, BaseCondition) and one is not BaseCondition
    }
    return known[check_choice("condition", name, known)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rider:
    """Base class of all riders.

    Attributes:
        save: the ability of the saving throw against the rider, or None.
        dc: the difficulty class of the saving throw.
        spares: kinds of creatures that the rider does not affect.
        largest: the largest size that the rider affects.
    """

    save: Ability | None = None
    dc: int = 0
    spares: tuple[str, ...] = ()
    largest: Size = Size.GARGANTUAN

    def take_effect(self, attack: AttackEvent) -> None:
        """Affect the target of an attack that has hit."""
        target = attack.target
        if target is None or target.health.dead or target.kind in self.spares:
            return
        if target.size.rank > self.largest.rank:
            return
        self._affect(target, attack)

    def _affect(self, target: Entity, attack: AttackEvent) -> None:
        raise NotImplementedError

    def _saves(self, target: Entity, attack: AttackEvent) -> bool:
        """Make the saving throw, and return True if it succeeds; False if there is none."""
        if self.save is None:
            return False
        result = roll_save(target, self.save, self.dc, source=attack.source, parent=attack)
        return result.success

    def _save_against(self) -> SaveAgainst | None:
        return None if self.save is None else SaveAgainst(self.save, self.dc)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProneRider(Rider):
    """A rider that knocks the target prone; a prone target makes no saving throw."""

    def _affect(self, target: Entity, attack: AttackEvent) -> None:
        if "prone" not in target.conditions:
            save = self._save_against()
            condition = standard.Prone(source=attack.source, application_save=save)
            target.add_condition(condition, parent=attack)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionRider(Rider):
    """A rider that gives the target a condition.

    Attributes:
        condition: the name of the condition.
        rounds: the number of rounds; 0 if the duration is unlimited. Rounds are counted at the ends
            of the target's turns if the save is repeated there, else at the starts of the
            attacker's.
        repeats: if True, the save is repeated at the end of each of the target's turns.
        escape: the ability of the check that ends the condition, or None.
        escape_dc: the difficulty class of that check.
    """

    condition: str
    rounds: int = 0
    repeats: bool = False
    escape: Ability | None = None
    escape_dc: int = 0

    def _affect(self, target: Entity, attack: AttackEvent) -> None:
        kind = standard_condition(self.condition)
        if target.why_immune(kind(source=attack.source)) is not None:
            return
        save = self._save_against()
        settings: dict[str, Any] = {
            "source": attack.source,
            "duration": self._duration(),
            "application_save": save,
            "removal_save": save if self.repeats else None,
        }
        condition: BaseCondition
        if self.escape is None:
            condition = kind(**settings)
        else:
            condition = Bonds(self.condition, self.escape.value, self.escape_dc, **settings)
        target.add_condition(condition, parent=attack)

    def _duration(self) -> Duration:
        if not self.rounds:
            return permanent()
        if self.repeats:
            return rounds(self.rounds, moment=Moment.TURN_END, of_target=True)
        return rounds(self.rounds)


@dataclass(frozen=True, slots=True, kw_only=True)
class DamageRider(Rider):
    """A rider that deals damage, which a saving throw prevents or halves.

    Attributes:
        dice: the damage dice.
        half: if True, a successful save halves the damage, rounded down, instead of preventing it.
    """

    dice: DamageDice
    half: bool = False

    def _affect(self, target: Entity, attack: AttackEvent) -> None:
        saved = self._saves(target, attack)
        if saved and not self.half:
            return
        roll = roll_damage(attack.source, target, [self.dice], parent=attack)
        if roll.canceled:
            return
        amount = roll.amounts[0] // 2 if saved else roll.amounts[0]
        amounts = [(amount, self.dice.damage_type)]
        deal_damage(target, amounts, source=attack.source, parent=attack)


@dataclass(frozen=True, slots=True, kw_only=True)
class PushRider(Rider):
    """A rider that pushes the target away.

    Attributes:
        feet: the distance in feet, as far as there is room.
    """

    feet: int = SQUARE

    def _affect(self, target: Entity, attack: AttackEvent) -> None:
        if attack.source is not None and not self._saves(target, attack):
            push(target, attack.source, self.feet, attack)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChargeRider(Rider):
    """The rider of a charge: one save prevents both the push and falling prone (SRD, Minotaur).

    Attributes:
        distance: feet of a charge; see `trait_rules.straight_feet`.
        feet: distance in feet that the target is pushed.
    """

    distance: int = 2 * SQUARE
    feet: int = 2 * SQUARE

    def _affect(self, target: Entity, attack: AttackEvent) -> None:
        attacker = attack.source
        if attacker is None or straight_feet(attacker, target) < self.distance:
            return
        if not self._saves(target, attack):
            push(target, attacker, self.feet, attack)
            target.add_condition(standard.Prone(source=attacker), parent=attack)


def make_rider(spec: RiderSpec) -> Rider:
    """Create the rider that an entry of the data describes."""
    save = None if spec.save is None else Ability(spec.save)
    dc, spares = spec.dc or 0, tuple(spec.spares)
    if spec.kind == "prone":
        largest = Size(spec.largest or Size.GARGANTUAN.value)
        return ProneRider(save=save, dc=dc, spares=spares, largest=largest)
    if spec.kind == "push":
        return PushRider(save=save, dc=dc, spares=spares, feet=spec.feet or SQUARE)
    if spec.kind == "damage":
        assert spec.dice is not None  # the checks of the data guarantee it
        dice = DamageDice(
            spec.dice.count, spec.dice.sides, spec.dice.bonus, DamageType(spec.damage_type)
        )
        return DamageRider(save=save, dc=dc, spares=spares, dice=dice, half=spec.half)
    return ConditionRider(
        save=save,
        dc=dc,
        spares=spares,
        condition=spec.condition or "",
        rounds=spec.rounds or 0,
        repeats=spec.repeat is not None,
        escape=None if spec.escape is None else Ability(spec.escape),
        escape_dc=spec.escape_dc or 0,
    )
