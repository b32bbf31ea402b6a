"""Series of games in which the players use all seats equally, and statistics of the results.

In a game for one player, two players are compared by their outcomes on the same seeds.

Axis letters: G games of a series, B games of a batch, P players, K sub-actions.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_gym.batch.seeds import MAX_SEED
from axiom_gym.errors import check_range
from axiom_gym.opponents import Opponent
from axiom_gym.play.games import Games, play_in_parts
from axiom_gym.registry import count_players

_Z = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a player in a series of games against an opponent.

    Attributes:
        wins, draws, losses: the numbers of games that the player won, drew and lost.
    """

    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """The number of games of the series."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """(wins + draws / 2) / games."""
        return (self.wins + 0.5 * self.draws) / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % Wilson interval of the score.

        A draw counts as half a win, which makes the interval too wide rather than too narrow.
        """
        games, score = self.games, self.score
        middle = (score + _Z**2 / (2 * games)) / (1 + _Z**2 / games)
        variance = score * (1 - score) / games + (_Z / (2 * games)) ** 2
        reach = _Z * math.sqrt(variance) / (1 + _Z**2 / games)
        return max(middle - reach, 0.0), min(middle + reach, 1.0)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A summary of a player's outcomes in a series of games for one player.

    Attributes:
        games: the number of games.
        mean: the mean outcome.
        error: the standard error of the mean; 0 for a single game.
        lowest, highest: the lowest and the highest outcome.
    """

    games: int
    mean: float
    error: float
    lowest: float
    highest: float

    @classmethod
    def of(cls, outcomes: npt.NDArray[np.float32]) -> Outcome:
        """Summarize the outcomes of a series. outcomes: (G,), at least one."""
        games, wide = len(outcomes), outcomes.astype(np.float64)
        error = wide.std(ddof=1) / math.sqrt(games) if games > 1 else 0.0
        return cls(games, float(wide.mean()), float(error), float(wide.min()), float(wide.max()))


@dataclass(frozen=True, slots=True)
class Measurement:
    """The results of a player against several opponents.

    Attributes:
        results: the result against each opponent, by its name.
        outcomes: in a game for one player the outcomes of the player and of all opponents, by name;
            else empty.
    """

    results: dict[str, Result]
    outcomes: dict[str, Outcome]


def play_series(
    game: str,
    players: Sequence[Opponent],
    num_games: int,
    seed: int = 0,
    options: dict[str, Any] | None = None,
) -> npt.NDArray[np.float32]:
    """Play games between the same players, who rotate over the seats.

    Args:
        game: the name of the game.
        players: one player for each seat; see `axiom_gym.opponents`.
        num_games: the number of games G. In game i, player p has seat (p + i) modulo P. Each
            player therefore has all seats equally often if G is a multiple of P.
        seed: the seed of the games and of the players' random choices; equal seeds give equal
            games.
        options: the game's own options.

    Returns:
        (G, P) float32: the outcomes by player, not by seat.

    Raises:
        ConfigError: if the numbers of players and seats differ, or a value is not allowed.
        CheckpointError: for a model of another game, or of the game with other options.
        IllegalActionError: for an illegal action of a player.
    """
    check_range("num_games", num_games, 1)
    check_range("seed", seed, 0, MAX_SEED)
    settings = options or {}
    parts = play_in_parts(game, players, num_games, seed, take_turns=True, **settings)
    return np.concatenate([_play_part(part) for part in parts])


def _play_part(games: Games) -> npt.NDArray[np.float32]:
    """Return the outcomes, (B, P) float32, by player."""
    outcomes = np.zeros(games.seats.shape, np.float32)
    for over in games.play():
        if over.any():
            # Outcomes come from the rules, because the sum of the rewards may include shaping.
            outcomes[over] = games.batch.outcomes()[over]
    by_player = np.empty_like(outcomes)
    np.put_along_axis(by_player, games.seats, outcomes, axis=1)
    return by_player


def score_against(
    game: str,
    player: Opponent,
    opponent: Opponent,
    num_games: int,
    seed: int = 0,
    options: dict[str, Any] | None = None,
) -> Result:
    """Return a player's result against copies of one opponent in all other seats.

    The player wins a game if its outcome is above all others, and draws it if it shares the best
    outcome. Between players of equal strength the score is 1/2 in a game for two players, and lower
    with more seats. In a game for one player, both play the same seeds alone, and the higher
    outcome wins the seed.
    """
    others = count_players(game, options) - 1
    if others == 0:
        alone = [play_alone(game, one, num_games, seed, options) for one in (player, opponent)]
        return _compare(*alone)
    outcomes = play_series(game, [player, *[opponent] * others], num_games, seed, options)
    return _compare(outcomes[:, 0], outcomes[:, 1:].max(axis=1))


def _compare(own: npt.NDArray[np.float32], best: npt.NDArray[np.float32]) -> Result:
    """Return the result of a player's outcomes (G,) against the best opponent's outcomes (G,)."""
    return Result(int((own > best).sum()), int((own == best).sum()), int((own < best).sum()))


def play_alone(
    game: str,
    player: Opponent,
    num_games: int,
    seed: int = 0,
    options: dict[str, Any] | None = None,
) -> npt.NDArray[np.float32]:
    """Return a player's outcomes in a game for one player, (G,) float32; see `play_series`."""
    return play_series(game, [player], num_games, seed, options)[:, 0]


def measure(
    game: str,
    name: str,
    player: Opponent,
    others: Mapping[str, Opponent],
    num_games: int,
    seed: int = 0,
    options: dict[str, Any] | None = None,
) -> Measurement:
    """Measure a player against each of several opponents by `score_against`.

    Args:
        game: the name of the game.
        name: the name of the player.
        player: the player to measure.
        others: the opponents by name.
        num_games: the number of games against each opponent.
        seed: the seed of the games, the same against each opponent.
        options: the game's own options.
    """
    if count_players(game, options) > 1:
        results = {
            other: score_against(game, player, opponent, num_games, seed, options)
            for other, opponent in others.items()
        }
        return Measurement(results, {})
    everybody: dict[str, Opponent] = {name: player, **others}
    played = {
        one: play_alone(game, agent, num_games, seed, options) for one, agent in everybody.items()
    }
    return Measurement(
        {other: _compare(played[name], played[other]) for other in others},
        {one: Outcome.of(outcomes) for one, outcomes in played.items()},
    )
