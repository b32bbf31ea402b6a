"""Reactions to being hit: what the target of an attack can do between the roll and the damage.

They are decisions of their owner. Where nobody decides, they are taken whenever they help.
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
    """Whether an entity has a reaction left, and can use it."""
    return entity.can_act and entity.economy.left(CostType.REACTIONS) > 0


class Reaction:
    """What an entity can do when an attack hits it."""

    name: ClassVar[str] = "reaction"

    __slots__ = ()

    def fits(self, owner: Entity, attack: AttackEvent) -> bool:
        """Whether it can be used against this attack, and would change anything."""
        raise NotImplementedError

    def take(self, owner: Entity, attack: AttackEvent) -> AttackEvent:
        """Uses it; the attack as it is then."""
        raise NotImplementedError

    def is_open(self, owner: Entity, attack: AttackEvent) -> bool:
        """Whether the owner can be asked."""
        return can_react(owner) and self.fits(owner, attack)

    def use(self, owner: Entity, attack: AttackEvent) -> AttackEvent:
        """Pays for it and uses it."""
        pay(owner, REACTION, attack)
        return self.take(owner, attack)


def find_reaction(attack: AttackEvent, after: int = 0) -> int:
    """The first reaction open to the target of an attack, from number `after` on; -1 for none."""
    target = attack.target
    if target is None or not attack.hits:
        return -1
    for number, reaction in enumerate(target.reactions[after:], after):
        if reaction.is_open(target, attack):
            return number
    return -1
