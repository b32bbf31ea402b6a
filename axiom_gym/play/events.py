"""What a match tells its listeners while it runs.

Listeners see everything, hidden orders too: they are for commentary and records, not for players.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from axiom_gym.game.facts import GameMetadata, Player
from axiom_gym.play.result import GameResult

Problem = Literal["raised", "illegal", "late"]
"""How an agent fails: by an exception, an action that is not valid, or no answer in time."""

By = Literal["agent", "fallback"]
"""Who decided: the player's agent, or what stands in for it after a failure."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStarted:
    """The first state is there."""

    metadata: GameMetadata
    players: tuple[Player, ...]
    seed: int
    state: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnStarted:
    """A player is to decide; in a turn that may happen several times."""

    turn: int
    player_id: str
    valid_actions: tuple[Any, ...]
    state: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionTaken:
    """An action was carried out."""

    turn: int
    player_id: str
    action: Any
    by: By
    description: str
    """By the game's `describe_action`, in the state before."""
    state: Any
    """After the action."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InvalidAction:
    """An agent failed; it is asked again, or the fallback follows."""

    turn: int
    player_id: str
    problem: Problem
    by: By
    attempt: int
    """From 1, within one decision."""
    detail: str
    """The exception, or the action that is not valid."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerEliminated:
    """A player is out."""

    turn: int
    player_id: str
    reason: Literal["rules", "forfeit"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEnded:
    """The match is over."""

    result: GameResult


Event = GameStarted | TurnStarted | ActionTaken | InvalidAction | PlayerEliminated | GameEnded

Listener = Callable[[Event], object]
"""Is told each event; what it returns does not matter."""
