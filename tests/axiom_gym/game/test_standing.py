"""Places and winners, with and without forfeits."""

from __future__ import annotations

from typing import Any

import pytest

from axiom_gym.errors import GameError
from axiom_gym.game import GameMetadata, Player, PlayerRanking, rank
from axiom_gym.game.standing import find_winner, rank_match

PLAYERS = [Player(name, "bot") for name in "abcd"]


class Fixed:
    """Test double: a game with a fixed ranking and winner."""

    metadata = GameMetadata("fixed", 1, 4)

    def __init__(self, scores: dict[str, float], winner: str | None = None) -> None:
        self.scores, self.winner = scores, winner

    def get_rankings(self, state: Any) -> list[PlayerRanking]:
        return rank({Player(name): score for name, score in self.scores.items()})

    def get_winner(self, state: Any) -> Player | None:
        return None if self.winner is None else Player(self.winner)


def places(scores: dict[str, float], *forfeited: str) -> list[tuple[str, int, float]]:
    game: Any = Fixed(scores)
    ranking = rank_match(game, None, PLAYERS[: len(scores)], forfeited)
    assert all(place.player.name == "bot" for place in ranking)
    return [(place.player.id, place.rank, place.score) for place in ranking]


def test_rank_match__is_the_ranking_of_the_game_without_forfeits() -> None:
    assert places({"a": 1, "b": 5, "c": 1}) == [("b", 1, 5.0), ("a", 2, 1.0), ("c", 2, 1.0)]


def test_rank_match__puts_those_who_forfeited_last_and_the_first_of_them_at_the_end() -> None:
    scores = {"a": 9.0, "b": 1.0, "c": 8.0, "d": 1.0}
    assert places(scores, "a", "c") == [
        ("b", 1, 1.0),
        ("d", 1, 1.0),
        ("c", 3, 1.0),
        ("a", 4, 1.0),
    ]


@pytest.mark.parametrize("scores", [{"a": 1.0}, {"a": 1.0, "z": 0.0}, {}])
def test_rank_match__refuses_rankings_without_each_player(scores: dict[str, float]) -> None:
    game: Any = Fixed(scores)
    with pytest.raises(GameError, match="fixed: get_rankings must hold each player once, a, b; it"):
        rank_match(game, None, PLAYERS[:2], ())


def test_rank_match__refuses_scores_that_are_not_finite() -> None:
    game: Any = Fixed({})
    game.get_rankings = lambda state: [PlayerRanking(Player("a"), 1, float("nan"))]
    with pytest.raises(GameError, match="fixed: all scores must be finite"):
        rank_match(game, None, PLAYERS[:1], ())


@pytest.mark.parametrize(
    ("scores", "winner", "forfeited", "expected"),
    [
        ({"a": 1, "b": 0}, "a", (), "a"),
        ({"a": 1, "b": 0}, None, (), None),  # the game's word counts, and not the score
        ({"a": 1, "b": 0}, "a", ("a",), "b"),
        ({"a": 1, "b": 0, "c": 0}, None, ("a",), None),  # two are left, and equal
        ({"a": 1, "b": 0, "c": 2}, None, ("c",), "a"),
        ({"a": 1}, None, ("a",), None),
    ],
)
def test_find_winner__is_the_games_or_the_last_one_who_did_not_forfeit(
    scores: dict[str, float], winner: str | None, forfeited: tuple[str, ...], expected: str | None
) -> None:
    game: Any = Fixed(scores, winner)
    ranking = rank_match(game, None, PLAYERS[: len(scores)], forfeited)
    found = find_winner(game, None, ranking, forfeited)
    assert (found and found.id) == expected
    assert found in (None, *PLAYERS)


def test_find_winner__refuses_a_winner_who_is_not_a_player() -> None:
    game: Any = Fixed({"a": 1, "b": 0}, "z")
    ranking = rank_match(game, None, PLAYERS[:2], ())
    with pytest.raises(
        GameError, match="get_winner gives 'z', who is not a player; players are 'a'"
    ):
        find_winner(game, None, ranking, ())
