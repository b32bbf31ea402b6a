"""A random sample of the decisions of each game, from which advantages are fitted."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from axiom_gym.balance.actions import ActionNames, Turn
from axiom_gym.batch.batch import Batch

PER_GAME = 6
"""The number of decisions kept of each game."""

SAMPLED_GAMES = 20_000
"""The number of first games whose decisions are sampled, which bounds the memory."""

MOST_NUMBERS = 2_000_000
"""The most numbers that describe one decision of each sampled game: with hundreds of actions, fewer
games are sampled."""

MOST_FEATURES = 128
"""The largest observation whose entries are controls of the fit."""


class Samples:
    """Decisions of the first G games, drawn uniformly within each game (reservoir sampling).

    Which decisions are kept depends only on the seed and the number of the game. R = PER_GAME.

    Attributes:
        seen: (G,) int64, the number of decisions of each game that could be drawn.
        turns: (G, R) int32, the turn of each decision.
        seats: (G, R) int16, the seat of the player.
        agents: (G, R) int16, the agent; -1 for places without a decision.
        before: (G, R) float32, the rewards of the player before the decision.
        chosen: (G, R, C) uint8, the number of sub-actions for each action.
        available: (G, R, C) uint8, the number of sub-actions for which it is legal.
        features: (G, R, F) float32, the observation; F is 0 if it has more than `MOST_FEATURES`.
    """

    def __init__(self, names: ActionNames, batch: Batch, games: int, seed: int) -> None:
        """Start with no decisions of up to `games` games."""
        self._names, self._seed = names, seed
        size = int(np.prod(batch.layout.observation_shape))
        size = size if size <= MOST_FEATURES else 0
        most = min(SAMPLED_GAMES, MOST_NUMBERS // (2 * len(names.names) + size))
        shape = (min(games, most), PER_GAME)
        self.seen = np.zeros(shape[0], np.int64)
        self.turns = np.zeros(shape, np.int32)
        self.seats = np.zeros(shape, np.int16)
        self.agents = np.full(shape, -1, np.int16)
        self.before = np.zeros(shape, np.float32)
        self.chosen = np.zeros((*shape, len(names.names)), np.uint8)
        self.available = np.zeros_like(self.chosen)
        self.features = np.zeros((*shape, size), np.float32)

    def take(self, turn: Turn, first: int, agent_at: npt.NDArray[np.int64]) -> None:
        """Draw from the decisions of a turn.

        Args:
            turn: the decisions.
            first: the number of the batch's first game.
            agent_at: (B, P), the agent at each seat.
        """
        count = min(len(self.seen) - first, len(turn.free))
        if count <= 0:
            return
        numbers = np.arange(first, first + count)
        length = turn.batch.buffers.episodes["length"][:count]
        views = draw(self._seed, numbers, length, 0) % np.uint64(turn.free.shape[1])
        offered = turn.free[np.arange(count), views].any(axis=1)
        seen = self.seen[numbers]
        drawn = draw(self._seed, numbers, length, 1) % (seen + 1).astype(np.uint64)
        slots = np.where(seen < PER_GAME, seen, drawn.astype(np.int64))
        self.seen[numbers] += offered
        kept = np.flatnonzero(offered & (slots < PER_GAME))
        self._keep(turn, kept, views[kept].astype(np.int64), (numbers[kept], slots[kept]), agent_at)

    def _keep(
        self,
        turn: Turn,
        games: npt.NDArray[np.int64],
        views: npt.NDArray[np.int64],
        at: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]],
        agent_at: npt.NDArray[np.int64],
    ) -> None:
        """Store the decisions of some games of a batch at the places `at`."""
        buffers, seats = turn.batch.buffers, turn.seats[games, views]
        self.turns[at] = buffers.episodes["length"][games]
        self.seats[at] = seats
        self.agents[at] = agent_at[games, seats]
        self.before[at] = buffers.episodes["returns"][games, seats]
        if self.features.shape[2]:
            shape = (len(games), self.features.shape[2])
            self.features[at] = buffers.observations[games, views].reshape(shape)
        self.chosen[at] = self.available[at] = 0
        for k in range(turn.free.shape[2]):
            free = turn.free[games, views, k]
            legal = buffers.masks[games, views, k].astype(np.float32) @ self._names.indicators[k]
            self.available[at] += ((legal > 0) & free[:, None]).astype(np.uint8)
            kinds = self._names.kinds[k][buffers.actions[games, views, k]]
            self.chosen[(*at, kinds)] += free


def draw(
    seed: int, games: npt.NDArray[np.int64], turns: npt.NDArray[np.int32], salt: int
) -> npt.NDArray[np.uint64]:
    """Return random numbers that depend only on the arguments (SplitMix64), one for each game."""
    mixed = np.full(len(games), seed * 4 + salt, np.uint64)
    for part in (games.astype(np.uint64), turns.astype(np.uint64)):
        mixed = _mix(mixed + part + np.uint64(1))
    return mixed


def _mix(number: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Return SplitMix64's next output for each state."""
    number = number + np.uint64(0x9E3779B97F4A7C15)
    number = (number ^ (number >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    number = (number ^ (number >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return number ^ (number >> np.uint64(31))
