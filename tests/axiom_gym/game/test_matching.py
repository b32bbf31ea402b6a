"""Search for an action by identity, equality or canonical form."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from axiom_gym.game import BaseAction
from axiom_gym.game.matching import find_equal

WALK, ROLL = BaseAction("walk", "ann"), BaseAction("roll", "ann")


def test_find_equal__prefers_the_very_object() -> None:
    twin = BaseAction("walk", "ann")
    (found,) = find_equal([WALK, twin], twin) or (None,)
    assert found is twin


@pytest.mark.parametrize(
    ("actions", "given", "place"),
    [
        ([WALK, ROLL], BaseAction("roll", "ann"), 1),
        ([0, 1, 2], np.int64(2), 2),
        ([None, 1], None, 0),
        ([np.array([1, 2]), np.array([1, 3])], np.array([1, 3]), 1),
        ([(1, 2), (2, 1)], [2, 1], 1),
    ],
)
def test_find_equal__finds_the_valid_action(actions: list[Any], given: Any, place: int) -> None:
    (found,) = find_equal(actions, given) or ("none",)
    assert found is actions[place]


def test_find_equal__looks_at_the_form_where_comparing_fails() -> None:
    @dataclasses.dataclass(eq=False)
    class Moody:
        n: int

        def __eq__(self, other: object) -> bool:
            raise ValueError("the truth value is ambiguous")

    actions = [Moody(1), Moody(2)]
    (found,) = find_equal(actions, Moody(2)) or (None,)
    assert found is actions[1]
    assert find_equal(actions, Moody(3)) is None


@pytest.mark.parametrize("given", [BaseAction("walk", "bob"), None, "walk", print, 1])
def test_find_equal__finds_nothing_else(given: Any) -> None:
    assert find_equal([WALK, ROLL], given) is None
