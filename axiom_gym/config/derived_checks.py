"""Checks of costs, uses, cooldowns and orders of actions and events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from axiom_gym.config.definitions import Action, Event, GameConfig
from axiom_gym.config.derived import all_attributes
from axiom_gym.config.problems import (
    Problem,
    Problems,
    check_mapping,
    check_state_call,
    did_you_mean,
    is_number,
    must_be,
)

_TICKS = "a number of ticks, at least 0, or None"


def check_cooldown(path: str, rule: Action | Event) -> Problems:
    """Check the cooldown of an action or event."""
    cooldown = rule.cooldown
    if cooldown is not None and (not is_number(cooldown) or cooldown < 0):
        yield must_be(f"{path}.cooldown", _TICKS, cooldown)


def check_limits(path: str, action: Action, config: GameConfig) -> Problems:
    """Check the costs and uses of an action."""
    yield from check_mapping(f"{path}.costs", action.costs, "attributes to amounts")
    for key, cost in action.costs.items() if isinstance(action.costs, Mapping) else ():
        yield from _check_cost(f"{path}.costs[{key!r}]", key, cost, config)
    uses = action.uses
    if uses is not None and (type(uses) is not int or uses < 1):
        yield must_be(f"{path}.uses", "a positive integer, or None for no limit", uses)


def _check_cost(path: str, key: Any, cost: Any, config: GameConfig) -> Problems:
    known = config.attributes if isinstance(config.attributes, Mapping) else {}
    if key not in known:
        yield Problem(path, f"{key!r} is no attribute.{did_you_mean(key, known)}")
    if callable(cost):
        yield from check_state_call(path, cost)
    elif not is_number(cost) or cost < 0:
        yield must_be(path, "a number that is at least 0, or a callable of (state)", cost)


def check_order(path: str, event: Event, config: GameConfig) -> Problems:
    """Check when an event can fire."""
    if not isinstance(event.once, bool):
        yield must_be(f"{path}.once", "True or False", event.once)
    after = event.after
    if isinstance(after, str):
        ids = {rule.id for rule in _rules(config) if isinstance(rule.id, str)} - {event.id}
        if after not in ids:
            what = "the id of another event or of an action"
            yield must_be(f"{path}.after", what, after, did_you_mean(after, ids).strip())
    elif after is not None and (not is_number(after) or after < 0):
        yield must_be(f"{path}.after", "a tick, at least 0, or an id", after)


def _rules(config: GameConfig) -> list[Action | Event]:
    found = [config.actions, config.events]
    lists = [rules for rules in found if isinstance(rules, tuple)]
    return [rule for rules in lists for rule in rules if isinstance(rule, (Action, Event))]


def check_shared(config: GameConfig) -> Problems:
    """Check that no name or id has two meanings because of a count or cooldown."""
    try:
        counts = set(all_attributes(replace(config, attributes={})))
        taken = {*config.attributes, *config.choices, *config.initial_state()}
    except Exception:  # the other checks report what is wrong
        return
    for key in sorted(counts & taken):
        yield Problem(
            f"field {key!r}", "counts how often an action or event happened; rename your field."
        )
    events = {event.id for event in config.events}
    for i, action in enumerate(config.actions):
        counted = f"count of {action.id}" in counts
        if action.id in events and (counted or action.cooldown is not None):
            yield Problem(
                f"actions[{i}].id",
                f"{action.id!r} is also the id of an event, with which the action would share its "
                "count and cooldown; use another id.",
            )
