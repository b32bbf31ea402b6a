"""Definitions: their keywords, numbers of NumPy, and values that only the original engine takes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from axiom_gym.config import Action, Attribute, Choice, Event, GameConfig, PhaseResult
from axiom_gym.config.engine import create_engine
from axiom_gym.config.validation import Problem, validate
from axiom_gym.errors import ConfigError, UnknownOptionError


def test_validate__takes_numbers_of_numpy() -> None:
    half, three = np.float64(0.5), np.int64(3)
    assert not validate(
        GameConfig(
            initial_state=lambda: {"x": np.int32(2), "y": np.float32(0.25), "n": three},
            attributes={"x": Attribute(half, np.int64(9), default=three), "y": Attribute(0, 1)},
            actions=[Action("a", effects=[{"x": three, "y": np.True_}])],
            events=[Event("e", base_probability=np.float32(0.5), cooldown=three)],
        )
    )
    assert [
        problem.path
        for problem in validate(GameConfig(dict, attributes={"x": Attribute(0, np.nan)}))
    ]
    attribute, event = Attribute(half, three), Event("e", base_probability=half, cooldown=three)
    values = (attribute.min, attribute.max, event.base_probability, event.cooldown)
    assert [type(value) for value in values] == [float, int, float, int]


@pytest.mark.parametrize(
    ("definition", "keywords", "message"),
    [
        (Event, {"baseProbability": 1}, "Event has no keyword 'baseProbability'. Did you mean 'b"),
        (Event, {"triggerType": ""}, "Event has no keyword 'triggerType'. Did you mean 'trigger'?"),
        (Event, {"contexts": []}, "Event has no keyword 'contexts'. It is a keyword of Action. "),
        (Choice, {"defaults": "b"}, "Choice has no keyword 'defaults'. Did you mean 'default'?"),
        (GameConfig, {"customPhases": {}}, "GameConfig has no keyword 'customPhases'. Did you mea"),
        (Attribute, {"zzz": 1}, "Attribute has no keyword 'zzz'. Valid: min, max, default."),
    ],
)
def test_definitions__explain_unknown_keywords(
    definition: Any, keywords: dict[str, Any], message: str
) -> None:
    with pytest.raises(UnknownOptionError) as caught:
        definition("e", **keywords)
    assert str(caught.value).startswith(message)
    assert isinstance(caught.value, TypeError)


def test_create_engine__does_not_validate_for_the_original() -> None:
    phases = {"own": lambda s, config, tick: PhaseResult(s)}
    wrong = GameConfig(dict, events=[Event("e", "sometimes", cooldown=-1)], custom_phases=phases)
    with pytest.raises(ConfigError):
        create_engine(wrong)
    assert create_engine(wrong, original=True).tick()["tick"] == 1


def test_validate__treats_incomparable_start_values_as_equal() -> None:
    class Odd:
        def __eq__(self, other: object) -> bool:
            raise ValueError

        __hash__ = None  # type: ignore[assignment]

    assert validate(GameConfig(lambda: {"odd": Odd()})) == []


def test_validate__refuses_other_types() -> None:
    assert validate({}) == [Problem("config", "must be of the type GameConfig, got {}.")]  # type: ignore[arg-type]
