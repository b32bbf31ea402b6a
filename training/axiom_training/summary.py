"""Statistics of one number over several runs, such as the scores of several seeds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean, median, stdev

_SMALL = (12.7062, 4.3027, 3.1824, 2.7764)
"""The 0.975 quantiles of Student's t distribution with 1 to 4 degrees of freedom."""


@dataclass(frozen=True, slots=True)
class Summary:
    """A summary of a number over several runs.

    Attributes:
        runs: the number of runs.
        mean, median, lowest, highest: the mean, the median, the lowest and the highest value.
        interval: the 95 % interval of the mean by Student's t distribution, which assumes that the
            runs are independent; both ends are NaN for a single run.
    """

    runs: int
    mean: float
    median: float
    lowest: float
    highest: float
    interval: tuple[float, float]

    @classmethod
    def of(cls, values: Sequence[float], low: float = -math.inf, high: float = math.inf) -> Summary:
        """Summarize values, of which there must be at least one, and which are from low to high."""
        middle, reach = fmean(values), find_reach(values)
        ends = max(middle - reach, low), min(middle + reach, high)
        return cls(
            runs=len(values),
            mean=middle,
            median=median(values),
            lowest=min(values),
            highest=max(values),
            interval=ends if len(values) > 1 else (math.nan, math.nan),
        )


def find_reach(values: Sequence[float]) -> float:
    """Return half the width of the 95 % interval of the mean; NaN for a single value."""
    if len(values) < 2:
        return math.nan
    return t_quantile(len(values) - 1) * stdev(values) / math.sqrt(len(values))


def t_quantile(degrees: int) -> float:
    """Return the 0.975 quantile of Student's t distribution, with a relative error below 0.2 %.

    From 5 degrees of freedom on, this is the expansion at the normal quantile by Cornish and Fisher
    (Abramowitz and Stegun, 26.7.5).
    """
    if degrees <= len(_SMALL):
        return _SMALL[degrees - 1]
    z = NormalDist().inv_cdf(0.975)
    terms: tuple[float, ...] = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return math.fsum(term / degrees**power for power, term in enumerate(terms))
