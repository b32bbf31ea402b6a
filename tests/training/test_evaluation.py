from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats

from axiom_gym.batch import Batch
from axiom_gym.errors import (
    ConfigError,
    IllegalActionError,
    UnknownGameError,
    UnknownOpponentError,
)
from axiom_training.evaluation import (
    Outcome,
    Result,
    measure,
    play_alone,
    play_series,
    score_against,
)

pytestmark = pytest.mark.usefixtures("probe")

Policy = Callable[..., npt.NDArray[np.int64]]


def look(observations: Any, masks: Any, rng: Any) -> npt.NDArray[np.int64]:
    """Name the number in the observation, which is always right."""
    orders: npt.NDArray[np.int64] = observations.argmax(axis=1)[:, None]
    return orders


# Results


def test_result__counts_a_draw_as_half_a_win() -> None:
    result = Result(wins=3, draws=2, losses=5)
    assert result.games == 10
    assert result.score == 0.4


@pytest.mark.parametrize(
    ("wins", "losses"), [(5, 5), (10, 0), (0, 10), (1, 0), (0, 1), (700, 300), (1, 1999)]
)
def test_result__has_a_wilson_interval(wins: int, losses: int) -> None:
    interval = Result(wins, 0, losses).interval
    expected = stats.binomtest(wins, wins + losses).proportion_ci(0.95, method="wilson")
    assert interval == pytest.approx((expected.low, expected.high), abs=1e-12)
    assert 0 <= interval[0] <= interval[1] <= 1


def test_interval__counts_a_draw_as_half_a_win() -> None:
    assert Result(0, 10, 0).interval == Result(5, 0, 5).interval
    (low, high), score = Result(8, 1, 1).interval, 0.85
    assert Result(8, 0, 2).interval[0] < low < score < high < Result(9, 0, 1).interval[1]


def test_interval__contains_the_true_score_in_95_percent() -> None:
    wins = np.random.default_rng(0).binomial(100, 0.7, 2000)
    held = [low <= 0.7 <= high for low, high in (Result(w, 0, 100 - w).interval for w in wins)]
    assert np.mean(held) == pytest.approx(0.95, abs=0.02)


# Seats


def spy(seats: list[tuple[int, int]], name: int) -> Policy:
    """Return a policy that takes the first legal action and records the number of its rows."""

    def play(observations: Any, masks: Any, rng: Any) -> npt.NDArray[np.int64]:
        seats.append((name, len(observations)))
        orders: npt.NDArray[np.int64] = masks.argmax(axis=2)
        return orders

    return play


@pytest.mark.parametrize("game", ["probe-v0", "probe_trio-v0"])
def test_series__gives_every_player_all_seats_equally_often(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    count, games = (2, 8) if game == "probe-v0" else (3, 12)
    seen: list[npt.NDArray[np.int16]] = []
    act = Batch.act

    def note(self: Batch, bot: str, seats: npt.NDArray[np.int16], number: int) -> None:
        seen.append((seats == number).sum(axis=0))
        act(self, bot, seats, number)

    monkeypatch.setattr(Batch, "act", note)
    play_series(game, ["random", "perfect", "wrong"][:count], games)
    first_turn = np.stack(seen[:count])
    np.testing.assert_array_equal(first_turn, np.full((count, count), games // count))


def test_series__gives_outcomes_by_player_and_not_by_seat() -> None:
    np.testing.assert_array_equal(play_series("probe-v0", ["perfect", "wrong"], 9), [[1, -1]] * 9)
    np.testing.assert_array_equal(play_series("probe-v0", ["wrong", "perfect"], 9), [[-1, 1]] * 9)
    for players in itertools.permutations(["perfect", "wrong", "wrong"]):
        expected = [1.0 if player == "perfect" else -1.0 for player in players]
        outcomes = play_series("probe_trio-v0", players, 7)
        np.testing.assert_array_equal(outcomes, [expected] * 7)


def test_series__gives_policies_the_observations_of_their_seats() -> None:
    outcomes = play_series("probe-v0", [look, "wrong"], 20, options={"turns": 5})
    np.testing.assert_array_equal(outcomes, [[1, -1]] * 20)


def test_series__queries_no_policy_after_the_end_of_a_game() -> None:
    asked: list[tuple[int, int]] = []
    # Games of Quantaris have different lengths.
    play_series("quantaris", [spy(asked, 0), "random"], 12, options={"ruleset": "0.1"})
    rows = [count for _, count in asked]
    assert rows[0] == 12
    assert rows == sorted(rows, reverse=True)
    assert rows[-1] < 12


def test_series__depends_on_its_seed() -> None:
    first = play_series("probe-v0", ["random", "random"], 64, seed=3)
    np.testing.assert_array_equal(play_series("probe-v0", ["random", "random"], 64, seed=3), first)
    assert (play_series("probe-v0", ["random", "random"], 64, seed=4) != first).any()


def test_series__depends_on_its_seed_with_policies(
    make_model: Callable[..., Any],
) -> None:
    players = [make_model(seed=1), make_model(seed=2)]
    first = play_series("probe-v0", players, 64, seed=3)
    np.testing.assert_array_equal(play_series("probe-v0", players, 64, seed=3), first)
    assert (play_series("probe-v0", players, 64, seed=4) != first).any()


def test_series__is_the_same_for_bots_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = play_series("probe-v0", ["random", "random"], 20, seed=3)
    monkeypatch.setattr("axiom_gym.play.games.GAMES_AT_ONCE", 7)
    np.testing.assert_array_equal(play_series("probe-v0", ["random", "random"], 20, seed=3), whole)


def test_series__keeps_no_more_games_than_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("axiom_gym.play.games.GAMES_AT_ONCE", 7)
    asked: list[tuple[int, int]] = []
    outcomes = play_series("probe-v0", [spy(asked, 0), "random"], 20, options={"turns": 1})
    assert outcomes.shape == (20, 2)
    assert [rows for _, rows in asked] == [7, 7, 6]


def test_series__takes_the_last_seed() -> None:
    assert play_series("probe-v0", ["random", "random"], 8, seed=2**32 - 1).shape == (8, 2)


@pytest.mark.parametrize(
    ("changes", "pattern"),
    [
        ({"num_games": 0}, "num_games must be .* 1, got 0"),
        ({"seed": -1}, "seed must be .*, got -1"),
        ({"players": ["random"]}, r"probe has 2 players \(.*\), got 1"),
        ({"players": ["random"] * 3}, r"probe has 2 players \(.*\), got 3"),
        ({"options": {"turns": 0}}, "turns must be"),
    ],
)
def test_series__refuses_values_that_are_not_allowed(changes: dict[str, Any], pattern: str) -> None:
    values = {"players": ["random", "random"], "num_games": 4, **changes}
    with pytest.raises(ConfigError, match=pattern):
        play_series("probe-v0", **values)


def test_series__refuses_unknown_names() -> None:
    with pytest.raises(UnknownGameError):
        play_series("probes", ["random", "random"], 4)
    with pytest.raises(UnknownOpponentError):
        play_series("probe-v0", ["random", "perfekt"], 4)


def test_series__refuses_illegal_actions() -> None:
    def cheat(observations: Any, masks: Any, rng: Any) -> npt.NDArray[np.int64]:
        orders: npt.NDArray[np.int64] = masks.argmin(axis=2)
        return orders

    with pytest.raises(IllegalActionError):
        play_series("probe-v0", [cheat, "random"], 4)


# Scores


def test_score__is_1_for_a_player_that_always_wins() -> None:
    assert score_against("probe-v0", look, "wrong", 10) == Result(10, 0, 0)
    assert score_against("probe-v0", "wrong", look, 10) == Result(0, 0, 10)
    assert score_against("probe-v0", look, "perfect", 10) == Result(0, 10, 0)


@pytest.mark.parametrize(
    "game", ["probe-v0", pytest.param("quantaris", marks=pytest.mark.compiled_only)]
)
def test_score__of_random_against_random_is_one_half(game: str) -> None:
    result = score_against(game, "random", "random", 1000, seed=1)
    low, high = result.interval
    assert low <= 0.5 <= high
    assert high - low < 0.07


def test_score__of_random_is_the_calculated_one() -> None:
    # One turn: a player who guesses one of three is right with 1/3, and draws if the other is too.
    result = score_against("probe-v0", "random", "wrong", 3000, options={"turns": 1})
    assert stats.binomtest(result.wins, 3000, 1 / 3).pvalue > 1e-3
    assert result.losses == 0


def test_score__compares_with_the_best_opponent() -> None:
    trio = "probe_trio-v0"
    assert score_against(trio, "perfect", "wrong", 9) == Result(9, 0, 0)
    assert score_against(trio, "perfect", "perfect", 9) == Result(0, 9, 0)
    assert score_against(trio, "wrong", "perfect", 9) == Result(0, 0, 9)


def test_score__counts_a_win_of_any_opponent_as_a_loss() -> None:
    outcomes = play_series("probe_trio-v0", ["random"] * 3, 300, seed=5)
    own, one, two = outcomes.T
    first = own > np.maximum(one, two)
    behind = own < np.maximum(one, two)
    assert ((own == np.minimum(one, two)) & behind).any()
    expected = Result(int(first.sum()), int((~first & ~behind).sum()), int(behind.sum()))
    assert score_against("probe_trio-v0", "random", "random", 300, seed=5) == expected


def test_score__takes_models_by_their_paths(
    trainer: Callable[..., Any], tmp_path: Path, probe: ModuleType
) -> None:
    run = trainer()
    run.save()
    result = score_against("probe-v0", run.directory / "model.zip", "random", 10)
    assert result == score_against("probe-v0", run.policy(), "random", 10)


# One player


def test_alone__gives_the_outcome_of_every_seed(climb: ModuleType) -> None:
    np.testing.assert_array_equal(play_alone("climb", "careful", 5), [108.75] * 5)
    outcomes = play_alone("climb", "random", 40, seed=3)
    assert outcomes.shape == (40,)
    assert len(set(outcomes.tolist())) > 20
    np.testing.assert_array_equal(play_alone("climb", "random", 20, seed=23), outcomes[20:])


def test_alone__is_for_games_for_one() -> None:
    with pytest.raises(ConfigError, match=r"probe has 2 players \(.*\), got 1"):
        play_alone("probe", "random", 2)


def test_score__compares_players_of_a_game_for_one_seed_by_seed(climb: ModuleType) -> None:
    own, other = (play_alone("climb", one, 50, seed=7) for one in ("random", "careful"))
    expected = Result(int((own > other).sum()), int((own == other).sum()), int((own < other).sum()))
    assert score_against("climb", "random", "careful", 50, seed=7) == expected
    assert expected.losses > 40
    turned = Result(expected.losses, expected.draws, expected.wins)
    assert score_against("climb", "careful", "random", 50, seed=7) == turned
    assert score_against("climb", "random", "random", 50, seed=7) == Result(0, 50, 0)


def test_score__gives_two_players_of_a_game_for_one_the_same_chance(climb: ModuleType) -> None:
    def leap_now_and_then() -> Policy:
        def play(observations: Any, masks: Any, rng: Any) -> npt.NDArray[np.int64]:
            orders: npt.NDArray[np.int64] = 1 + masks[:, :, 2] * rng.integers(0, 2, (len(masks), 1))
            return orders

        return play

    result = score_against("climb", leap_now_and_then(), leap_now_and_then(), 30, seed=7)
    assert result == Result(0, 30, 0)


def test_outcome__summarizes_a_series() -> None:
    values = np.array([1.5, 2.0, -4.0, 0.25], np.float32)
    found = Outcome.of(values)
    assert (found.games, found.lowest, found.highest) == (4, -4.0, 2.0)
    assert found.mean == pytest.approx(-0.0625)
    assert found.error == pytest.approx(stats.sem(values.astype(np.float64)))
    assert Outcome.of(values[:1]) == Outcome(1, 1.5, 0.0, 1.5, 1.5)


def test_outcome__is_precise_for_large_numbers() -> None:
    assert Outcome.of(np.full(5000, 16_777_215, np.float32)).mean == 16_777_215


def test_measure__plays_all_players_of_a_game_for_one_on_the_same_seeds(climb: ModuleType) -> None:
    others = {"careful": "careful", "random": "random"}
    found = measure("climb", "me", "careful", others, 30, seed=4)
    assert found.results == {
        name: score_against("climb", "careful", name, 30, seed=4) for name in others
    }
    assert found.outcomes.keys() == {"me", "careful", "random"}
    assert found.outcomes["me"] == found.outcomes["careful"]
    assert found.outcomes["random"] == Outcome.of(play_alone("climb", "random", 30, seed=4))


def test_measure__returns_only_scores_for_several_players() -> None:
    found = measure("probe-v0", "me", "perfect", {"wrong": "wrong"}, 10)
    assert found.results == {"wrong": Result(10, 0, 0)}
    assert found.outcomes == {}
