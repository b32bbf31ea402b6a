"""Conditions in a save.

Loading a save calls each condition's `_apply`, outside of any event. The effects of `_apply` must
therefore follow from the condition's arguments, its source and its target alone.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from axiom_envs.dnd.engine.creature.conditions import (
    BaseCondition,
    ConditionApplication,
    SaveAgainst,
    parameter_names,
)
from axiom_envs.dnd.engine.creature.durations import Duration
from axiom_envs.dnd.engine.creature.entity import Entity
from axiom_envs.dnd.engine.saves.encoding import (
    JSON,
    Reader,
    encode,
    encode_modifier,
    fields_of,
    find_class,
    name_of,
)
from axiom_envs.dnd.engine.values.modifiers import ContextualModifier, Modifier
from axiom_envs.dnd.engine.world.events import EventPhase
from axiom_gym.errors import StateError, check_choice

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.saves.models import SavedCondition


def save_condition(condition: BaseCondition) -> dict[str, JSON]:
    """Encode a condition that is applied.

    Raises:
        StateError: if a part cannot be saved, such as a duration with a lambda.
    """
    try:
        return _save(condition)
    except StateError as error:
        raise StateError(f"the condition {condition.name!r}: {error}") from error


def _save(condition: BaseCondition) -> dict[str, JSON]:
    return {
        "number": condition.number,
        "kind": name_of(type(condition)),
        "target": condition.the_target.number,
        "source": None if condition.source is None else condition.source.number,
        "parameters": {name: encode(one) for name, one in condition.parameters().items()},
        "duration": encode(condition.duration),
        "application_save": encode(condition.application_save),
        "removal_save": encode(condition.removal_save),
        "is_own": condition.is_own,
        "holders": [one.number for one in condition.holders],
        "sub_conditions": [one.number for one in condition.sub_conditions],
        "modifiers": [[one.number, _save_modifier(one)] for one in condition.modifiers],
        "handlers": [one.number for one in condition.handlers],
    }


def _save_modifier(modifier: Modifier) -> JSON:
    return None if isinstance(modifier, ContextualModifier) else encode_modifier(modifier)


def load_condition(saved: SavedCondition, reader: Reader) -> None:
    """Create a condition; `put_back` applies it after all have been created."""
    kind: Any = find_class(saved.kind, BaseCondition)
    common = {
        "source": reader.find_or_none(saved.source, Entity),
        "duration": reader.read(saved.duration, Duration),
        "application_save": _read_save(saved.application_save, reader),
        "removal_save": _read_save(saved.removal_save, reader),
    }
    parameters = {name: reader.decode(one) for name, one in saved.parameters.items()}
    for name in parameters:
        check_choice(f"parameter of {saved.kind}", name, parameter_names(kind))
    condition = _make(kind, {**common, **parameters})
    for name, one in (*common.items(), *parameters.items()):
        setattr(condition, name, one)
    target = reader.find(saved.target, Entity)
    condition.world = target.world
    target.world.register(condition)
    reader.keep(saved.number, condition)


def _make(kind: Any, arguments: dict[str, Any]) -> BaseCondition:
    """Create a condition with those of the arguments that its class takes.

    A subclass may fix an argument of its base class, and then no longer takes it.
    """
    accepted = inspect.signature(kind).parameters
    named = {name: one for name, one in arguments.items() if name in accepted}
    made: BaseCondition
    if any(one.kind is one.VAR_KEYWORD for one in accepted.values()):
        try:
            made = kind(**arguments)
            return made
        except TypeError:
            pass  # the class itself passes one of them to its base class
    made = kind(**named)
    return made


def _read_save(saved: JSON, reader: Reader) -> SaveAgainst | None:
    return None if saved is None else reader.read(saved, SaveAgainst)


def put_back(saved: SavedCondition, reader: Reader) -> None:
    """Apply a condition, and give its modifiers and handlers their saved numbers."""
    condition = reader.find(saved.number, BaseCondition)
    target = reader.find(saved.target, Entity)
    condition.is_own = saved.is_own
    condition.holders = [reader.find(number, BaseCondition) for number in saved.holders]
    event = ConditionApplication(
        source=condition.source, target=target, condition=condition, phase=EventPhase.EFFECT
    )
    condition.enact(event)
    for number in saved.sub_conditions:
        condition._sub_conditions.append(reader.find(number, BaseCondition))
    _keep_handlers(saved, condition, reader)
    _keep_modifiers(saved, condition, reader)


def _keep_handlers(saved: SavedCondition, condition: BaseCondition, reader: Reader) -> None:
    _compare("handlers", len(saved.handlers), len(condition.handlers))
    for number, handler in zip(saved.handlers, condition.handlers, strict=True):
        reader.keep(number, handler)


def _keep_modifiers(saved: SavedCondition, condition: BaseCondition, reader: Reader) -> None:
    _compare("modifiers", len(saved.modifiers), len(condition.modifiers))
    for (number, text), modifier in zip(saved.modifiers, condition.modifiers, strict=True):
        reader.keep(number, modifier)
        if text is None:
            continue
        before = reader.read(text, type(modifier))
        for name in fields_of(type(modifier)):
            setattr(modifier, name, getattr(before, name))


def _compare(what: str, before: int, now: int) -> None:
    if before != now:
        raise StateError(
            f"it had {before} {what}, and its _apply now adds {now}: all of them must follow from "
            "its arguments, its source and its target."
        )
