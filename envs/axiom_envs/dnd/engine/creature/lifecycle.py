"""Application and removal of conditions.

Order of draws: the saving throw that prevents a condition, if it has one, is drawn first.
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
    """Apply a condition; see `Entity.add_condition`."""
    if condition.is_applied:
        raise GameError(
            f"the condition {condition.name!r} is already applied to {condition.target}: create a "
            "new one."
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
    """Cancel the application if the target is immune or succeeds on the saving throw."""
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
    """Cancel an event by a rule, and pass it to the handlers of CANCEL."""
    return event.world.events.post(event.cancel(message))


def _find_known(
    target: Entity, condition: BaseCondition, holder: BaseCondition | None
) -> BaseCondition | None:
    """Return the existing condition that replaces a new one, or None.

    A condition applied on its own exists once for each name and source. A sub-condition is shared
    with another of the same class from any source, if both end only with their holders.
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
    """Return True if a new condition lasts longer than the existing one, or is a stronger kind."""
    if new.duration.kind is not known.duration.kind:
        return known.duration.kind is DurationType.ROUNDS
    return new.duration.remaining > known.duration.remaining


def _share(known: BaseCondition, holder: BaseCondition | None, event: Event) -> Event:
    """Keep the existing condition, and add the holder, if there is one."""
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
    """Remove a condition with all its effects."""
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
    """Remove a condition; see `Entity.remove_condition`."""
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
        # Other conditions still hold it: it stays as their sub-condition.
        object.__setattr__(condition, "is_own", False)
    else:
        _end(target, condition, event)
    return event.phase_to(EventPhase.COMPLETION)


def release_condition(
    target: Entity, condition: BaseCondition, holder: BaseCondition, parent: Event | None = None
) -> None:
    """Release a sub-condition; see `Entity.release_condition`."""
    if holder in condition.holders:
        condition.holders.remove(holder)
    if condition in holder._sub_conditions:
        holder._sub_conditions.remove(condition)
    if not condition.holders and not condition.is_own:
        remove_condition(target, condition, parent, expired=True)


def tick(entity: Entity, moment: Moment, parent: Event | None = None) -> None:
    """Count down durations and make the saves that end conditions, at one moment of a turn.

    Durations of all conditions in the world are counted first, entity by entity and then in the
    order of application. The entity's saving throws follow.
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
            # A condition with a removal save is never shared, so no other holder can keep it.
            remove_condition(entity, condition, parent, expired=bool(condition.holders))
