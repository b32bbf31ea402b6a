"""The task of a player: reward, end of the episode, and score."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from axiom_gym.config.definitions import Condition, GameConfig, State
from axiom_gym.config.keywords import explain_keywords
from axiom_gym.config.problems import Problem, Problems, check_call
from axiom_gym.errors import ConfigError, check_range


@explain_keywords
@dataclass(frozen=True, slots=True)
class Task:
    """The functions and limits that turn a config into an environment."""

    reward: Callable[[State, State], Any]
    """A function (state before the step, state after it) -> number."""
    terminated: Condition | None = None
    """A function (state) -> bool, called after every step: True ends the episode, in addition to
    the `end` and `win` of the config."""
    max_ticks: int = 0
    """The number of ticks after which the episode is truncated; 0 for no limit."""
    actions_per_tick: int = 1
    """The number of actions after which a tick follows; `wait` starts the tick earlier.
    Each action is a step of its own, so that each has its own action mask."""
    score: Callable[[State], Any] | None = None
    """A function (final state) -> score of the episode; by default the score of the config, or the
    sum of the rewards if it has none."""

    def __post_init__(self) -> None:
        """Check the types and ranges of the fields.

        Raises:
            ConfigError: if a field is wrong; names it.
        """
        for name, form, count in (
            ("reward", "(state before the step, state after it)", 2),
            ("terminated", "(state)", 1),
            ("score", "(state)", 1),
        ):
            value = getattr(self, name)
            if name == "reward" or value is not None:
                for problem in check_call(f"task.{name}", value, form, count):
                    raise ConfigError(str(problem))
        check_range("task.max_ticks", self.max_ticks, 0, 2**31 - 1)
        check_range("task.actions_per_tick", self.actions_per_tick, 1, 2**15)


def check_end(task: Task, config: GameConfig) -> Problems:
    """Check that a task or its config can end an episode."""
    if not task.max_ticks and task.terminated is config.end is config.win is None:
        yield Problem(
            "task",
            "never ends an episode; give max_ticks, the number of ticks after which it is "
            "truncated, or terminated, a function (state) -> bool, such as Task(..., max_ticks=100)"
            ' or Task(..., terminated=lambda s: s["health"] <= 0), or give the config `end` or '
            "`win`.",
        )
