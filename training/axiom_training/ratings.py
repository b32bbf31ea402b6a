"""Ratings from the outcomes of matches, by openskill's Plackett-Luce model.

A rating is a mean and an uncertainty; the number shown is scaled like Elo and set so that the anchor stands at 0: a difference of
400 points is a chance of about ten to one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from openskill.models import PlackettLuce

_POINTS = 400 / np.log(10) * 4 / 25
"""Points per unit of openskill's scale, whose logistic has a width of about 25 / 4."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's rating in points.

    Attributes:
        name: the player.
        points: relative to the anchor.
        error: 95 % of the uncertainty, on either side.
        games: how many games it rests on.
    """

    name: str
    points: float
    error: float
    games: int


@dataclass(frozen=True, slots=True)
class Match:
    """One game: who played, and what each got; a greater outcome is a better place, equal ones share it."""

    players: tuple[str, ...]
    outcomes: tuple[float, ...]


def rate(matches: Sequence[Match], anchor: str, seed: int = 0) -> list[Rating]:
    """Ratings of everybody who played, best first.

    Args:
        matches: all games; they are rated in an order shuffled by `seed`, so that no pairing comes last as a whole.
        anchor: the player who stands at 0 points.
        seed: of the order.
    """
    model = PlackettLuce()
    players = {name: model.rating(name=name) for match in matches for name in match.players}
    games = dict.fromkeys(players, 0)
    for index in np.random.default_rng(seed).permutation(len(matches)).tolist():
        match = matches[index]
        teams = [[players[name]] for name in match.players]
        ranks = [-outcome for outcome in match.outcomes]
        for name, (updated,) in zip(match.players, model.rate(teams, ranks=ranks), strict=True):
            players[name] = updated
            games[name] += 1
    zero = players[anchor].mu if anchor in players else model.mu
    rated = [
        Rating(name, float((rating.mu - zero) * _POINTS), float(1.96 * rating.sigma * _POINTS), games[name])
        for name, rating in players.items()
    ]
    return sorted(rated, key=lambda entry: -entry.points)
