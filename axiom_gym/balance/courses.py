"""The quantities of states over the turns of games, such as the attributes of a config."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_gym.play.games import Games

COURSE_GAMES = 2000
"""The number of first games whose quantities are kept."""

MOST_TURNS = 128
"""The most turns at which quantities are kept; in longer games only every 2nd, 4th, ... turn."""

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


class Courses:
    """The quantities of the first games at evenly spaced turns.

    Turn 0 is the initial state. A game counts up to its final state.

    Attributes:
        stride: the number of turns from one kept turn to the next.
    """

    def __init__(self, games: int) -> None:
        """Start with no states of up to `games` games."""
        self._games = min(games, COURSE_GAMES)
        self.stride = 1
        self._kept: npt.NDArray[np.float32] | None = None
        self._played = np.zeros(MOST_TURNS, np.int64)
        self._names: list[str] = []
        self._are_shares: list[bool] = []

    def watch(self, part: Games, first: int) -> None:
        """Keep the initial states of the next part of a series, from game `first` on."""
        self._part, self._first, self._turn = part, first, 0
        self._count = min(self._games - first, part.batch.num_envs)
        if part.batch.game.quantities is None or self._count <= 0:
            self._count = 0
            return
        self._keep(np.ones(self._count, np.bool_))

    def add_turn(self, over: npt.NDArray[np.bool_]) -> None:
        """Keep the states after a turn, if its number is one of those kept.

        over: (B,) bool, the games that the turn has ended.
        """
        if not self._count:
            return
        self._turn += 1
        played = (self._part.running | over)[: self._count]
        if self._turn % self.stride == 0 and played.any():
            if self._turn // self.stride >= MOST_TURNS:
                self._thin()
            if self._turn % self.stride == 0:
                self._keep(played)

    def _keep(self, played: npt.NDArray[np.bool_]) -> None:
        batch = self._part.batch
        quantities = batch.game.quantities
        assert quantities is not None
        found = quantities(batch.config, batch.buffers.states[: self._count])
        if self._kept is None:
            self._names = list(found)
            self._are_shares = [values.dtype == np.bool_ for values in found.values()]
            shape = (MOST_TURNS, len(found), self._games)
            self._kept = np.full(shape, np.nan, np.float32)
        games = self._first + np.flatnonzero(played)
        self._played[self._turn // self.stride] += len(games)
        with np.errstate(over="ignore"):  # a value beyond float32 becomes infinite
            for number, values in enumerate(found.values()):
                self._kept[self._turn // self.stride, number, games] = values[played]

    def _thin(self) -> None:
        """Forget every second turn."""
        assert self._kept is not None
        self._kept[: MOST_TURNS // 2] = self._kept[::2].copy()
        self._kept[MOST_TURNS // 2 :] = np.nan
        self._played[: MOST_TURNS // 2] = self._played[::2].copy()
        self._played[MOST_TURNS // 2 :] = 0
        self.stride *= 2

    def summarize(self) -> dict[str, Any] | None:
        """Return quantiles of the numbers and shares of the properties over time.

        The result is None for a game without quantities. At each turn only games count that have
        reached it.
        """
        if self._kept is None or not self._names:
            return None
        turns = int(np.count_nonzero(self._played))
        kept = [self._kept[:turns, i] for i in range(len(self._names))]
        named = list(zip(self._names, self._are_shares, kept, strict=True))
        return {
            "games": self._games,
            "turns": [self.stride * turn for turn in range(turns)],
            "played": self._played[:turns].tolist(),
            "quantiles": list(QUANTILES),
            "numbers": {name: _quantiles(values) for name, share, values in named if not share},
            "shares": {
                name: np.nanmean(values, axis=1, dtype=np.float64).tolist()
                for name, share, values in named
                if share
            },
        }


def _quantiles(values: npt.NDArray[np.float32]) -> list[list[float] | None]:
    """Return the quantiles of the finite values of each turn; None without any.

    values: (turns, games), NaN for games that have ended.
    """
    finite = [row[np.isfinite(row)].astype(np.float64) for row in values]
    return [np.quantile(row, QUANTILES).tolist() if len(row) else None for row in finite]
