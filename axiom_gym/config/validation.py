"""Validation of configs, which reports all mistakes at once, each with its place.

`initial_state` is the only callable that validation calls. It reads the source of the others, if
there is one. Mistakes that this does not show appear when they run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from axiom_gym.config.definitions import (
    BUILT_IN_PHASES,
    WAIT,
    Action,
    Event,
    GameConfig,
    PassiveModifier,
)
from axiom_gym.config.derived_checks import (
    check_cooldown,
    check_limits,
    check_order,
    check_shared,
)
from axiom_gym.config.ending import check_ending
from axiom_gym.config.field_checks import check_delta, check_fields
from axiom_gym.config.parameter_checks import check_parameters
from axiom_gym.config.problems import (
    Problem,
    Problems,
    check_call,
    check_kind,
    check_list,
    check_mapping,
    check_name,
    check_state_call,
    did_you_mean,
    is_number,
    listed,
    must_be,
    report,
)
from axiom_gym.config.source_checks import check_sources
from axiom_gym.config.task import Task, check_end

__all__ = ["Problem", "check", "validate"]

_TRIGGERS = ("random", "milestone")


def check(config: GameConfig, task: Task | None = None) -> None:
    """Check that a config, and its task if given, have no mistakes.

    Raises:
        ConfigError: if they have mistakes. The message has a line for each, and the error's
            attribute `problems` is the list of `Problem`s.
    """
    report(config, validate(config, task))


def validate(config: GameConfig, task: Task | None = None) -> list[Problem]:
    """Return all mistakes of a config, and of its task if given; an empty list if it is valid."""
    problems = list(_check_config(config))
    if isinstance(config, GameConfig):
        problems += check_sources(config, task)
    return problems if task is None else [*problems, *check_end(task, config)]


def _check_config(config: GameConfig) -> Problems:
    if not isinstance(config, GameConfig):
        yield must_be("config", "of the type GameConfig", config)
        return
    yield from check_name("name", config.name)
    if not isinstance(config.undo_depth, int) or isinstance(config.undo_depth, bool):
        yield must_be("undo_depth", "an integer, 0 for no undo", config.undo_depth)
    yield from check_fields(config)
    yield from check_parameters(config)
    for path, kind, check_one in (
        ("passive_modifiers", PassiveModifier, _check_passive),
        ("actions", Action, _check_action),
        ("events", Event, _check_event),
    ):
        yield from _check_definitions(path, kind, check_one, config)
    yield from _check_ids(config)
    yield from check_shared(config)
    yield from _check_calls("restrictions", config.restrictions)
    yield from check_list("probability_modifiers", config.probability_modifiers, "callables")
    for path, modifier in listed("probability_modifiers", config.probability_modifiers):
        yield from check_call(path, modifier, "(state, probability, event)", 3)
    yield from _check_phases(config)
    yield from check_ending(config)


def _check_definitions(
    path: str, kind: type, check_one: Callable[[str, Any, GameConfig], Problems], config: GameConfig
) -> Problems:
    values = getattr(config, path)
    yield from check_list(path, values, kind.__name__)
    for place, one in listed(path, values):
        yield from check_kind(place, one, kind)
        if isinstance(one, kind):
            yield from check_one(place, one, config)


def _check_passive(path: str, passive: PassiveModifier, config: GameConfig) -> Problems:
    yield from check_name(f"{path}.id", passive.id)
    yield from _check_effect(f"{path}.delta", passive.delta, config)
    if passive.condition is not None:
        yield from check_state_call(f"{path}.condition", passive.condition)


def _check_action(path: str, action: Action, config: GameConfig) -> Problems:
    yield from _check_rule(path, action, config)
    if isinstance(action.id, str) and action.id.lower() == WAIT:
        yield must_be(f"{path}.id", "another name", action.id, "`wait` starts the next tick.")
    contexts = f"{path}.contexts"
    yield from check_list(contexts, action.contexts, "mappings")
    seen: dict[str, str] = {}
    for place, context in listed(contexts, action.contexts):
        yield from check_mapping(place, context, "names to values")
        if isinstance(context, Mapping):
            first = seen.setdefault(repr(sorted(context.items(), key=repr)), place)
            if first != place:
                yield Problem(place, f"must be unique, got the context of {first}.")
    yield from check_cooldown(path, action)
    yield from check_limits(path, action, config)


def _check_event(path: str, event: Event, config: GameConfig) -> Problems:
    yield from _check_rule(path, event, config)
    if event.trigger not in _TRIGGERS:
        hint = did_you_mean(event.trigger, _TRIGGERS).strip()
        yield must_be(f"{path}.trigger", "'random' or 'milestone'", event.trigger, hint)
    probability = event.base_probability
    if not is_number(probability) or not 0 <= probability <= 1:
        remedy = "A probability modifier may go beyond." if is_number(probability) else ""
        yield must_be(f"{path}.base_probability", "a number from 0 to 1", probability, remedy)
    yield from check_cooldown(path, event)
    yield from check_order(path, event, config)


def _check_rule(path: str, rule: Action | Event, config: GameConfig) -> Problems:
    """Check the fields that actions and events share."""
    yield from check_name(f"{path}.id", rule.id)
    if not isinstance(rule.label, str):
        yield must_be(f"{path}.label", "a string", rule.label)
    if not isinstance(rule.text, str):
        form = "a string, or a callable of"
        if not callable(rule.text):
            yield must_be(f"{path}.text", f"{form} (state)", rule.text)
        else:
            yield from check_state_call(f"{path}.text", rule.text)
    yield from check_list(f"{path}.effects", rule.effects, "deltas and callables")
    for place, effect in listed(f"{path}.effects", rule.effects):
        yield from _check_effect(place, effect, config)
    yield from _check_calls(f"{path}.conditions", rule.conditions)
    yield from _check_calls(f"{path}.restrictions", rule.restrictions)
    yield from check_mapping(f"{path}.meta", rule.meta, "names to values")


def _check_effect(path: str, effect: object, config: GameConfig) -> Problems:
    if isinstance(effect, Mapping):
        yield from check_delta(path, effect, config)
    elif not callable(effect):
        yield must_be(path, "a delta such as {'health': -10}, or a callable of (state)", effect)
    else:
        yield from check_state_call(path, effect)


def _check_calls(path: str, values: object) -> Problems:
    yield from check_list(path, values, "callables")
    for place, function in listed(path, values):
        yield from check_state_call(place, function)


def _check_ids(config: GameConfig) -> Problems:
    """Check that ids are unique, except for events that share a cooldown."""
    for path in ("passive_modifiers", "actions"):
        for place, first, _, _ in _repeated(path, getattr(config, path)):
            yield Problem(f"{place}.id", f"must be unique, got the id of {first}.")
    for place, first, one, other in _repeated("events", config.events):
        if one.cooldown is None or other.cooldown is None:
            remedy = "Give both a cooldown to share it, or use another id."
            yield Problem(f"{place}.id", f"must be unique, got the id of {first}. {remedy}")


def _repeated(path: str, values: object) -> Iterator[tuple[str, str, Any, Any]]:
    """Yield (path, path of the first, definition, first definition) for each repeated id."""
    seen: dict[str, tuple[str, Any]] = {}
    for place, one in listed(path, values):
        name = getattr(one, "id", None)
        if not isinstance(name, str):
            continue
        if name in seen:
            yield place, seen[name][0], one, seen[name][1]
        else:
            seen[name] = place, one


def _check_phases(config: GameConfig) -> Problems:
    phases = config.custom_phases
    yield from check_mapping("custom_phases", phases, "names to callables")
    own: Mapping[str, Any] = phases if isinstance(phases, Mapping) else {}
    order: Sequence[str] = config.tick_order if isinstance(config.tick_order, tuple) else ()
    yield from check_list("tick_order", config.tick_order, "names of phases")
    known = [*BUILT_IN_PHASES, *map(str, own)]
    for i, name in enumerate(order):
        if name not in known:
            remedy = f"{did_you_mean(name, known)} Define your own phases in custom_phases.".strip()
            yield must_be(f"tick_order[{i}]", f"one of {', '.join(known)}", name, remedy)
    for name, phase in own.items():
        path = f"custom_phases[{name!r}]"
        yield from check_name(path, name)
        yield from check_call(path, phase, "(state, config, tick)", 3)
        if name in BUILT_IN_PHASES:
            yield Problem(
                path, "has the name of a built-in phase, which takes precedence; rename it."
            )
        elif name not in order:
            yield Problem(path, "never runs; add its name to tick_order, or leave it out.")
