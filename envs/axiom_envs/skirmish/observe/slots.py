"""Who stands in which slot of an observation, and whom the side that looks knows of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.creature.entity import Entity
    from axiom_envs.dnd.engine.encounter.encounter import Encounter
    from axiom_envs.skirmish.rules import Session


class Slots:
    """Who stands in which slot, and whom the side knows of.

    Attributes:
        side: that looks.
        allies, enemies: of the scenario, in the order of their slots.
        own, others: how many they are.
        first: slot 0.
        seen: living enemies that are seen.
        shown: all whose entries are written: allies, and enemies whose body is seen, the dead too.
        entities: all, with their slots.
        numbers: slots by the creatures' numbers.
        known: the numbers of those that are shown.
    """

    __slots__ = (
        "allies", "enemies", "entities", "first", "known", "numbers", "others", "own", "seen",
        "shown", "side",
    )  # fmt: skip

    def __init__(self, session: Session, side: str) -> None:
        """The slots of a side."""
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
        """Slot + 1; 0 for nobody and for who is not seen."""
        if one is None or one.number not in self.known:
            return 0
        return self.numbers[one.number] + 1


def _find_first(encounter: Encounter, own: Sequence[Entity], side: str) -> Entity:
    """Who decides, or whose turn it is, if of the side; else the first of it."""
    for one in (encounter.decider, encounter.actor):
        if one is not None and one.side == side:
            return one
    return own[0]


def _is_body_seen(dead: Entity, watchers: Iterable[Entity]) -> bool:
    """Whether somebody sees the square where a dead creature lies."""
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
