"""Ratings from the outcomes of matches, by openskill's Plackett-Luce model.

A rating is a mean and an uncertainty. Points are scaled as in Elo's system: a difference of 400
points means odds of ten to one. They are shifted so that one player, the anchor, has 0 points.

The scale: in the Plackett-Luce model, player i wins against player j with the probability

    1 / (1 + exp(-(mu_i - mu_j) / c)),    c = sqrt(2 beta^2 + sigma_i^2 + sigma_j^2),

and the updates move the means until the players win this often; openskill's beta is 25 / 6. The
odds are ten to one if (mu_i - mu_j) / c = ln 10. For players with many games, sigma is small
compared with beta, so c = sqrt(2) beta, and 400 points are ln(10) sqrt(2) beta units of mu.

`PlackettLuce.predict_win` uses the normal distribution instead of the logistic one for the same
quotient. The updates do not, so its predictions are too confident: 10 to 1 becomes 93 to 1.
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
        name: the name of the player.
        points: the points relative to the anchor.
        error: half the width of the 95 % interval.
        games: the number of rated games.
    """

    name: str
    points: float
    error: float
    games: int


@dataclass(frozen=True, slots=True)
class Match:
    """One game: the players and their outcomes.

    A higher outcome is a better place; players with equal outcomes share a place.
    """

    players: tuple[str, ...]
    outcomes: tuple[float, ...]


def rate(matches: Sequence[Match], anchor: str, seed: int = 0) -> list[Rating]:
    """Rate all players; return the ratings, best first.

    Args:
        matches: all games. They are rated in random order, because the last games would otherwise
            be all of the same pairing.
        anchor: the player with 0 points.
        seed: the seed of the order.

    Raises:
        ConfigError: if the anchor did not play.
    """
    players = {name: _MODEL.rating(name=name) for match in matches for name in match.players}
    if anchor not in players:
        raise ConfigError(f"anchor {anchor!r} did not play; the players are {sorted(players)}.")
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
