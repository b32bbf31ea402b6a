"""The options of a training run: one dataclass, whose field docs are the help texts, saved with every run."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass, field
from typing import Any

from axiom_gym.errors import ConfigError


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainConfig:
    """What a run does. Equal configurations with a budget of steps give equal weights, bit for bit, on one machine.

    Raises:
        ConfigError: for a value that is not allowed.
    """

    game: str
    """Id of the game, such as "quantaris-v0"."""
    options: dict[str, Any] = field(default_factory=dict)
    """The game's own options."""
    seed: int = 0
    """Of everything: games, opponents, weights, minibatches."""
    minutes: float = 0.0
    """Wall-clock budget of the run; 0 for none."""
    steps: int = 0
    """Budget in agent-steps (decisions of the learner); 0 for none."""
    num_games: int = 384
    """Games played side by side."""
    share_latest: float = 0.34
    """Share of the games in which the learner plays all seats itself."""
    share_pool: float = 0.33
    """Share of the games against snapshots of the learner's past."""
    share_bots: float = 0.33
    """Share of the games against the game's scripted players."""
    snapshot_every: int = 20
    """Iterations between two snapshots."""
    pool_size: int = 8
    """Snapshots that are drawn as opponents; the ones kept are spread over the run's whole past."""
    rollout_turns: int = 32
    """Turns of every game in one iteration."""
    batch_size: int = 8192
    """Decisions in a minibatch."""
    epochs: int = 3
    """Passes over an iteration's decisions."""
    learning_rate: float = 7e-4
    """At the start; it falls linearly with the spent share of the budget."""
    final_learning_rate: float = 1e-4
    """At the end of the budget."""
    gamma: float = 0.99
    """Discount per turn."""
    gae_lambda: float = 0.95
    """Of generalized advantage estimation."""
    clip_range: float = 0.2
    """Of the policy ratio."""
    entropy_coefficient: float = 0.03
    """Weight of the policy's entropy; too low and play freezes early."""
    network: tuple[int, ...] = (128, 128)
    """Widths of the hidden layers, for policy and value alike."""
    torch_threads: int = 1
    """Threads of PyTorch; with small batches a second one gains nothing, and collapses on a busy machine."""
    evaluate_every: float = 20.0
    """Seconds (or, with a budget of steps alone, hundred thousands of steps) between two evaluations."""
    evaluation_games: int = 400
    """Games against each anchor in an evaluation during the run."""
    final_games: int = 2000
    """Games against each anchor after the run."""

    def __post_init__(self) -> None:
        """Refuses what is not allowed."""
        for name in ("num_games", "rollout_turns", "batch_size", "epochs", "snapshot_every", "pool_size", "torch_threads"):
            _check(name, getattr(self, name), low=1)
        for name in ("evaluation_games", "final_games"):
            _check(name, getattr(self, name), low=2)
        for name in ("share_latest", "share_pool", "share_bots", "gamma", "gae_lambda"):
            _check(name, getattr(self, name), low=0, high=1)
        for name in ("minutes", "steps", "seed", "entropy_coefficient", "learning_rate", "final_learning_rate"):
            _check(name, getattr(self, name), low=0)
        if self.share_latest + self.share_pool + self.share_bots <= 0:
            raise ConfigError("one of share_latest, share_pool and share_bots must be above 0.")
        if self.minutes == 0 and self.steps == 0:
            raise ConfigError("a run needs a budget: give minutes or steps above 0.")

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {**dataclasses.asdict(self), "network": list(self.network)}

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> TrainConfig:
        """The configuration of `to_json`.

        Raises:
            ConfigError: for keys that are no options.
        """
        known = {entry.name for entry in dataclasses.fields(cls)}
        unknown = sorted(set(values) - known)
        if unknown:
            raise ConfigError(f"unknown training options {unknown}; valid: {sorted(known)}.")
        return cls(**{**values, "network": tuple(values.get("network", (128, 128)))})


def _check(name: str, value: Any, low: float, high: float = math.inf) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high or math.isnan(value):
        limit = f"at least {low:g}" if high == math.inf else f"from {low:g} to {high:g}"
        raise ConfigError(f"{name} must be a number {limit}, got {value!r}.")
