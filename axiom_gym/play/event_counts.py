"""The number of events by name in the first games of a series.

A batch keeps no event log, so each turn of these games is played once more on a copy of its state.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_gym.backend.codegen import CompiledCalls
from axiom_gym.backend.plain import PlainCalls
from axiom_gym.event_log import MOST_ROWS
from axiom_gym.game.facts import KernelGame
from axiom_gym.kernel import EVENT_COLUMNS
from axiom_gym.play.games import Games


class EventCounts:
    """The number of events of each kind in the first games of a series.

    Attributes:
        games: the number of games whose events are counted; 0 if the game names no events.
    """

    def __init__(self, game: KernelGame, games: int) -> None:
        """Start with no events; nothing is compiled before the first turn."""
        self._game, self._kinds = game, game.event_kinds
        self.games = self._left = games if self._kinds else 0
        self._counts = np.zeros((self.games, 1 + max(self._kinds, default=0)), np.int64)
        self._log = np.zeros((MOST_ROWS, EVENT_COLUMNS), np.int16)
        self._calls: Any = None

    def watch(self, part: Games) -> None:
        """Count the events of the next part of a series, as long as games are left to count."""
        self._part, self._watched = part, min(self._left, part.batch.num_envs)
        self._first = self.games - self._left
        self._left -= self._watched
        if self._watched and self._calls is None:
            self._calls = _load_calls(self._game)
            self._params = self._game.params(part.batch.config)

    def count_turn(self) -> None:
        """Count the events of the next turn, whose sub-actions are in the buffers."""
        running = self._part.running[: self._watched]
        if not running.any():
            return
        buffers = self._part.batch.buffers
        self._calls.count_events(
            buffers.states[: self._watched].copy(),
            buffers.actions[: self._watched].copy(),
            running,
            self._counts[self._first : self._first + self._watched],
            np.zeros(self._part.batch.num_players, np.float32),
            self._log,
            self._params,
        )

    def by_name(self) -> dict[str, npt.NDArray[np.int64]]:
        """Return the number of events in each game, (games,); kinds of one name are added."""
        found: dict[str, npt.NDArray[np.int64]] = {}
        for kind, name in self._kinds.items() if self.games else ():
            found[name] = found.get(name, 0) + self._counts[:, kind]
        return found

    def means(self) -> dict[str, float]:
        """Return the mean number per game of each kind of event."""
        return {name: int(counts.sum()) / self.games for name, counts in self.by_name().items()}


def _load_calls(game: KernelGame) -> CompiledCalls | PlainCalls:
    """Return the functions of `axiom_gym.batch.event_driver` for a game."""
    template, parts = "axiom_gym.batch.event_driver", {"step": game.kernel().step}
    if game.compiled:
        return CompiledCalls(template, parts, game.info.name)
    return PlainCalls(template, parts, lambda: None, lambda args: args)
