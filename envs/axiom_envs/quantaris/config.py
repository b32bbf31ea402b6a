"""The options of Quantaris, and its presets."""

from __future__ import annotations

import math
from dataclasses import dataclass

from axiom_envs.quantaris.constants import DEFAULT_RULESET, RULESETS
from axiom_gym.errors import ConfigError, check_choice

OBSERVATIONS = ("features", "planes")


@dataclass(frozen=True, slots=True, kw_only=True)
class QuantarisConfig:
    """What can be chosen about Quantaris.

    Raises:
        ConfigError: for a value that is not allowed.
    """

    ruleset: str = DEFAULT_RULESET
    """0.2: pulses in 8 directions, Terminal Loss, draw by mutual destruction. 0.1: 4 directions,
    neither of the others."""
    obs: str = "features"
    """"features": a flat vector. "planes": (9, 9, 9)."""
    shaping: float = 0.0
    """Reward per point of damage to the enemy's core, minus the same for one's own; 0..1."""

    def __post_init__(self) -> None:
        """Refuses what is not allowed."""
        check_choice("ruleset", self.ruleset, RULESETS)
        check_choice("obs", self.obs, OBSERVATIONS)
        number = isinstance(self.shaping, int | float) and not isinstance(self.shaping, bool)
        if not number or not math.isfinite(self.shaping) or not 0 <= self.shaping <= 1:
            raise ConfigError(f"shaping must be a number from 0 to 1, got {self.shaping!r}.")


PRESETS = {
    "v0.2": {"ruleset": "0.2"},
    "v0.1": {"ruleset": "0.1"},
}
