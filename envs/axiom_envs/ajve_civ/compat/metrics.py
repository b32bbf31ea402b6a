"""Social-dilemma metrics: who robs, who owns, and who likes whom, in games that were recorded.

All take what `playing.play` records, of one game or of many: "..." stands for any axes before
those of a game. Axis letters: P peoples, T steps.
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
"""In the place of a value where a people did nothing."""


# -- what was done ---------------------------------------------------------------------------------


def inflections(states: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Which steps were inflections, as the values tell: they rise by 2 or fall there alone.

    So it needs no configuration; of a ruleset in which turns do that too, those turns are taken for
    inflections.

    Args:
        states: (..., T + 1) records of games.

    Returns:
        (..., T) bool.
    """
    change = np.diff(states["values"], axis=-3)
    return np.asarray(((change < 0) | (change > 1)).any(axis=(-2, -1)))


def acts(states: npt.NDArray[Any], chosen: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
    """What every people did in every turn.

    Inflections are no acts, nor is what has no effect: choices of the dead, choices of no value,
    and conquest and exchange by a people that is alone in the world.

    Args:
        states: (..., T + 1) records of games.
        chosen: (..., T, P) int8, values 0 to 5; negative for none.

    Returns:
        (..., T, P) int8: values 0 to 5, NO_ACT for none.

    Raises:
        ConfigError: if the shapes do not fit each other.
    """
    check_trace(states, chosen)
    idle = (states["death"][..., :-1, :] != 0) | (chosen < 0)
    idle |= inflections(states)[..., np.newaxis]
    if chosen.shape[-1] == 1:
        idle |= (chosen == CONQUER) | (chosen == EXCHANGE)
    return np.where(idle, np.int8(NO_ACT), chosen)


def check_trace(states: npt.NDArray[Any], chosen: npt.NDArray[np.int8]) -> None:
    """Refuses states and choices that are not of the same games.

    states: (..., T + 1) records. chosen: (..., T, P) int8.

    Raises:
        ConfigError: with both shapes.
    """
    *games, length, players = states["death"].shape
    if length == 0 or chosen.shape != (*games, length - 1, players):
        raise ConfigError(
            f"chosen must be of shape {(*games, max(length - 1, 0), players)}, a choice of each "
            f"of the {players} peoples between two of the {length} states, got {chosen.shape}."
        )


def count_acts(done: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
    """How many peoples acted on each value.

    done: (..., P) int8, see `acts`. Returns (..., 6) int64.
    """
    return np.stack([(done == value).sum(axis=-1) for value in range(SIX)], axis=-1)


def shares(counts: npt.NDArray[np.int64]) -> Floats:
    """Each value's part of all acts, nan where nobody acted.

    counts: (..., 6) int64, see `count_acts`. Returns (..., 6) float64, 0 to 1.
    """
    total = counts.sum(axis=-1, keepdims=True)
    parts = np.full(counts.shape, np.nan)
    np.divide(counts, total, out=parts, where=total > 0)
    return parts


def smooth_shares(counts: npt.NDArray[np.int64], window: int) -> Floats:
    """Each value's part of all acts in so many steps around each step.

    counts: (T, 6) int64, see `count_acts`; T > 0. Returns (T, 6) float64, 0 to 1; nan without acts.
    """
    ones = np.ones(min(window, len(counts)), np.int64)
    sums = [np.convolve(column, ones, mode="same") for column in counts.T]
    return shares(np.stack(sums, axis=-1))


# -- what came of it -------------------------------------------------------------------------------


def gini(amounts: npt.NDArray[Any]) -> Floats:
    """Inequality of amounts that may be negative: half the mean difference over the mean size.

        sum over i, j of |x_i - x_j|  /  (2 P * sum over i of |x_i|)

    Without negative amounts this is the common Gini coefficient. It goes from 0, all equal, to
    1 - 1 / P, where one people has all that is owned and at most one other all that is owed; the
    same idea, but for the factor P / (P - 1), as in Raffinetti, Siletti and Vernizzi, "On the Gini
    coefficient normalization when attributes with negative values are considered" (2015).

    Args:
        amounts: (..., P) whole or real numbers.

    Returns:
        (...) float64; 0 where all amounts are 0.
    """
    players = amounts.shape[-1]
    ordered = np.sort(amounts.astype(np.float64), axis=-1)
    # Of P amounts in order, the k-th from 0 is the greater in k pairs, and the lesser in P - 1 - k.
    weights = 2 * np.arange(players) - (players - 1)
    difference = 2 * (ordered * weights).sum(axis=-1)
    size = 2 * players * np.abs(ordered).sum(axis=-1)
    found = np.zeros(size.shape)
    np.divide(difference, size, out=found, where=size > 0)
    return found


def _others(players: int) -> npt.NDArray[np.bool_]:
    """(P, P) bool: what a people feels about itself is no feeling."""
    return ~np.eye(players, dtype=np.bool_)


def mean_feeling(feelings: npt.NDArray[Any]) -> Floats:
    """What a people feels about another, on average; the dead count.

    feelings: (..., P, P) int32, [i, j] is what i feels about j. Returns (...) float64; nan for a
    single people.
    """
    players = feelings.shape[-1]
    if players == 1:
        return np.full(feelings.shape[:-2], np.nan)
    mean: Floats = feelings.mean(axis=(-2, -1), where=_others(players))
    return mean


def reciprocity(feelings: npt.NDArray[Any]) -> Floats:
    """Whether feelings are returned: the correlation of i's about j with j's about i, over i != j.

    feelings: (..., P, P) int32, [i, j] is what i feels about j. Returns (...) float64, -1 to 1; nan
    where all feelings are equal, and for fewer than three peoples: of two it can be nothing but -1.
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


# -- all at once -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Course:
    """How games went.

    Attributes:
        world_yield: (..., T + 1) int32.
        gini: (..., T + 1) float64, of the peoples' yields, the dead's too; see `gini`.
        alive: (..., T + 1) int64, peoples that live.
        feeling: (..., T + 1) float64; see `mean_feeling`.
        reciprocity: (..., T + 1) float64; see `reciprocity`.
        acts: (..., T, 6) int64, how many peoples acted on each value; 0 at inflections.
    """

    world_yield: npt.NDArray[np.int32]
    gini: Floats
    alive: npt.NDArray[np.int64]
    feeling: Floats
    reciprocity: Floats
    acts: npt.NDArray[np.int64]

    @property
    def shares(self) -> Floats:
        """(..., T, 6) float64, 0 to 1: each value's part of a step's acts; nan without any."""
        return shares(self.acts)

    @property
    def conquest(self) -> Floats:
        """(..., T) float64, 0 to 1: the part of a step's acts that is conquest; nan without any."""
        return self.shares[..., CONQUER]

    @property
    def total_shares(self) -> Floats:
        """(..., 6) float64, 0 to 1: each value's part of a whole game's acts; nan without any."""
        return shares(self.acts.sum(axis=-2))


def measure(states: npt.NDArray[Any], chosen: npt.NDArray[np.int8]) -> Course:
    """All metrics over time.

    Args:
        states: (..., T + 1) records of games, before each step and at the end.
        chosen: (..., T, P) int8, values 0 to 5; negative for none.

    Raises:
        ConfigError: if the shapes do not fit each other.
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
    """One game in numbers; all but the shares are those of its end.

    Attributes:
        steps: that were played.
        players: peoples.
        alive: peoples that live.
        world_yield: of the world.
        gini: of the peoples' yields, 0 to 1 - 1 / players.
        feeling: the mean one; nan for a single people.
        reciprocity: of feelings, -1 to 1; nan where it is not defined.
        shares: value -> its part of all acts, 0 to 1; nan if there were none.
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
        """The part of all acts that is conquest, 0 to 1; nan if there were none."""
        return self.shares[VALUES[CONQUER]]

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON, which has no nan: None stands in its place."""
        facts = {**asdict(self), "conquest": self.conquest}
        return {key: _plain(value) for key, value in facts.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(entry) for key, entry in value.items()}
    return value if isfinite(value) else None


def summarize(states: npt.NDArray[Any], chosen: npt.NDArray[np.int8]) -> Summary:
    """One game in numbers.

    Args:
        states: (T + 1,) records, before each step and at the end.
        chosen: (T, P) int8, values 0 to 5; negative for none.

    Raises:
        ConfigError: if these are not the states and choices of one game.
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
