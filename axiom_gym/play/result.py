"""What a match comes to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from axiom_gym.game.facts import Player, PlayerRanking
from axiom_gym.game.progress import Reason
from axiom_gym.replay.format import Replay


@dataclass(frozen=True, slots=True, kw_only=True)
class Incidents:
    """How often an agent failed, and what came of it."""

    raised: int = 0
    illegal: int = 0
    late: int = 0
    fallbacks: int = 0
    """Decisions that somebody else took."""
    forfeits: int = 0
    """1 if the player forfeited the match."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameResult:
    """How a match ended [GameResult]."""

    rankings: tuple[PlayerRanking, ...]
    """Best first. Who forfeited comes last, the first to do so at the very end; the scores are
    still those of the game."""
    winner: Player | None
    """None after a draw, and where a limit ended a match that nobody had won."""
    final_state: Any
    replay: Replay
    turns: int
    """Turns played: by the state's `turn` if it has one, else one for each action."""
    incidents: Mapping[str, Incidents]
    """For each player id."""
    reason: Reason
