"""The creatures in the slots of an observation, and those that the observing side knows of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.creature.entity import Entity
    from axiom_envs.dnd.engine.encounter.encounter import Encounter
    from axiom_envs.skirmish.rules import Session


class Slots:
    """The creatures in the slots of a side's observation.

    Attributes:
        side: the observing side.
        allies, enemies: the creatures of the scenario, in the order of their slots.
        own, others: the number of allies and of enemies.
        first: the creature in slot 0.
        seen: living enemies that the side sees.
        shown: creatures whose entries are written: allies, and enemies in view, dead ones included.
        entities: all creatures with their slots.
        numbers: slots by the creatures' numbers.
        known: the numbers of the creatures in `shown`.
    """

    __slots__ = (
        "allies", "enemies", "entities", "first", "known", "numbers", "others", "own", "seen",
        "shown", "side",
    )  # fmt: skip

    def __init__(self, session: Session, side: str) -> None:
        """Assign the slots of a side."""
        party, foes = session.sides
        own, self.enemies = (party, foes) if party[0].side == side else (foes, party)
        self.side = side
        self.first = _find_first(session.encounter, own, side)
        self.allies = [self.first, *(one for one in own if one is not self.first)]
        self.own, self.others = len(own), len(self.enemies)
        seen = session.seen[side]
        self.seen = [one for one in self.enemies if one.number in seen]
        bodies = [one for one in self.enemies if one.health.dead and _is_body_seen(one, own)]
        self.shown = [*self.allies, *self.seen, *bodies]
        self.known = {one.number for one in self.shown}
        self.entities = [
            *enumerate(self.allies),
            *enumerate(self.enemies, session.units),
        ]
        self.numbers = {one.number: slot for slot, one in self.entities}

    def slot_of(self, one: Entity | None) -> int:
        """Return slot + 1, or 0 for None and for creatures that are not shown."""
        if one is None or one.number not in self.known:
            return 0
        return self.numbers[one.number] + 1


def _find_first(encounter: Encounter, own: Sequence[Entity], side: str) -> Entity:
    """Return the side's creature that decides or whose turn it is, else its first creature."""
    for one in (encounter.decider, encounter.actor):
        if one is not None and one.side == side:
            return one
    return own[0]


def _is_body_seen(dead: Entity, watchers: Iterable[Entity]) -> bool:
    """Return True if a creature of the side sees the square of a dead creature."""
    grid, place = dead.world.grid, dead.senses.position
    return (
        grid is not None
        and place is not None
        and any(
            one.is_up
            and one.senses.position is not None
            and grid.line_of_sight(*one.senses.position, *place)
            for one in watchers
        )
    )
