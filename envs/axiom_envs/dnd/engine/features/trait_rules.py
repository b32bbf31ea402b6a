"""Rules that several traits share: neighbours, actions already taken, straight movement."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from axiom_envs.dnd.constants import SQUARE
from axiom_envs.dnd.data.dice import DiceSpec, parse_dice
from axiom_envs.dnd.engine.rules.space import Position, distance, distance_from
from axiom_envs.dnd.engine.values.dice import DamageDice
from axiom_envs.dnd.engine.values.types import CostType

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.creature.entity import Entity
    from axiom_envs.dnd.engine.rules.attack import AttackEvent


@cache
def dice_of(text: str) -> DiceSpec:
    """Return the dice of a text such as "2d6"; each text is parsed once."""
    return parse_dice(text)


def has_ally_beside(attacker: Entity, target: Entity) -> bool:
    """Return True if an ally of the attacker is within 5 ft of the target.

    The attacker itself and allies that are dead or incapacitated do not count.
    """
    side = attacker.side
    for other in attacker.world.entities:
        if (
            other is not attacker
            and other is not target
            and other.side == side
            and side is not None
            and other.can_act
            and distance(other, target) <= SQUARE
        ):
            return True
    return False


def has_enemy_beside(attacker: Entity, target: Entity) -> bool:
    """Return True if an enemy of the target is within 5 ft of it.

    The attacker itself and enemies that are dead or incapacitated do not count.
    """
    for other in attacker.world.entities:
        if (
            other is not attacker
            and other.is_hostile_to(target)
            and other.can_act
            and distance(other, target) <= SQUARE
        ):
            return True
    return False


def use_mark(entity: Entity, mark: str) -> bool:
    """Mark an option that is available once per turn; return False if it is already marked."""
    marks = entity.economy.marks
    if mark in marks:
        return False
    marks.add(mark)
    return True


def is_reaction(attack: AttackEvent) -> bool:
    """Return True if an attack is made as a reaction, outside of the attacker's own turn."""
    return any(cost.kind is CostType.REACTIONS for cost in attack.attack.costs)


def weapon_dice(attack: AttackEvent, dice: DiceSpec, why: str) -> DamageDice:
    """Return dice that a feature adds to a hit, of the weapon's damage type."""
    kind = attack.profile.damage_type
    return DamageDice(dice.count, dice.sides, dice.bonus, kind, why)


def straight_feet(entity: Entity, target: Entity) -> int:
    """Return the feet that an entity has just moved straight toward another in this turn.

    Steps are counted back from its position, as long as they have one direction and come closer.
    """
    path = entity.economy.path
    if not path or path[-1] != entity.senses.position:
        return 0
    feet, direction = 0, None
    for before, after in zip(path[-2::-1], path[:0:-1], strict=True):
        step = (after[0] - before[0], after[1] - before[1])
        if direction not in (None, step) or not _is_closer(entity, before, after, target):
            break
        direction = step
        feet += SQUARE
    return feet


def _is_closer(entity: Entity, before: Position, after: Position, target: Entity) -> bool:
    return distance_from(entity, after, target) < distance_from(entity, before, target)
