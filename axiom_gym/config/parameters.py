"""Parameters: numbers that the author of a config names, and whoever plays the game sets.

Callables read them as `s.params["tax"]`. They are options of the game, so presets, `-o tax=0.2` and
`make_vec(..., tax=0.2)` set them.

In a compiled game, the values are fields of the record, and not constants of the source or values
of the kernel's `params`: a batch has one `params`, but its games may have different values. Also,
copies, saved states and searches hold nothing but records. A batch writes the values when it is
made (`KernelGame.game_options`). No value is in the source, so a sweep compiles once, and a config
without parameters has the source and the speed that it would have without this module.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from axiom_gym.config.definitions import GameConfig, Parameter, State, plain
from axiom_gym.config.problems import did_you_mean, is_number, shown
from axiom_gym.errors import ConfigError, UnknownNameError

Number = bool | int | float
Items = tuple[tuple[str, Parameter], ...]


def kind_of(parameter: Parameter) -> type[Number]:
    """Return bool, int or float: the type of all values of a parameter.

    It is float if the default or a bound is a float.
    """
    default, *bounds = map(plain, (parameter.default, parameter.low, parameter.high))
    if isinstance(default, bool):
        return bool
    return float if any(isinstance(number, float) for number in (default, *bounds)) else int


def default_of(parameter: Parameter) -> Number:
    """Return the default in the type of the parameter's values."""
    return kind_of(parameter)(parameter.default)


def describe_range(parameter: Parameter) -> str:
    """Return the allowed values in words, such as "a number from 0.0 to 1.0"."""
    kind = kind_of(parameter)
    if kind is bool:
        return "True or False"
    noun = "an integer" if kind is int else "a number"
    return f"{noun} from {kind(parameter.low or 0)} to {kind(parameter.high or 0)}"


def record_field(name: str) -> str:
    """Return the name of the field with a parameter's value in the record of a compiled game."""
    return f"parameter_{name}"


def read_value(name: str, parameter: Parameter, value: Any) -> Number:
    """Return a value in the type of the parameter's values.

    Raises:
        ConfigError: if it has another type, or is out of range.
    """
    number, kind = plain(value), kind_of(parameter)
    if kind is bool:
        if isinstance(number, bool):
            return number
    elif is_number(number) and not (kind is int and isinstance(number, float)):
        assert parameter.low is not None
        assert parameter.high is not None
        if parameter.low <= number <= parameter.high:
            return kind(number) + 0  # turns -0.0 into 0.0
    allowed = describe_range(parameter)
    raise ConfigError(f"parameter {name!r} must be {allowed}, got {shown(value)}.")


def read_values(config: GameConfig, given: Mapping[str, Any] | None) -> Mapping[str, Number]:
    """Return the value of each parameter: the default, unless another value is given.

    Raises:
        UnknownNameError: for a name that is no parameter of the config.
        ConfigError: for a value of another type, or out of range.
    """
    for name in given or ():
        if name not in config.parameters:
            raise UnknownNameError(f"parameter of {config.name}", name, config.parameters)
    chosen = {name: default_of(one) for name, one in config.parameters.items()} | dict(given or {})
    return MappingProxyType(
        Values({k: read_value(k, config.parameters[k], v) for k, v in chosen.items()})
    )


class Values(dict[str, Any]):
    """Values by name, as `s.params`; the KeyError of an unknown name suggests the closest one."""

    def __missing__(self, name: object) -> Any:
        known = ", ".join(map(repr, self)) or "none"
        raise KeyError(f"no parameter {name!r}.{did_you_mean(name, self)} There are: {known}")


class StateView(Mapping[str, Any]):
    """A read-only view of a state, with the parameters as `params`."""

    __slots__ = ("_state", "params")

    def __init__(self, state: Mapping[str, Any], params: Mapping[str, Any]) -> None:
        self._state, self.params = state, params

    def __getitem__(self, key: str) -> Any:
        return self._state[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._state)

    def __len__(self) -> int:
        return len(self._state)

    def __or__(self, other: Mapping[str, Any]) -> dict[str, Any]:
        return {**self._state, **other}

    def __ror__(self, other: Mapping[str, Any]) -> dict[str, Any]:
        return {**other, **self._state}

    def copy(self) -> dict[str, Any]:
        return dict(self._state)

    def __deepcopy__(self, memo: dict[int, Any]) -> dict[str, Any]:
        return copy.deepcopy(dict(self._state), memo)

    def __repr__(self) -> str:
        return f"StateView({dict(self._state)!r}, {dict(self.params)!r})"


def make_view(state: dict[str, Any], params: Mapping[str, Any]) -> State:
    """Return a read-only view of a state, as callables get it.

    Without parameters, it is Python's own view, which is faster.
    """
    return StateView(state, params) if params else MappingProxyType(state)


# -- as options of a game --------------------------------------------------------------------------

_classes: dict[str, type[Any]] = {}


def options_class(parameters: Mapping[str, Parameter]) -> type[Any]:
    """Return a frozen dataclass with a field for each parameter; the same one for the same ones.

    A field holds one value for all games of a batch, or a tuple with one for each.
    """
    items = tuple(parameters.items())
    key = repr(items)  # equal parameters may differ in type: 1, 1.0 and True
    if key not in _classes:
        _classes[key] = _make_class(items)
    return _classes[key]


def _make_class(items: Items) -> type[Any]:
    def read_all(options: Any) -> None:
        for name, parameter in items:
            value = _read_option(name, parameter, getattr(options, name))
            object.__setattr__(options, name, value)

    def reduce(options: Any) -> tuple[Any, ...]:
        return _restore, (items, {name: getattr(options, name) for name, _ in items})

    made = [
        (name, kind_of(one), dataclasses.field(default=default_of(one), metadata=_document(one)))
        for name, one in items
    ]
    namespace = {"__post_init__": read_all, "__reduce__": reduce}
    return dataclasses.make_dataclass("Parameters", made, namespace=namespace, frozen=True)


def _document(parameter: Parameter) -> dict[str, str]:
    return {"doc": describe_range(parameter)}


def _restore(items: Items, values: dict[str, Any]) -> Any:
    return options_class(dict(items))(**values)


def _read_option(name: str, parameter: Parameter, value: Any) -> Number | tuple[Number, ...]:
    if isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim):
        return tuple(read_value(name, parameter, one) for one in value)
    return read_value(name, parameter, value)
