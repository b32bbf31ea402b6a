"""Rewards for places, which add up to 0."""

from __future__ import annotations

from typing import Any

import pytest

from axiom_gym.errors import GameError
from axiom_gym.game import Player, rank
from axiom_gym.game.rewards import read_rewards, reward_out, reward_places


@pytest.mark.parametrize(
    ("scores", "rewards"),
    [
        ([2, 1], [1, -1]),
        ([0, 9], [-1, 1]),
        ([5, 5], [0, 0]),
        ([3, 2, 1], [1, 0, -1]),
        ([3, 3, 1], [0.5, 0.5, -1]),
        ([3, 1, 1], [1, -0.5, -0.5]),
        ([1, 4, 3, 2], [-1, 1, 1 / 3, -1 / 3]),
        ([4, 2, 2, 1], [1, 0, 0, -1]),
        ([7], [7]),
    ],
)
def test_reward_places__lie_between_the_first_and_the_last(
    scores: list[int], rewards: list[float]
) -> None:
    players = [Player(f"p{seat}") for seat in range(len(scores))]
    given = reward_places(rank(dict(zip(players, map(float, scores), strict=True))))
    assert [given[player.id] for player in players] == pytest.approx(rewards)


def test_reward_out__adds_up_to_0_with_the_rewards_of_remaining_players() -> None:
    first, then = reward_out(["d"], 3, 4), reward_out(["b", "c"], 1, 4)
    left = reward_places(rank({Player("a"): 0.0}), 4)
    assert (first, left) == ({"d": -1.0}, {"a": 1.0})
    assert then == pytest.approx({"b": 0.0, "c": 0.0})


def test_read_rewards__fills_up_with_zeros() -> None:
    assert read_rewards({"b": 2}, ["a", "b"], "race") == {"a": 0.0, "b": 2.0}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([1, 2], "race: get_rewards must give a mapping from the players 'a', 'b' to numbers"),
        ({"zoe": 1}, "got {'zoe': 1}"),
        ({"a": float("nan")}, "all rewards must be finite numbers"),
    ],
)
def test_read_rewards__refuses_other_values(given: Any, said: str) -> None:
    with pytest.raises(GameError, match=said):
        read_rewards(given, ["a", "b"], "race")
