"""Sweeps of options."""

from __future__ import annotations

from types import ModuleType

import pytest

from axiom_gym.balance.settings import list_settings, parse_sweep, split_values
from axiom_gym.errors import ConfigError, UnknownNameError


def test_settings__are_all_combinations(climb: ModuleType) -> None:
    sweep = parse_sweep(climb.GAME, ["limit=5,9", "danger=2", "tool=yes,no"])
    assert sweep == {"limit": [5, 9], "danger": [2], "tool": [True, False]}
    settings = list_settings(climb.GAME, sweep)
    assert [one.label for one in settings] == [
        "limit=5, tool=True",
        "limit=5, tool=False",
        "limit=9, tool=True",
        "limit=9, tool=False",
    ]
    assert settings[1].options == {"limit": 5, "danger": 2, "tool": False}
    (only,) = list_settings(climb.GAME, {})
    assert (only.label, only.options) == ("", {})


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1, 2", ["1", "2"]),
        ("[1,2],[3]", ["[1,2]", "[3]"]),
        ('"a,b",c', ["a,b", "c"]),
        ('{"a": [1, 2]}', ['{"a": [1, 2]}']),
        ("", [""]),
    ],
)
def test_split_values__keeps_brackets_and_quotes(text: str, values: list[str]) -> None:
    assert split_values(text) == values


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["limits=5,9"], "unknown option of climb 'limits'. Did you mean 'limit'?"),
        (["limit=5,x"], "option 'limit' must be an integer, got 'x'."),
        (["limit=5", "limit=9"], "option 'limit' is given twice: list all its values"),
        (["limit=5,5"], "option 'limit' needs different values, got 5 twice."),
        (["limit"], "an option is given as KEY=VALUE"),
        (["limit=5,0"], "limit must be an integer from 1 to 100, got 0."),
        (
            [f"limit={','.join(map(str, range(1, 38)))}"],
            "37 settings are too many for one report: 37 (limit); at most 36",
        ),
    ],
)
def test_settings__refuse_wrong_options(climb: ModuleType, given: list[str], message: str) -> None:
    with pytest.raises((ConfigError, UnknownNameError)) as caught:
        list_settings(climb.GAME, parse_sweep(climb.GAME, given))
    assert message in str(caught.value)
