"""Whom the learner plays: itself, its past, and the game's scripted players.

The games of a run are divided once. In the first ones the learner plays every seat, so that both sides' decisions are learned
from. In the others it holds one seat, drawn for each episode, and the opponent is drawn from a pool: scripted players and
snapshots, each group with its share. A snapshot is a frozen copy of the learner, known by a hash of its weights, and it never
changes; a game keeps its opponent to the end of the episode. The pool holds a limited number of snapshots. When there is one too
many, the one goes whose neighbours in time are closest together, and so those that stay are spread over the whole run.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from axiom_gym.opponents import OpponentPool
from axiom_training.config import TrainConfig
from axiom_training.policy import ModelPolicy


@dataclass(slots=True)
class Snapshot:
    """A past self.

    Attributes:
        place: where it stands in the pool; places never change.
        steps: agent-steps at which it was taken.
        digest: hash of its weights.
    """

    place: int
    steps: int
    digest: str


@dataclass(slots=True)
class SelfPlay:
    """The pool of a run and its snapshots.

    Attributes:
        pool: what the environment draws opponents from.
        bots: number of scripted players; they have the first places of the pool.
        snapshots: the snapshots in use, oldest first.
    """

    config: TrainConfig
    pool: OpponentPool
    bots: int
    snapshots: list[Snapshot] = field(default_factory=list)

    @classmethod
    def start(cls, config: TrainConfig, bots: list[str]) -> SelfPlay:
        """A pool of scripted players; the caller adds the first snapshot before the first game."""
        self = cls(config, OpponentPool(bots), len(bots))
        self.set_weights()
        return self

    def add(self, policy: ModelPolicy, steps: int) -> Snapshot | None:
        """Adds a snapshot and retires one if there are too many; None if the very same one is in use already."""
        digest = policy.digest()
        if any(snapshot.digest == digest for snapshot in self.snapshots):
            return None
        snapshot = Snapshot(self.pool.add(policy, 0.0), steps, digest)
        self.snapshots.append(snapshot)
        if len(self.snapshots) > self.config.pool_size:
            del self.snapshots[most_crowded([entry.steps for entry in self.snapshots])]
        self.set_weights()
        return snapshot

    def set_weights(self) -> None:
        """Gives each group its share, and every member of a group the same weight; 0 retires a snapshot."""
        weights = [0.0] * len(self.pool.members)
        groups = [
            (self.config.share_bots, list(range(self.bots))),
            (self.config.share_pool, [snapshot.place for snapshot in self.snapshots]),
        ]
        for share, places in groups:
            for place in places:
                weights[place] = share / len(places)
        if sum(weights) == 0 and weights:
            weights = [1.0] * len(weights)
        self.pool.weights[:] = weights

    def facts(self) -> list[dict[str, Any]]:
        """The snapshots in use, as plain values."""
        return [{"place": one.place, "steps": one.steps, "digest": one.digest} for one in self.snapshots]


def most_crowded(times: list[int]) -> int:
    """The index of the entry whose neighbours are closest together; never the first nor the last one.

    Args:
        times: ascending, at least three; with fewer the first one is named.
    """
    if len(times) < 3:
        return 0
    gaps = [times[i + 1] - times[i - 1] for i in range(1, len(times) - 1)]
    return 1 + gaps.index(min(gaps))


def self_play_games(config: TrainConfig) -> int:
    """How many of the games the learner plays against itself."""
    total = config.share_latest + config.share_pool + config.share_bots
    return round(config.num_games * config.share_latest / total)
