"""Readied attacks (option `ready`): an action now for one attack later, in another's turn.

There are two triggers (SRD, Ready). Both need an enemy that the creature sees and that moves. After
its movement the enemy must be within reach of a melee weapon, or in plain sight within the normal
range of another weapon. Then the attack is a decision of the waiting creature, and costs its
reaction. This module draws nothing itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from axiom_envs.dnd.engine.creature.conditions import BaseCondition
from axiom_envs.dnd.engine.creature.durations import rounds
from axiom_envs.dnd.engine.rules.actions import Action, Consequence, Prerequisite
from axiom_envs.dnd.engine.rules.attack_rules import why_not_profile, why_not_target
from axiom_envs.dnd.engine.rules.perception import sees
from axiom_envs.dnd.engine.rules.reactions import can_react
from axiom_envs.dnd.engine.rules.space import distance
from axiom_gym.errors import check_choice

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.creature.entity import Entity
    from axiom_envs.dnd.engine.creature.equipment import AttackProfile
    from axiom_envs.dnd.engine.world.events import Event

MELEE, RANGED = "melee", "ranged"
MODES = (MELEE, RANGED)


class Readied(BaseCondition):
    """An attack readied for an enemy that comes within reach or range, until its own next turn.

    Attributes:
        mode: "melee" or "ranged", the kind of attack.
    """

    __slots__ = ("mode",)

    def __init__(self, *, mode: str = MELEE, **common: Any) -> None:
        """Create the condition, which lasts until the start of the creature's next turn.

        Raises:
            UnknownNameError: if the mode is not known.
        """
        super().__init__(**{"duration": rounds(1, of_target=True), **common})
        self.mode = check_choice("mode of a readied attack", mode, MODES)


class Ready(Action):
    """The Ready action: preparation of an attack against an enemy that moves."""

    name: ClassVar[str] = "ready"

    __slots__ = ("mode",)

    def __init__(self, source: Entity, mode: str = MELEE, **common: Any) -> None:
        """Create the action; `mode` is the kind of attack, see `Readied`."""
        super().__init__(source, **common)
        self.mode = mode

    def prerequisites(self) -> Mapping[str, Prerequisite]:
        weapon = {"weapon": lambda action: why_not_ready(action.source, action.mode)}
        return {**weapon, **self._prerequisites}

    def consequences(self) -> Mapping[str, Consequence]:
        return {self.name: lambda event, action: action._wait(event), **self._consequences}

    def _wait(self, event: Event) -> None:
        self.source.remove_condition("readied", parent=event, expired=True)
        self.source.add_condition(Readied(mode=self.mode, source=self.source), parent=event)


def why_not_ready(entity: Entity, mode: str) -> str | None:
    """Return the reason that an entity cannot ready an attack, or None."""
    if not entity.world.options.ready:
        return "the option `ready` is off"
    if not _profiles(entity, mode):
        return f"{entity.name} has no {mode} attack that it could make now"
    return None


def _profiles(entity: Entity, mode: str) -> list[AttackProfile]:
    """Return the profiles that a readied attack can use."""
    return [
        one
        for one in entity.equipment.profiles
        if one.is_melee == (mode == MELEE) and why_not_profile(entity, one) is None
    ]


def readied_against(mover: Entity) -> list[Entity]:
    """Return the entities that may attack one that has just moved, in the world's order."""
    if not mover.world.options.ready or not mover.is_up:
        return []
    return [one for one in mover.world.entities if can_attack_readied(one, mover)]


def can_attack_readied(entity: Entity, mover: Entity) -> bool:
    """Return True if an entity has readied an attack for an enemy's last movement."""
    if "readied" not in entity.conditions or not entity.is_hostile_to(mover):
        return False
    return can_react(entity) and readied_profile(entity, mover) is not None


def readied_profile(entity: Entity, mover: Entity) -> AttackProfile | None:
    """Return the profile for a readied attack with the highest expected damage, or None."""
    waiting = entity.conditions["readied"][0]
    if not isinstance(waiting, Readied) or not sees(entity, mover):
        return None
    if why_not_target(entity, mover) is not None:
        return None
    away = distance(entity, mover)
    fitting = [
        one
        for one in _profiles(entity, waiting.mode)
        if away <= (one.reach if one.is_melee else one.normal)
    ]
    equipment = entity.equipment
    return max(fitting, key=lambda one: equipment.weapon_dice(one, mover).mean(), default=None)
