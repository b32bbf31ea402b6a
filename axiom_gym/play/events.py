"""The events that a match sends to its listeners.

Listeners see everything, including hidden sub-actions. They are for commentary and records, not
for players.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from axiom_gym.game.facts import GameMetadata, Player
from axiom_gym.play.result import GameResult

Problem = Literal["raised", "illegal", "late"]
"""A failure of an agent: an exception, an action that is not valid, or no answer in time."""

By = Literal["agent", "fallback"]
"""The decider: the player's agent, or the fallback after a failure."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _PlayerEvent:
    """The turn and the player of an event."""

    turn: int
    player_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStarted:
    """The match has its first state."""

    metadata: GameMetadata
    players: tuple[Player, ...]
    seed: int
    state: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnStarted(_PlayerEvent):
    """A player is asked for an action, which may happen several times in a turn."""

    valid_actions: tuple[Any, ...]
    state: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionTaken(_PlayerEvent):
    """An action was executed."""

    action: Any
    by: By
    description: str
    """The text of the game's `describe_action`, in the state before the action."""
    state: Any
    """The state after the action."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InvalidAction(_PlayerEvent):
    """An agent failed; a retry or the fallback follows."""

    problem: Problem
    by: By
    attempt: int
    """The number of the attempt within one decision, from 1."""
    detail: str
    """The exception, or the action that is not valid."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerEliminated(_PlayerEvent):
    """A player was eliminated."""

    reason: Literal["rules", "forfeit"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEnded:
    """The match is over."""

    result: GameResult


Event = GameStarted | TurnStarted | ActionTaken | InvalidAction | PlayerEliminated | GameEnded

Listener = Callable[[Event], object]
"""A callable that gets each event; its return value is ignored."""
