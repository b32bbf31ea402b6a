"""Social-dilemma metrics of recorded games: conquest, inequality, and feelings.

The functions take recordings of `playing.play`, of one game or of many; "..." stands for any axes
before those of a game. Axis letters: P players, T steps.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import isfinite
from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_envs.ajve_civ.constants import CONQUER, EXCHANGE, SIX, VALUES
from axiom_gym.errors import ConfigError

Floats = npt.NDArray[np.float64]

NO_ACT = -1
"""The entry for a people that did nothing."""


# -- acts ------------------------------------------------------------------------------------------


def inflections(states: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Return True for each step that was an inflection, (..., T) bool.

    Only at inflections does a value rise by 2 or fall, so the function needs no configuration. In a
    ruleset of your own, a turn with such changes counts as an inflection.

    states: (..., T + 1) records of games.
    """
    change = np.diff(states["values"], axis=-3)
    return np.asarray(((change < 0) | (change > 1)).any(axis=(-2, -1)))


def acts(states: npt.NDArray[Any], chosen: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
    """Return the act of each people in each turn.

    These are not acts: choices at inflections, choices of the dead, missing choices, and conquest
    and exchange by a people that is alone in the world.

    Args:
        states: (..., T + 1) records of games.
        chosen: (..., T, P) int8, values 0 to 5; negative for none.

    Returns:
        (..., T, P) int8: values 0 to 5, NO_ACT for none.

    Raises:
        ConfigError: if the shapes do not match.
    """
    check_trace(states, chosen)
    idle = (states["death"][..., :-1, :] != 0) | (chosen < 0)
    idle |= inflections(states)[..., np.newaxis]
    if chosen.shape[-1] == 1:
        idle |= (chosen == CONQUER) | (chosen == EXCHANGE)
    return np.where(idle, np.int8(NO_ACT), chosen)


def check_trace(states: npt.NDArray[Any], chosen: npt.NDArray[np.int8]) -> None:
    """Check that states and choices are of the same games.

    states: (..., T + 1) records. chosen: (..., T, P) int8.

    Raises:
        ConfigError: if the shapes do not match; the message has both.
    """
    *games, length, players = states["death"].shape
    if length == 0 or chosen.shape != (*games, length - 1, players):
        raise ConfigError(
            f"chosen must be of shape {(*games, max(length - 1, 0), players)}, a choice of each "
            f"of the {players} players between two of the {length} states, got {chosen.shape}."
        )


def count_acts(done: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
    """Return the number of peoples that acted on each value, (..., 6) int64.

    done: (..., P) int8, see `acts`.
    """
    return np.stack([(done == value).sum(axis=-1) for value in range(SIX)], axis=-1)


def shares(counts: npt.NDArray[np.int64]) -> Floats:
    """Return each value's share of all acts, (..., 6) float64, 0 to 1; nan without acts.

    counts: (..., 6) int64, see `count_acts`.
    """
    total = counts.sum(axis=-1, keepdims=True)
    parts = np.full(counts.shape, np.nan)
    np.divide(counts, total, out=parts, where=total > 0)
    return parts


def smooth_shares(counts: npt.NDArray[np.int64], window: int) -> Floats:
    """Return each value's share of all acts in a window of steps around each step.

    The result is (T, 6) float64, 0 to 1; nan without acts.

    counts: (T, 6) int64, see `count_acts`; T > 0. window: number of steps.
    """
    ones = np.ones(min(window, len(counts)), np.int64)
    sums = [np.convolve(column, ones, mode="same") for column in counts.T]
    return shares(np.stack(sums, axis=-1))


# -- yields and feelings ---------------------------------------------------------------------------


def gini(amounts: npt.NDArray[Any]) -> Floats:
    """Return the Gini coefficient of amounts that may be negative.

    It is half the mean difference, divided by the mean absolute amount:

        sum over i, j of |x_i - x_j|  /  (2 P * sum over i of |x_i|)

    Without negative amounts this is the usual Gini coefficient. It is 0 if all amounts are equal.
    Its maximum 1 - 1 / P is reached if one people has all positive amounts and at most one other
    has all negative amounts. Except for the factor P / (P - 1), the definition follows
    Raffinetti, Siletti and Vernizzi, "On the Gini coefficient normalization when attributes with
    negative values are considered" (2015).

    Args:
        amounts: (..., P) integers or floats.

    Returns:
        (...) float64; 0 if all amounts are 0.
    """
    players = amounts.shape[-1]
    ordered = np.sort(amounts.astype(np.float64), axis=-1)
    # Of P sorted amounts, the k-th from 0 is the larger in k pairs and the smaller in P - 1 - k.
    weights = 2 * np.arange(players) - (players - 1)
    difference = 2 * (ordered * weights).sum(axis=-1)
    size = 2 * players * np.abs(ordered).sum(axis=-1)
    found = np.zeros(size.shape)
    np.divide(difference, size, out=found, where=size > 0)
    return found


def _others(players: int) -> npt.NDArray[np.bool_]:
    """Return a mask that excludes the feelings of peoples about themselves, (P, P) bool."""
    return ~np.eye(players, dtype=np.bool_)


def mean_feeling(feelings: npt.NDArray[Any]) -> Floats:
    """Return the mean feeling of a people about another, dead or alive, (...) float64.

    It is nan for a single people. feelings: (..., P, P) int32, [i, j] is the feeling of i about j.
    """
    players = feelings.shape[-1]
    if players == 1:
        return np.full(feelings.shape[:-2], np.nan)
    mean: Floats = feelings.mean(axis=(-2, -1), where=_others(players))
    return mean


def reciprocity(feelings: npt.NDArray[Any]) -> Floats:
    """Return the correlation of the feelings of i about j with those of j about i, over i != j.

    The result is (...) float64, -1 to 1. It is nan if all feelings are equal, and for fewer than
    three peoples: for two it could only be -1.

    feelings: (..., P, P) int32, [i, j] is the feeling of i about j.
    """
    players = feelings.shape[-1]
    if players < 3:
        return np.full(feelings.shape[:-2], np.nan)
    mean = mean_feeling(feelings)[..., np.newaxis, np.newaxis]
    spread = (feelings - mean) * _others(players)
    common = (spread * spread.swapaxes(-2, -1)).sum(axis=(-2, -1))
    total = (spread**2).sum(axis=(-2, -1))
    found = np.full(total.shape, np.nan)
    np.divide(common, total, out=found, where=total > 0)
    return found


# -- all metrics -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Course:
    """The metrics of games over time.

    Attributes:
        world_yield: (..., T + 1) int32.
        gini: (..., T + 1) float64, of the yields of all peoples, dead or alive; see `gini`.
        alive: (..., T + 1) int64, the number of peoples alive.
        feeling: (..., T + 1) float64; see `mean_feeling`.
        reciprocity: (..., T + 1) float64; see `reciprocity`.
        acts: (..., T, 6) int64, the number of peoples that acted on each value; 0 at inflections.
    """

    world_yield: npt.NDArray[np.int32]
    gini: Floats
    alive: npt.NDArray[np.int64]
    feeling: Floats
    reciprocity: Floats
    acts: npt.NDArray[np.int64]

    @property
    def shares(self) -> Floats:
        """Each value's share of the acts of a step, (..., T, 6) float64; nan without acts."""
        return shares(self.acts)

    @property
    def conquest(self) -> Floats:
        """The share of conquest in the acts of a step, (..., T) float64; nan without acts."""
        return self.shares[..., CONQUER]

    @property
    def total_shares(self) -> Floats:
        """Each value's share of the acts of a game, (..., 6) float64; nan without acts."""
        return shares(self.acts.sum(axis=-2))


def measure(states: npt.NDArray[Any], chosen: npt.NDArray[np.int8]) -> Course:
    """Return all metrics over time.

    Args:
        states: (..., T + 1) records of games, before each step and at the end.
        chosen: (..., T, P) int8, values 0 to 5; negative for none.

    Raises:
        ConfigError: if the shapes do not match.
    """
    done = acts(states, chosen)
    return Course(
        world_yield=states["world_yield"],
        gini=gini(states["yields"]),
        alive=(states["death"] == 0).sum(axis=-1),
        feeling=mean_feeling(states["feelings"]),
        reciprocity=reciprocity(states["feelings"]),
        acts=count_acts(done),
    )


@dataclass(frozen=True, slots=True)
class Summary:
    """The metrics of one game, at its end; the shares are over the whole game.

    Attributes:
        steps: number of steps played.
        players: number of players.
        alive: number of peoples alive.
        world_yield: yield of the world.
        gini: Gini coefficient of the yields, 0 to 1 - 1 / players.
        feeling: mean feeling; nan for a single people.
        reciprocity: reciprocity of feelings, -1 to 1; nan if it is not defined.
        shares: value -> its share of all acts, 0 to 1; nan without acts.
    """

    steps: int
    players: int
    alive: int
    world_yield: int
    gini: float
    feeling: float
    reciprocity: float
    shares: dict[str, float]

    @property
    def conquest(self) -> float:
        """The share of conquest in all acts, 0 to 1; nan without acts."""
        return self.shares[VALUES[CONQUER]]

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for JSON, with None in place of nan, which JSON does not have."""
        facts = {**asdict(self), "conquest": self.conquest}
        return {key: _plain(value) for key, value in facts.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(entry) for key, entry in value.items()}
    return value if isfinite(value) else None


def summarize(states: npt.NDArray[Any], chosen: npt.NDArray[np.int8]) -> Summary:
    """Return the metrics of one game.

    Args:
        states: (T + 1,) records, before each step and at the end.
        chosen: (T, P) int8, values 0 to 5; negative for none.

    Raises:
        ConfigError: if the arguments are not the states and choices of one game.
    """
    if states.ndim != 1:
        raise ConfigError(
            f"states must be those of one game, of shape (T + 1,), got {states.shape}; "
            "summarize games one by one."
        )
    course = measure(states, chosen)
    return Summary(
        steps=len(chosen),
        players=chosen.shape[-1],
        alive=int(course.alive[-1]),
        world_yield=int(course.world_yield[-1]),
        gini=float(course.gini[-1]),
        feeling=float(course.feeling[-1]),
        reciprocity=float(course.reciprocity[-1]),
        shares=dict(zip(VALUES, course.total_shares.tolist(), strict=True)),
    )
