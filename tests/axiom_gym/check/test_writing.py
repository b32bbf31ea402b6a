"""Each omission of a kernel is found, and named with its function, entry, player and turn."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from axiom_gym.check.conformance import CHECKS, check_game
from axiom_gym.check.writing import find_unwritten
from axiom_gym.game import KernelGameObject

WHEN = "of the game with seed 4"
STALE = "kernel `reset` left field 'points' of the state unwritten, or read it before"
OMISSIONS = {
    "reward": [f"kernel `step` left rewards[1] unwritten in turn 3 {WHEN}"],
    "added reward": [f"kernel `step` left rewards[1] unwritten in turn 1 {WHEN}"],
    "NaN reward": [f"kernel `step` wrote NaN into rewards[1] in turn 1 {WHEN}"],
    "observation": [
        f"kernel `observe` left observation[0] unwritten for player {p} in turn 1 {WHEN}"
        for p in (0, 1)
    ],
    "one player's observation": [
        "kernel `observe` left observation[0], observation[1] unwritten for player 1 after the "
        f"reset {WHEN}"
    ],
    "mask": [
        f"kernel `legal_actions` left mask[0, 2] unwritten for player {p} in turn 2 {WHEN}"
        for p in (0, 1)
    ],
    "mask of 2": [
        f"kernel `legal_actions` wrote 2, not 0 or 1, into mask[0, 1] for player {p} after the "
        f"reset {WHEN}"
        for p in (0, 1)
    ],
    "no choice": [
        f"kernel `legal_actions` allows player {p} no choice of sub-action 0 in turn 2 {WHEN}"
        for p in (0, 1)
    ],
    "outcome": [f"kernel `outcome` left returns[0], returns[1] unwritten after the reset {WHEN}"],
    "field": [f"{STALE}: a game differs after another game"],
}


@pytest.mark.parametrize("slip", OMISSIONS)
def test_find_unwritten__names_the_omission(slips: ModuleType, slip: str) -> None:
    assert find_unwritten(slips.GAME, seed=4, slip=slip) == OMISSIONS[slip]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["brawl", "pennies"])
def test_find_unwritten__finds_nothing_in_a_good_kernel(
    request: pytest.FixtureRequest, name: str
) -> None:
    assert find_unwritten(request.getfixturevalue(name).GAME) == []


def test_find_unwritten__names_some_of_many_entries(slips: ModuleType) -> None:
    (problem, *_) = find_unwritten(slips.GAME, slip="observation", width=9)
    assert "left observation[2], observation[3], observation[4] and 4 more unwritten" in problem


def test_find_unwritten__plays_no_further_than_asked(slips: ModuleType) -> None:
    assert find_unwritten(slips.GAME, turns=2, slip="reward") == []


def make(slips: ModuleType, slip: str) -> Any:
    return lambda: KernelGameObject(slips.GAME, slip=slip)


def test_check_game__passes_a_kernel_that_writes_everything(slips: ModuleType) -> None:
    findings = check_game(make(slips, ""), games=2)
    assert [one for one in findings if not one.ok] == []
    assert [one.check for one in findings] == [one for one in CHECKS if one != "another process"]


@pytest.mark.parametrize("slip", [one for one in OMISSIONS if one != "no choice"])
def test_check_game__tells_of_unwritten_entries(slips: ModuleType, slip: str) -> None:
    findings = {one.check: one for one in check_game(make(slips, slip), games=2, seed=4)}
    assert findings["written"].message.startswith(OMISSIONS[slip][0])
    assert findings["written"].remedy == CHECKS["written"]


def test_check_game__finds_observations_that_are_not_finite(slips: ModuleType) -> None:
    findings = {one.check: one for one in check_game(make(slips, "endless observation"), games=1)}
    assert findings["observations"].message == (
        "seed 0: GameError: observation[1] of 'player_0' is inf"
    )
    assert "observation[1] of 'player_0' is inf" in findings["environments"].message
