"""A survey of a config, which traces every callable alone and reports all errors at once.

In contrast, building the kernel stops at the first error. But only building finds errors that
involve several callables, such as a number that grows too large.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from axiom_gym.config.compiler.scheme import Scheme, first_scheme, make_fields
from axiom_gym.config.compiler.tracer import Tracer
from axiom_gym.config.definitions import ENGINE_KEYS, Action, Event, GameConfig
from axiom_gym.config.ending import end_conditions
from axiom_gym.config.task import Task
from axiom_gym.errors import TraceError


@dataclass(frozen=True, slots=True)
class Finding:
    """The result for one callable; `error` is empty if it can be traced."""

    place: str
    error: str = ""


def survey(config: GameConfig, task: Task) -> list[Finding]:
    """Return a finding for each callable; one for each context if an action has contexts.

    Raises:
        ConfigError: if the config has mistakes; lists all of them.
    """
    scheme = first_scheme(config)
    scheme.assigned |= _assigned(config, task, scheme)
    tracer = Tracer(config, scheme, make_fields(config, task, scheme))
    findings = []
    for place, attempt in _attempts(config, task, tracer):
        try:
            attempt()
            findings.append(Finding(place))
        except TraceError as error:
            findings.append(Finding(place, str(error).removeprefix(f"{place}: ")))
    return findings


def _assigned(config: GameConfig, task: Task, scheme: Scheme) -> set[str]:
    """Return the keys that effects write, as far as the effects can be traced."""
    tracer = Tracer(config, scheme, make_fields(config, task, scheme))
    keys: set[str] = set()
    effects = [effect for action in config.actions for effect in action.effects]
    effects += [effect for event in config.events for effect in event.effects]
    for effect in effects:
        try:
            for delta in tracer.call_on("", effect, tracer.view(), None).results:
                keys |= set(delta)
        except (TraceError, TypeError):
            continue
    return keys - set(ENGINE_KEYS)


def _attempts(
    config: GameConfig, task: Task, tracer: Tracer
) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield every callable's place, with a function that traces it."""

    def on_state(place: str, function: Any, context: Any = None) -> tuple[str, Any]:
        return place, lambda: tracer.call_on(f"{place}:", function, tracer.view(), context)

    for i, modifier in enumerate(config.passive_modifiers):
        owner = f"passive modifier {modifier.id!r}, passive_modifiers[{i}]"
        if modifier.condition is not None:
            yield on_state(f"{owner}.condition", modifier.condition)
        if callable(modifier.delta):
            yield on_state(f"{owner}.delta", modifier.delta)
    for i, function in enumerate(config.restrictions):
        yield on_state(f"restrictions[{i}]", function)
    for i, action in enumerate(config.actions):
        for context in action.contexts or (None,):
            given = "" if context is None else f" with {dict(context)}"
            for where, function in _callables(action):
                owner = f"action {action.id!r}, actions[{i}].{where}"
                yield on_state(f"{owner}{given}", function, context)
    for i, event in enumerate(config.events):
        for where, function in _callables(event):
            yield on_state(f"event {event.id!r}, events[{i}].{where}", function)
        if event.trigger != "milestone":
            yield from _modifiers(config, event, tracer)
    for name, phase in config.custom_phases.items():
        place = f"phase {name!r}, custom_phases[{name!r}]"
        yield place, partial(_try_phase, place, phase, config, tracer)
    yield (
        "task.reward",
        lambda: tracer.call("task.reward:", task.reward, tracer.view(), tracer.view()),
    )
    for name, condition in end_conditions(config):
        yield on_state(name, condition)
    if config.score is not None:
        yield on_state("score", config.score)
    for name in ("terminated", "score"):
        if getattr(task, name) is not None:
            yield on_state(f"task.{name}", getattr(task, name))


def _callables(owner: Action | Event) -> Iterator[tuple[str, Any]]:
    for key, cost in owner.costs.items() if isinstance(owner, Action) else ():
        if callable(cost):
            yield f"costs[{key!r}]", cost
    for name in ("restrictions", "conditions", "effects"):
        for i, function in enumerate(getattr(owner, name)):
            if callable(function):
                yield f"{name}[{i}]", function


def _modifiers(
    config: GameConfig, event: Event, tracer: Tracer
) -> Iterator[tuple[str, Callable[[], Any]]]:
    for i, modifier in enumerate(config.probability_modifiers):
        place = f"event {event.id!r}, probability_modifiers[{i}]"
        chance = tracer.probability()
        yield place, partial(tracer.call, f"{place}:", modifier, tracer.view(), chance, event)


def _try_phase(place: str, phase: Any, config: GameConfig, tracer: Tracer) -> None:
    view = tracer.view()
    tracer.call(f"{place}:", phase, view, config, view.mapping["tick"])
