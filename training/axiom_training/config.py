"""The options of a training run.

The text below each field is also the help text of its command-line option. Each run saves its
options.
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
"""The lowest and highest value of each numeric option."""

_TUPLES = ("against", "network")
"""The options that are lists in JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainConfig:
    """The options of a training run.

    If the budget is in steps alone, equal configurations give equal weights on one machine, bit for
    bit. With a budget in minutes, the result depends on the speed of the machine.

    Raises:
        ConfigError: for a value that is not allowed.
    """

    game: str
    """Id of the game, such as "quantaris-v0"."""
    options: dict[str, Any] = field(default_factory=dict)
    """The game's own options."""
    seed: int = 0
    """Seed of the games, opponents, weights and minibatches."""
    minutes: float = 0.0
    """Budget in minutes of training, which do not include evaluations; 0 for none."""
    steps: int = 0
    """Budget in agent-steps (decisions of the learner); 0 for none."""
    num_games: int = 384
    """Number of games that are played in parallel."""
    against: tuple[str, ...] = ()
    """Opponents, separated by commas, in place of the game's default opponents: names of bots,
    models, run directories, FILE.py:function. They share the part share-bots of the games equally,
    and all evaluations are against them."""
    share_latest: float = 0.2
    """Share of the games in which the learner plays all seats. The three shares are divided by
    their sum."""
    share_pool: float = 0.2
    """Share of the games against snapshots of the learner."""
    share_bots: float = 0.6
    """Share of the games against the game's default opponents, or against those of --against. 1
    alone means 71 % of the games, since the other two shares count too; for all games, also set
    them to 0."""
    random_opponent: str = "auto"
    """Add the random bot to the opponents in training: yes, no, or auto, which means yes in
    sequential games without --against, where its moves lead to positions that other opponents
    avoid."""
    snapshot_every: int = 20
    """Iterations between snapshots."""
    pool_size: int = 8
    """Number of snapshots that serve as opponents, spread over the whole run so far."""
    rollout_turns: int = 32
    """Turns of each game per iteration."""
    batch_size: int = 8192
    """Decisions per minibatch."""
    epochs: int = 3
    """Passes over the decisions of an iteration."""
    learning_rate: float = 7e-4
    """Learning rate at the start; it falls linearly as the budget is spent."""
    final_learning_rate: float = 1e-4
    """Learning rate at the end of the budget."""
    gamma: float = 0.99
    """Discount per turn."""
    gae_lambda: float = 0.95
    """Lambda of generalized advantage estimation."""
    normalize_rewards: str = "auto"
    """Divide rewards by the standard deviation of the returns so far: yes, no, or auto, which means
    yes in games with outcomes outside of -1 to 1."""
    clip_range: float = 0.2
    """Largest difference between the policy ratio and 1 (PPO's clipping)."""
    entropy_coefficient: float = 0.03
    """Weight of the policy's entropy at the start; if it is too low, exploration stops early."""
    final_entropy_coefficient: float = 0.003
    """Weight of the entropy at the end of the budget; it falls linearly."""
    network: tuple[int, ...] = (128, 128)
    """Widths of the hidden layers, of policy and value each."""
    torch_threads: int = 1
    """Threads of PyTorch; more are not faster here, and much slower on a busy machine."""
    evaluate_every: float = 20.0
    """Interval between evaluations, in seconds; in units of 100,000 agent-steps if the budget is in
    steps alone."""
    evaluation_games: int = 400
    """Games against each default opponent in each evaluation during the run."""
    final_games: int = 2000
    """Games against each default opponent after the run."""

    def __post_init__(self) -> None:
        """Check the options."""
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
        _check_against(self.against)
        check_choice("choice of normalize_rewards", self.normalize_rewards, ("auto", "no", "yes"))
        check_choice("choice of random_opponent", self.random_opponent, ("auto", "no", "yes"))
        if self.share_latest + self.share_pool + self.share_bots <= 0:
            raise ConfigError("one of share_latest, share_pool and share_bots must be above 0.")
        if self.minutes == 0 and self.steps == 0:
            raise ConfigError("a run needs a budget: give minutes or steps above 0.")
        if self.num_games * self.rollout_turns < 2:
            raise ConfigError("num_games times rollout_turns must be at least 2, got 1.")

    def spent_share(self, steps: int, seconds: float) -> float:
        """Return the spent share of the budget, 0..1; the larger one if there are two budgets."""
        shares = [0.0]
        if self.minutes:
            shares.append(seconds / (60 * self.minutes))
        if self.steps:
            shares.append(steps / self.steps)
        return min(max(shares), 1.0)

    def to_json(self) -> dict[str, Any]:
        """Return the options as plain JSON values."""
        lists = {name: list(getattr(self, name)) for name in _TUPLES}
        return {**dataclasses.asdict(self), **lists}

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> TrainConfig:
        """Return the configuration from the values of `to_json`.

        Raises:
            ConfigError: for unknown options, a missing game, or a value that is not allowed.
        """
        known = [entry.name for entry in dataclasses.fields(cls)]
        unknown = sorted(set(values) - set(known))
        if unknown:
            raise ConfigError(f"unknown training options {unknown}; valid: {sorted(known)}.")
        if "game" not in values:
            raise ConfigError("training options must name a game.")
        given = dict(values)
        for name in _TUPLES:
            if isinstance(given.get(name), list):
                given[name] = tuple(given[name])
        return cls(**given)


def _check(name: str, value: Any, is_integer: bool) -> None:
    low, high = _LIMITS[name]
    is_number = isinstance(value, int if is_integer else int | float) and not isinstance(
        value, bool
    )
    if not is_number or not low <= value <= high or value == math.inf:
        kind = "an integer" if is_integer else "a number"
        limit = f"of at least {low:g}" if high == math.inf else f"from {low:g} to {high:.10g}"
        raise ConfigError(f"{name} must be {kind} {limit}, got {value!r}.")


def _check_network(widths: Any) -> None:
    is_tuple = isinstance(widths, tuple) and len(widths) > 0
    if not is_tuple or not all(type(width) is int and width >= 1 for width in widths):
        raise ConfigError(
            f"network must be a tuple of at least one integer, each at least 1, got {widths!r}."
        )


def _check_against(names: Any) -> None:
    is_tuple = isinstance(names, tuple)
    if not is_tuple or not all(isinstance(name, str) and name for name in names):
        raise ConfigError(
            "against must be a tuple of opponents, each the name of a bot, the path of a model or "
            f"run, or FILE.py:function; got {names!r}."
        )
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise ConfigError(f"against must name each opponent once, got {twice[0]!r} twice.")
