"""Checks of attributes, choices, the initial state and constant deltas."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from axiom_gym.config.definitions import ENGINE_KEYS, Attribute, Choice, GameConfig, Set, plain
from axiom_gym.config.problems import (
    Problem,
    Problems,
    check_call,
    check_kind,
    check_mapping,
    check_name,
    did_you_mean,
    is_number,
    items,
    must_be,
    shown,
)

_NUMBER = "a finite number"
_ENGINE = f"is one of the engine's own fields, {', '.join(ENGINE_KEYS)}; "


def check_fields(config: GameConfig) -> Problems:
    """Check attributes, choices and the initial state."""
    yield from check_mapping("attributes", config.attributes, "names to Attribute")
    for name, attribute in items(config.attributes):
        path = f"attributes[{name!r}]"
        yield from _check_field_name(path, name)
        yield from check_kind(path, attribute, Attribute)
        if isinstance(attribute, Attribute):
            yield from _check_attribute(path, attribute)
    yield from check_mapping("choices", config.choices, "names to Choice")
    for name, choice in items(config.choices):
        path = f"choices[{name!r}]"
        yield from _check_field_name(path, name)
        if name in dict(items(config.attributes)):
            yield Problem(path, "is also an attribute; a field is either of them, not both.")
        yield from check_kind(path, choice, Choice)
        if isinstance(choice, Choice):
            yield from _check_choice(path, choice)
    yield from _check_initial_state(config)


def _check_field_name(path: str, name: object) -> Problems:
    yield from check_name(path, name)
    if name in ENGINE_KEYS:
        yield Problem(path, f"{_ENGINE}use another name.")


def _check_attribute(path: str, attribute: Attribute) -> Problems:
    values = {key: getattr(attribute, key) for key in ("min", "max", "default")}
    wrong = {key: value for key, value in values.items() if not is_number(value)}
    for key, value in wrong.items():
        yield must_be(f"{path}.{key}", _NUMBER, value)
    low, high, default = values.values()
    if wrong:
        return
    if low > high:
        yield Problem(path, f"min must not be above max, got min={low!r} and max={high!r}.")
    elif not low <= default <= high:
        allowed = f"from min={low!r} to max={high!r}"
        remedy = "" if default else "The default is 0 unless given."
        yield must_be(f"{path}.default", allowed, default, remedy)


def _check_choice(path: str, choice: Choice) -> Problems:
    options = choice.options
    if not options:
        yield Problem(f"{path}.options", "must have at least one option, got none.")
        return
    for i, option in enumerate(options):
        if option is not None and not isinstance(option, str):
            yield must_be(f"{path}.options[{i}]", "a string or None", option)
        elif option in options[:i]:
            yield Problem(f"{path}.options[{i}]", f"must be unique, got {option!r} again.")
    if choice.default not in options:
        yield must_be(f"{path}.default", f"one of the options {options!r}", choice.default)


def _check_initial_state(config: GameConfig) -> Problems:
    found = list(check_call("initial_state", config.initial_state, "()", 0))
    if found:
        yield from found
        return
    try:
        first, second = config.initial_state(), config.initial_state()
    except Exception as error:
        yield Problem("initial_state", f"must not raise, got {type(error).__name__}: {error}")
        return
    if not isinstance(first, Mapping):
        yield must_be("initial_state", "a callable that returns a mapping", first)
        return
    if not _are_equal(first, second):
        message = f"must always return the same, got {shown(first)} and then {shown(second)}."
        yield Problem("initial_state", f"{message} Use events for random values.")
    for name, value in first.items():
        path = f"initial_state()[{name!r}]"
        if name in ENGINE_KEYS:
            yield Problem(path, f"{_ENGINE}leave it out.")
        elif value is not None or name in dict(items(config.choices)):
            yield from check_value(path, name, value, config, is_delta=False)


def _are_equal(a: object, b: object) -> bool:
    try:
        return bool(a == b)
    except Exception:  # arrays, for example, have no single truth value
        return True


def check_delta(path: str, delta: Mapping[Any, Any], config: GameConfig) -> Problems:
    """Check a constant delta."""
    for name, value in delta.items():
        if name in ENGINE_KEYS:
            yield Problem(f"{path}[{name!r}]", f"{_ENGINE}leave it out.")
        else:
            given = value.value if isinstance(value, Set) else value
            yield from check_value(f"{path}[{name!r}]", name, given, config, is_delta=True)


def check_value(
    path: str, name: object, value: object, config: GameConfig, is_delta: bool
) -> Problems:
    """Check a field's value in the initial state or in a delta.

    In a delta (`is_delta`), an attribute also takes a bool, which counts as 1 or 0.
    """
    yield from check_name(path, name)
    value = plain(value)
    choice = dict(items(config.choices)).get(name)
    if name in dict(items(config.attributes)):
        if not is_number(value) and not (is_delta and isinstance(value, bool)):
            yield must_be(path, _NUMBER, value)
    elif isinstance(choice, Choice):
        if not any(value == option and type(value) is type(option) for option in choice.options):
            options = [one for one in choice.options if isinstance(one, str)]
            remedy = did_you_mean(value, options).strip()
            yield must_be(path, f"one of the options {choice.options!r}", value, remedy)
    elif isinstance(value, float) and not is_number(value):
        yield must_be(path, _NUMBER, value)
