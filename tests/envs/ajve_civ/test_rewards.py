"""Tests of the four rewards: ties, deaths, teams, and zero sums."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from axiom_gym.kernel import ENDED, RUNNING


def last_turn(table: Any, scores: list[int], **options: Any) -> Any:
    """Return a game with these scores before its last step, which changes no score."""
    game = table(players=len(scores), duration=2, **options)
    game.state.turn = 1
    game.state.population[:] = 0
    game.state.yields[:] = scores
    game.state.world_yield = 10_000
    return game


def paid(game: Any) -> list[float]:
    """Return the rewards of the last step, which are equal to the outcome."""
    assert game.play(*["-"] * game.players) == ENDED
    assert game.outcome() == game.rewards.tolist()
    rewards: list[float] = game.rewards.tolist()
    return rewards


# --------------------------------------------------------------------------------------------------
# Score


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([10, 20, 30], [-15 / 60, 0, 15 / 60]),
        ([5, 5], [0, 0]),
        ([0, 0, 0], [0, 0, 0]),
        ([-10, 30], [-1, 1]),
        ([7, 0], [1, -1]),
        ([-4, -12, -4, -4], [(8 / 3) / 24, -8 / 24, (8 / 3) / 24, (8 / 3) / 24]),
    ],
)
def test_score__is_the_lead_over_the_mean_of_the_others(
    table: Any, scores: list[int], expected: list[float]
) -> None:
    assert paid(last_turn(table, scores)) == pytest.approx(expected, abs=1e-6)


def test_score__of_a_single_player_is_its_potential(table: Any) -> None:
    assert paid(last_turn(table, [100])) == [0.25]
    assert paid(last_turn(table, [-300])) == [-0.5]


def test_score__is_paid_at_the_end_alone(table: Any) -> None:
    game, code = table(players=3, duration=30), RUNNING
    while code == RUNNING:
        assert game.outcome() == [0, 0, 0]
        code = game.step([int(game.state.offer[player, 0]) for player in range(3)])
        assert game.rewards.any() == (code == ENDED or (game.state.death == game.state.turn).any())
    assert game.rewards.any()


# --------------------------------------------------------------------------------------------------
# Rank


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([10, 30, 20], [-1, 1, 0]),
        ([4, 1, 3, 2], [1, -1, 1 / 3, -1 / 3]),
        ([5, 5], [0, 0]),
        ([1, 9, 9, 9], [-1, 1 / 3, 1 / 3, 1 / 3]),
        ([9], [0]),
    ],
)
def test_rank__is_linear_and_equals_share_their_places(
    table: Any, scores: list[int], expected: list[float]
) -> None:
    assert paid(last_turn(table, scores, reward="rank")) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, [1, 0, -1]),
        ({"winner": "living"}, [-1, 1, 0]),
        ({"rules": "text"}, [-1, 1, 0]),
        ({"rules": "text", "winner": "all"}, [1, 0, -1]),
    ],
)
def test_rank__depends_on_the_option_winner(
    table: Any, options: dict[str, Any], expected: list[float]
) -> None:
    game = last_turn(table, [30, 20, 10], reward="rank", black_death=True, **options)
    game.state.death[0] = 1
    assert paid(game) == expected


# --------------------------------------------------------------------------------------------------
# Survival and delta


@pytest.mark.parametrize("black_death", [False, True])
def test_survival__is_paid_for_each_step_survived(table: Any, black_death: bool) -> None:
    game = table(players=2, duration=5, reward="survival", black_death=black_death)
    total = np.zeros(2)
    for step in range(5):
        if step == 2:
            game.state.population[1] = -1
        game.play(*["discover" if step == 0 else "-"] * 2)
        assert game.rewards.tolist() == pytest.approx([0.2, 0.2 if step < 2 else 0])
        total += game.rewards
    assert game.outcome() == pytest.approx(total.tolist()) == [1, 0.4]


def test_delta__is_the_change_of_the_potential(table: Any) -> None:
    game = table(players=2, duration=10, reward="delta")
    game.play("discover", "discover")
    assert game.rewards.tolist() == [0, 0]
    game.play("develop", "conquer")
    assert game.rewards.tolist() == pytest.approx([10 / 310 - 6 / 306, 8 / 308 - 6 / 306], abs=1e-6)


def test_delta__knows_negative_scores(table: Any) -> None:
    game = last_turn(table, [-100, 0], reward="delta")
    game.turn("-", "discover")
    assert game.rewards.tolist() == pytest.approx([0, 3 / 303], abs=1e-6)
    assert game.outcome() == pytest.approx([-100 / 400 - 6 / 306, 3 / 303 - 6 / 306], abs=1e-6)


# --------------------------------------------------------------------------------------------------
# Deaths


@pytest.mark.parametrize(
    ("reward", "expected"),
    [("score", (15 - 32.5) / 80), ("rank", -1), ("survival", 0), ("delta", 0)],
)
def test_death__is_paid_at_once_as_if_the_game_ended_there(
    table: Any, reward: str, expected: float
) -> None:
    game = table(players=3, duration=4, reward=reward)
    game.state.turn, game.state.world_yield = 1, 10_000
    game.state.population[:] = (-5, 0, 0)
    game.state.yields[:] = (20, 30, 35)
    game.play("-", "-", "-")
    assert game.rewards[0] == pytest.approx(expected)
    settled = float(game.state.settled[0])
    game.state.yields[0] = 500  # others feed it: that is no longer its affair
    game.play("-", "-", "-")
    assert game.rewards[0] == 0
    game.play("-", "-", "-")
    assert game.rewards[0] == 0
    assert game.outcome()[0] == settled


def test_black_death__the_dead_are_paid_at_the_end(table: Any) -> None:
    game = table(players=2, duration=4, black_death=True)
    game.state.turn, game.state.world_yield = 1, 10_000
    game.state.population[:], game.state.yields[:] = (-5, 0), (20, 30)
    game.play("-", "-")
    assert game.rewards.tolist() == [0, 0]
    game.state.yields[0] = 50
    game.play("-", "-")
    game.play("-", "-")
    assert game.rewards.tolist() == game.outcome() == pytest.approx([15 / 75, -15 / 75])


# --------------------------------------------------------------------------------------------------
# Teams


@pytest.mark.parametrize(
    ("teams", "share", "expected"),
    [
        ("aabb", 1.0, [0, 0, 0, 0]),
        ("abab", 1.0, [-1 / 3, 1 / 3, -1 / 3, 1 / 3]),
        ("abab", 0.0, [-1, -1 / 3, 1 / 3, 1]),
        ("abab", 0.5, [-2 / 3, 0, 0, 2 / 3]),
        ("xyzx", 1.0, [0, -1 / 3, 1 / 3, 0]),
    ],
)
def test_teams__share_their_rewards(
    table: Any, teams: str, share: float, expected: list[float]
) -> None:
    options = {"reward": "rank", "black_death": True, "teams": teams, "team_share": share}
    game = last_turn(table, [1, 2, 3, 4] if teams != "aabb" else [1, 4, 2, 3], **options)
    assert paid(game) == pytest.approx(expected, abs=1e-6)


# --------------------------------------------------------------------------------------------------
# Sums


def play_out(game: Any) -> tuple[Any, list[float]]:
    """Play random legal choices; return the total rewards, (P,), and the largest sum of a step."""
    total, sums, code = np.zeros(game.players), [0.0], RUNNING
    choices = np.random.default_rng(int(game.state.rng))
    while code == RUNNING:
        picks = choices.integers(game.config.offer_size, size=game.players)
        code = game.step([int(game.state.offer[p, k]) for p, k in enumerate(picks)])
        total += game.rewards
        sums.append(abs(float(game.rewards.sum())))
    return total, sums


@pytest.mark.parametrize("reward", ["score", "rank", "survival", "delta"])
@pytest.mark.parametrize(
    "options",
    [{}, {"black_death": True}, {"black_death": True, "teams": "abac", "team_share": 0.7}],
    ids=["leaving", "staying", "teams"],
)
def test_rewards__add_up_to_the_outcome(table: Any, reward: str, options: dict[str, Any]) -> None:
    dead = 0
    for seed in range(6):
        game = table(seed=seed, players=4, reward=reward, **options)
        total, sums = play_out(game)
        assert total.tolist() == pytest.approx(game.outcome(), abs=1e-4)
        assert np.abs(game.outcome()).max() <= 2
        if reward in ("score", "rank") and options:
            assert max(sums) < 1e-5
        dead += int((game.state.death != 0).sum())
    assert dead > 0
