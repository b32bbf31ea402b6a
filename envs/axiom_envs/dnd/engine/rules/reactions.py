"""Reactions to being hit: options of an attack's target between the attack roll and the damage.

In an encounter they are decisions of their owner; `Attack.apply` uses them whenever they help.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from axiom_envs.dnd.engine.rules.actions import Cost, pay
from axiom_envs.dnd.engine.values.types import CostType

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.creature.entity import Entity
    from axiom_envs.dnd.engine.rules.attack import AttackEvent

REACTION = Cost(CostType.REACTIONS)


def can_react(entity: Entity) -> bool:
    """Return True if an entity has a reaction left and is able to use it."""
    return entity.can_act and entity.economy.left(CostType.REACTIONS) > 0


class Reaction:
    """Base class of reactions to an attack that hits."""

    name: ClassVar[str] = "reaction"

    __slots__ = ()

    def fits(self, owner: Entity, attack: AttackEvent) -> bool:
        """Return True if the reaction can be used against this attack and would change it."""
        raise NotImplementedError

    def take(self, owner: Entity, attack: AttackEvent) -> AttackEvent:
        """Use the reaction, and return the changed attack."""
        raise NotImplementedError

    def is_open(self, owner: Entity, attack: AttackEvent) -> bool:
        """Return True if the owner can use the reaction now."""
        return can_react(owner) and self.fits(owner, attack)

    def use(self, owner: Entity, attack: AttackEvent) -> AttackEvent:
        """Pay for the reaction and use it."""
        pay(owner, REACTION, attack)
        return self.take(owner, attack)


def find_reaction(attack: AttackEvent, after: int = 0) -> int:
    """Return the index of the target's first available reaction, from `after` on, or -1."""
    target = attack.target
    if target is None or not attack.hits:
        return -1
    for number, reaction in enumerate(target.reactions[after:], after):
        if reaction.is_open(target, attack):
            return number
    return -1
