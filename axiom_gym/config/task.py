"""What is wanted of a player of a config: reward, end, score."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from axiom_gym.config.definitions import Condition, State
from axiom_gym.errors import ConfigError, check_range


@dataclass(frozen=True, slots=True)
class Task:
    """Makes an environment of a config."""

    reward: Callable[[State, State], Any]
    """(state before the step, state after it) -> number."""
    terminated: Condition | None = None
    """(state) -> whether the episode has ended by the rules; looked at after every step."""
    max_ticks: int = 0
    """The episode is truncated when so many ticks have passed; 0 for no limit."""
    actions_per_tick: int = 1
    """A tick follows after so many actions, or as soon as the player waits. Each action is a step
    of its own, so that the mask is right for every one of them."""
    score: Callable[[State], Any] | None = None
    """(state) -> how good an episode was, when it is over; the sum of its rewards if not given."""

    def __post_init__(self) -> None:
        """Refuses what can be seen to be wrong already.

        Raises:
            ConfigError: naming the field.
        """
        for name in ("reward", "terminated", "score"):
            value = getattr(self, name)
            if not callable(value) and (name == "reward" or value is not None):
                raise ConfigError(f"task.{name} must be a function of the state, got {value!r}.")
        check_range("task.max_ticks", self.max_ticks, 0, 2**31 - 1)
        check_range("task.actions_per_tick", self.actions_per_tick, 1, 2**15)
