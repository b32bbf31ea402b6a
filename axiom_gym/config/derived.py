"""Conditions, effects and attributes that follow from other parts of a config.

The costs, uses and orders of actions and events are ordinary conditions, effects and attributes, so
that the interpreter and the compiler give them one meaning. A rule, below, is an action or an
event.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from axiom_gym.config.calls import takes_context
from axiom_gym.config.definitions import (
    Action,
    Attribute,
    Condition,
    Cost,
    Effect,
    Event,
    GameConfig,
    plain,
)


class DerivedCondition(NamedTuple):
    """A condition of a rule, with its place in the rule."""

    where: str
    function: Condition
    reason: str = ""
    """The reason why an action is not available while the condition does not hold; "" for a
    condition that the config states itself."""


def rules_with_cooldown(config: GameConfig) -> list[Action | Event]:
    """Return the events, then the actions, that have a cooldown."""
    rules: list[Action | Event] = [*config.events, *config.actions]
    return [rule for rule in rules if rule.cooldown is not None]


def has_cooldown(rule: Action | Event) -> bool:
    """Return True if the cooldown of the rule's id can hold the rule back.

    Events of one id share a cooldown, which an action of the same id has only if it declares it.
    """
    return isinstance(rule, Event) or rule.cooldown is not None


def count_key(id: str) -> str:
    """Return the attribute that counts how often the rules of an id have happened."""
    return f"count of {id}"


def find_limit(rule: Action | Event) -> int | None:
    """Return how often a rule can happen in a game; None if there is no limit."""
    if isinstance(rule, Action):
        return rule.uses
    return 1 if rule.once else None


def all_attributes(config: GameConfig) -> Mapping[str, Attribute]:
    """Return the attributes of a config, followed by the counts that its rules need.

    A count ends at the greatest number that makes a difference.
    """
    most: dict[str, int] = {}
    rules: list[Action | Event] = [*config.actions, *config.events]
    for rule in rules:
        limit = find_limit(rule)
        if limit is not None:
            most[rule.id] = max(limit, most.get(rule.id, 0))
    for event in config.events:
        if isinstance(event.after, str):
            most.setdefault(event.after, 1)
    counts = {count_key(id): Attribute(0, limit) for id, limit in most.items()}
    return {**config.attributes, **counts} if counts else config.attributes


def conditions(
    rule: Action | Event, attributes: Mapping[str, Attribute]
) -> Iterator[DerivedCondition]:
    """Yield the rule's own conditions, and those that follow from its other fields.

    attributes: those of `all_attributes`.
    """
    for i, condition in enumerate(rule.conditions):
        yield DerivedCondition(f"conditions[{i}]", condition)
    if isinstance(rule, Action):
        for key, cost in rule.costs.items():
            reason = f"costs more {key} than there is" if callable(cost) else f"costs {cost} {key}"
            payable = _can_pay(key, cost, attributes[key].min)
            yield DerivedCondition(f"costs[{key!r}]", payable, reason)
    limit, counted = find_limit(rule), count_key(rule.id)
    if limit is not None:
        where = "uses" if isinstance(rule, Action) else "once"
        reason = f"can be used {limit} time{'s' * (limit > 1)}"
        yield DerivedCondition(where, lambda s: s[counted] < limit, reason)
    if isinstance(rule, Event) and rule.after is not None:
        yield DerivedCondition("after", _is_after(rule.after))


def effects(
    rule: Action | Event, attributes: Mapping[str, Attribute]
) -> Iterator[tuple[str, Effect]]:
    """Yield the effects of a rule with their places in it: costs and count before its own.

    attributes: those of `all_attributes`.
    """
    if isinstance(rule, Action) and rule.costs:
        yield "costs", _pay(rule.costs)
    counted = count_key(rule.id)
    if counted in attributes:
        yield "uses" if isinstance(rule, Action) else "once", {counted: 1}
    for i, effect in enumerate(rule.effects):
        yield f"effects[{i}]", effect


def _is_after(after: float | str) -> Condition:
    if isinstance(after, str):
        key = count_key(after)
        return lambda s: s[key] >= 1
    return lambda s: s["tick"] >= after


def _can_pay(key: str, cost: Cost, low: float) -> Condition:
    """Return the condition that an attribute holds the cost above its lower bound."""
    if not callable(cost):
        least = low + plain(cost)
        return lambda s: s[key] >= least
    amount = _amount(cost)
    return lambda s, context: s[key] >= low + amount(s, context)


def _pay(costs: Mapping[str, Cost]) -> Effect:
    if not any(map(callable, costs.values())):
        return {key: -plain(cost) for key, cost in costs.items()}
    amounts = {key: _amount(cost) for key, cost in costs.items()}
    return lambda s, context: {key: -amount(s, context) for key, amount in amounts.items()}


def _amount(cost: Cost) -> Callable[[Any, Any], Any]:
    """Return a cost as a function (state, context) -> amount."""
    if not callable(cost):
        amount = plain(cost)
        return lambda s, context: amount
    return cost if takes_context(cost) else lambda s, context: cost(s)
