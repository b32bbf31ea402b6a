"""Seat-balanced matches between players, in one batch, and what can be said of their results.

Axis letters: G games of a series, P players.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import stats

from axiom_gym.batch import Batch
from axiom_gym.errors import check_range
from axiom_gym.opponents import Opponent, call_policy, load_opponent
from axiom_gym.registry import get_game


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
        """95 % Wilson interval of the score; a draw counts as half a win, which makes it rather too wide than too narrow."""
        successes = round(self.wins + 0.5 * self.draws)
        low, high = stats.binomtest(successes, self.games).proportion_ci(0.95, method="wilson")
        return float(low), float(high)


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
        num_games: G; player p sits at seat (p + i) modulo P in game i.
        seed: of the games and of the players' chance; equal seeds, equal games.
        options: the game's own options.

    Returns:
        (G, P) float32: the outcome of every player, by player and not by seat.

    Raises:
        ConfigError: if there are not as many players as seats.
    """
    batch = Batch(game, check_range("num_games", num_games, 1), **(options or {}))
    seats_of_game = batch.num_players
    check_range("players of a match", len(players), seats_of_game, seats_of_game)
    loaded = [load_opponent(player, batch.bot_names()) for player in players]
    rng = np.random.default_rng(seed)
    # seats[i, s] = 1 + the player at seat s of game i
    seats = ((np.arange(seats_of_game) - np.arange(num_games)[:, None]) % seats_of_game + 1).astype(np.int16)
    batch.reset(seed)
    outcomes = np.zeros((num_games, seats_of_game), np.float32)
    running = np.ones(num_games, np.bool_)
    while running.any():
        for number, player in enumerate(loaded, start=1):
            _play(batch, player, seats, number, rng)
        batch.step()
        over = running & (batch.buffers.terminated | batch.buffers.truncated)
        if over.any():
            # The rules' outcome and not the summed rewards, which may hold shaping.
            outcomes[over] = batch.outcomes()[over]
            running &= ~over
    order = np.argsort(seats, axis=1)
    return np.take_along_axis(outcomes, order, axis=1)


def _play(batch: Batch, player: Any, seats: npt.NDArray[np.int16], number: int, rng: np.random.Generator) -> None:
    """Lets a player write its orders wherever it sits. seats: (G, P) int16."""
    if isinstance(player, str):
        batch.act(player, seats, number)
        return
    at = np.nonzero(seats == number)
    buffers = batch.buffers
    buffers.actions[at] = call_policy(player, buffers.observations[at], buffers.masks[at], rng)


def score_against(
    game: str,
    player: Opponent,
    anchor: Opponent,
    num_games: int,
    seed: int = 0,
    options: dict[str, Any] | None = None,
) -> Result:
    """A player's result against copies of one anchor at all other seats."""
    others = len(get_game(game).info.agents) - 1
    outcomes = play_series(game, [player, *[anchor] * others], num_games, seed, options)
    own, best = outcomes[:, 0], outcomes[:, 1:].max(axis=1)
    return Result(int((own > best).sum()), int((own == best).sum()), int((own < best).sum()))
