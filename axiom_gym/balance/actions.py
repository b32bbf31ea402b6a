"""Counts of the actions that agents choose, and of those that they could have chosen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_gym.batch.batch import Batch
from axiom_gym.game.facts import KernelGame
from axiom_gym.kernel import EVERYONE
from axiom_gym.play.games import Games


@dataclass(frozen=True, slots=True)
class ActionNames:
    """The actions of a game by name; choices of one name are one action.

    Attributes:
        names: (C,) the names.
        kinds: (K, N) int64, the index of each choice's name; of entries beyond the choices, 0.
        indicators: (K, N, C) float32, 1 for the name of a choice.
    """

    names: tuple[str, ...]
    kinds: npt.NDArray[np.int64]
    indicators: npt.NDArray[np.float32]


def name_actions(game: KernelGame, config: Any) -> ActionNames:
    """Return the actions of a game by name, or by number if it names none."""
    choices = game.layout(config).num_choices
    naming = game.action_names or game.action_kinds
    listed = naming(config) if naming else [[str(n) for n in range(count)] for count in choices]
    names = tuple(dict.fromkeys(name for row in listed for name in row))
    kinds = np.zeros((len(choices), max(choices)), np.int64)
    indicators = np.zeros((*kinds.shape, len(names)), np.float32)
    for k, count in enumerate(choices):
        kinds[k, :count] = [names.index(name) for name in listed[k][:count]]
        indicators[k, np.arange(count), kinds[k, :count]] = 1
    return ActionNames(names, kinds, indicators)


@dataclass(frozen=True, slots=True)
class Turn:
    """The decisions of the next turn of a batch, whose sub-actions are in the buffers.

    Attributes:
        batch: the games.
        acts: (B, V) bool, True for the players who act in a game in progress.
        free: (B, V, K) bool, True for their sub-actions with several legal choices.
        seats: (B, V) int64, the seats of those who act.
    """

    batch: Batch
    acts: npt.NDArray[np.bool_]
    free: npt.NDArray[np.bool_]
    seats: npt.NDArray[np.int64]


def find_turn(games: Games) -> Turn:
    """Return the decisions of the next turn."""
    batch, masks = games.batch, games.batch.buffers.masks
    acts = np.broadcast_to(games.running[:, None], masks.shape[:2])
    seats = np.broadcast_to(np.arange(masks.shape[1]), masks.shape[:2])
    if batch.game.is_sequential:
        actor = batch.buffers.acting[:, None].astype(np.int64)
        acts, seats = acts & (actor != EVERYONE), np.maximum(actor, 0)
    free = (masks.sum(axis=3, dtype=np.int16) > 1) & acts[:, :, None]
    return Turn(batch, acts, free, seats)


class ActionCounts:
    """Counts over all games of a table.

    Only sub-actions with several legal choices count as decisions.

    Attributes:
        chosen: (A, C) int64, the number of decisions for each action.
        available: (A, C) int64, the number of decisions in which it is legal.
        decisions: (A,) int64.
        forced: (A,) int64, the number of sub-actions with only one legal choice.
    """

    def __init__(self, names: ActionNames, agents: int) -> None:
        """Start with no decisions."""
        self._names = names
        self.chosen = np.zeros((agents, len(names.names)), np.int64)
        self.available = np.zeros_like(self.chosen)
        self.decisions = np.zeros(agents, np.int64)
        self.forced = np.zeros(agents, np.int64)

    def count(self, turn: Turn, agent_at: npt.NDArray[np.int64]) -> None:
        """Count the decisions of a turn. agent_at: (B, P), the agent at each seat."""
        agents = np.take_along_axis(agent_at, turn.seats, axis=1)
        acting = np.bincount(agents[turn.acts], minlength=len(self.decisions))
        self.forced += acting * turn.free.shape[2]
        for k in range(turn.free.shape[2]):
            self._count_sub_action(turn, k, agents)

    def _count_sub_action(self, turn: Turn, k: int, agents: npt.NDArray[np.int64]) -> None:
        rows = np.nonzero(turn.free[:, :, k])
        if not len(rows[0]):
            return
        count, buffers = len(self._names.names), turn.batch.buffers
        legal = buffers.masks[:, :, k][rows].astype(np.float32) @ self._names.indicators[k] > 0
        chosen = self._names.kinds[k][buffers.actions[:, :, k][rows]]
        agent = agents[rows]
        cells = np.bincount(agent * count + chosen, minlength=self.chosen.size)
        self.chosen += cells.reshape(self.chosen.shape)
        for a in range(len(self.decisions)):
            own = agent == a
            self.available[a] += np.count_nonzero(legal[own], axis=0)
            self.decisions[a] += np.count_nonzero(own)
            self.forced[a] -= np.count_nonzero(own)
