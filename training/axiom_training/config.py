"""The options of a training run.

The text below each field is also the help text of its command-line option, and the whole is saved
with every run.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass, field
from typing import Any

from axiom_gym.batch.seeds import MAX_SEED
from axiom_gym.errors import ConfigError, check_choice

_LIMITS: dict[str, tuple[float, float]] = {
    "seed": (0, MAX_SEED),
    "minutes": (0, math.inf),
    "steps": (0, math.inf),
    "num_games": (1, math.inf),
    "share_latest": (0, 1),
    "share_pool": (0, 1),
    "share_bots": (0, 1),
    "snapshot_every": (1, math.inf),
    "pool_size": (1, math.inf),
    "rollout_turns": (1, math.inf),
    "batch_size": (2, math.inf),
    "epochs": (1, math.inf),
    "learning_rate": (0, 1),
    "final_learning_rate": (0, 1),
    "gamma": (0, 1),
    "gae_lambda": (0, 1),
    "clip_range": (0, 1),
    "entropy_coefficient": (0, math.inf),
    "final_entropy_coefficient": (0, math.inf),
    "torch_threads": (1, 1024),
    "evaluate_every": (0, math.inf),
    "evaluation_games": (2, math.inf),
    "final_games": (2, math.inf),
}
"""Lowest and highest value of each number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainConfig:
    """What a run does.

    Equal configurations with a budget of steps alone give equal weights, bit for bit, on one
    machine; a budget of minutes depends on how fast that machine is.

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
    """Budget in minutes of training, with evaluation on top; 0 for none."""
    steps: int = 0
    """Budget in agent-steps (decisions of the learner); 0 for none."""
    num_games: int = 384
    """Games played side by side."""
    share_latest: float = 0.2
    """Share of the games in which the learner plays all seats itself."""
    share_pool: float = 0.2
    """Share of the games against snapshots of the learner's past."""
    share_bots: float = 0.6
    """Share of the games against the game's scripted players."""
    random_opponent: str = "auto"
    """Count the random player among the scripted ones that are played against: yes, no, or auto,
    which means in sequential games, where each of its odd moves leads to positions of its own."""
    snapshot_every: int = 20
    """Iterations between two snapshots."""
    pool_size: int = 8
    """Snapshots that are drawn as opponents, spread over the run's whole past."""
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
    """Lambda of generalized advantage estimation."""
    normalize_rewards: str = "auto"
    """Divide rewards by the spread of returns so far: yes, no, or auto, which means in games whose
    outcomes go beyond -1 to 1."""
    clip_range: float = 0.2
    """How far the policy ratio may move from 1."""
    entropy_coefficient: float = 0.03
    """Weight of the policy's entropy at the start; too low and play freezes early."""
    final_entropy_coefficient: float = 0.003
    """At the end of the budget, to which it falls linearly."""
    network: tuple[int, ...] = (128, 128)
    """Widths of the hidden layers, for policy and value alike."""
    torch_threads: int = 1
    """Threads of PyTorch; more gain nothing here, and collapse on a busy machine."""
    evaluate_every: float = 20.0
    """Seconds between evaluations; with steps alone as the budget, hundred thousands of steps."""
    evaluation_games: int = 400
    """Games against each scripted player in an evaluation during the run."""
    final_games: int = 2000
    """Games against each scripted player after the run."""

    def __post_init__(self) -> None:
        """Refuses what is not allowed."""
        if not isinstance(self.game, str) or not self.game:
            raise ConfigError(f"game must be the id of a game, got {self.game!r}.")
        if not isinstance(self.options, dict):
            raise ConfigError(
                f"options must be a dict of the game's options, got {self.options!r}."
            )
        for entry in dataclasses.fields(self):
            if entry.name in _LIMITS:
                _check(entry.name, getattr(self, entry.name), entry.type == "int")
        _check_network(self.network)
        check_choice("choice of normalize_rewards", self.normalize_rewards, ("auto", "no", "yes"))
        check_choice("choice of random_opponent", self.random_opponent, ("auto", "no", "yes"))
        if self.share_latest + self.share_pool + self.share_bots <= 0:
            raise ConfigError("one of share_latest, share_pool and share_bots must be above 0.")
        if self.minutes == 0 and self.steps == 0:
            raise ConfigError("a run needs a budget: give minutes or steps above 0.")
        if self.num_games * self.rollout_turns < 2:
            raise ConfigError("num_games times rollout_turns must be at least 2, got 1.")

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {**dataclasses.asdict(self), "network": list(self.network)}

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> TrainConfig:
        """The configuration of `to_json`.

        Raises:
            ConfigError: for keys that are no options, a missing game, or a value not allowed.
        """
        known = [entry.name for entry in dataclasses.fields(cls)]
        unknown = sorted(set(values) - set(known))
        if unknown:
            raise ConfigError(f"unknown training options {unknown}; valid: {sorted(known)}.")
        if "game" not in values:
            raise ConfigError("training options must name a game.")
        given = dict(values)
        if isinstance(given.get("network"), list):
            given["network"] = tuple(given["network"])
        return cls(**given)


def _check(name: str, value: Any, whole: bool) -> None:
    low, high = _LIMITS[name]
    is_number = isinstance(value, int if whole else int | float) and not isinstance(value, bool)
    if not is_number or not low <= value <= high or value == math.inf:
        kind = "an integer" if whole else "a number"
        limit = f"of at least {low:g}" if high == math.inf else f"from {low:g} to {high:.10g}"
        raise ConfigError(f"{name} must be {kind} {limit}, got {value!r}.")


def _check_network(widths: Any) -> None:
    is_tuple = isinstance(widths, tuple) and len(widths) > 0
    if not is_tuple or not all(type(width) is int and width >= 1 for width in widths):
        raise ConfigError(
            f"network must be a tuple of at least one integer, each at least 1, got {widths!r}."
        )
