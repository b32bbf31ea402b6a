"""All callables of a config and its task, with their places."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from axiom_gym.config.definitions import Action, Event, GameConfig, PassiveModifier
from axiom_gym.config.problems import listed
from axiom_gym.config.task import Task


class Placed(NamedTuple):
    """A callable of a config."""

    path: str
    """The place, such as `events[3].conditions[0]`."""
    function: Callable[..., Any]
    returns_delta: bool = False
    states: int = 1
    """The number of its first parameters that are states."""


def callables(config: GameConfig, task: Task | None = None) -> Iterator[Placed]:
    """Yield all callables; definitions of wrong types are skipped."""
    yield from (one for one in _all(config, task) if callable(one.function))


def _all(config: GameConfig, task: Task | None) -> Iterator[Placed]:
    for path, modifier in listed("passive_modifiers", config.passive_modifiers):
        if isinstance(modifier, PassiveModifier):
            yield Placed(f"{path}.condition", modifier.condition)  # type: ignore[arg-type]
            yield Placed(f"{path}.delta", modifier.delta, returns_delta=True)  # type: ignore[arg-type]
    for path, rule in (*listed("actions", config.actions), *listed("events", config.events)):
        if isinstance(rule, (Action, Event)):
            yield from _of_rule(path, rule)
    for name in ("restrictions", "probability_modifiers"):
        for path, function in listed(name, getattr(config, name)):
            yield Placed(path, function)
    if isinstance(config.custom_phases, Mapping):
        for name, function in config.custom_phases.items():
            yield Placed(f"custom_phases[{name!r}]", function)
    for name in ("end", "win", "score"):
        yield Placed(name, getattr(config, name))
    if task is not None:
        yield Placed("task.reward", task.reward, states=2)
        yield Placed("task.terminated", task.terminated)  # type: ignore[arg-type]
        yield Placed("task.score", task.score)  # type: ignore[arg-type]


def _of_rule(path: str, rule: Action | Event) -> Iterator[Placed]:
    costs = rule.costs if isinstance(rule, Action) else None
    for key, cost in costs.items() if isinstance(costs, Mapping) else ():
        yield Placed(f"{path}.costs[{key!r}]", cost)  # type: ignore[arg-type]
    yield Placed(f"{path}.text", rule.text)  # type: ignore[arg-type]
    for name in ("restrictions", "conditions", "effects"):
        for place, function in listed(f"{path}.{name}", getattr(rule, name)):
            yield Placed(place, function, returns_delta=name == "effects")
