"""Frames: events in progress that wait for a decision.

A frame is an event that can be interrupted: a movement between two steps, or an attack between its
roll and its damage. Frames form a stack: a step may provoke an attack, which the mover may parry.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from axiom_envs.dnd.engine.rules.attack import Attack, AttackEvent
from axiom_envs.dnd.engine.rules.hiding import reveal_all
from axiom_envs.dnd.engine.rules.movement import (
    bodies_at,
    force,
    make_step,
    nearest_squares,
    the_position,
    why_not_step,
)
from axiom_envs.dnd.engine.rules.opportunity import leaves_reach, opportunists, opportunity_profile
from axiom_envs.dnd.engine.rules.perception import sees
from axiom_envs.dnd.engine.rules.reactions import REACTION, can_react, find_reaction
from axiom_envs.dnd.engine.rules.ready import can_attack_readied, readied_against, readied_profile
from axiom_envs.dnd.engine.rules.space import Position

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.creature.entity import Entity
    from axiom_envs.dnd.engine.encounter.encounter import Encounter


class Frame:
    """Base class of events in progress."""

    __slots__ = ()

    def asks(self) -> Entity | None:
        """Return the entity that decides now whether to react, or None."""
        raise NotImplementedError

    def answer(self, encounter: Encounter, reacts: bool) -> None:
        """Apply the decision."""
        raise NotImplementedError

    def advance(self, encounter: Encounter) -> None:
        """Continue up to the next decision or to the end; at the end, leave the stack."""
        raise NotImplementedError

    def describe(self) -> str:
        """Describe the decision."""
        raise NotImplementedError

    def recheck(self) -> None:
        """Update the open decisions after an interruption, because some may be obsolete."""


class AttackFrame(Frame):
    """An attack whose roll has been made.

    Attributes:
        event: the attack in its current state.
        number: index of the target's reaction to decide on; -1 if no decision is left.
    """

    __slots__ = ("event", "number")

    def __init__(self, event: AttackEvent) -> None:
        """Create the frame of an attack whose outcome is determined."""
        self.event = event
        self.number = -1 if event.canceled else find_reaction(event)

    def asks(self) -> Entity | None:
        return self.event.target if self.number >= 0 else None

    def answer(self, encounter: Encounter, reacts: bool) -> None:
        target = self.event.target
        if reacts and target is not None:
            self.event = target.reactions[self.number].use(target, self.event)
        self.number = find_reaction(self.event, self.number + 1)

    def advance(self, encounter: Encounter) -> None:
        encounter.stack.remove(self)
        encounter.note(self.event.attack.finish(self.event))
        if encounter.stack:
            encounter.stack[-1].recheck()

    def describe(self) -> str:
        target = self.event.target
        name = target.reactions[self.number].name if target is not None else ""
        return f"{name} against: {self.event.describe()}"


class MoveFrame(Frame):
    """A movement along a path.

    Attributes:
        mover: the entity that moves.
        path: the remaining squares.
        waiting: entities that may still attack: before the next step, or after the last one.
        stepped: True after a step, while readied attacks are decided.
        last_free: the last square that the mover did not share.
    """

    __slots__ = ("last_free", "mover", "path", "stepped", "waiting")

    def __init__(self, mover: Entity, path: list[Position]) -> None:
        """Create the frame at the mover's position."""
        self.mover = mover
        self.path = path
        self.last_free = the_position(mover)
        self.stepped = False
        self.waiting = opportunists(mover, path[0])

    def asks(self) -> Entity | None:
        return self.waiting[0] if self.waiting else None

    def recheck(self) -> None:
        """Drop attackers whose opportunity is gone, or who can no longer react."""
        if self.stepped:
            self.waiting = [one for one in self.waiting if can_attack_readied(one, self.mover)]
            return
        square = self.path[0]
        if why_not_step(self.mover, square, len(self.path) == 1) is not None:
            self.waiting = []
        self.waiting = [
            one
            for one in self.waiting
            if can_react(one) and leaves_reach(self.mover, square, one) and sees(one, self.mover)
        ]

    def answer(self, encounter: Encounter, reacts: bool) -> None:
        attacker = self.waiting.pop(0)
        if not reacts or not can_react(attacker):
            return
        if self.stepped:
            profile = readied_profile(attacker, self.mover)
            attacker.remove_condition("readied", expired=True)
        else:
            profile = opportunity_profile(attacker, self.mover)
        if profile is not None:
            attack = Attack(attacker, self.mover, profile, costs=(REACTION,))
            encounter.stack.append(AttackFrame(attack.begin()))

    def advance(self, encounter: Encounter) -> None:
        if self.stepped:
            self._prepare_next_step(encounter)
            return
        square, ends = self.path[0], len(self.path) == 1
        if why_not_step(self.mover, square, ends) is not None:
            self._stop(encounter)
            return
        step = make_step(self.mover, square, ends)
        encounter.note(step)
        if step.canceled or the_position(self.mover) != square:
            self._stop(encounter)
            return
        self.path.pop(0)
        reveal_all(self.mover.world)
        if not bodies_at(self.mover, square):
            self.last_free = square
        self.stepped = True
        self.waiting = readied_against(self.mover)
        if not self.waiting:
            self._prepare_next_step(encounter)

    def _prepare_next_step(self, encounter: Encounter) -> None:
        """Prepare the next step: find the entities that may attack before it."""
        self.stepped = False
        if not self.path:
            encounter.stack.remove(self)
        elif why_not_step(self.mover, self.path[0], len(self.path) == 1) is None:
            self.waiting = opportunists(self.mover, self.path[0])

    def _stop(self, encounter: Encounter) -> None:
        """Abandon the rest of the path; a mover in another's space is moved out of it."""
        encounter.stack.remove(self)
        mover = self.mover
        if mover.body < 0 or not bodies_at(mover, the_position(mover)):
            return
        for square in (self.last_free, *nearest_squares(mover)):
            event = force(mover, square)
            if not event.canceled:
                encounter.note(event)
                return

    def describe(self) -> str:
        if self.stepped:
            x, y = the_position(self.mover)
            return f"readied attack: {self.mover.name} has moved to {x},{y}"
        x, y = self.path[0]
        return f"opportunity attack: {self.mover.name} moves to {x},{y}"
