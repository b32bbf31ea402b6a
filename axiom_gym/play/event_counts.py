"""The number of events by name in the first games of a series.

A batch keeps no event log, so each turn of these games is played once more on a copy of its state.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from axiom_gym.game.facts import KernelGame
from axiom_gym.play.games import Games
from axiom_gym.replay.turn_events import TurnEvents


class EventCounts:
    """The number of events of each kind in `games` games.

    Attributes:
        games: the number of games whose events are counted; 0 if the game names no events.
    """

    def __init__(self, game: KernelGame, games: int) -> None:
        """Start with no events; nothing is compiled before the first turn."""
        self._game, self._kinds = game, game.event_kinds
        self.games = self._left = games if self._kinds else 0
        self._counts: Counter[int] = Counter()
        self._events: TurnEvents | None = None

    def watch(self, part: Games) -> None:
        """Count the events of the next part of a series, as long as games are left to count."""
        self._part, self._watched = part, min(self._left, part.batch.num_envs)
        self._left -= self._watched
        if self._watched and self._events is None:
            self._events = TurnEvents(self._game, part.batch.config)

    def count_turn(self) -> None:
        """Count the events of the next turn, whose sub-actions are in the buffers."""
        if self._events is None or not self._watched:
            return
        buffers = self._part.batch.buffers
        for number in np.flatnonzero(self._part.running[: self._watched]).tolist():
            before = buffers.states[number].copy()
            rows = self._events.list_rows(before, buffers.actions[number])
            self._counts.update(row[0] for row in rows)

    def means(self) -> dict[str, float]:
        """Return the mean number per game of each kind of event; kinds of one name are added."""
        found: dict[str, float] = {}
        for kind, name in self._kinds.items() if self.games else ():
            found[name] = found.get(name, 0.0) + self._counts[kind] / self.games
        return found
