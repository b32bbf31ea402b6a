"""How conditions come and go.

Order of draws: where a condition has a save that avoids it, that save is the first thing drawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from axiom_envs.dnd.engine.creature.checks import roll_save
from axiom_envs.dnd.engine.creature.conditions import (
    BaseCondition,
    ConditionApplication,
    ConditionRemoval,
)
from axiom_envs.dnd.engine.creature.durations import DurationType, Moment
from axiom_envs.dnd.engine.world.events import Event, EventPhase
from axiom_gym.errors import GameError

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.creature.entity import Entity

E = TypeVar("E", bound=Event)


def add_condition(
    target: Entity,
    condition: BaseCondition,
    parent: Event | None = None,
    holder: BaseCondition | None = None,
) -> Event:
    """See `Entity.add_condition`."""
    if condition.is_applied:
        raise GameError(
            f"the condition {condition.name!r} is applied to {condition.target} already: make "
            "another one."
        )
    event: Event = ConditionApplication(
        source=condition.source, target=target, parent=parent, condition=condition, holder=holder
    ).declare()
    event = _avoid(target, condition, event)
    event = event.phase_to(EventPhase.EXECUTION)
    if event.canceled:
        return event
    known = _find_known(target, condition, holder)
    if known is not None and not (holder is None and _outlasts(condition, known)):
        return _share(known, holder, event)
    event = event.phase_to(EventPhase.EFFECT)
    if event.canceled:
        return event
    if known is not None:
        _end(target, known, event)
    _begin(target, condition, holder, event)
    return event.phase_to(EventPhase.COMPLETION)


def _avoid(target: Entity, condition: BaseCondition, event: Event) -> Event:
    """The application, canceled where the target is immune or saves."""
    if event.canceled:
        return event
    reason = target.why_immune(condition)
    if reason is not None:
        return refuse(event, f"{target.name} is immune to {condition.name}: {reason}")
    save = condition.application_save
    if save is None:
        return event
    result = roll_save(
        target,
        save.ability,
        save.dc,
        source=condition.source,
        context={"condition": condition.name},
        parent=event,
    )
    if result.success:
        return refuse(event, f"{target.name} saves against {condition.name}")
    return event


def refuse(event: E, message: str) -> E:
    """The event canceled by the rules; told to the handlers of CANCEL."""
    return event.world.events.post(event.cancel(message))


def _find_known(
    target: Entity, condition: BaseCondition, holder: BaseCondition | None
) -> BaseCondition | None:
    """The condition there is that makes this one needless.

    By itself the target comes under a condition of one name and source once. A new holder shares a
    condition of the same class, whoever caused it, if nothing but its holders ends either.
    """
    if condition.stacks:
        return None
    known = target.conditions.get(condition.name, ())
    if holder is None:
        return next((one for one in known if one.is_own and one.source is condition.source), None)
    if not _is_shareable(condition):
        return None
    return next((one for one in known if type(one) is type(condition) and _is_shareable(one)), None)


def _is_shareable(condition: BaseCondition) -> bool:
    permanent = condition.duration.kind is DurationType.PERMANENT
    return permanent and condition.removal_save is None and not condition.parameters()


def _outlasts(new: BaseCondition, known: BaseCondition) -> bool:
    """Whether a condition lasts longer than, or is a stronger one than, the one there is."""
    if new.duration.kind is not known.duration.kind:
        return known.duration.kind is DurationType.ROUNDS
    return new.duration.remaining > known.duration.remaining


def _share(known: BaseCondition, holder: BaseCondition | None, event: Event) -> Event:
    """The condition that there is stays, and has one more holder if this is for one."""
    event = event.phase_to(EventPhase.EFFECT, condition=known)
    if event.canceled:
        return event
    if holder is not None and holder not in known.holders:
        known.holders.append(holder)
        holder._sub_conditions.append(known)
    return event.phase_to(EventPhase.COMPLETION)


def _begin(
    target: Entity, condition: BaseCondition, holder: BaseCondition | None, event: Event
) -> None:
    condition.world = target.world
    target.world.register(condition)
    condition.is_own = holder is None
    if holder is not None:
        condition.holders.append(holder)
        holder._sub_conditions.append(condition)
    target.conditions.setdefault(condition.name, []).append(condition)
    try:
        condition.enact(event)
    except Exception:
        _end(target, condition, event)
        raise


def _end(target: Entity, condition: BaseCondition, event: Event) -> None:
    """Takes a condition away, with all that goes with it."""
    listed = target.conditions.get(condition.name, [])
    if condition in listed:
        listed.remove(condition)
    if not listed:
        target.conditions.pop(condition.name, None)
    for holder in condition.holders:
        if condition in holder._sub_conditions:
            holder._sub_conditions.remove(condition)
    condition.revoke(event)
    condition.holders.clear()
    condition.is_own = False
    target.world.forget(condition)


def remove_condition(
    target: Entity,
    condition: BaseCondition | str,
    parent: Event | None = None,
    expired: bool = False,
) -> Event | None:
    """See `Entity.remove_condition`."""
    if isinstance(condition, str):
        last = None
        for one in list(target.conditions.get(condition, ())):
            if one in target.conditions.get(condition, ()):
                last = remove_condition(target, one, parent, expired)
        return last
    if condition not in target.conditions.get(condition.name, ()):
        return None
    event: Event = ConditionRemoval(
        source=condition.source, target=target, parent=parent, condition=condition, expired=expired
    ).declare()
    if expired and event.canceled and event.fault is None:
        event = event.change(canceled=False, phase=EventPhase.DECLARATION)
    for phase in (EventPhase.EXECUTION, EventPhase.EFFECT):
        event = event.phase_to(phase)
    if event.canceled:
        return event
    if condition.holders and (condition.is_own or not expired):
        # Others still need it: it goes on as their sub-condition.
        object.__setattr__(condition, "is_own", False)
    else:
        _end(target, condition, event)
    return event.phase_to(EventPhase.COMPLETION)


def release_condition(
    target: Entity, condition: BaseCondition, holder: BaseCondition, parent: Event | None = None
) -> None:
    """See `Entity.release_condition`."""
    if holder in condition.holders:
        condition.holders.remove(holder)
    if condition in holder._sub_conditions:
        holder._sub_conditions.remove(condition)
    if not condition.holders and not condition.is_own:
        remove_condition(target, condition, parent, expired=True)


def tick(entity: Entity, moment: Moment, parent: Event | None = None) -> None:
    """A turn of this entity begins or ends: durations run on, and saves end conditions.

    All conditions of the world are looked at, entity by entity and then in the order of their
    application; those that run out go before any save is made.
    """
    for target in entity.world.entities:
        for condition in target.active_conditions():
            if condition.is_applied and condition.duration.tick(condition, entity, moment):
                remove_condition(target, condition, parent, expired=True)
    for condition in entity.active_conditions():
        save = condition.removal_save
        if save is None or not condition.is_applied or save.moment is not moment:
            continue
        result = roll_save(
            entity,
            save.ability,
            save.dc,
            source=condition.source,
            context={"condition": condition.name},
            parent=parent,
        )
        if result.success:
            # One with a save of its own is never shared: a holder does not keep it.
            remove_condition(entity, condition, parent, expired=bool(condition.holders))
