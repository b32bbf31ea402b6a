"""The words of `train --seeds` and `train --sweep`: seeds, and values of training options.

A sweep is a grid: every combination of the values of its options is a setting. A TOML file names
the same options with lists of values:

    learning_rate = [1e-4, 3e-4]
    network = [[64, 64], [128, 128]]
"""

from __future__ import annotations

import dataclasses
import itertools
import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from axiom_gym.errors import ConfigError, check_choice
from axiom_training.config import TrainConfig

Setting = dict[str, Any]

_FIXED = ("game", "options", "seed")
"""Options that a sweep cannot change."""

MOST_RUNS = 1000

SWEPT = [entry.name for entry in dataclasses.fields(TrainConfig) if entry.name not in _FIXED]


def parse_seeds(text: str) -> list[int]:
    """Return the seeds of a text such as "0-4" or "0,3,7".

    Raises:
        ConfigError: for another form, a seed that occurs twice, or too many seeds.
    """
    seeds: list[int] = []
    for part in text.split(","):
        ends = re.fullmatch(r"\s*(\d+)\s*(?:-\s*(\d+)\s*)?", part)
        if ends is None:
            raise ConfigError(
                f"seeds must be a range or a list, such as 0-4 or 0,3,7; got {text!r}."
            )
        first, last = int(ends[1]), int(ends[2] or ends[1])
        if not first <= last < first + MOST_RUNS:
            raise ConfigError(
                f"a range of seeds goes up and has at most {MOST_RUNS}, got {part.strip()!r}."
            )
        seeds += range(first, last + 1)
    twice = [seed for seed in seeds if seeds.count(seed) > 1]
    if twice:
        raise ConfigError(f"each seed may occur once, got {twice[0]} twice in {text!r}.")
    return seeds


def parse_sweep(words: Sequence[str]) -> list[Setting]:
    """Return the settings of `--sweep`, each word of which is `NAME=VALUE,...` or a TOML file.

    Raises:
        ConfigError: for a name that is no training option, a value that is not of its type, or a
            file that cannot be read. Ranges of values are checked by `TrainConfig`.
    """
    grid: dict[str, list[Any]] = {}
    for word in words:
        for name, values in _read_word(word).items():
            if name in grid:
                raise ConfigError(f"--sweep names {name!r} twice; list all values at once.")
            grid[name] = values
    return [dict(zip(grid, values, strict=True)) for values in itertools.product(*grid.values())]


def _read_word(word: str) -> dict[str, list[Any]]:
    if word.endswith(".toml"):
        return _read_file(Path(word))
    name, equals, text = word.partition("=")
    if not equals:
        raise ConfigError(
            "--sweep is NAME=VALUE,... or FILE.toml, such as learning_rate=1e-4,3e-4; "
            f"got {word!r}."
        )
    name = _check_name(name)
    return {name: _check_values(name, [_read_value(name, part) for part in text.split(",")])}


def _read_file(path: Path) -> dict[str, list[Any]]:
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"the sweep {str(path)!r} cannot be read: {error}.") from error
    grid = {}
    for given, values in found.items():
        name = _check_name(given)
        if not isinstance(values, list):
            raise ConfigError(
                f"{given} in {str(path)!r} must be a list of values, such as [1e-4, 3e-4], "
                f"got {values!r}."
            )
        grid[name] = _check_values(
            name, [tuple(one) if isinstance(one, list) else one for one in values]
        )
    if not grid:
        raise ConfigError(f"the sweep {str(path)!r} is empty: write NAME = [VALUE, ...] in it.")
    return grid


def _check_name(given: str) -> str:
    """Return the name of an option with underscores, as in `TrainConfig`."""
    return check_choice("training option", given.strip().replace("-", "_"), SWEPT)


def _check_values(name: str, values: list[Any]) -> list[Any]:
    twice = [value for value in values if values.count(value) > 1]
    if not values or twice:
        got = f"{show_value(twice[0])} twice" if twice else "none"
        raise ConfigError(f"--sweep {name} needs different values, got {got}.")
    return values


def _read_value(name: str, text: str) -> Any:
    """Return a value of the command line in the type of the option."""
    kind = {one.name: str(one.type) for one in dataclasses.fields(TrainConfig)}[name]
    try:
        match kind:
            case "int":
                return int(text)
            case "float":
                return float(text)
            case "tuple[int, ...]":
                return tuple(int(width) for width in text.split("x"))
            case "tuple[str, ...]":
                return tuple(part.strip() for part in text.split("+"))
    except ValueError:
        form = {"int": "an integer", "float": "a number"}.get(kind, "widths such as 64x64")
        raise ConfigError(f"--sweep {name} must be {form}, got {text!r}.") from None
    return text.strip()


def name_setting(setting: Setting) -> str:
    """Return the name of a setting, such as "learning_rate=0.0001", as part of a path.

    Other signs than letters, digits and some others become "-".
    """
    words = (f"{name}={show_value(value)}" for name, value in setting.items())
    return re.sub(r"[^\w.,=+-]+", "-", ",".join(words))


def show_value(value: Any) -> str:
    """Return a value as `--sweep` takes it."""
    if isinstance(value, tuple):
        return ("x" if all(isinstance(one, int) for one in value) else "+").join(map(str, value))
    return str(value)
