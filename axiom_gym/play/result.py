"""The result of a match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from axiom_gym.game.facts import Player, PlayerRanking
from axiom_gym.game.progress import Reason
from axiom_gym.replay.format import Replay


@dataclass(frozen=True, slots=True, kw_only=True)
class Incidents:
    """The failures of an agent in one match, counted by kind, and their consequences."""

    raised: int = 0
    illegal: int = 0
    late: int = 0
    fallbacks: int = 0
    """Decisions that the fallback made."""
    forfeits: int = 0
    """1 if the player forfeited the match, else 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameResult:
    """The result of a match [GameResult]."""

    rankings: tuple[PlayerRanking, ...]
    """All players, best first. Players who forfeited come last, in reverse order of their forfeits;
    the scores are those of the game, except that theirs are never better than the worst one."""
    winner: Player | None
    """None after a draw, and after a limit that ended the match before anybody had won."""
    final_state: Any
    replay: Replay
    turns: int
    """Turns played: counted by the state's `turn` if it has one, else one for each action."""
    incidents: Mapping[str, Incidents]
    """The incidents of each player, by id."""
    reason: Reason
