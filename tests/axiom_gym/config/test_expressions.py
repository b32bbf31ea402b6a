"""The helpers on plain values; other tests compare them with the helpers on symbols."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from axiom_gym.config import abs_, all_, any_, clip, floor, max_, min_, not_, table, where


@pytest.mark.parametrize(
    ("actual", "expected"),
    [
        (where(True, 1, 2), 1),
        (where(0, 1, 2), 2),
        (where([], "a", None), None),
        (min_(3, 1, 2), 1),
        (max_(3, 1.5, 2), 3),
        (clip(5, 0, 3), 3),
        (clip(-5, 0, 3), 0),
        (clip(2, 0, 3), 2),
        (clip(2, 5, 3), 3),  # the bounds cross
        (floor(-2.5), -3),
        (floor(7), 7),
        (abs_(-2.5), 2.5),
        (not_(0), True),
        (not_([1]), False),
        (any_(), False),
        (any_(0, 3), True),
        (any_([False, 0]), False),
        (any_(x > 2 for x in (1, 2, 3)), True),
        (any_(True), True),
        (all_(), True),
        (all_(1, 0), False),
        (all_([1, True]), True),
        (all_(0), False),
        (table(1, ["a", "b"]), "b"),
        (table("x", {"x": 5, None: 6}), 5),
        (table(None, {"x": 5, None: 6}), 6),
        (table(9, ["a"], "z"), "z"),
        (table(True, [3, 4]), 4),
        (table(1.0, [3, 4]), 4),
        (table(-1, [3, 4], None), None),
    ],
)
def test_helper__on_plain_values(actual: Any, expected: Any) -> None:
    assert actual == expected
    assert type(actual) is type(expected)


def test_min_and_max__take_the_first_of_equal_values() -> None:
    assert type(min_(1, 1.0)) is int
    assert type(min_(1.0, 1)) is float
    assert type(max_(True, 1)) is bool


def test_min_and_max__keep_a_nan_that_comes_first() -> None:
    assert math.isnan(min_(math.nan, 1))
    assert min_(1, math.nan) == 1


@pytest.mark.parametrize("helper", [min_, max_])
def test_min_and_max__need_at_least_two_values(helper: Callable[..., Any]) -> None:
    with pytest.raises(TypeError, match="takes two or more values, got 1"):
        helper([1, 2])


def test_table__names_a_missing_key() -> None:
    with pytest.raises(KeyError, match=r"5 is not in the table; it has \[0, 1\]"):
        table(5, ["a", "b"])


def test_floor__of_nan_and_infinity() -> None:
    with pytest.raises(OverflowError):
        floor(math.inf)
