"""Playing the games of one table, and collecting what a report needs.

Everything is counted per game or per turn while the games are played; no game is stored. All counts
are filed under the number of the game, so results do not depend on the size of batches.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_gym.balance.actions import ActionCounts, ActionNames, find_turn, name_actions
from axiom_gym.balance.courses import Courses
from axiom_gym.balance.samples import Samples
from axiom_gym.balance.tables import Table
from axiom_gym.batch.batch import Batch
from axiom_gym.game.facts import KernelGame
from axiom_gym.play.event_counts import EventCounts
from axiom_gym.play.games import Games, play_in_parts

PLAIN_EVENTS = 20
"""A game in plain Python counts events in one of this many games, because each is played twice."""


EVENT_GAMES = 100_000
"""The most games whose events are counted, which bounds the memory."""


class Series:
    """The games of one table, G of them, filled as they are played.

    Attributes:
        batch: the batch that was played last.
        table: the players.
        names: the actions by name.
        lengths: (G,) int32, in turns.
        outcomes, returns: (G, P) float32, by seat: outcome, and sum of the rewards.
        agents: (G, P) int16, the agent at each seat.
        terminated: (G,) bool, True if the rules ended the game.
        faults: (G,) int16, the number of the fault that ended the game; 0 for none.
        actions, samples, courses, events: see the classes.
    """

    batch: Batch
    names: ActionNames
    actions: ActionCounts
    samples: Samples

    def __init__(self, game: KernelGame, table: Table, games: int) -> None:
        """Start with no games."""
        shape = (games, len(table.players))
        self.table = table
        self.lengths = np.zeros(games, np.int32)
        self.outcomes = np.zeros(shape, np.float32)
        self.returns = np.zeros(shape, np.float32)
        self.agents = np.zeros(shape, np.int16)
        self.terminated = np.zeros(games, np.bool_)
        self.faults = np.zeros(games, np.int16)
        self.courses = Courses(games)
        logged = games if game.compiled else -(-games // PLAIN_EVENTS)
        self.events = EventCounts(game, min(logged, EVENT_GAMES))

    def watch(self, part: Games, first: int, seed: int) -> None:
        """Take the next part of the series, which begins with game `first`."""
        self.batch, self._first = part.batch, first
        if first == 0:
            self.names = name_actions(part.batch.game, part.batch.config)
            self.actions = ActionCounts(self.names, len(self.table.agents))
            self.samples = Samples(self.names, part.batch, len(self.lengths), seed)
        self._part, self._agent_at = part, np.array(self.table.places)[part.seats]
        self.agents[first : first + part.batch.num_envs] = self._agent_at
        self.events.watch(part)
        self.courses.watch(part, first)

    def count_decisions(self) -> None:
        """Count the decisions and the events of the next turn."""
        turn = find_turn(self._part)
        self.actions.count(turn, self._agent_at)
        self.samples.take(turn, self._first, self._agent_at)
        self.events.count_turn()

    def add_turn(self, over: npt.NDArray[np.bool_]) -> None:
        """Add what a turn has changed. over: (B,), the games that it has ended."""
        self.courses.add_turn(over)
        if not over.any():
            return
        buffers, numbers = self.batch.buffers, self._first + np.flatnonzero(over)
        self.lengths[numbers] = buffers.episodes["final_length"][over]
        self.returns[numbers] = buffers.episodes["final_returns"][over]
        self.outcomes[numbers] = self.batch.outcomes()[over]
        self.terminated[numbers] = buffers.terminated[over]
        self.faults[numbers] = buffers.episodes["fault"][over]


def play_table(
    game: KernelGame,
    table: Table,
    games: int,
    seed: int,
    on_progress: Callable[[int], None] = lambda finished: None,
    **settings: Any,
) -> Series:
    """Play a number of games at one table, and return what they show.

    Args:
        game: the game.
        table: the players, who change seats from game to game.
        games: the number of games.
        seed: the seed of the first game.
        on_progress: a callable that gets the number of finished games whenever it rises.
        **settings: settings of each batch: preset, max_turns and the options of the game.
    """
    series = Series(game, table, games)
    first = finished = 0
    for part in play_in_parts(game, table.players, games, seed, take_turns=True, **settings):
        series.watch(part, first, seed)
        for over in part.play(series.count_decisions):
            series.add_turn(over)
            if over.any():
                finished += int(np.count_nonzero(over))
                on_progress(finished)
        first += part.batch.num_envs
    return series
