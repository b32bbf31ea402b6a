"""How one match is played: limits, what follows a failure, options of the game."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from axiom_gym.errors import ConfigError, UnknownNameError, check_choice, check_range
from axiom_gym.game.facts import GameMetadata
from axiom_gym.play.agents import Agent, is_agent

FALLBACKS = ("random", "forfeit")
_RESERVED = ("game_id", "max_turns")


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchConfig:
    """The configuration of a match, which Ludus calls `GameConfig`.

    It is not `axiom_gym.config.GameConfig`, which declares the rules of a game.
    """

    options: Mapping[str, Any] = field(default_factory=dict)
    """The game's own; JSON values. A game that names its options in `metadata` refuses others."""
    max_turns: int = 0
    """The match ends after so many turns; 0 for the state's own `max_turns`, if it has one."""
    time_limit_s: float | None = None
    """For each decision; None for no limit."""
    retries: int = 0
    """How often an agent is asked again in one decision after it raised, was illegal, or late."""
    fallback: str | Agent = "forfeit"
    """What follows then: "random" for a random valid action, "forfeit", or another agent, who
    decides in the player's place and for whom the match is forfeited if it fails too."""
    strict: bool = False
    """Whether states are hashed to find one that was changed; costs time."""
    game_id: str = ""
    """Of the match; made of the game's name and the seed if empty."""

    def __post_init__(self) -> None:
        """Checks all values.

        Raises:
            ConfigError: for one that is not allowed.
        """
        check_range("max_turns", self.max_turns, 0, 2**31 - 1)
        check_range("retries", self.retries, 0, 1000)
        if self.time_limit_s is not None:
            limit = self.time_limit_s
            if not isinstance(limit, int | float) or not 0 < limit < math.inf:
                raise ConfigError(
                    f"time_limit_s must be a number of seconds above 0, or None for no limit, got "
                    f"{limit!r}."
                )
        if isinstance(self.fallback, str) or not is_agent(self.fallback):
            check_choice("fallback", self.fallback, FALLBACKS)
        for name in _RESERVED:
            if name in self.options:
                raise ConfigError(
                    f"{name!r} is no option of a game; give it as MatchConfig({name}=...)."
                )

    def fill(self, metadata: GameMetadata) -> dict[str, Any]:
        """The options over the defaults of the game.

        Raises:
            UnknownNameError: for an option that the game does not name, if it names any.
        """
        for name in self.options:
            if metadata.options and name not in metadata.options:
                raise UnknownNameError(f"option of {metadata.name}", name, metadata.options)
        return {**metadata.options, **self.options}
