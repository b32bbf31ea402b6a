"""Base classes for states and actions of plain Python games, and ranking by scores."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from axiom_gym.errors import GameError
from axiom_gym.game.facts import Player, PlayerRanking


@dataclass(frozen=True, slots=True, kw_only=True)
class BaseGameState:
    """The fields of every state of a Ludus game, with the original names in brackets.

    A state does not have to inherit from this class. If it has fields with these names, a match
    reads the player to act, the eliminated players and the number of turns from them.
    """

    game_id: str
    """The id of the match [gameId]."""
    turn: int
    """The number of the current turn; it rises by 1 with each turn."""
    active_player_id: str
    """The id of the player to act [activePlayerId]."""
    player_order: tuple[str, ...]
    """The ids of all players in the order of their seats [playerOrder]."""
    eliminated: tuple[str, ...] = ()
    """The ids of eliminated players, in the order in which they were eliminated."""
    max_turns: int = 0
    """The number of turns after which the match is over, 0 for no limit [maxTurns]."""


@dataclass(frozen=True, slots=True)
class BaseAction:
    """The fields of every action of a Ludus game, with the original name in brackets."""

    type: str
    """The kind of the action."""
    player_id: str
    """The id of the player who acts [playerId]."""


def rank(scores: Mapping[Player, float]) -> list[PlayerRanking]:
    """Return the places of all players, highest score first.

    Players with equal scores keep their order and share a rank; the next rank counts all of them:
    1, 1, 3.

    Raises:
        GameError: for a score that is not finite.
    """
    for player, score in scores.items():
        if not math.isfinite(score):
            raise GameError(f"the score of {player.id!r} must be a finite number, got {score!r}.")
    values = list(scores.values())
    places = [
        PlayerRanking(player, 1 + sum(other > score for other in values), score)
        for player, score in scores.items()
    ]
    return sorted(places, key=lambda place: place.rank)
