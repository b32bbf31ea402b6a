"""Base classes of states and actions, and ranking by scores."""

from __future__ import annotations

import dataclasses
import math

import pytest

from axiom_gym.errors import GameError
from axiom_gym.game import BaseAction, BaseGameState, Player, rank


def test_base_state__has_the_fields_of_ludus_and_cannot_be_changed() -> None:
    state = BaseGameState(game_id="g", turn=1, active_player_id="a", player_order=("a", "b"))
    assert [field.name for field in dataclasses.fields(state)] == [
        "game_id",
        "turn",
        "active_player_id",
        "player_order",
        "eliminated",
        "max_turns",
    ]
    assert (state.eliminated, state.max_turns) == ((), 0)
    with pytest.raises(dataclasses.FrozenInstanceError):
        state.turn = 2  # type: ignore[misc]


def test_base_action__takes_further_fields_in_a_subclass() -> None:
    @dataclasses.dataclass(frozen=True)
    class Move(BaseAction):
        cell: int

    assert Move("move", "ann", 3) == Move(type="move", player_id="ann", cell=3)
    with pytest.raises(dataclasses.FrozenInstanceError):
        BaseAction("pass", "ann").type = "x"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("scores", "ranks"),
    [
        ([3, 3, 1], [("a", 1), ("b", 1), ("c", 3)]),
        ([1, 2, 2], [("b", 1), ("c", 1), ("a", 3)]),
        ([0, 0, 0], [("a", 1), ("b", 1), ("c", 1)]),
        ([2, 0, 1], [("a", 1), ("c", 2), ("b", 3)]),
        ([5], [("a", 1)]),
    ],
)
def test_rank__is_shared_by_equal_players(scores: list[int], ranks: list[tuple[str, int]]) -> None:
    players = [Player(name) for name in "abc"[: len(scores)]]
    places = rank(dict(zip(players, scores, strict=True)))
    assert [(place.player.id, place.rank) for place in places] == ranks
    assert [place.score for place in places] == sorted(scores, reverse=True)


@pytest.mark.parametrize("score", [math.nan, math.inf, -math.inf])
def test_rank__refuses_scores_that_are_not_finite(score: float) -> None:
    with pytest.raises(GameError, match=r"the score of 'b' must be a finite number, got"):
        rank({Player("a"): 1.0, Player("b"): score})
