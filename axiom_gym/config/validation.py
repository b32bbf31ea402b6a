"""Finds all mistakes of a config at once, each with its place.

It looks at what stands in the config and calls nothing but `initial_state`: what the other
callables do shows when they are run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from axiom_gym.config.definitions import (
    BUILT_IN_PHASES,
    Action,
    Event,
    GameConfig,
    PassiveModifier,
)
from axiom_gym.config.field_checks import check_delta, check_fields
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
    must_be,
)
from axiom_gym.errors import ConfigError

__all__ = ["Problem", "check", "validate"]

_TRIGGERS = ("random", "milestone")


def check(config: GameConfig) -> None:
    """Makes sure that a config has no mistakes.

    Raises:
        ConfigError: with all mistakes, one in a line; `problems` of the error has them as a list.
    """
    problems = validate(config)
    if problems:
        count = "a problem" if len(problems) == 1 else f"{len(problems)} problems"
        name = getattr(config, "name", "?")
        lines = "\n".join(f"  {problem}" for problem in problems)
        error = ConfigError(f"config {name!r} has {count}:\n{lines}")
        error.problems = problems  # type: ignore[attr-defined]
        raise error


def validate(config: GameConfig) -> list[Problem]:
    """All mistakes of a config; none if it can be played."""
    return list(_check_config(config))


def _check_config(config: GameConfig) -> Problems:
    if not isinstance(config, GameConfig):
        yield must_be("config", "of the type GameConfig", config)
        return
    yield from check_name("name", config.name)
    if not isinstance(config.undo_depth, int) or isinstance(config.undo_depth, bool):
        yield must_be("undo_depth", "an integer, 0 for no undo", config.undo_depth)
    yield from check_fields(config)
    for path, kind, check_one in (
        ("passive_modifiers", PassiveModifier, _check_passive),
        ("actions", Action, _check_action),
        ("events", Event, _check_event),
    ):
        yield from _check_definitions(path, kind, check_one, config)
    yield from _check_ids(config)
    yield from _check_calls("restrictions", config.restrictions)
    yield from check_list("probability_modifiers", config.probability_modifiers, "callables")
    for path, modifier in _listed("probability_modifiers", config.probability_modifiers):
        yield from check_call(path, modifier, "(state, probability, event)", 3)
    yield from _check_phases(config)


def _listed(path: str, values: object) -> Iterator[tuple[str, Any]]:
    """Paths and entries; none if it is no list, which is told elsewhere."""
    if isinstance(values, (list, tuple)):
        for i, value in enumerate(values):
            yield f"{path}[{i}]", value


def _check_definitions(
    path: str, kind: type, check_one: Callable[[str, Any, GameConfig], Problems], config: GameConfig
) -> Problems:
    values = getattr(config, path)
    yield from check_list(path, values, kind.__name__)
    for place, one in _listed(path, values):
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
    contexts = f"{path}.contexts"
    yield from check_list(contexts, action.contexts, "mappings")
    for place, context in _listed(contexts, action.contexts):
        yield from check_mapping(place, context, "names to values")


def _check_event(path: str, event: Event, config: GameConfig) -> Problems:
    yield from _check_rule(path, event, config)
    if event.trigger not in _TRIGGERS:
        hint = did_you_mean(event.trigger, _TRIGGERS).strip()
        yield must_be(f"{path}.trigger", "'random' or 'milestone'", event.trigger, hint)
    if not is_number(event.base_probability):
        yield must_be(f"{path}.base_probability", "a finite number", event.base_probability)
    cooldown = event.cooldown
    if cooldown is not None and (not is_number(cooldown) or cooldown < 0):
        yield must_be(f"{path}.cooldown", "a number of ticks from 0 on, or None", cooldown)


def _check_rule(path: str, rule: Action | Event, config: GameConfig) -> Problems:
    """What actions and events have in common."""
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
    for place, effect in _listed(f"{path}.effects", rule.effects):
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
    for place, function in _listed(path, values):
        yield from check_state_call(place, function)


def _check_ids(config: GameConfig) -> Problems:
    """Ids stand once. Only events may have the same id on purpose, which is to share a cooldown."""
    for path in ("passive_modifiers", "actions"):
        for place, first, _, _ in _repeated(path, getattr(config, path)):
            yield Problem(f"{place}.id", f"must be its own, got the id of {first}.")
    for place, first, one, other in _repeated("events", config.events):
        if one.cooldown is None or other.cooldown is None:
            remedy = "Give both a cooldown if they shall share it, else another id."
            yield Problem(f"{place}.id", f"must be its own, got the id of {first}. {remedy}")


def _repeated(path: str, values: object) -> Iterator[tuple[str, str, Any, Any]]:
    """(path, path of the first, definition, first definition) for each id that was there before."""
    seen: dict[str, tuple[str, Any]] = {}
    for place, one in _listed(path, values):
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
            remedy = (
                f"{did_you_mean(name, known)} Phases of your own go into custom_phases.".strip()
            )
            yield must_be(f"tick_order[{i}]", f"one of {', '.join(known)}", name, remedy)
    for name, phase in own.items():
        path = f"custom_phases[{name!r}]"
        yield from check_name(path, name)
        yield from check_call(path, phase, "(state, config, tick)", 3)
        if name in BUILT_IN_PHASES:
            yield Problem(path, "has the name of a built-in phase, which wins; take another name.")
        elif name not in order:
            yield Problem(path, "is never run; put its name into tick_order, or leave it out.")
