from __future__ import annotations

import json
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import matplotlib.image
import matplotlib.pyplot
import numpy as np
import pytest

from axiom_training.evaluation import Outcome, Result
from axiom_training.ratings import Rating
from axiom_training.report import (
    CURVE,
    draw_learning_curve,
    outcome_facts,
    print_outcomes,
    print_ratings,
    print_results,
    rate_players,
    rating_facts,
    result_facts,
    round_robin,
)
from axiom_training.runlog import EVALUATIONS, ITERATIONS, RunLog

RESULTS = {"random": Result(8, 1, 1), "greedy": Result(0, 0, 10)}
RATINGS = [Rating("model", 123.4, 10.2, 40), Rating("random", 0.0, 9.9, 40)]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Return the directory of a run of three iterations and two evaluations."""
    log = RunLog(tmp_path)
    log.write(EVALUATIONS, 0, {"eval/random": 0.5, "eval/greedy": 0.0})
    for steps in (100, 200, 300):
        length = float("nan") if steps == 100 else 20.0
        values = {"losses/entropy": 400 - steps, "charts/episodic_length": length}
        log.write(ITERATIONS, steps, values)
    log.write(EVALUATIONS, 300, {"eval/random": 0.9, "eval/greedy": 0.1})
    log.close()
    return tmp_path


def test_curve__is_a_picture(run: Path) -> None:
    path = draw_learning_curve(run, "Probe")
    assert path == run / CURVE
    picture = matplotlib.image.imread(path)
    assert picture.shape == (840, 1120, 4)
    assert len(np.unique(picture.reshape(-1, 4), axis=0)) > 50


def test_curve__shows_the_score_between_equal_players(run: Path) -> None:
    """The grey line is higher for two players than for four."""

    def row(even: float) -> int:
        picture = matplotlib.image.imread(draw_learning_curve(run, "Probe", even))
        grey = np.ptp(picture[..., :3], axis=-1) < 0.01
        grey &= np.abs(picture[..., 0] - 0.75) < 0.06  # it is thin, and so a little paler
        return int(grey.sum(axis=1).argmax())

    assert row(1 / 2) < row(1 / 4)


def test_curve__leaves_no_figure_open(run: Path) -> None:
    draw_learning_curve(run, "Probe")
    assert matplotlib.pyplot.get_fignums() == []


def test_curve__is_drawn_after_the_first_evaluation(run: Path) -> None:
    (run / ITERATIONS).unlink()
    assert draw_learning_curve(run, "Probe") == run / CURVE


def test_curve__is_not_drawn_without_evaluations(tmp_path: Path) -> None:
    assert draw_learning_curve(tmp_path, "Probe") is None
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("probe")
def test_round_robin__plays_every_pair() -> None:
    players = ["random", "perfect", "wrong"]
    matches = round_robin("probe-v0", {name: name for name in players}, 6)
    assert len(matches) == 3 * 6
    for pair in combinations(players, 2):
        assert sum(match.players == pair for match in matches) == 6
    results = {match.outcomes for match in matches if match.players == ("perfect", "wrong")}
    assert results == {(1.0, -1.0)}


@pytest.mark.usefixtures("probe")
def test_round_robin__plays_different_games_with_every_pair() -> None:
    players = {"a": "random", "b": "random", "c": "random"}
    matches = round_robin("probe-v0", players, 40, seed=2**32 - 1)
    outcomes = [
        [m.outcomes for m in matches if m.players == pair] for pair in combinations("abc", 2)
    ]
    assert outcomes[0] != outcomes[1] != outcomes[2] != outcomes[0]


def test_rate_players__puts_the_best_first(make_model: Callable[..., object]) -> None:
    players = {"model": make_model(), "perfect": "perfect", "wrong": "wrong"}
    ratings = rate_players("probe-v0", players, 30, anchor="wrong")  # type: ignore[arg-type]
    assert [rating.name for rating in ratings] == ["perfect", "model", "wrong"]
    assert ratings[-1].points == 0
    assert [rating.games for rating in ratings] == [60, 60, 60]


def test_print_results__is_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    print_results(RESULTS, "Score")
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Score"
    assert lines[1].split("  ")[0] == "against"
    assert lines[2].split() == ["random", "0.850", "0.541", "–", "0.965", "8", "1", "1"]
    assert lines[3].split() == ["greedy", "0.000", "0.000", "–", "0.278", "0", "0", "10"]


def test_print_ratings__is_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    print_ratings(RATINGS, "random")
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Ratings (random = 0)"
    assert lines[2].split() == ["model", "+123", "±", "10", "40"]
    assert lines[3].split() == ["random", "+0", "±", "10", "40"]


def test_curve__shows_outcomes_of_a_game_for_one(tmp_path: Path) -> None:
    pictures = []
    for last in (50.0, 60.0):
        log = RunLog(tmp_path / str(last))
        for steps, mean in (0, 3.0), (60, last), (100, 100.0):
            log.write(EVALUATIONS, steps, {"eval/random": 0.5, "outcome/model": mean})
            log.write(ITERATIONS, steps, {"losses/entropy": 1.0, "charts/episodic_length": 9.0})
        log.close()
        path = draw_learning_curve(tmp_path / str(last), "Climb")
        assert path is not None
        pictures.append(matplotlib.image.imread(path))
    assert pictures[0].shape == (1120, 1120, 4)
    rows = np.flatnonzero((pictures[0] != pictures[1]).any(axis=(1, 2)))
    assert len(rows) > 10
    assert rows.max() < 450  # only in the upper panel


def test_print_outcomes__is_a_table_with_the_best_first(capsys: pytest.CaptureFixture[str]) -> None:
    print_outcomes({"low": Outcome(40, -1.25, 0.5, -8.0, 3.0), "high": Outcome(40, 2e6, 0, 1, 3)})
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Outcomes of each player alone on the same seeds"
    assert lines[2].split() == ["high", "2e+06", "0", "1", "3", "40"]
    assert lines[3].split() == ["low", "-1.25", "0.5", "-8", "3", "40"]


def test_outcome_facts__are_plain_values() -> None:
    facts = json.loads(json.dumps(outcome_facts({"a": Outcome(4, 1.5, 0.5, -8.0, 3.0)})))
    expected = {"mean": 1.5, "standard_error": 0.5, "lowest": -8.0, "highest": 3.0, "games": 4}
    assert facts == {"a": expected}


def test_facts__are_plain_values() -> None:
    facts = json.loads(json.dumps([result_facts(RESULTS), rating_facts(RATINGS)]))
    assert facts[0]["random"] == {
        "score": 0.85,
        "interval": list(RESULTS["random"].interval),
        "wins": 8,
        "draws": 1,
        "losses": 1,
    }
    assert facts[1]["model"] == {"points": 123.4, "error": 10.2, "games": 40}
