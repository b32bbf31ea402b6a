"""The advantage of each action, fitted to a sample of decisions by linear regression.

The dependent variable is the sum of the player's rewards from the decision to the end of the game.
Explanatory variables are the number of sub-actions chosen for each action, and as controls: the
turn, the seat, the entries of the observation, and which actions were legal. Each agent and each
phase of the game has a fit of its own.

The advantage of an action is the coefficient of the action minus the mean coefficient of the
agent's choices: the expected change of the return by this action instead of the agent's average
choice, at equal controls, if the agent plays the rest of the game as before. Standard errors allow
for the dependence of decisions of one game (cluster-robust).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_gym.balance.collect import Series

Z = NormalDist().inv_cdf(0.975)

PHASES = ("early", "middle", "late")

FEWEST_GAMES = 50
"""The fewest games for a fit."""

FEWEST_CHOICES = 30
"""The fewest decisions for an action, and not for it, for an estimate."""

_TINY = 1e-9
"""The smallest eigenvalue, relative to the largest one, of a direction that the data determine."""

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Decisions:
    """Decisions of one agent in one phase, ordered by game.

    Attributes:
        games: (D,) int64, the game of each decision.
        turns: (D,) int32.
        chosen: (D, C) float64, the number of sub-actions for each action.
        controls: (D, X) float64.
        gains: (D,) float64, the rewards from the decision to the end.
    """

    games: npt.NDArray[np.int64]
    turns: npt.NDArray[np.int32]
    chosen: Array
    controls: Array
    gains: Array


@dataclass(frozen=True, slots=True)
class Fit:
    """Coefficients and their covariance.

    Attributes:
        weights: (C,) float64, the share of each action in all choices.
        places: (C,) int64, the place of each action's coefficient; rare actions share one.
        known: (C,) bool, False for rare actions.
        coefficients: (X,) float64.
        covariance: (X, X) float64.
        determined: (X, X) float64, the projection onto what the data determine.
        explained: the share of the variance that the fit explains (R²).
    """

    weights: Array
    places: npt.NDArray[np.int64]
    known: npt.NDArray[np.bool_]
    coefficients: Array
    covariance: Array
    determined: Array
    explained: float

    def compare(self, action: int, other: int | None = None) -> tuple[float, float] | None:
        """Return the advantage over another action, and its standard error.

        Without `other`, it is the advantage over the average choice. The result is None if the
        data do not determine it.
        """
        if not self.known[action] or (other is not None and not self.known[other]):
            return None
        contrast = np.zeros(len(self.coefficients))
        contrast[self.places[action]] = 1
        if other is None:
            np.add.at(contrast, self.places, -self.weights)
        else:
            contrast[self.places[other]] -= 1
        if np.abs(contrast - self.determined @ contrast).max() > 1e-6:
            return None
        variance = max(float(contrast @ self.covariance @ contrast), 0.0)
        return float(contrast @ self.coefficients), math.sqrt(variance)


def split_phases(turns: npt.NDArray[np.int32]) -> list[npt.NDArray[np.bool_]]:
    """Return which decisions belong to each third of the decisions, by their turns.

    Phases without decisions are left out.
    """
    first, second = np.quantile(turns, [1 / 3, 2 / 3], method="inverted_cdf").tolist()
    phases = [turns <= first, (turns > first) & (turns <= second), turns > second]
    return [phase for phase in phases if phase.any()]


def gather(series: Series, agent: int) -> Decisions:
    """Return the sampled decisions of an agent."""
    samples = series.samples
    games, places = np.nonzero(samples.agents == agent)
    at = games, places
    seats = samples.seats[at]
    controls = [
        samples.features[at],
        samples.available[at],
        samples.turns[at][:, None],
        seats[:, None] == np.arange(1, series.outcomes.shape[1]),
    ]
    return Decisions(
        games,
        samples.turns[at],
        samples.chosen[at].astype(np.float64),
        np.concatenate(controls, axis=1, dtype=np.float64),
        series.returns[games, seats].astype(np.float64) - samples.before[at],
    )


def select(decisions: Decisions, which: npt.NDArray[np.bool_]) -> Decisions:
    """Return some of the decisions. which: (D,) bool."""
    return Decisions(
        decisions.games[which],
        decisions.turns[which],
        decisions.chosen[which],
        decisions.controls[which],
        decisions.gains[which],
    )


def fit(decisions: Decisions) -> Fit | None:
    """Fit the regression by least squares; return None for too few games or no variation."""
    starts = np.flatnonzero(np.diff(decisions.games, prepend=-1))
    often = np.count_nonzero(decisions.chosen, axis=0)
    known = (often >= FEWEST_CHOICES) & (len(decisions.gains) - often >= FEWEST_CHOICES)
    if len(starts) < FEWEST_GAMES or not known.any() or not np.ptp(decisions.gains):
        return None
    plain = int(np.count_nonzero(known)) + 1
    places = np.where(known, np.cumsum(known) - 1, plain - 1)
    rare = decisions.chosen[:, ~known].sum(axis=1, keepdims=True)
    columns = [decisions.chosen[:, known], rare, decisions.controls]
    matrix = _standardize(np.concatenate(columns, axis=1), plain)
    weights = decisions.chosen.sum(axis=0) / decisions.chosen.sum()
    return Fit(weights, places, known, *_solve(matrix, decisions.gains, starts))


def _standardize(matrix: Array, plain: int) -> Array:
    """Return a matrix with a constant and scaled controls, without controls that are constant.

    The first `plain` columns are left as they are.
    """
    controls = matrix[:, plain:]
    spread = controls.std(axis=0)
    varied = spread > 1e-9 * np.maximum(np.abs(controls).max(axis=0, initial=0), 1)
    scaled = (controls[:, varied] - controls[:, varied].mean(axis=0)) / spread[varied]
    return np.concatenate([matrix[:, :plain], np.ones((len(matrix), 1)), scaled], axis=1)


def _solve(
    matrix: Array, gains: Array, starts: npt.NDArray[np.int64]
) -> tuple[Array, Array, Array, float]:
    """Return coefficients, their cluster-robust covariance, the projection, and R².

    starts: the first row of each game.
    """
    values, vectors = np.linalg.eigh(matrix.T @ matrix)
    used = vectors[:, values > _TINY * values[-1]]
    inverse = (used / values[values > _TINY * values[-1]]) @ used.T
    coefficients = inverse @ (matrix.T @ gains)
    errors = gains - matrix @ coefficients
    scores = np.add.reduceat(matrix * errors[:, None], starts, axis=0)
    games, rows, rank = len(starts), len(gains), used.shape[1]
    correction = games / (games - 1) * (rows - 1) / max(rows - rank, 1)
    covariance = correction * inverse @ (scores.T @ scores) @ inverse
    explained = 1 - float(errors @ errors) / float(((gains - gains.mean()) ** 2).sum())
    return coefficients, covariance, used @ used.T, explained


def describe(series: Series, agent: int) -> dict[str, Any] | None:
    """Return the advantages of an agent's actions by phase, and the verdicts; None without fits."""
    decisions = gather(series, agent)
    if not len(decisions.gains):
        return None
    phases, fits = [], []
    parts = split_phases(decisions.turns)
    names = PHASES if len(parts) == len(PHASES) else [f"part {n + 1}" for n in range(len(parts))]
    for name, which in zip(names, parts, strict=True):
        part = select(decisions, which)
        found = fit(part)
        if found is not None:
            fits.append(found)
            phases.append(_describe_phase(name, part, found, series.names.names))
    if not any(phase["effects"] for phase in phases):
        return None
    always, never = judge(fits)
    listed = series.names.names
    return {
        "agent": series.table.names[agent],
        "phases": phases,
        "always_best": [listed[i] for i in always],
        "never_best": [listed[i] for i in never],
    }


def _describe_phase(
    name: str, part: Decisions, found: Fit, names: tuple[str, ...]
) -> dict[str, Any]:
    effects = []
    for i, action in enumerate(names):
        compared = found.compare(i)
        if compared is not None:
            value, error = compared
            count = int(np.count_nonzero(part.chosen[:, i]))
            interval = [value - Z * error, value + Z * error]
            effects.append(
                {"action": action, "advantage": value, "interval": interval, "chosen": count}
            )
    return {
        "phase": name,
        "turns": [int(part.turns.min()), int(part.turns.max())],
        "decisions": len(part.gains),
        "explained": found.explained,
        "effects": effects,
    }


def judge(fits: list[Fit]) -> tuple[list[int], list[int]]:
    """Return the actions that are the best ones in all phases, and those that are in none.

    An action is better than another one if the 95 % interval of the difference is above 0; it is
    widened for the number of pairs of actions (Bonferroni). An action is best if it is better than
    the average choice and than all others. It is "never best" if in every phase another one is
    better, and if there is an estimate for it in every phase.
    """
    always, never = [], []
    for action in range(len(fits[0].known)):
        places = [_place(found, action) for found in fits]
        if all(place == 1 for place in places):
            always.append(action)
        if all(place == -1 for place in places):
            never.append(action)
    return always, never


def _place(found: Fit, action: int) -> int:
    """Return 1 if an action is best, -1 if another one is better, and 0 if neither is certain."""
    alone = found.compare(action)
    if alone is None:
        return 0
    others = [i for i in np.flatnonzero(found.known).tolist() if i != action]
    pairs = max(len(others) * (len(others) + 1) // 2, 1)
    z = NormalDist().inv_cdf(1 - 0.025 / pairs)
    against = [found.compare(action, other) for other in others]
    known = [one for one in against if one is not None]
    if any(value + z * error < 0 for value, error in known):
        return -1
    is_above = alone[0] - z * alone[1] > 0
    is_first = len(known) == len(others) and all(value - z * error > 0 for value, error in known)
    return int(is_above and bool(others) and is_first)
