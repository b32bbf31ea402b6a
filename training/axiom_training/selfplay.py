"""Whom the learner plays: itself, its past, and the game's scripted players.

The games of a run are divided once. In the first ones the learner plays every seat, so that all
sides' decisions are learned from. In the others it holds one seat, drawn for each episode, and the
opponent is drawn from a pool: scripted players and snapshots, each group with its share. A snapshot
is a frozen copy of the learner, known by a hash of its weights, and it never changes; a game keeps
its opponent to the end of the episode. The pool draws from a limited number of snapshots. When
there is one too many, the one is retired whose neighbours in time are closest together, and so
those that stay are spread over the whole run. Once no game is played against a retired one any
more, the next snapshot takes its place. A game for one player has none of all this.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from axiom_gym.opponents import OpponentPool
from axiom_training.config import TrainConfig
from axiom_training.policy import ModelPolicy


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A past self that opponents are drawn from.

    Attributes:
        place: where it stands in the pool.
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
        config: the run's options.
        pool: what the environment draws opponents from.
        bots: number of scripted players; they have the first places of the pool.
        snapshots: the snapshots in use, oldest first.
    """

    config: TrainConfig
    pool: OpponentPool
    bots: int
    snapshots: list[Snapshot] = field(default_factory=list)

    @classmethod
    def start(cls, config: TrainConfig, bots: Sequence[str]) -> SelfPlay:
        """A pool of scripted players; the caller adds a snapshot before the first game."""
        self = cls(config, OpponentPool(bots), len(bots))
        self._set_weights()
        return self

    def add(
        self, policy: ModelPolicy, steps: int, playing: Collection[int] = ()
    ) -> Snapshot | None:
        """Adds a snapshot, and retires one if there are too many.

        Args:
            policy: the learner, frozen.
            steps: its agent-steps.
            playing: places of the pool that games are being played against.

        Returns:
            The snapshot; None if the very same one is in use already.
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
        """Puts a policy at a place that nobody needs any more, or else at a new one."""
        needed = {snapshot.place for snapshot in self.snapshots}.union(playing)
        for place in range(self.bots, len(self.pool.members)):
            if place not in needed:
                self.pool.members[place] = policy
                return place
        return self.pool.add(policy, 0.0)

    def _set_weights(self) -> None:
        """Gives each group its share, all members of a group the same weight, and 0 to others."""
        weights = [0.0] * len(self.pool.members)
        groups = [
            (self.config.share_bots, list(range(self.bots))),
            (self.config.share_pool, [snapshot.place for snapshot in self.snapshots]),
        ]
        for share, places in groups:
            for place in places:
                weights[place] = share / len(places)
        if sum(weights) == 0:
            # The learner plays all games against itself; a pool without weights is refused.
            weights = [1.0] * len(weights)
        self.pool.weights[:] = weights

    def get_state(self) -> tuple[list[bytes], list[dict[str, Any]]]:
        """For a checkpoint: the weights at each place after the bots', and the snapshots in use."""
        members = self.pool.members[self.bots :]
        weights = [member.to_bytes() for member in members if isinstance(member, ModelPolicy)]
        return weights, [dataclasses.asdict(snapshot) for snapshot in self.snapshots]

    def set_state(
        self, policies: Sequence[ModelPolicy], snapshots: Sequence[dict[str, Any]]
    ) -> None:
        """Fills the pool of a run that has just started with what `get_state` gave."""
        for policy in policies:
            self.pool.add(policy, 0.0)
        self.snapshots = [Snapshot(**snapshot) for snapshot in snapshots]
        self._set_weights()


def most_crowded(times: Sequence[int]) -> int:
    """The index of the entry whose neighbours are closest together; never the first or the last.

    Args:
        times: ascending, at least three; of fewer the first one is named.
    """
    if len(times) < 3:
        return 0
    gaps = [times[i + 1] - times[i - 1] for i in range(1, len(times) - 1)]
    return 1 + gaps.index(min(gaps))


def self_play_games(config: TrainConfig) -> int:
    """How many of the games the learner plays against itself."""
    total = config.share_latest + config.share_pool + config.share_bots
    return round(config.num_games * config.share_latest / total)
