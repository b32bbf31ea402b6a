"""Numbers of actions, from the game or from a search by random play."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from axiom_gym.errors import ActionError, GameError
from axiom_gym.game import BaseAction, Player
from axiom_gym.game import catalogue as module
from axiom_gym.game.catalogue import Catalogue

PLAYERS = (Player("ann"), Player("bob"))
OPTIONS = {"goal": 20, "lives": 1}


def list_actions(catalogue: Catalogue, seat: int = 0) -> list[Any]:
    return [catalogue.get_action(seat, number) for number in range(catalogue.counts[seat])]


def test_search__gives_every_player_the_same_actions(race: ModuleType) -> None:
    found = Catalogue.of(race.Race(), PLAYERS, OPTIONS)
    assert found.counts == (2, 2)
    assert list_actions(found, 0) == [BaseAction("roll", "ann"), BaseAction("walk", "ann")]
    assert list_actions(found, 1) == [BaseAction("roll", "bob"), BaseAction("walk", "bob")]
    assert found.find(1, [BaseAction("walk", "bob"), BaseAction("roll", "bob")]) == [1, 0]


def test_search__sorts_numbers_by_size(heap: ModuleType) -> None:
    class Counting(heap.Heap):  # type: ignore[misc, name-defined]
        def get_valid_actions(self, state: Any, player_id: str) -> list[Any]:
            return (
                [(12, "b"), (2, None), (2, "a"), 7, "x"]
                if super().get_valid_actions(state, player_id)
                else []
            )

    found = Catalogue.search(Counting(), PLAYERS, {"low": 5, "high": 6})
    assert list_actions(found) == [7, "x", (2, None), (2, "a"), (12, "b")]


@pytest.mark.slow
def test_search__is_the_same_in_every_process(python: Callable[..., str]) -> None:
    code = (
        "import sys\nfrom race_game import Race\nfrom axiom_gym.game import Player\n"
        "from axiom_gym.game.catalogue import Catalogue\n"
        "found = Catalogue.of(Race(), (Player('ann'), Player('bob')), {'goal': 9, 'lives': 2})\n"
        "print([found.get_action(1, n) for n in range(2)])\n"
        "assert 'numba' not in sys.modules\n"
    )
    one, other = (python(code, PYTHONHASHSEED=seed) for seed in "12")
    assert one == other


def test_search__finds_actions_that_appear_late(race: ModuleType) -> None:
    class Late(race.Race):  # type: ignore[misc, name-defined]
        def get_valid_actions(self, state: Any, player_id: str) -> list[Any]:
            actions = super().get_valid_actions(state, player_id)
            late = [BaseAction("fly", player_id)] if state.turn == 9 else []
            return [action for action in actions + late if actions]

    assert Catalogue.of(Late(), PLAYERS, OPTIONS).counts == (3, 3)
    short = Catalogue.search(Late(), PLAYERS, OPTIONS, decisions=5)
    assert short.counts == (2, 2)
    with pytest.raises(GameError, match=r"type='fly'.* is none of the 2 actions.*get_all_actions"):
        short.find(0, [BaseAction("walk", "ann"), BaseAction("fly", "ann")])


def test_search__reports_a_game_that_is_over_at_once(race: ModuleType) -> None:
    with pytest.raises(
        GameError, match=r"race: there must be 1 to 65536 different actions .* got 0"
    ):
        Catalogue.search(race.Race(), PLAYERS, {"goal": 0, "lives": 1})


def test_search__leaves_a_game_that_never_ends(race: ModuleType) -> None:
    class Endless(race.Race):  # type: ignore[misc, name-defined]
        played = 0

        def execute_action(self, state: Any, action: Any, rng: Any) -> Any:
            self.played += 1
            return dataclasses.replace(state, turn=state.turn + 1)

    game = Endless()
    assert Catalogue.of(game, PLAYERS, OPTIONS).counts == (2, 2)
    assert game.played <= 2 * module._LONGEST


def test_catalogue__is_the_games_own_if_it_has_one(race: ModuleType) -> None:
    class Own(race.Race):  # type: ignore[misc, name-defined]
        def get_all_actions(self, player_id: str, options: Any) -> list[Any]:
            return [BaseAction("walk", player_id)] * (options["goal"] > 20) + [
                BaseAction("roll", player_id)
            ]

    assert list_actions(Catalogue.of(Own(), PLAYERS, OPTIONS)) == [BaseAction("roll", "ann")]
    found = Catalogue.of(Own(), PLAYERS, {"goal": 30})
    assert list_actions(found, 1) == [BaseAction("walk", "bob"), BaseAction("roll", "bob")]


def test_catalogue__refuses_what_cannot_be_numbered(race: ModuleType) -> None:
    for actions, said in (
        ([[1, 1]], "race: 1 occurs twice"),
        ([[]], "got 0; let a player"),
        ([[[1]]], r"the action \[1\] is not hashable.*frozen dataclasses"),
    ):
        with pytest.raises(GameError, match=said):
            Catalogue("race", actions)


def test_catalogue__refuses_more_actions_than_can_be_learned(
    heap: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_ACTIONS", 1)
    with pytest.raises(GameError, match="heap: there are more than 1 different actions"):
        Catalogue.of(heap.Heap(), PLAYERS, {"low": 5, "high": 6})


@pytest.mark.parametrize("number", [-1, 2])
def test_get_action__refuses_a_number_out_of_range(number: int) -> None:
    with pytest.raises(ActionError, match=f"race: an action is a number from 0 to 1, got {number}"):
        Catalogue("race", [["a", "b"]]).get_action(0, number)
