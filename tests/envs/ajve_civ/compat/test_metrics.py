from __future__ import annotations

import json
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from axiom_envs.ajve_civ.compat.metrics import (
    acts,
    gini,
    inflections,
    mean_feeling,
    measure,
    reciprocity,
    shares,
    smooth_shares,
    summarize,
)
from axiom_envs.ajve_civ.compat.playing import Trace, play
from axiom_envs.ajve_civ.config import AjveCivConfig
from axiom_envs.ajve_civ.constants import CONQUER, DISCOVER, EXCHANGE, EXPAND, SIX, VALUES
from axiom_envs.ajve_civ.state import state_dtype
from axiom_gym.errors import ConfigError

NAN = float("nan")


def play_two(names: list[str], **options: Any) -> Trace:
    """Return the recording of two games of 30 steps between these AIs."""
    config = AjveCivConfig(players=len(names), **{"duration": 30, **options})
    return play([names, names], [1, 2], config, trace=True)[1]


def make_states(steps: int, players: int) -> npt.NDArray[Any]:
    """Return the states of a game in which nothing happens."""
    return np.zeros(steps + 1, state_dtype(players))


# -- acts ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, [0, 10, 20]),
        ({"inflection_period": 7}, [0, 7, 14, 21, 28]),
        ({"inflections": False}, []),
        ({"offer_size": 1, "rules": "text"}, [0, 10, 20]),
    ],
)
def test_inflections__are_recognised_by_the_values(
    options: dict[str, Any], expected: list[int]
) -> None:
    trace = play_two(["random", "consent", "conquer"], **options)
    for found in inflections(trace.states):
        assert np.flatnonzero(found).tolist() == expected


def test_inflections__are_recognised_after_a_choice_outside_the_offer() -> None:
    states = make_states(1, 1)
    states["values"][1, 0, :3] = -1
    assert inflections(states).tolist() == [True]


def test_acts__are_the_values_that_rose_in_turns() -> None:
    """In a turn the rules raise a value by one if and only if a people acts on it."""
    trace = play_two(["conquer-expand", "random", "expand-develop"], duration=80)
    assert (trace.states["death"][:, -1] > 0).any()
    rise = np.diff(trace.states["values"], axis=1)
    is_act = (rise.sum(axis=-1) == 1) & (rise.max(axis=-1) == 1)
    expected = np.where(is_act, rise.argmax(axis=-1), -1)
    np.testing.assert_array_equal(acts(trace.states, trace.chosen), expected)


def test_acts__exclude_conquest_and_exchange_of_a_lone_people() -> None:
    chosen = np.array([[CONQUER], [EXCHANGE], [DISCOVER], [-2]], np.int8)
    assert acts(make_states(4, 1), chosen).tolist() == [[-1], [-1], [DISCOVER], [-1]]


def test_acts__end_with_a_death() -> None:
    states, chosen = make_states(3, 2), np.full((3, 2), EXPAND, np.int8)
    states["death"][2:, 1] = 2  # in the second step, after it acted
    assert acts(states, chosen)[:, 1].tolist() == [EXPAND, EXPAND, -1]


@pytest.mark.parametrize("shape", [(2, 3), (4, 3), (3, 2), (3,), (1, 3, 3)])
def test_acts__need_choices_of_a_matching_shape(shape: tuple[int, ...]) -> None:
    with pytest.raises(ConfigError, match=r"chosen must be of shape \(3, 3\), .* got \("):
        acts(make_states(3, 3), np.zeros(shape, np.int8))


def test_shares__are_parts_of_all_acts() -> None:
    counts = np.array([[1, 3, 0, 0, 0, 0], [0] * SIX])
    np.testing.assert_equal(shares(counts), [[0.25, 0.75, 0, 0, 0, 0], [NAN] * SIX])


def test_smooth_shares__weigh_steps_by_their_acts() -> None:
    counts = np.zeros((5, SIX), np.int64)
    counts[1, CONQUER], counts[2, DISCOVER] = 1, 3
    smooth = smooth_shares(counts, 3)[:, CONQUER]
    np.testing.assert_equal(smooth, [1, 0.25, 0.25, 0, NAN])
    np.testing.assert_equal(smooth_shares(counts[1:3], 10)[:, CONQUER], [1, 0.25])


# -- inequality and feelings -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("amounts", "expected"),
    [
        ([3, 3, 3], 0.0),
        ([0, 0, 0], 0.0),
        ([-5, -5], 0.0),
        ([1, 2, 3], 2 / 9),  # the common coefficient
        ([0, 0, 0, 8], 3 / 4),
        ([0, 0, 5, -5], 3 / 4),  # as much as there can be
        ([7], 0.0),
    ],
)
def test_gini__of_known_amounts(amounts: list[int], expected: float) -> None:
    assert gini(np.array(amounts)) == pytest.approx(expected)


def test_gini__is_half_the_mean_difference_over_the_mean_size() -> None:
    amounts = np.random.default_rng(0).integers(-40, 60, (50, 2, 5))
    difference = np.abs(amounts[..., :, None] - amounts[..., None, :]).mean(axis=(-2, -1))
    found = gini(amounts)
    np.testing.assert_allclose(found, difference / 2 / np.abs(amounts).mean(axis=-1))
    assert found.shape == (50, 2)
    assert found.max() <= 1 - 1 / 5


def test_feelings__about_oneself_do_not_count() -> None:
    feelings = np.array([[900, 1, 2], [3, 900, 4], [5, 0, 900]])
    pairs = [(1, 3), (2, 5), (3, 1), (4, 0), (5, 2), (0, 4)]
    assert mean_feeling(feelings) == pytest.approx(2.5)
    assert reciprocity(feelings) == pytest.approx(np.corrcoef(np.transpose(pairs))[0, 1])


def test_reciprocity__is_1_for_mutual_feelings_and_minus_1_for_opposite_ones() -> None:
    one = np.array([[0, 3, -2], [3, 0, 7], [-2, 7, 0]])
    other = np.array([[0, 3, -2], [-3, 0, 7], [2, -7, 0]])
    np.testing.assert_allclose(reciprocity(np.stack([one, other])), [1, -1])


def test_feelings__are_nan_for_too_few_peoples() -> None:
    flat, two, alone = np.ones((3, 3)), np.array([[0, 4], [2, 0]]), np.zeros((1, 1))
    found = [reciprocity(flat), mean_feeling(two), reciprocity(two), mean_feeling(alone)]
    np.testing.assert_equal([float(x) for x in found], [NAN, 3, NAN, NAN])


# -- all metrics -----------------------------------------------------------------------------------


def test_measure__of_many_games_is_that_of_each() -> None:
    trace = play_two(["greedy", "random", "conquer"])
    both = measure(trace.states, trace.chosen)
    for game in range(2):
        one = measure(trace.states[game], trace.chosen[game])
        for name in ("world_yield", "gini", "alive", "feeling", "reciprocity", "acts"):
            np.testing.assert_equal(getattr(one, name), getattr(both, name)[game])
        np.testing.assert_equal(one.total_shares, both.total_shares[game])


def test_measure__has_no_shares_at_inflections() -> None:
    trace = play_two(["conquer", "conquer", "consent"], offer_size=6)
    course = measure(trace.states[0], trace.chosen[0])
    assert course.acts[1].tolist() == [0, 2, 0, 0, 1, 0]
    assert course.conquest[1] == pytest.approx(2 / 3)
    assert np.flatnonzero(np.isnan(course.conquest)).tolist() == [0, 10, 20]
    assert course.gini.shape == course.alive.shape == (31,)


def test_measure__counts_peoples_alive() -> None:
    states = make_states(2, 3)
    states["death"][1:, 0] = 1
    assert measure(states, np.zeros((2, 3), np.int8)).alive.tolist() == [3, 2, 2]


def test_summary__is_the_end_and_the_shares_of_the_whole() -> None:
    trace = play_two(["greedy", "random", "conquer"])
    states, chosen = trace.states[1], trace.chosen[1]
    summary = summarize(states, chosen)
    assert (summary.steps, summary.players) == (30, 3)
    assert summary.world_yield == states["world_yield"][-1]
    assert summary.alive == (states["death"][-1] == 0).sum()
    assert summary.gini == gini(states["yields"][-1])
    assert summary.feeling == mean_feeling(states["feelings"][-1])
    assert summary.reciprocity == reciprocity(states["feelings"][-1])
    done = acts(states, chosen)
    assert summary.conquest == (done == CONQUER).sum() / (done >= 0).sum()
    assert tuple(summary.shares) == VALUES
    assert sum(summary.shares.values()) == pytest.approx(1)


def test_summary__is_plain_json_even_where_nothing_happened() -> None:
    facts = summarize(make_states(0, 1), np.zeros((0, 1), np.int8)).as_dict()
    assert json.loads(json.dumps(facts, allow_nan=False)) == {
        **{"steps": 0, "players": 1, "alive": 1, "world_yield": 0, "gini": 0.0},
        **{"feeling": None, "reciprocity": None, "conquest": None},
        "shares": dict.fromkeys(VALUES),
    }


def test_summary__is_of_one_game() -> None:
    trace = play_two(["greedy", "random", "conquer"])
    with pytest.raises(ConfigError, match=r"got \(2, 31\); summarize games one by one"):
        summarize(trace.states, trace.chosen)
