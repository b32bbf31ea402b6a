"""Fitted advantages, compared with data whose advantages are known."""

from __future__ import annotations

import numpy as np
import pytest

from axiom_gym.balance.advantage import Decisions, Fit, fit, judge, split_phases

EFFECTS = np.array([0.0, 1.0, 3.0, -2.0])


def decide(games: int = 400, noise: float = 1.0, seed: int = 1) -> Decisions:
    """Return four decisions of each game, of which action 3 is legal only sometimes.

    The control raises the gain by 5 and makes action 2 likelier, so that means would mislead.
    """
    rng = np.random.default_rng(seed)
    numbers = np.repeat(np.arange(games), 4)
    control = rng.random(len(numbers))
    legal = rng.random(len(numbers)) < 0.5
    odds = np.stack([np.ones(len(numbers))] * 4, axis=1)
    odds[:, 2] += 4 * (control > 0.5)
    odds[:, 3] *= legal
    action = (rng.random((len(numbers), 1)) < np.cumsum(odds, 1) / odds.sum(1)[:, None]).argmax(1)
    shared = np.repeat(rng.normal(size=games), 4)
    gains = EFFECTS[action] + 5 * control + noise * (shared + rng.normal(size=len(numbers)))
    controls = np.stack([control, legal, np.ones(len(numbers))], axis=1)
    turns = np.tile(np.arange(4, dtype=np.int32), games)
    return Decisions(numbers, turns, np.eye(4)[action], controls, gains)


def found_by(decisions: Decisions) -> Fit:
    found = fit(decisions)
    assert found is not None
    return found


def test_fit__finds_the_advantage_over_the_average_choice() -> None:
    decisions = decide(noise=0)
    found = found_by(decisions)
    average = float(decisions.chosen.mean(axis=0) @ EFFECTS)
    for action, effect in enumerate(EFFECTS.tolist()):
        value, error = found.compare(action) or (np.nan, np.nan)
        assert value == pytest.approx(effect - average, abs=1e-6)
        assert error < 1e-6
    assert found.compare(2, 1) == pytest.approx((2, 0), abs=1e-6)
    assert found.explained == pytest.approx(1)


def test_fit__has_cluster_robust_errors() -> None:
    """The errors are those of the sandwich formula, summed over games in a loop."""
    decisions = decide(games=60)
    found = found_by(decisions)
    control, legal = decisions.controls[:, 0], decisions.controls[:, 1]
    matrix = np.column_stack([decisions.chosen, control, legal])
    solution = np.linalg.lstsq(matrix, decisions.gains, rcond=None)[0]
    errors = decisions.gains - matrix @ solution
    middle = np.zeros((6, 6))
    for game in range(60):
        own = decisions.games == game
        score = matrix[own].T @ errors[own]
        middle += np.outer(score, score)
    inverse = np.linalg.inv(matrix.T @ matrix)
    rows = len(errors)
    covariance = 60 / 59 * (rows - 1) / (rows - 6) * inverse @ middle @ inverse
    contrast = np.array([0, -1, 1, 0, 0, 0])
    value, error = found.compare(2, 1) or (np.nan, np.nan)
    assert value == pytest.approx(contrast @ solution)
    assert error == pytest.approx(np.sqrt(contrast @ covariance @ contrast))


def test_fit__covers_the_truth_in_95_of_100_samples() -> None:
    hits = 0
    for seed in range(200):
        value, error = found_by(decide(games=80, seed=seed)).compare(2, 1) or (np.nan, np.nan)
        hits += abs(value - 2) < 1.96 * error
    assert 180 <= hits <= 198


def test_fit__has_no_estimate_for_rare_and_for_predicted_actions() -> None:
    decisions = decide()
    rare = np.flatnonzero(decisions.chosen[:, 3])[20:]
    decisions.chosen[rare] = [1, 0, 0, 0]
    found = found_by(decisions)
    assert found.compare(3) is None
    assert found.compare(0, 3) is None
    assert found.compare(0) is not None
    predicted = decide()
    predicted.controls[:, 1] = predicted.chosen[:, 1]
    assert found_by(predicted).compare(1) is None
    assert fit(decide(games=49)) is None


def test_judge__calls_best_only_what_is_certain() -> None:
    clear, loud = found_by(decide()), found_by(decide(games=60, noise=60))
    assert judge([clear, clear]) == ([2], [0, 1, 3])
    assert judge([clear, loud]) == ([], [])


def test_judge__finds_no_best_among_equals() -> None:
    rng = np.random.default_rng(0)
    decisions = decide()
    decisions.gains[:] = rng.normal(size=len(decisions.gains))
    assert judge([found_by(decisions)]) == ([], [])


def test_split_phases__has_thirds_without_empty_ones() -> None:
    phases = split_phases(np.arange(9, dtype=np.int32))
    assert [phase.sum() for phase in phases] == [3, 3, 3]
    (only,) = split_phases(np.zeros(5, np.int32))
    assert only.all()
