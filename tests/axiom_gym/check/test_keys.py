"""The check of typed moves, on a plain Python kernel with other keys."""

from __future__ import annotations

import dataclasses
from types import ModuleType

import pytest

from axiom_gym.batch import Batch
from axiom_gym.check.keys import find_key_problem

WHERE = "the key {!r} of action 1 (sub-action 0 of player 0)"


@pytest.mark.parametrize(
    ("keys", "problem"),
    [
        (["stop", "throw"], ""),
        (["stop", "u"], f"{WHERE.format('u')} cannot be typed"),
        (["stop", "7"], "'7' is a number"),
        (
            ["stop", "Throw"],
            f"{WHERE.format('Throw')} must be a text",
        ),
        (["stop", ""], "must be a text in lower case"),
    ],
)
def test_find_key_problem__names_the_first(
    tally: ModuleType, keys: list[str], problem: str
) -> None:
    game = dataclasses.replace(
        tally.GAME, sub_action_key=lambda state, seat, k, action: keys[action]
    )
    batch = Batch(game)
    batch.reset(seed=1)
    assert problem in find_key_problem(batch)
    assert bool(problem) == bool(find_key_problem(batch))


def test_find_key_problem__finds_equal_keys(tally: ModuleType) -> None:
    game = dataclasses.replace(tally.GAME, sub_action_key=lambda *_: "go on")
    batch = Batch(game)
    batch.reset(seed=1)
    for _ in range(20):
        if batch.buffers.masks[0, 0, 0].sum() > 1:
            break
        batch.sample_actions()
        batch.step()
    assert "the key 'go on' of action 1" in find_key_problem(batch)
    assert "is also that of action 0." in find_key_problem(batch)
