from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import pytest
from openskill.models import PlackettLuce

from axiom_gym.errors import ConfigError
from axiom_training.ratings import POINTS, Match, Rating, rate


def series(first: str, second: str, chance: float, games: int, seed: int = 0) -> list[Match]:
    """Return games that the first player wins with this probability."""
    won = np.random.default_rng(seed).random(games) < chance
    return [Match((first, second), (1.0, -1.0) if one else (-1.0, 1.0)) for one in won.tolist()]


def by_name(ratings: list[Rating]) -> dict[str, Rating]:
    return {rating.name: rating for rating in ratings}


# The scale


def odds_chance(points: float) -> float:
    """Return the probability of a win at this difference in Elo's system."""
    return float(1 / (1 + 10 ** (-points / 400)))


def test_points__are_those_of_elo_for_players_with_many_games() -> None:
    model = PlackettLuce(tau=1e-9)
    strong, weak = (model.rating(mu=25 + mu, sigma=0.01) for mu in (400 / POINTS, 0.0))
    # An update moves the winner's mean by sigma^2 / c * (1 - chance), which tells its chance.
    ((winner,), _) = model.rate([[strong], [weak]])
    moved = (winner.mu - strong.mu) * math.sqrt(2) * model.beta / strong.sigma**2
    assert 1 - moved == pytest.approx(odds_chance(400), abs=1e-4)
    assert odds_chance(400) == pytest.approx(10 / 11)


@pytest.mark.parametrize("points", [-250.0, 0.0, 100.0, 400.0, 800.0])
def test_points__agree_with_predict_win(points: float) -> None:
    model = PlackettLuce()
    pair = [[model.rating(mu=25 + points / POINTS, sigma=1e-6)], [model.rating(sigma=1e-6)]]
    quotient = points / 400 * math.log(10)
    assert 1 / (1 + math.exp(-quotient)) == pytest.approx(odds_chance(points))
    # openskill predicts with the normal distribution instead of the logistic one.
    assert model.predict_win(pair)[0] == pytest.approx(NormalDist().cdf(quotient), abs=1e-6)


@pytest.mark.parametrize("chance", [0.6, 0.75, 10 / 11])
def test_rate__returns_the_points_of_the_results(chance: float) -> None:
    found = [
        by_name(rate(series("a", "b", chance, 1500, seed), "b", seed))["a"].points
        for seed in range(4)
    ]
    expected = 400 * math.log10(chance / (1 - chance))
    # openskill keeps sigma above 1.4, which adds a tenth.
    assert np.mean(found) == pytest.approx(expected, rel=0.25)


# Order


def test_rate__puts_the_best_first() -> None:
    matches = [
        *series("a", "b", 0.7, 200),
        *series("b", "c", 0.8, 200),
        *series("a", "c", 0.9, 200),
    ]
    ratings = rate(matches, "c")
    assert [rating.name for rating in ratings] == ["a", "b", "c"]
    assert [rating.games for rating in ratings] == [400, 400, 400]
    points = [rating.points for rating in ratings]
    assert points == sorted(points, reverse=True)


def test_rate__puts_the_anchor_at_0() -> None:
    matches = series("a", "b", 0.8, 100)
    first, second = by_name(rate(matches, "b")), by_name(rate(matches, "a"))
    assert first["b"].points == 0
    assert second["a"].points == 0
    assert first["a"].points == pytest.approx(-second["b"].points)
    assert first["a"].error == second["a"].error


def test_rate__is_symmetric() -> None:
    matches = series("a", "b", 0.8, 100)
    swapped = [Match(match.players[::-1], match.outcomes[::-1]) for match in matches]
    assert by_name(rate(swapped, "b"))["a"].points == pytest.approx(
        by_name(rate(matches, "b"))["a"].points
    )
    mirrored = [Match(("b", "a"), match.outcomes) for match in matches]
    assert by_name(rate(mirrored, "a"))["b"].points == pytest.approx(
        by_name(rate(matches, "b"))["a"].points
    )


def test_rate__treats_draws_as_equality() -> None:
    ratings = by_name(rate([Match(("a", "b"), (0.0, 0.0))] * 50, "a"))
    assert ratings["b"].points == pytest.approx(0)
    half = [Match(("a", "b"), outcomes) for outcomes in [(1.0, 0.0), (0.0, 1.0)] * 50]
    rating = by_name(rate(half, "a"))["b"]
    assert abs(rating.points) < rating.error


@pytest.mark.parametrize("outcomes", [(0.0, 0.0), (0.5, 0.5), (0.0, 0.0, 0.0)])
def test_rate__does_not_move_equal_players_after_a_draw(outcomes: tuple[float, ...]) -> None:
    players = ("a", "b", "c")[: len(outcomes)]
    assert {rating.points for rating in rate([Match(players, outcomes)], "a")} == {0.0}


def test_rate__depends_on_its_seed() -> None:
    matches = [*series("a", "b", 0.7, 60), *series("b", "c", 0.7, 60)]
    assert rate(matches, "c", seed=1) == rate(matches, "c", seed=1)
    assert rate(matches, "c", seed=1) != rate(matches, "c", seed=2)


def test_rate__has_a_smaller_error_after_more_games() -> None:
    errors = [rate(series("a", "b", 0.5, games), "b")[0].error for games in (1, 10, 100)]
    assert errors == sorted(errors, reverse=True)
    assert errors[0] < 1.96 * 25 / 3 * POINTS


def test_rate__takes_games_of_several_players() -> None:
    ratings = rate([Match(("a", "b", "c"), (2.0, 0.0, 1.0))] * 30, "a")
    assert [rating.name for rating in ratings] == ["a", "c", "b"]


def test_rate__distinguishes_outcomes_that_differ_by_less_than_one() -> None:
    matches = [Match(("a", "b", "c", "d"), (0.4, 0.3, -0.1, -0.6))] * 40
    same = [Match(("a", "b", "c", "d"), (4.0, 3.0, 2.0, 1.0))] * 40
    assert [entry.name for entry in rate(matches, "d")] == ["a", "b", "c", "d"]
    assert rate(matches, "d") == rate(same, "d")


def test_rate__handles_shared_places() -> None:
    (a, b, c) = rate([Match(("a", "b", "c"), (0.5, 0.5, -1.0))] * 40, "c")
    assert {a.name, b.name, c.name, c.points} == {"a", "b", "c", 0.0}
    assert a.points == pytest.approx(b.points)
    assert b.points > 100


def test_rate__needs_an_anchor_that_played() -> None:
    pattern = r"anchor 'x' did not play; the players are \['a', 'b'\]"
    with pytest.raises(ConfigError, match=pattern):
        rate(series("a", "b", 0.5, 3), "x")
