"""Traits of creatures, installed by name.

Each trait is a function `(entity, parameters)` that adds modifiers, handlers, reactions or damage
dice. Its docstring states the rule, its source in the SRD 5.1 and its order of draws. The traits of
classes are in `class_features`.

    INSTALLERS["frost_aura"] = install_frost_aura       adds your own trait

If data files use the name, it must also be in `axiom_envs.dnd.data.tables.TRAITS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from functools import partial
from typing import TYPE_CHECKING, Any

from axiom_envs.dnd.data.dice import DiceSpec
from axiom_envs.dnd.engine.creature.checks import roll_save
from axiom_envs.dnd.engine.features import class_features as features
from axiom_envs.dnd.engine.features.riders import ChargeRider
from axiom_envs.dnd.engine.features.trait_rules import (
    dice_of,
    has_ally_beside,
    is_reaction,
    straight_feet,
    use_mark,
    weapon_dice,
)
from axiom_envs.dnd.engine.rules.attack import AttackEvent, Outcome
from axiom_envs.dnd.engine.rules.damage import Damage, Fall, heal
from axiom_envs.dnd.engine.rules.death import Death, die
from axiom_envs.dnd.engine.rules.reactions import Reaction
from axiom_envs.dnd.engine.values.dice import DamageDice
from axiom_envs.dnd.engine.values.modifiers import (
    AdvantageModifier,
    AdvantageStatus,
    Context,
    ContextualAdvantageModifier,
    Modifier,
    NumericalModifier,
)
from axiom_envs.dnd.engine.values.types import Ability, DamageType
from axiom_envs.dnd.engine.world.dispatch import EventHandler, Trigger
from axiom_envs.dnd.engine.world.events import Event, EventPhase, EventType
from axiom_gym.errors import UnknownNameError

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.creature.entity import Entity

Parameters = Mapping[str, Any]
"""Parameters as in the data files; `axiom_envs.dnd.data.tables.TRAITS` lists them by trait."""
Installer = Callable[["Entity", Parameters], None]
"""A function that installs a trait on an entity."""


def install_trait(entity: Entity, name: str, parameters: Parameters) -> None:
    """Install a trait on an entity.

    Args:
        entity: the entity that gets the trait.
        name: the name of the trait.
        parameters: the parameters of the trait.

    Raises:
        UnknownNameError: if there is no such trait.
    """
    if name not in INSTALLERS:
        raise UnknownNameError("trait", name, INSTALLERS)
    entity.traits[name] = parameters
    INSTALLERS[name](entity, parameters)


# -- attack rolls and saves ------------------------------------------------------------------------

_PACK_TACTICS = AdvantageModifier("pack tactics", AdvantageStatus.ADVANTAGE)
_BRAVE = AdvantageModifier("brave", AdvantageStatus.ADVANTAGE)


def install_pack_tactics(entity: Entity, _: Parameters) -> None:
    """Install Pack Tactics: advantage on attacks with an ally near the target (SRD, Wolf).

    The ally must be within 5 ft of the target, and not incapacitated. No draws.
    """
    modifier = ContextualAdvantageModifier("pack tactics", _ask_pack_tactics)
    entity.equipment.attack_bonus.self_contextual.add(modifier)


def _ask_pack_tactics(source: Entity | None, target: Entity | None, _: Context) -> Modifier | None:
    if source is None or target is None or not has_ally_beside(source, target):
        return None
    return _PACK_TACTICS


def install_brave(entity: Entity, _: Parameters) -> None:
    """Install Brave: advantage on saves against being frightened (SRD, Knight). No draws."""
    modifier = ContextualAdvantageModifier("brave", _ask_brave)
    entity.saves.all.self_contextual.add(modifier)


def _ask_brave(source: Entity | None, target: Entity | None, context: Context) -> Modifier | None:
    return _BRAVE if context.get("condition") == "frightened" else None


# -- damage ----------------------------------------------------------------------------------------


def install_martial_advantage(entity: Entity, parameters: Parameters) -> None:
    """Install Martial Advantage: more dice, once a turn, with an ally near (SRD, Hobgoblin).

    The ally must be within 5 ft of the target and not incapacitated; the attack must be a weapon
    attack.
    Draws: its dice, after the weapon's.
    """
    dice = dice_of(parameters["dice"])
    entity.equipment.extra_damage.append(partial(_martial_advantage, dice))


def _martial_advantage(dice: DiceSpec, attack: AttackEvent) -> DamageDice | None:
    attacker, target = attack.source, attack.target
    if attacker is None or target is None or not has_ally_beside(attacker, target):
        return None
    if not use_mark(attacker, "martial advantage"):
        return None
    return weapon_dice(attack, dice, "martial advantage")


def install_surprise_attack(entity: Entity, parameters: Parameters) -> None:
    """Install Surprise Attack: more dice against a surprised target (SRD, Bugbear).

    In the SRD it applies in the first round against creatures that the bugbear has surprised. Here
    it applies while the target is surprised, until the end of the target's first turn; this
    requires the option `surprise`.
    Draws: its dice, after the weapon's.
    """
    dice = dice_of(parameters["dice"])
    entity.equipment.extra_damage.append(partial(_surprise_attack, dice))


def _surprise_attack(dice: DiceSpec, attack: AttackEvent) -> DamageDice | None:
    if attack.target is None or "surprised" not in attack.target.conditions:
        return None
    return weapon_dice(attack, dice, "surprise attack")


def install_charge(entity: Entity, parameters: Parameters) -> None:
    """Install Charge: more damage and a push after moving straight at the target (SRD, Minotaur).

    Immediately before the hit and in the same turn, the attacker must have moved at least
    `distance` feet in one direction, and each step must have come closer to the target. A hit with
    the named attack then adds dice. Unless a Strength save succeeds, the target is also pushed up
    to 10 ft away and knocked prone.
    Draws: its dice, after the weapon's; then, with the riders, the save.
    """
    name, distance = parameters["attack"], parameters["distance"]
    charge = partial(_charge, name, distance, dice_of(parameters["dice"]))
    entity.equipment.extra_damage.append(charge)
    profile = entity.equipment.profile(name)
    if profile is not None:
        rider = ChargeRider(save=Ability.STRENGTH, dc=parameters["dc"], distance=distance)
        profile.riders = (*profile.riders, rider)


def _charge(name: str, distance: int, dice: DiceSpec, attack: AttackEvent) -> DamageDice | None:
    attacker, target = attack.source, attack.target
    if attack.profile.name != name or attacker is None or target is None:
        return None
    if straight_feet(attacker, target) < distance:
        return None
    return weapon_dice(attack, dice, "charge")


def install_rampage(entity: Entity, _: Parameters) -> None:
    """Install Rampage: movement and a bite after felling a creature in melee (SRD, Gnoll).

    When the entity fells a creature in melee in its own turn, it gets the mark "rampage" in its
    economy. The mark makes a bonus action available: movement of half the speed, and the attack
    named by the parameter `attack`. No draws.
    """
    trigger = Trigger(EventType.ATTACK, EventPhase.COMPLETION, sources=[entity])
    EventHandler(_mark_rampage, trigger, owner=entity, name="rampage")


def _mark_rampage(event: AttackEvent, owner: Entity | None) -> None:
    target, damage = event.target, event.damage
    if owner is None or target is None or damage is None:
        return
    felled = damage.lost > 0 and target.health.current == 0
    if felled and event.profile.is_melee and not is_reaction(event):
        owner.economy.marks.add("rampage")


# -- staying alive ---------------------------------------------------------------------------------


def install_undead_fortitude(entity: Entity, parameters: Parameters) -> None:
    """Install Undead Fortitude: a Constitution save can leave 1 hit point (SRD, Zombie).

    It applies to damage that would reduce the hit points to 0. The DC is a number plus the damage
    taken. Radiant damage and critical hits allow no save.
    Draws: the save, a d20 test, when the hit points drop to 0.
    """
    trigger = Trigger(EventType.FALL, EventPhase.EXECUTION, targets=[entity])
    EventHandler(partial(_endure, parameters["dc"]), trigger, owner=entity, name="undead fortitude")


def _endure(dc: int, event: Fall, owner: Entity | None) -> Event | None:
    damage = event.damage
    if owner is None or damage is None or damage.critical:
        return None
    if any(kind is DamageType.RADIANT and amount > 0 for amount, kind in damage.taken):
        return None
    save = roll_save(
        owner, Ability.CONSTITUTION, dc + damage.total, source=event.source, parent=event
    )
    return event.cancel("undead fortitude") if save.success else None


def install_regeneration(entity: Entity, parameters: Parameters) -> None:
    """Install Regeneration: hit points return at the start of each of its turns (SRD, Troll).

    After damage of certain types, it skips its next turn: then `uses["regeneration"]` is 0. The
    creature dies only if it starts a turn with 0 hit points and regains none; until then it is
    felled. No draws.
    """
    stopped_by = frozenset(DamageType(name) for name in parameters["stopped_by"])
    entity.uses["regeneration"] = 1
    hurt = Trigger(EventType.DAMAGE, EventPhase.COMPLETION, targets=[entity])
    begins = Trigger(EventType.TURN_START, EventPhase.EFFECT, sources=[entity])
    dies = Trigger(EventType.DEATH, EventPhase.EXECUTION, targets=[entity])
    EventHandler(partial(_stop_regeneration, stopped_by), hurt, owner=entity, name="regeneration")
    EventHandler(
        partial(_regenerate, parameters["amount"]), begins, owner=entity, name="regeneration"
    )
    EventHandler(_prevent_death, dies, owner=entity, name="regeneration")


def _stop_regeneration(
    stopped_by: frozenset[DamageType], event: Damage, owner: Entity | None
) -> None:
    if owner is not None and any(amount > 0 and kind in stopped_by for amount, kind in event.taken):
        owner.uses["regeneration"] = 0


def _regenerate(amount: int, event: Event, owner: Entity | None) -> None:
    if owner is None or owner.health.dead:
        return
    if owner.uses["regeneration"]:
        heal(owner, amount, source=owner, parent=event)
    elif owner.health.current == 0:
        die(owner, event)
    owner.uses["regeneration"] = 1


def _prevent_death(event: Death, _: Entity | None) -> Event | None:
    """Cancel death by damage, because only a turn without regeneration kills."""
    if event.parent is None or event.parent.event_type != EventType.DAMAGE:
        return None
    return event.cancel("regeneration")


# -- reactions -------------------------------------------------------------------------------------


class Parry(Reaction):
    """Parry: a higher armour class against one melee attack that would hit (SRD, Knight).

    The owner must see the attacker and wield a melee weapon. It is only used if the attack then
    misses. No draws.
    """

    name = "parry"

    __slots__ = ("bonus",)

    def __init__(self, bonus: int) -> None:
        """Create the reaction; `bonus` is added to the armour class."""
        self.bonus = bonus

    def fits(self, owner: Entity, attack: AttackEvent) -> bool:
        if not attack.profile.is_melee or not attack.hits or not attack.context["seen"]:
            return False
        if attack.armour_class is None or not wields_melee_weapon(owner):
            return False
        return attack.against(attack.armour_class.total + self.bonus) is Outcome.MISS

    def take(self, owner: Entity, attack: AttackEvent) -> AttackEvent:
        if attack.armour_class is None:
            return attack
        # The log holds the score of the roll, which must not change.
        armour_class = copy(attack.armour_class)
        armour_class.parts = list(armour_class.parts)
        armour_class.take(NumericalModifier("parry", self.bonus, owner))
        armour_class.finish()
        return attack.fill(armour_class=armour_class, outcome=attack.against(armour_class.total))


def wields_melee_weapon(entity: Entity) -> bool:
    """Return True if an entity holds a weapon that has a melee profile."""
    equipment = entity.equipment
    held = [one for one in (equipment.hands.main, equipment.hands.off) if one is not None]
    return any(
        one.is_melee and one.weapon in held and one.weapon not in equipment.dropped
        for one in equipment.profiles
    )


def install_parry(entity: Entity, parameters: Parameters) -> None:
    """Install Parry; see `Parry`."""
    entity.reactions.append(Parry(parameters["bonus"]))


# -- flags -----------------------------------------------------------------------------------------


def install_flag(entity: Entity, _: Parameters) -> None:
    """Install a trait that other rules look up in `entity.traits`, without effects here. No draws.

    nimble_escape, cunning_action   Disengage and Hide are also bonus actions, with cunning_action
                                    Dash too (SRD, Goblin; Rogue)
    aggressive                      a bonus action moves up to the speed toward an enemy (SRD, Orc)
    reckless                        allows `feature_actions.RecklessAttack` (SRD, Berserker)
    sunlight_sensitivity            disadvantage in sunlight (SRD, Kobold); it never applies,
                                    because no map here has sunlight
    """


INSTALLERS: dict[str, Installer] = {
    "action_surge": features.install_action_surge,
    "aggressive": install_flag,
    "archery": features.install_archery,
    "brave": install_brave,
    "charge": install_charge,
    "colossus_slayer": features.install_colossus_slayer,
    "cunning_action": install_flag,
    "danger_sense": features.install_danger_sense,
    "dueling": features.install_dueling,
    "fast_movement": features.install_fast_movement,
    "improved_critical": features.install_improved_critical,
    "martial_advantage": install_martial_advantage,
    "nimble_escape": install_flag,
    "pack_tactics": install_pack_tactics,
    "parry": install_parry,
    "rage": features.install_rage,
    "rampage": install_rampage,
    "reckless": install_flag,
    "regeneration": install_regeneration,
    "second_wind": features.install_second_wind,
    "sneak_attack": features.install_sneak_attack,
    "sunlight_sensitivity": install_flag,
    "surprise_attack": install_surprise_attack,
    "unarmoured_defence": features.install_unarmoured_defence,
    "uncanny_dodge": features.install_uncanny_dodge,
    "undead_fortitude": install_undead_fortitude,
}
"""The installer of each trait."""
