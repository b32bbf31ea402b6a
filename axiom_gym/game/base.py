"""Bases for states and actions of object-level games, and ranks."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from axiom_gym.errors import GameError
from axiom_gym.game.facts import Player, PlayerRanking


@dataclass(frozen=True, slots=True, kw_only=True)
class BaseGameState:
    """What every state of a Ludus game holds; original names in brackets.

    A state need not be one of these. Where it is, or has fields of these names, the loop takes from
    it whose turn it is, who is out, and how many turns were played.
    """

    game_id: str
    """Of the match [gameId]."""
    turn: int
    """The turn that is being played; rises by 1 from turn to turn."""
    active_player_id: str
    """Who is to act [activePlayerId]."""
    player_order: tuple[str, ...]
    """Ids of all players in the order of their seats [playerOrder]."""
    eliminated: tuple[str, ...] = ()
    """Ids of those who are out, in the order in which they went."""
    max_turns: int = 0
    """The limit after which the match is over, 0 for none [maxTurns]."""


@dataclass(frozen=True, slots=True)
class BaseAction:
    """What every action of a Ludus game holds."""

    type: str
    player_id: str
    """[playerId]."""


def rank(scores: Mapping[Player, float]) -> list[PlayerRanking]:
    """All players, best first and otherwise in the given order.

    Equal players share a rank, and the next one's counts them all: 1, 1, 3.

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
