"""The options of Quantaris, and its presets."""

from __future__ import annotations

import math
from dataclasses import dataclass

from axiom_envs.quantaris.constants import DEFAULT_RULESET, RULESETS
from axiom_gym.errors import ConfigError, check_choice

OBSERVATIONS = ("features", "planes")


@dataclass(frozen=True, slots=True, kw_only=True)
class QuantarisConfig:
    """The options of Quantaris.

    Raises:
        ConfigError: if a value is not allowed.
    """

    ruleset: str = DEFAULT_RULESET
    """The version of the rules. "0.2" has pulses in 8 directions, Terminal Loss, and a draw by
    mutual destruction. "0.1" has pulses in 4 directions and neither of the others."""
    obs: str = "features"
    """The form of the observation: "features" is a flat vector, "planes" has shape (9, 9, 9)."""
    shaping: float = 0.0
    """The reward for each point of damage to the enemy's core, and the penalty for each point of
    damage to the player's own core; 0 to 1."""

    def __post_init__(self) -> None:
        """Check all options."""
        check_choice("ruleset", self.ruleset, RULESETS)
        check_choice("obs", self.obs, OBSERVATIONS)
        number = isinstance(self.shaping, int | float) and not isinstance(self.shaping, bool)
        if not number or not math.isfinite(self.shaping) or not 0 <= self.shaping <= 1:
            raise ConfigError(f"shaping must be a number from 0 to 1, got {self.shaping!r}.")


PRESETS = {
    "v0.2": {"ruleset": "0.2"},
    "v0.1": {"ruleset": "0.1"},
}
