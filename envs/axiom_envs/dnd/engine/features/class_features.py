"""Installers of class features; see `traits`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from axiom_envs.dnd.data.dice import DiceSpec
from axiom_envs.dnd.engine.creature.equipment import FINESSE, Armour
from axiom_envs.dnd.engine.features.trait_rules import (
    dice_of,
    has_enemy_beside,
    use_mark,
    weapon_dice,
)
from axiom_envs.dnd.engine.rules.attack import AttackEvent, Outcome
from axiom_envs.dnd.engine.rules.perception import sees
from axiom_envs.dnd.engine.rules.reactions import Reaction
from axiom_envs.dnd.engine.values.dice import DamageDice
from axiom_envs.dnd.engine.values.modifiers import (
    AdvantageModifier,
    AdvantageStatus,
    Context,
    ContextualAdvantageModifier,
    ContextualNumericalModifier,
    Modifier,
    NumericalModifier,
)
from axiom_envs.dnd.engine.values.types import Ability
from axiom_envs.dnd.engine.world.dispatch import EventHandler, Trigger
from axiom_envs.dnd.engine.world.events import EventPhase, EventType

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.creature.entity import Entity

Parameters = Mapping[str, Any]


def is_heavy(armour: Armour | None) -> bool:
    """Return True for heavy armour, in which Dexterity does not count."""
    return armour is not None and armour.dexterity_cap == 0


# -- fighter ---------------------------------------------------------------------------------------


def install_second_wind(entity: Entity, _: Parameters) -> None:
    """Install Second Wind: healing as a bonus action, once (SRD, Fighter).

    See `feature_actions.SecondWind`.
    """
    entity.uses["second_wind"] = 1


def install_action_surge(entity: Entity, _: Parameters) -> None:
    """Install Action Surge: one more action in one turn (SRD, Fighter).

    See `feature_actions.ActionSurge`.
    """
    entity.uses["action_surge"] = 1


def install_dueling(entity: Entity, parameters: Parameters) -> None:
    """Install Dueling: more damage with a one-handed melee weapon (SRD, Fighting Style).

    The other hand must hold no weapon; a shield is not a weapon. The bonus also applies when the
    weapon is thrown. No draws.
    """
    modifier = NumericalModifier("dueling", parameters["bonus"])
    entity.equipment.damage_bonus.self_contextual.add(
        ContextualNumericalModifier("dueling", partial(_ask_dueling, modifier))
    )


def _ask_dueling(
    modifier: Modifier, source: Entity | None, target: Entity | None, context: Context
) -> Modifier | None:
    profile = context.get("profile")
    if source is None or profile is None or profile.two_handed or profile.mode == "ranged":
        return None
    hands = source.equipment.hands
    return modifier if hands.main is not None and hands.off is None else None


def install_improved_critical(entity: Entity, parameters: Parameters) -> None:
    """Install Improved Critical: hits with lower natural rolls are critical too (SRD, Champion).

    The roll must hit: only a natural 20 is an automatic hit. No draws.
    """
    trigger = Trigger(EventType.ATTACK, EventPhase.EFFECT, sources=[entity])
    improve = partial(_improve_critical, parameters["threshold"])
    EventHandler(improve, trigger, owner=entity, name="improved critical")


def _improve_critical(threshold: int, event: AttackEvent, _: Entity | None) -> AttackEvent | None:
    if event.outcome is not Outcome.HIT or event.roll is None or event.bonus is None:
        return None
    if event.roll.natural < threshold or event.bonus.criticals is False:
        return None
    return event.change(outcome=Outcome.CRITICAL)


# -- rogue -----------------------------------------------------------------------------------------


def install_sneak_attack(entity: Entity, parameters: Parameters) -> None:
    """Install Sneak Attack: more dice, once a turn, with a finesse or ranged weapon (SRD, Rogue).

    The attack needs advantage; or it has no disadvantage, and another enemy of the target, which is
    not incapacitated, is within 5 ft of the target.
    Draws: its dice, after the weapon's.
    """
    dice = dice_of(parameters["dice"])
    entity.equipment.extra_damage.append(partial(_sneak_attack, dice))


def _sneak_attack(dice: DiceSpec, attack: AttackEvent) -> DamageDice | None:
    attacker, target, profile = attack.source, attack.target, attack.profile
    if attacker is None or target is None or attack.roll is None:
        return None
    if profile.mode != "ranged" and FINESSE not in profile.weapon.properties:
        return None
    advantage = attack.roll.advantage
    if advantage < 0 or (advantage == 0 and not has_enemy_beside(attacker, target)):
        return None
    if not use_mark(attacker, "sneak attack"):
        return None
    return weapon_dice(attack, dice, "sneak attack")


class UncannyDodge(Reaction):
    """Uncanny Dodge: half damage from one attack that hits (SRD, Rogue).

    The owner must see the attacker. No draws.
    """

    name = "uncanny dodge"

    __slots__ = ()

    def fits(self, owner: Entity, attack: AttackEvent) -> bool:
        if not attack.hits or attack.halved or not attack.profile.deals_damage:
            return False
        return bool(attack.context["seen"])

    def take(self, owner: Entity, attack: AttackEvent) -> AttackEvent:
        return attack.fill(halved=True)


def install_uncanny_dodge(entity: Entity, _: Parameters) -> None:
    """Install Uncanny Dodge; see `UncannyDodge`."""
    entity.reactions.append(UncannyDodge())


# -- barbarian -------------------------------------------------------------------------------------

_DANGER_SENSE = AdvantageModifier("danger sense", AdvantageStatus.ADVANTAGE)


def install_unarmoured_defence(entity: Entity, _: Parameters) -> None:
    """Install Unarmoured Defence: without armour, Constitution counts in the armour class too.

    (SRD, Barbarian) No draws.
    """
    entity.equipment.unarmoured = Ability.CONSTITUTION


def install_rage(entity: Entity, parameters: Parameters) -> None:
    """Install Rage with its number of uses (SRD, Barbarian); see `feature_actions.Rage`."""
    entity.uses["rage"] = parameters["uses"]


def install_danger_sense(entity: Entity, _: Parameters) -> None:
    """Install Danger Sense: advantage on Dexterity saves against visible effects (SRD, Barbarian).

    It does not apply while blinded, deafened or incapacitated. An effect without a source counts as
    visible. No draws.
    """
    modifier = ContextualAdvantageModifier("danger sense", _ask_danger_sense)
    entity.saves[Ability.DEXTERITY].self_contextual.add(modifier)


def _ask_danger_sense(source: Entity | None, target: Entity | None, _: Context) -> Modifier | None:
    if source is None:
        return None
    conditions = source.conditions
    if "blinded" in conditions or "deafened" in conditions or "incapacitated" in conditions:
        return None
    return _DANGER_SENSE if target is None or sees(source, target) else None


def install_fast_movement(entity: Entity, parameters: Parameters) -> None:
    """Install Fast Movement: more speed, except in heavy armour (SRD, Barbarian). No draws."""
    modifier = NumericalModifier("fast movement", parameters["feet"])
    entity.economy.speed.self_contextual.add(
        ContextualNumericalModifier("fast movement", partial(_ask_fast_movement, modifier))
    )


def _ask_fast_movement(
    modifier: Modifier, source: Entity | None, target: Entity | None, _: Context
) -> Modifier | None:
    return None if source is None or is_heavy(source.equipment.armour) else modifier


# -- ranger ----------------------------------------------------------------------------------------


def install_archery(entity: Entity, parameters: Parameters) -> None:
    """Install Archery: a bonus to attack rolls with ranged weapons (SRD, Fighting Style).

    Thrown weapons do not get it. No draws.
    """
    modifier = NumericalModifier("archery", parameters["bonus"])
    entity.equipment.ranged_attack_bonus.self_contextual.add(
        ContextualNumericalModifier("archery", partial(_ask_archery, modifier))
    )


def _ask_archery(
    modifier: Modifier, source: Entity | None, target: Entity | None, context: Context
) -> Modifier | None:
    profile = context.get("profile")
    return modifier if profile is not None and profile.mode == "ranged" else None


def install_colossus_slayer(entity: Entity, parameters: Parameters) -> None:
    """Install Colossus Slayer: more dice, once a turn, against a wounded target (SRD, Hunter).

    The target must be below its hit point maximum.
    Draws: its dice, after the weapon's.
    """
    dice = dice_of(parameters["dice"])
    entity.equipment.extra_damage.append(partial(_colossus_slayer, dice))


def _colossus_slayer(dice: DiceSpec, attack: AttackEvent) -> DamageDice | None:
    attacker, target = attack.source, attack.target
    if attacker is None or target is None:
        return None
    if target.health.current >= target.health.maximum.score:
        return None
    if not use_mark(attacker, "colossus slayer"):
        return None
    return weapon_dice(attack, dice, "colossus slayer")
