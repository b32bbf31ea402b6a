"""The options of Konquista, and its presets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from axiom_envs.konquista.boards import load_board
from axiom_envs.konquista.constants import (
    MAX_ARMIES,
    MAX_BONUS,
    MAX_PLAYERS,
    MAX_REGIONS,
    MAX_TERRITORIES,
    MAX_TURN_LIMIT,
)
from axiom_gym.errors import ConfigError, check_range


@dataclass(frozen=True, slots=True, kw_only=True)
class KonquistaConfig:
    """The options of a game of Konquista.

    Raises:
        ConfigError: for a value that is not allowed, or a map with mistakes; lists them all.
    """

    board: str = "classic"
    """"island", "classic", "continent", or the path of a JSON file with a map."""
    players: int = 2
    """2 to 6; the map must define the armies for this number of players."""
    turn_limit: int = 200
    """Number of player turns after which the game is truncated; 1 to 1000."""
    blitz: bool = False
    """If True, an attack rolls until the territory falls or the attacker has one army left."""

    def __post_init__(self) -> None:
        """Check the options."""
        if not isinstance(self.board, str):
            raise ConfigError(f"board must be a name or a path, got {self.board!r}.")
        if not isinstance(self.blitz, bool):
            raise ConfigError(f"blitz must be True or False, got {self.blitz!r}.")
        check_range("turn_limit", self.turn_limit, 1, MAX_TURN_LIMIT)
        allowed = sorted(load_board(self.board).armies)
        if check_range("players", self.players, 2, MAX_PLAYERS) not in allowed:
            numbers = ", ".join(map(str, allowed))
            raise ConfigError(
                f"players on board {self.board!r} must be one of {numbers}, got {self.players!r}."
            )


PRESETS: dict[str, dict[str, Any]] = {
    "island": {"board": "island", "turn_limit": 100},
    "classic": {"board": "classic", "turn_limit": 200},
    "continent": {"board": "continent", "turn_limit": 300},
}


def count_most_decisions() -> int:
    """Return an upper bound on the decisions of a game in any configuration.

    A turn has at most one placement for each new army, an END_ATTACK, and a FORTIFY or END_TURN.
    Each attack costs at least one army, so a game has at most as many attacks as armies. Each
    attack leads to at most one ADVANCE or HOLD.
    """
    income = MAX_TERRITORIES // 3 + MAX_REGIONS * MAX_BONUS
    armies = MAX_TURN_LIMIT * income + MAX_PLAYERS * MAX_ARMIES
    return MAX_TURN_LIMIT * (income + 2) + 2 * armies
