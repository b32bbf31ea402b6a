from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from axiom_training.summary import Summary, t_quantile


def test_summary__has_the_mean_and_its_interval() -> None:
    values = [0.5, 0.7, 0.9, 0.4]
    found = Summary.of(values)
    assert (found.runs, found.lowest, found.highest) == (4, 0.4, 0.9)
    assert found.median == pytest.approx(0.6)
    assert found.mean == pytest.approx(0.625)
    error = np.std(values, ddof=1) / 2
    assert found.interval == pytest.approx(stats.t.interval(0.95, 3, 0.625, error), rel=1e-3)


def test_summary__of_one_run_has_no_interval() -> None:
    found = Summary.of([0.5])
    assert found.mean == found.median == 0.5
    assert all(map(math.isnan, found.interval))


def test_summary__keeps_the_interval_within_the_range_of_values() -> None:
    assert Summary.of([0.99, 1.0, 0.9], 0, 1).interval[1] == 1
    assert Summary.of([0.01, 0.0, 0.1], 0, 1).interval[0] == 0


@pytest.mark.parametrize("degrees", [1, 2, 3, 4, 5, 6, 9, 15, 30, 99, 1000])
def test_quantile__is_that_of_student(degrees: int) -> None:
    assert t_quantile(degrees) == pytest.approx(stats.t.ppf(0.975, degrees), rel=2e-3)
