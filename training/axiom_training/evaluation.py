"""Seat-balanced matches between players, in one batch, and what can be said of their results.

In a game for one player two players are compared by what each gets alone on the same seeds.

Axis letters: G games of a series, B games at once, P players, K sub-actions.
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
    """How one player did in a series of games against another.

    Attributes:
        wins, draws, losses: counted from the player's side.
    """

    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """All games of the series."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """(wins + draws / 2) / games."""
        return (self.wins + 0.5 * self.draws) / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """95 % Wilson interval of the score.

        A draw counts as half a win, which makes it rather too wide than too narrow.
        """
        games, score = self.games, self.score
        middle = (score + _Z**2 / (2 * games)) / (1 + _Z**2 / games)
        variance = score * (1 - score) / games + (_Z / (2 * games)) ** 2
        reach = _Z * math.sqrt(variance) / (1 + _Z**2 / games)
        return max(middle - reach, 0.0), min(middle + reach, 1.0)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a player got in a series of games that it played alone.

    Attributes:
        games: how many there were.
        mean: of their outcomes.
        error: standard error of the mean; 0 for a single game.
        lowest, highest: of all outcomes.
    """

    games: int
    mean: float
    error: float
    lowest: float
    highest: float

    @classmethod
    def of(cls, outcomes: npt.NDArray[np.float32]) -> Outcome:
        """The summary of a series. outcomes: (G,), at least one."""
        games, wide = len(outcomes), outcomes.astype(np.float64)
        error = wide.std(ddof=1) / math.sqrt(games) if games > 1 else 0.0
        return cls(games, float(wide.mean()), float(error), float(wide.min()), float(wide.max()))


@dataclass(frozen=True, slots=True)
class Measurement:
    """How a player did against others.

    Attributes:
        results: by opponent.
        outcomes: in a game for one player of the player and of the others, by name; else empty.
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
    """Plays games between the same players, who take the seats in turn.

    Args:
        game: the game's name.
        players: one for each seat of the game; see `axiom_gym.opponents`.
        num_games: G; player p sits at seat (p + i) modulo P in game i, and so as often at each
            seat as at any other where G is a multiple of P.
        seed: of the games and of the players' chance; equal seeds, equal games.
        options: the game's own options.

    Returns:
        (G, P) float32: the outcome of every player, by player and not by seat.

    Raises:
        ConfigError: if there are not as many players as seats, or for another value that is not
            allowed.
        CheckpointError: for a model of another game, or of the game with other options.
        IllegalActionError: for an illegal order of a player.
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
            # The rules' outcome and not the summed rewards, which may hold shaping.
            outcomes[over] = games.batch.outcomes()[over]
    by_player = np.empty_like(outcomes)
    np.put_along_axis(by_player, games.seats, outcomes, axis=1)
    return by_player


def score_against(
    game: str,
    player: Opponent,
    anchor: Opponent,
    num_games: int,
    seed: int = 0,
    options: dict[str, Any] | None = None,
) -> Result:
    """A player's result against copies of one anchor at all other seats.

    The game is won by an outcome above that of everybody else, and drawn by one that is shared with
    the best of them. Among equals the score is 1/2 in a game for two, and less in one for more. In
    a game for one player both play the same seeds alone, and the better outcome wins the seed.
    """
    others = count_players(game, options) - 1
    if others == 0:
        alone = [play_alone(game, one, num_games, seed, options) for one in (player, anchor)]
        return _compare(*alone)
    outcomes = play_series(game, [player, *[anchor] * others], num_games, seed, options)
    return _compare(outcomes[:, 0], outcomes[:, 1:].max(axis=1))


def _compare(own: npt.NDArray[np.float32], best: npt.NDArray[np.float32]) -> Result:
    """The result of a player with these outcomes (G,) against these of the best of the others."""
    return Result(int((own > best).sum()), int((own == best).sum()), int((own < best).sum()))


def play_alone(
    game: str,
    player: Opponent,
    num_games: int,
    seed: int = 0,
    options: dict[str, Any] | None = None,
) -> npt.NDArray[np.float32]:
    """A player's outcomes, (G,) float32, in a game for one player; as `play_series`."""
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
    """What `score_against` says of a player and each of the others.

    Args:
        game: the game's name.
        name: the player's.
        player: who is measured.
        others: against whom, by name.
        num_games: against each.
        seed: of the games; the same for all.
        options: the game's own options.
    """
    if count_players(game, options) > 1:
        results = {
            other: score_against(game, player, anchor, num_games, seed, options)
            for other, anchor in others.items()
        }
        return Measurement(results, {})
    everybody: dict[str, Opponent] = {name: player, **others}
    played = {
        one: play_alone(game, who, num_games, seed, options) for one, who in everybody.items()
    }
    return Measurement(
        {other: _compare(played[name], played[other]) for other in others},
        {one: Outcome.of(outcomes) for one, outcomes in played.items()},
    )
