"""Ratings from the outcomes of matches, by openskill's Plackett-Luce model.

A rating is a mean and an uncertainty. The number shown is scaled like Elo, so that a difference of
400 points is a chance of ten to one, and set so that the anchor stands at 0.

The scale: Plackett-Luce says that of two players i and j the first wins with the chance

    1 / (1 + exp(-(mu_i - mu_j) / c)),    c = sqrt(2 beta^2 + sigma_i^2 + sigma_j^2),

and moves the means until that is how often they win; openskill's beta is 25 / 6. Odds are ten to
one where (mu_i - mu_j) / c = ln 10, and for players that are well known, whose sigma is small
beside beta, c = sqrt(2) beta. So 400 points stand for ln(10) sqrt(2) beta units of mu.
`PlackettLuce.predict_win` puts the same quotient into the normal distribution instead of the
logistic one. That is not what the means are moved by, and it makes favourites look safer than they
are: ten to one becomes 93 to 1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from openskill.models import PlackettLuce

from axiom_gym.errors import ConfigError

_MODEL = PlackettLuce()

POINTS = 400 / (math.log(10) * math.sqrt(2) * _MODEL.beta)
"""Points per unit of openskill's scale: 29.5."""


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
    """One game: who played, and what each got.

    A greater outcome is a better place; players with equal ones share it.
    """

    players: tuple[str, ...]
    outcomes: tuple[float, ...]


def rate(matches: Sequence[Match], anchor: str, seed: int = 0) -> list[Rating]:
    """Ratings of everybody who played, best first.

    Args:
        matches: all games; they are rated in an order shuffled by `seed`, so that no pairing comes
            last as a whole.
        anchor: the player who stands at 0 points.
        seed: of the order.

    Raises:
        ConfigError: if the anchor did not play.
    """
    players = {name: _MODEL.rating(name=name) for match in matches for name in match.players}
    if anchor not in players:
        raise ConfigError(f"anchor {anchor!r} did not play; those who did: {sorted(players)}.")
    games = dict.fromkeys(players, 0)
    for index in np.random.default_rng(seed).permutation(len(matches)).tolist():
        match = matches[index]
        teams = [[players[name]] for name in match.players]
        scores = list(match.outcomes)
        for name, (updated,) in zip(match.players, _MODEL.rate(teams, scores=scores), strict=True):
            players[name] = updated
            games[name] += 1
    zero = players[anchor].mu
    rated = [
        Rating(
            name,
            float((rating.mu - zero) * POINTS),
            float(1.96 * rating.sigma * POINTS),
            games[name],
        )
        for name, rating in players.items()
    ]
    return sorted(rated, key=lambda entry: -entry.points)
