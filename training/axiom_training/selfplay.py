"""The opponents of the learner: itself, its snapshots, and others, which are the game's bots.

`TrainConfig.against` names other opponents in place of the bots, which may be models or functions.

The games of a run are divided at its start. In the first part the learner plays all seats and
learns from the decisions of all of them. In the others it has one seat, which is drawn for each
episode, and the opponent is drawn from a pool of bots and snapshots. Options set the share of each.
A game keeps its opponent until the episode ends.

A snapshot is a frozen copy of the learner, identified by a hash of its weights. The number of
snapshots in use is limited. If there is one too many, the pool retires the snapshot whose
neighbours in time are closest together, so that the others stay spread over the whole run. When no
game against a retired snapshot is in progress, a new snapshot can take its index in the pool.

A game for one player has no opponents and no pool.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from axiom_gym.opponents import Opponent, OpponentPool
from axiom_training.config import TrainConfig
from axiom_training.policy import ModelPolicy


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A frozen copy of the learner in the pool.

    Attributes:
        place: the index in the pool.
        steps: the agent-steps of the learner when it was copied.
        digest: the hash of the weights.
    """

    place: int
    steps: int
    digest: str


@dataclass(slots=True)
class SelfPlay:
    """The pool of a run and its snapshots.

    Attributes:
        config: the run's options.
        pool: the pool from which the environment draws opponents.
        bots: the number of bots or other given opponents; they come first in the pool.
        snapshots: the snapshots in use, oldest first.
    """

    config: TrainConfig
    pool: OpponentPool
    bots: int
    snapshots: list[Snapshot] = field(default_factory=list)

    @classmethod
    def start(cls, config: TrainConfig, bots: Sequence[Opponent]) -> SelfPlay:
        """Make a pool of bots; the caller adds a snapshot before the first game."""
        self = cls(config, OpponentPool(bots), len(bots))
        self._set_weights()
        return self

    def add(
        self, policy: ModelPolicy, steps: int, playing: Collection[int] = ()
    ) -> Snapshot | None:
        """Add a snapshot, and retire one if there are too many.

        Args:
            policy: a frozen copy of the learner.
            steps: the agent-steps of the learner.
            playing: the indices in the pool of opponents with games in progress.

        Returns:
            The snapshot; None if one with equal weights is already in use.
        """
        digest = policy.digest()
        if any(snapshot.digest == digest for snapshot in self.snapshots):
            return None
        snapshot = Snapshot(self._place(policy, playing), steps, digest)
        self.snapshots.append(snapshot)
        if len(self.snapshots) > self.config.pool_size:
            del self.snapshots[most_crowded([entry.steps for entry in self.snapshots])]
        self._set_weights()
        return snapshot

    def _place(self, policy: ModelPolicy, playing: Collection[int]) -> int:
        """Put a policy at an index of the pool that is no longer needed, or at a new one."""
        needed = {snapshot.place for snapshot in self.snapshots}.union(playing)
        for place in range(self.bots, len(self.pool.members)):
            if place not in needed:
                self.pool.members[place] = policy
                return place
        return self.pool.add(policy, 0.0)

    def _set_weights(self) -> None:
        """Divide the share of each group equally among its members; the others get 0."""
        weights = [0.0] * len(self.pool.members)
        groups = [
            (self.config.share_bots, list(range(self.bots))),
            (self.config.share_pool, [snapshot.place for snapshot in self.snapshots]),
        ]
        for share, places in groups:
            for place in places:
                weights[place] = share / len(places)
        if sum(weights) == 0:
            # The learner plays all games against itself, but a pool must have a positive weight.
            weights = [1.0] * len(weights)
        self.pool.weights[:] = weights

    def get_state(self) -> tuple[list[bytes], list[dict[str, Any]]]:
        """Return the weights of all policies in the pool, and the snapshots in use."""
        members = self.pool.members[self.bots :]
        weights = [member.to_bytes() for member in members if isinstance(member, ModelPolicy)]
        return weights, [dataclasses.asdict(snapshot) for snapshot in self.snapshots]

    def set_state(
        self, policies: Sequence[ModelPolicy], snapshots: Sequence[dict[str, Any]]
    ) -> None:
        """Fill the pool of a new run with the state that `get_state` returned."""
        for policy in policies:
            self.pool.add(policy, 0.0)
        self.snapshots = [Snapshot(**snapshot) for snapshot in snapshots]
        self._set_weights()


def most_crowded(times: Sequence[int]) -> int:
    """Return the index of the entry whose neighbours are closest together.

    Args:
        times: ascending times. The first and the last are never chosen, unless there are fewer
            than three: then the first is.
    """
    if len(times) < 3:
        return 0
    gaps = [times[i + 1] - times[i - 1] for i in range(1, len(times) - 1)]
    return 1 + gaps.index(min(gaps))


def self_play_games(config: TrainConfig) -> int:
    """Return the number of games that the learner plays against itself."""
    total = config.share_latest + config.share_pool + config.share_bots
    return round(config.num_games * config.share_latest / total)
