"""The options of Connect Four."""

from __future__ import annotations

from dataclasses import dataclass

from axiom_gym.errors import check_choice

OBSERVATIONS = ("features", "planes")


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectFourConfig:
    """The options of a game of Connect Four.

    Raises:
        ConfigError: for a value that is not allowed.
    """

    obs: str = "features"
    """"features": a flat vector of 84 numbers. "planes": the same numbers as (2, 6, 7)."""

    def __post_init__(self) -> None:
        """Check the options."""
        check_choice("obs", self.obs, OBSERVATIONS)


PRESETS: dict[str, dict[str, object]] = {}
