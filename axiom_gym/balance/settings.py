"""Settings: the combinations of the values of swept options, `KEY=VALUE,...`."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from axiom_gym.errors import ConfigError
from axiom_gym.game.facts import KernelGame
from axiom_gym.registry.games import make_config
from axiom_gym.registry.options import parse_options

MOST_SETTINGS = 36
"""The most settings of one report, whose page shows each of them."""

Sweep = dict[str, list[Any]]
"""The values of each option that is given, by its name."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One combination of the values of swept options.

    Attributes:
        swept: the values of the options that have several.
        options: all options that are given.
    """

    swept: dict[str, Any]
    options: dict[str, Any]

    @property
    def label(self) -> str:
        """The swept values, such as "limit=20, danger=3"; "" without a sweep."""
        return ", ".join(f"{name}={value}" for name, value in self.swept.items())


def parse_sweep(game: KernelGame, given: Sequence[str] | None) -> Sweep:
    """Return the values of options that are given as `KEY=VALUE` or `KEY=VALUE,VALUE,...`.

    Commas within brackets or double quotes separate nothing.

    Raises:
        UnknownNameError: for an option that the game does not have.
        ConfigError: for an option or a value that is given twice, or a value of another type.
    """
    sweep: Sweep = {}
    for entry in given or ():
        key, equals, text = entry.partition("=")
        parts = split_values(text)
        read = [parse_options(game, [f"{key}{equals}{part}"]) for part in parts]
        (name,) = read[0]
        if name in sweep:
            raise ConfigError(
                f"option {name!r} is given twice: list all its values, as in -o {name}=VALUE,VALUE."
            )
        sweep[name] = [one[name] for one in read]
        twice = [value for value in sweep[name] if sweep[name].count(value) > 1]
        if twice:
            raise ConfigError(f"option {name!r} needs different values, got {twice[0]!r} twice.")
    return sweep


def split_values(text: str) -> list[str]:
    """Return the values in a text that commas separate, without double quotes around them."""
    parts, depth, quoted = [""], 0, False
    for sign in text:
        quoted ^= sign == '"'
        depth += 0 if quoted else (sign in "[{(") - (sign in "]})")
        if sign == "," and depth <= 0 and not quoted:
            parts.append("")
        else:
            parts[-1] += sign
    return [_unquote(part.strip()) for part in parts]


def _unquote(text: str) -> str:
    is_quoted = len(text) > 1 and text[0] == text[-1] == '"'
    return text[1:-1] if is_quoted else text


def list_settings(game: KernelGame, sweep: Sweep, preset: str | None = None) -> list[Setting]:
    """Return every combination of the values; one setting without a sweep.

    Raises:
        ConfigError: for more than `MOST_SETTINGS`, or a value that is not allowed.
    """
    count = math.prod(map(len, sweep.values()))
    if count > MOST_SETTINGS:
        sizes = " times ".join(f"{len(values)} ({name})" for name, values in sweep.items())
        raise ConfigError(
            f"{count} settings are too many for one report: {sizes}; at most {MOST_SETTINGS} are "
            "allowed. Leave out values, or write several reports."
        )
    several = [name for name, values in sweep.items() if len(values) > 1]
    found = []
    for values in itertools.product(*sweep.values()):
        options = dict(zip(sweep, values, strict=True))
        make_config(game, preset, options)
        found.append(Setting({name: options[name] for name in several}, options))
    return found
