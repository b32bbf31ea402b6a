"""The numbers of a report, as JSON values: means, shares and intervals of one table's games."""

from __future__ import annotations

import math
from collections import Counter
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_gym.balance import advantage
from axiom_gym.balance.advantage import Z
from axiom_gym.balance.collect import Series

MOST_BARS = 30
"""The most bars of a histogram."""

MOST_VALUES = 12
"""The most different outcomes that get a bar each."""

MOST_POINTS = 121
"""The most points of a survival curve."""

_QUANTILES = {"p5": 0.05, "p25": 0.25, "median": 0.5, "p75": 0.75, "p95": 0.95}

Values = npt.NDArray[Any]


def describe_table(series: Series) -> dict[str, Any]:
    """Return all numbers of a table."""
    agents = range(len(series.table.names))
    fits = [advantage.describe(series, agent) for agent in agents]
    return {
        "label": series.table.label,
        "agents": list(series.table.names),
        "players": [series.table.names[place] for place in series.table.places],
        "length": describe(series.lengths),
        "survival": survival(series.lengths),
        "ends": count_ends(series),
        "seats": describe_seats(series),
        "results": [describe_agent(series, agent) for agent in agents],
        "actions": [describe_actions(series, agent) for agent in agents],
        "events": describe_events(series),
        "quantities": series.courses.summarize(),
        "advantages": [found for found in fits if found is not None],
    }


def describe(values: Values) -> dict[str, Any]:
    """Return the mean with its 95 % interval, quantiles, and the range of values, (G,)."""
    numbers = values.astype(np.float64)
    mean = float(numbers.mean())
    spread = float(numbers.std(ddof=1)) if len(numbers) > 1 else math.inf
    error = spread / math.sqrt(len(numbers))
    quantiles = np.quantile(numbers, list(_QUANTILES.values())).tolist()
    return {
        "mean": mean,
        "interval": [mean - Z * error, mean + Z * error] if len(numbers) > 1 else None,
        "least": float(numbers.min()),
        **dict(zip(_QUANTILES, quantiles, strict=True)),
        "most": float(numbers.max()),
    }


def wilson(count: float, total: int, z: float = Z) -> list[float]:
    """Return the interval of a share (Wilson's score interval), by default of 95 %."""
    share, square = count / total, z * z
    middle = share + square / (2 * total)
    reach = z * math.sqrt(share * (1 - share) / total + square / (4 * total * total))
    scale = 1 + square / total
    return [max((middle - reach) / scale, 0.0), min((middle + reach) / scale, 1.0)]


def survival(lengths: Values) -> dict[str, list[Any]]:
    """Return the share of games in progress after a number of turns. lengths: (G,) int32."""
    longest = int(lengths.max())
    stride = max(1, -(-longest // (MOST_POINTS - 1)))
    turns = np.arange(0, longest + stride, stride)
    ended = np.searchsorted(np.sort(lengths), turns, side="right")
    return {"turns": turns.tolist(), "share": (1 - ended / len(lengths)).tolist()}


def count_ends(series: Series) -> dict[str, Any]:
    """Return the shares of games that the rules, a limit and a fault ended, and the faults."""
    games, faulty = len(series.lengths), series.faults != 0
    describe_fault = series.batch.game.describe_fault
    counts = Counter(series.faults[faulty].tolist())
    return {
        "rules": float(series.terminated.mean()),
        "limit": float((~series.terminated & ~faulty).mean()),
        "fault": float(faulty.mean()),
        "faults": [
            {
                "fault": describe_fault(series.batch.config, number)
                if describe_fault
                else f"fault {number} of the rules",
                "games": count,
                "share": count / games,
            }
            for number, count in sorted(counts.items())
        ],
    }


def find_wins(outcomes: Values) -> npt.NDArray[np.float64]:
    """Return each seat's share of the win of each game, (G, P). outcomes: (G, P)."""
    best = outcomes == outcomes.max(axis=1, keepdims=True)
    shares: npt.NDArray[np.float64] = best / best.sum(axis=1, keepdims=True)
    return shares


def describe_seats(series: Series) -> list[dict[str, Any]]:
    """Return the share of wins and the mean outcome of each seat; [] for one player.

    "above" is True if the share is above an equal one for certain: by its 95 % interval, widened
    for the number of seats (Bonferroni).
    """
    games, players = series.outcomes.shape
    if players == 1:
        return []
    wins, wide = find_wins(series.outcomes), NormalDist().inv_cdf(1 - 0.025 / players)
    return [
        {
            "seat": seat,
            "player": series.batch.agents[seat],
            "wins": float(wins[:, seat].mean()),
            "interval": wilson(float(wins[:, seat].sum()), games),
            "above": wilson(float(wins[:, seat].sum()), games, wide)[0] > 1 / players,
            "outcome": describe(series.outcomes[:, seat])["mean"],
        }
        for seat in range(players)
    ]


def describe_agent(series: Series, agent: int) -> dict[str, Any]:
    """Return an agent's outcomes, and its share of wins in a game of several agents.

    The agent's outcome of a game is the mean over its seats.
    """
    own = series.agents == agent
    seats = own.sum(axis=1)
    outcomes = (series.outcomes.astype(np.float64) * own).sum(axis=1) / seats
    found: dict[str, Any] = {
        "agent": series.table.names[agent],
        "outcome": describe(outcomes),
        "histogram": histogram(series.outcomes[own]),
        "wins": None,
        "interval": None,
    }
    if len(series.table.names) > 1:
        wins = (find_wins(series.outcomes) * own).sum(axis=1) / seats
        found["wins"] = float(wins.mean())
        found["interval"] = wilson(float(wins.sum()), len(wins))
    return found


def histogram(values: Values) -> dict[str, list[float]]:
    """Return the share of each value if there are few, else the share of each bar.

    The key "edges" has the limits of the bars, "values" the different values.
    """
    different, counts = np.unique(values, return_counts=True)
    if len(different) <= MOST_VALUES:
        return {"values": different.tolist(), "share": (counts / len(values)).tolist()}
    numbers = values.astype(np.float64)
    counts, edges = np.histogram(numbers, MOST_BARS, (numbers.min(), numbers.max()))
    return {"edges": edges.tolist(), "share": (counts / len(values)).tolist()}


def describe_actions(series: Series, agent: int) -> dict[str, Any]:
    """Return how often an agent chose each action, and how often it was legal.

    Shares are of the decisions, which are sub-actions with several legal choices.
    """
    counts = series.actions
    decisions = int(counts.decisions[agent])
    rows = []
    for i, name in enumerate(series.names.names):
        chosen, available = int(counts.chosen[agent, i]), int(counts.available[agent, i])
        rows.append(
            {
                "action": name,
                "chosen": chosen / max(decisions, 1),
                "available": available / max(decisions, 1),
                "chosen_if_available": chosen / available if available else None,
            }
        )
    return {
        "agent": series.table.names[agent],
        "decisions": decisions,
        "forced": int(counts.forced[agent]),
        "rows": rows,
    }


def describe_events(series: Series) -> dict[str, Any] | None:
    """Return how often each event occurs in a game; None if the game names no events."""
    events = series.events
    if not events.games:
        return None
    rows = []
    for name, counts in events.by_name().items():
        found, games = describe(counts), int(np.count_nonzero(counts))
        rows.append(
            {
                "event": name,
                "mean": found["mean"],
                "interval": found["interval"],
                "games": games / events.games,
                "games_interval": wilson(games, events.games),
            }
        )
    return {"games": events.games, "rows": rows}
