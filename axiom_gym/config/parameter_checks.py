"""Checks of a config's parameters and presets."""

from __future__ import annotations

import keyword
from collections.abc import Mapping
from typing import Any

from axiom_gym.config.definitions import GameConfig, Parameter
from axiom_gym.config.parameters import read_value
from axiom_gym.config.problems import (
    Problem,
    Problems,
    check_kind,
    check_mapping,
    did_you_mean,
    is_number,
    must_be,
)
from axiom_gym.errors import ConfigError

RESERVED = frozenset(
    [
        *("game", "preset", "options", "parameters", "players", "num_envs", "seed", "agents"),
        *("opponent", "seat", "actions", "on_illegal", "max_turns", "max_episode_steps"),
        *("mask_in", "mask_in_obs", "mask_dtype", "dropouts", "render_mode"),
        *("autoreset", "autoreset_mode", "num_threads", "copy"),
    ]
)
"""Names that environments and matches take as options of their own."""


def check_parameters(config: GameConfig) -> Problems:
    """Check the parameters, and the presets, which set them."""
    yield from check_mapping("parameters", config.parameters, "names to Parameter")
    known = dict(config.parameters) if isinstance(config.parameters, Mapping) else {}
    sound = {}
    for name, parameter in known.items():
        path = f"parameters[{name!r}]"
        found = [*_check_name(path, name), *check_kind(path, parameter, Parameter)]
        if isinstance(parameter, Parameter):
            found += _check_parameter(path, name, parameter)
        yield from found
        if not found:
            sound[name] = parameter
    if not isinstance(config.presets, Mapping):
        yield must_be("presets", "a mapping of names to values of parameters", config.presets)
        return
    for preset, values in config.presets.items():
        yield from _check_preset(f"presets[{preset!r}]", values, known, sound)


def _check_name(path: str, name: object) -> Problems:
    if not (isinstance(name, str) and name.isidentifier() and name.isascii()):
        yield must_be(path, "named by an identifier of ASCII letters, such as 'tax_rate'", name)
    elif keyword.iskeyword(name) or name.startswith("_"):
        yield Problem(path, "has a name that Python reserves; use another name.")
    elif name in RESERVED:
        yield Problem(path, "has the name of an option of environments; use another name.")


def _check_parameter(path: str, name: str, parameter: Parameter) -> Problems:
    low, high = parameter.low, parameter.high
    if isinstance(parameter.default, bool):
        if (low, high) != (None, None):
            yield Problem(path, "has a bool as its default, and a bool has no bounds; omit them.")
        return
    wrong = [(where, value) for where, value in (("low", low), ("high", high))
             if not is_number(value)]  # fmt: skip
    for where, value in wrong:
        yield must_be(f"{path}.{where}", "a finite number", value)
    if wrong:
        return
    assert low is not None
    assert high is not None
    if low > high:
        yield Problem(path, f"low must not be above high, got low={low!r} and high={high!r}.")
        return
    try:
        read_value(name, parameter, parameter.default)
    except ConfigError:
        yield must_be(f"{path}.default", f"from low={low!r} to high={high!r}", parameter.default)


def _check_preset(
    path: str, values: Any, known: Mapping[str, Any], sound: Mapping[str, Parameter]
) -> Problems:
    yield from check_mapping(path, values, "parameters to values")
    for name, value in values.items() if isinstance(values, Mapping) else ():
        if name not in known:
            listed = ", ".join(map(repr, known)) or "none"
            hint = did_you_mean(name, known)
            yield Problem(f"{path}[{name!r}]", f"is no parameter; there are {listed}.{hint}")
        elif name in sound:
            try:
                read_value(name, sound[name], value)
            except ConfigError as error:
                yield Problem(f"{path}[{name!r}]", str(error))
