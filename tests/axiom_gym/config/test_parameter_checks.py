"""Mistakes in parameters and presets."""

from __future__ import annotations

from typing import Any

import pytest

from axiom_gym.adapters.making import VecOptions
from axiom_gym.config import GameConfig, Parameter, Task, as_game, validate
from axiom_gym.config.parameter_checks import RESERVED
from axiom_gym.errors import ConfigError

ENDLESS = Task(reward=lambda before, after: 0.0, max_ticks=5)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"parameters": [1]}, "parameters: must be a mapping"),
        ({"parameters": {"tax": 0.5}}, "parameters['tax']: must be of the type Parameter"),
        ({"parameters": {"tax rate": Parameter(True)}}, "must be named by an identifier"),
        ({"parameters": {"class": Parameter(True)}}, "Python reserves"),
        ({"parameters": {"seat": Parameter(True)}}, "name of an option of environments"),
        ({"parameters": {"x": Parameter(1, 0)}}, "parameters['x'].high: must be a finite number"),
        ({"parameters": {"x": Parameter(True, 0, 1)}}, "a bool has no bounds"),
        ({"parameters": {"x": Parameter(1, 5, 2)}}, "low must not be above high"),
        ({"parameters": {"x": Parameter(9, 0, 2)}}, "default: must be from low=0 to high=2, got 9"),
        ({"parameters": {"x": Parameter("a", 0, 2)}}, "default: must be from low=0"),  # type: ignore[arg-type]
        ({"presets": {"a": {"taxes": 1}}}, "presets['a']['taxes']: is no parameter"),
        ({"presets": {"a": {"tax": 7}}}, "must be a number from 0.0 to 1.0, got 7"),
        ({"presets": {"a": 7}}, "presets['a']: must be a mapping"),
        ({"presets": 7}, "presets: must be a mapping"),
    ],
)
def test_mistakes__are_found_with_their_places(parts: dict[str, Any], message: str) -> None:
    given = {"parameters": {"tax": Parameter(0.1, 0.0, 1.0)}, **parts}
    config = GameConfig(lambda: {}, **given)
    (problem,) = validate(config)
    assert message in str(problem)
    with pytest.raises(ConfigError):
        as_game(config, ENDLESS)


def test_names__of_options_of_environments_are_reserved() -> None:
    assert set(VecOptions.__annotations__) <= RESERVED
