"""Frames of an encounter in a save: movements, and attacks between roll and damage."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from axiom_envs.dnd.engine.creature.entity import Entity
from axiom_envs.dnd.engine.creature.equipment import AttackProfile
from axiom_envs.dnd.engine.encounter.frames import AttackFrame, Frame, MoveFrame
from axiom_envs.dnd.engine.rules.actions import Cost
from axiom_envs.dnd.engine.rules.attack import Attack, AttackEvent, Outcome
from axiom_envs.dnd.engine.rules.movement import the_position
from axiom_envs.dnd.engine.saves.encoding import JSON, Reader, encode
from axiom_envs.dnd.engine.values.dice import D20Roll
from axiom_envs.dnd.engine.values.modifiers import Modifier
from axiom_envs.dnd.engine.values.values import Score
from axiom_envs.dnd.engine.world.events import Event, EventPhase
from axiom_gym.errors import StateError

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.saves.models import (
        SavedAttack,
        SavedEvent,
        SavedMove,
        SavedRoll,
        SavedScore,
    )

E = TypeVar("E", bound=Event)
SCORE = (
    "total",
    "advantages",
    "disadvantages",
    "auto_hit",
    "auto_miss",
    "autocrit",
    "nocrit",
    "minimum",
    "maximum",
)
EVENT = ("lineage", "root", "canceled", "modified", "message")


# -- writing ---------------------------------------------------------------------------------------


def save_frame(frame: Frame) -> dict[str, JSON]:
    """Encode a frame of the stack.

    Raises:
        StateError: if the frame is not of one of the engine's own classes.
    """
    if type(frame) is MoveFrame:
        return _save_move(frame)
    if type(frame) is AttackFrame and type(frame.event) is AttackEvent:
        return _save_attack(frame, frame.event)
    raise StateError(
        f"a {type(frame).__name__} is in progress ({frame.describe()}), and cannot be saved: save "
        "before or after it."
    )


def _save_move(frame: MoveFrame) -> dict[str, JSON]:
    return {
        "kind": "move",
        "mover": frame.mover.number,
        "path": [list(square) for square in frame.path],
        "waiting": [one.number for one in frame.waiting],
        "stepped": frame.stepped,
        "last_free": list(frame.last_free),
    }


def _save_attack(frame: AttackFrame, event: AttackEvent) -> dict[str, JSON]:
    attack = event.attack
    return {
        "kind": "attack",
        "number": attack.number,
        "source": attack.source.number,
        "target": attack.victim.number,
        "profile": encode(attack.profile),
        "costs": [[cost.kind.value, cost.amount] for cost in attack.costs],
        "with_ability": attack.with_ability,
        "event": _save_attack_event(event),
        "reaction": frame.number,
    }


def _save_attack_event(event: AttackEvent) -> dict[str, JSON]:
    return {
        **_save_event(event),
        "profile": encode(event.profile),
        "context": encode(event.context),
        "cover": event.cover,
        "bonus": _save_score(event.bonus),
        "armour_class": _save_score(event.armour_class),
        "roll": _save_roll(event.roll),
        "outcome": None if event.outcome is None else event.outcome.name,
        "halved": event.halved,
    }


def _save_event(event: Event) -> dict[str, JSON]:
    return {
        **{name: getattr(event, name) for name in EVENT},
        # An event that was filled after a phase has no number of its own.
        "number": getattr(event, "number", 0),
        "source": None if event.source is None else event.source.number,
        "target": None if event.target is None else event.target.number,
        "phase": event.phase.name,
    }


def _save_roll(roll: D20Roll | None) -> JSON:
    if roll is None:
        return None
    return {
        **_save_event(roll),
        "purpose": roll.purpose,
        "advantage": roll.advantage,
        "dice": list(roll.dice),
        "natural": roll.natural,
    }


def _save_score(score: Score | None) -> JSON:
    if score is None:
        return None
    return {
        **{name: getattr(score, name) for name in SCORE},
        "terms": [list(term) for term in score.terms],
        "parts": [encode(part) for part in score.parts],
    }


# -- reading ---------------------------------------------------------------------------------------


def load_frame(saved: SavedAttack | SavedMove, reader: Reader) -> Frame:
    """Restore a frame."""
    return _load_move(saved, reader) if saved.kind == "move" else _load_attack(saved, reader)


def _load_move(saved: SavedMove, reader: Reader) -> MoveFrame:
    mover = reader.find(saved.mover, Entity)
    frame = MoveFrame(mover, [the_position(mover)])
    frame.path, frame.stepped = list(saved.path), saved.stepped
    if not saved.path and not saved.stepped:
        raise StateError(f"the movement of {mover.name} has no path.")
    frame.waiting = [reader.find(number, Entity) for number in saved.waiting]
    frame.last_free = saved.last_free
    return frame


def _load_attack(saved: SavedAttack, reader: Reader) -> AttackFrame:
    source, target = reader.find(saved.source, Entity), reader.find(saved.target, Entity)
    costs = tuple(Cost(kind, amount) for kind, amount in saved.costs)
    attack = Attack(
        source,
        target,
        reader.read(saved.profile, AttackProfile),
        costs=costs,
        with_ability=saved.with_ability,
    )
    reader.keep(saved.number, attack)
    frame = AttackFrame(_load_attack_event(saved, attack, reader))
    frame.number = saved.reaction
    return frame


def _load_attack_event(saved: SavedAttack, attack: Attack, reader: Reader) -> AttackEvent:
    old = saved.event
    event = AttackEvent(
        attack=attack,
        source=attack.source,
        profile=reader.read(old.profile, AttackProfile),
        context=reader.read(old.context, dict),
        cover=old.cover,
        bonus=_load_score(old.bonus, reader),
        armour_class=_load_score(old.armour_class, reader),
        outcome=None if old.outcome is None else Outcome[old.outcome],
        halved=old.halved,
    )
    _fill(event, old, reader)
    event.roll = _load_roll(old.roll, event, reader)
    return event


def _load_roll(saved: SavedRoll | None, parent: Event, reader: Reader) -> D20Roll | None:
    if saved is None:
        return None
    roll = D20Roll(
        parent=parent,
        purpose=saved.purpose,
        advantage=saved.advantage,
        dice=saved.dice,
        natural=saved.natural,
    )
    return _fill(roll, saved, reader)


def _fill(event: E, saved: SavedEvent, reader: Reader) -> E:
    """Restore the fields that all events share."""
    event.source = reader.find_or_none(saved.source, Entity)
    event.target = reader.find_or_none(saved.target, Entity)
    event.phase = EventPhase[saved.phase]
    for name in (*EVENT, "number"):
        setattr(event, name, getattr(saved, name))
    return event


def _load_score(saved: SavedScore | None, reader: Reader) -> Score | None:
    if saved is None:
        return None
    score = Score(saved.terms)
    score.parts = [reader.read(part, Modifier) for part in saved.parts]
    for name in SCORE:
        setattr(score, name, getattr(saved, name))
    return score
