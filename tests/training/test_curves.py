from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from axiom_gym.errors import ConfigError, UnknownNameError
from axiom_training.curves import Run, choose_metrics, find_groups, make_curve
from axiom_training.runlog import EVALUATIONS, ITERATIONS

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Return a function that writes the evaluations of a run and returns its directory."""

    def make(name: str, *scores: tuple[int, float], metric: str = "eval/greedy") -> Path:
        directory = tmp_path / name
        directory.mkdir(parents=True)
        rows = [f"{steps},{steps / 100},{score}" for steps, score in scores or [(0, 0.5)]]
        text = "\n".join([f"steps,charts/seconds,{metric}", *rows])
        (directory / EVALUATIONS).write_text(f"{text}\n", encoding="utf-8")
        return directory

    return make


# Groups


def test_groups__of_a_run(write: Write) -> None:
    run = write("run")
    assert find_groups([run]) == {"run": [run]}


def test_groups__join_seeds_in_one_directory(write: Write, tmp_path: Path) -> None:
    runs = [write(f"few/seed-{seed}") for seed in (0, 2, 10)]
    assert find_groups([tmp_path / "few"]) == {"few": runs}


def test_groups__are_found_below_a_directory(write: Write, tmp_path: Path) -> None:
    slow = [write(f"sweep/rate=0.0001/seed-{seed}") for seed in (0, 1)]
    fast = [write(f"sweep/rate=0.001/seed-{seed}") for seed in (0, 1)]
    alone = write("sweep/first")
    found = find_groups([tmp_path / "sweep"])
    assert found == {"first": [alone], "rate=0.0001": slow, "rate=0.001": fast}
    assert list(found)[1:] == ["rate=0.0001", "rate=0.001"]


def test_groups__label_paths_without_what_they_share(write: Write, tmp_path: Path) -> None:
    a, b = write("a/run"), write("b/run")
    assert find_groups([a, b]) == {"a/run": [a], "b/run": [b]}


def test_groups__take_one_seed_by_itself(write: Write) -> None:
    seeds = [write(f"few/seed-{seed}") for seed in (0, 1)]
    assert find_groups([seeds[1]]) == {"seed-1": [seeds[1]]}


def test_groups__refuse_what_contains_no_run(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"contains no run: there is no evaluations\.csv"):
        find_groups([tmp_path])
    with pytest.raises(ConfigError, match=r"there is no directory '.*nothing'"):
        find_groups([tmp_path / "nothing"])


# Metrics


def test_metrics__are_found_by_their_short_names(write: Write) -> None:
    directory = write("run")
    (directory / ITERATIONS).write_text("steps,losses/entropy\n10,2.5\n", encoding="utf-8")
    run = Run.read(directory)
    assert choose_metrics([run], ["entropy", "eval/greedy"]) == ["losses/entropy", "eval/greedy"]
    assert choose_metrics([run], []) == ["eval/greedy"]
    with pytest.raises(
        UnknownNameError, match=r"unknown metric 'entrpy'\. Did you mean 'losses/ent"
    ):
        choose_metrics([run], ["entrpy"])


def test_metrics__of_a_game_for_one_player_are_its_outcomes(write: Write) -> None:
    run = Run.read(write("run", metric="outcome/model"))
    assert choose_metrics([run], []) == ["outcome/model"]


# Curves


def test_curve__of_one_run_has_its_points(write: Write) -> None:
    run = Run.read(write("run", (0, 0.25), (2_000_000, 0.75)))
    curve = make_curve([run], "eval/greedy", "steps", "range")
    assert curve is not None
    assert curve.x.tolist() == [0, 2]
    assert curve.mean.tolist() == curve.low.tolist() == curve.high.tolist() == [0.25, 0.75]


def test_curve__of_several_runs_is_their_mean_where_all_have_values(write: Write) -> None:
    first = Run.read(write("seed-0", (0, 0.0), (2_000_000, 1.0)))
    other = Run.read(write("seed-1", (0, 0.5), (1_000_000, 0.75), (3_000_000, 0.75)))
    curve = make_curve([first, other], "eval/greedy", "steps", "range")
    assert curve is not None
    assert curve.x.tolist() == [0, 1, 2]
    assert curve.mean == pytest.approx([0.25, 0.625, 0.875])
    assert curve.low == pytest.approx([0.0, 0.5, 0.75])
    assert curve.high == pytest.approx([0.5, 0.75, 1.0])
    assert curve.runs == 2


def test_curve__has_the_interval_of_the_mean(write: Write) -> None:
    runs = [Run.read(write(f"seed-{i}", (0, score))) for i, score in enumerate((0.4, 0.5, 0.6))]
    curve = make_curve(runs, "eval/greedy", "steps", "interval")
    assert curve is not None
    reach = 4.3027 * 0.1 / np.sqrt(3)
    assert [curve.low[0], curve.high[0]] == pytest.approx([0.5 - reach, 0.5 + reach])


def test_curve__over_minutes(write: Write) -> None:
    run = Run.read(write("run", (0, 0.5), (12_000, 0.5)))
    curve = make_curve([run], "eval/greedy", "minutes", "range")
    assert curve is not None
    assert curve.x.tolist() == [0, 2]


def test_curve__leaves_out_missing_values(write: Write) -> None:
    run = Run.read(write("run", (0, float("nan")), (1_000_000, 0.5)))
    curve = make_curve([run], "eval/greedy", "steps", "range")
    assert curve is not None
    assert curve.mean.tolist() == [0.5]
    assert make_curve([run], "eval/other", "steps", "range") is None


@pytest.mark.parametrize(("axis", "band"), [("hours", "range"), ("steps", "all")])
def test_curve__refuses_other_words(write: Write, axis: str, band: str) -> None:
    with pytest.raises(UnknownNameError, match=r"unknown (horizontal axis|band)"):
        make_curve([Run.read(write("run"))], "eval/greedy", axis, band)
