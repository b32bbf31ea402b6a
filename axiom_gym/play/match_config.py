"""The configuration of one match: limits, fallbacks, and options of the game."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from axiom_gym.errors import ConfigError, UnknownNameError, check_choice, check_range
from axiom_gym.game.facts import GameMetadata
from axiom_gym.play.agents import Agent, get_agent_function

FALLBACKS = ("random", "forfeit")


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchConfig:
    """The configuration of a match; Ludus calls it `GameConfig`.

    `axiom_gym.config.GameConfig` is something else: it declares the rules of a game.
    """

    options: Mapping[str, Any] = field(default_factory=dict)
    """The game's own options, as JSON values. If the game's `metadata` names its options, others
    are refused."""
    max_turns: int = 0
    """The number of turns after which the match ends; 0 for the state's own `max_turns`, if any."""
    time_limit_s: float | None = None
    """The time limit of each decision in seconds; None for no limit."""
    retries: int = 0
    """Further attempts of an agent in one decision, after it raised, was illegal or was late."""
    fallback: str | Agent = "forfeit"
    """The consequence of the last failure: "random" for a random valid action; "forfeit"; or
    another agent, which decides for the player. If that agent fails too, the player forfeits."""
    strict: bool = False
    """If True, states are hashed to detect one that was changed in place; this takes time."""
    game_id: str = ""
    """The id of the match; if empty, the game's name and the seed."""

    def __post_init__(self) -> None:
        """Check all values.

        Raises:
            ConfigError: for a value that is not allowed.
        """
        check_range("max_turns", self.max_turns, 0, 2**31 - 1)
        check_range("retries", self.retries, 0, 1000)
        limit = self.time_limit_s
        if limit is not None and not (isinstance(limit, int | float) and 0 < limit < math.inf):
            raise ConfigError(
                f"time_limit_s must be a number of seconds above 0, or None for no limit, got "
                f"{limit!r}."
            )
        if isinstance(self.fallback, str) or not callable(get_agent_function(self.fallback)):
            check_choice("fallback", self.fallback, FALLBACKS)
        for name in ("game_id", "max_turns"):
            if name in self.options:
                raise ConfigError(
                    f"{name!r} is no option of a game; give it as MatchConfig({name}=...)."
                )

    def fill(self, metadata: GameMetadata) -> dict[str, Any]:
        """Return all options: the given ones, and the game's defaults for the others.

        Raises:
            UnknownNameError: for an option that the game does not have, if it names its options.
        """
        for name in self.options:
            if metadata.options and name not in metadata.options:
                raise UnknownNameError(f"option of {metadata.name}", name, metadata.options)
        return {**metadata.options, **self.options}
