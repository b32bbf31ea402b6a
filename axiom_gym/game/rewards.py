"""The rewards of plain Python games.

A game's method `get_rewards(before, after)`, or a callable with these arguments that the caller
passes, gives the rewards. Without either, they follow from the players' places.

The reward of a forfeit must not be better than that of a loss. The rewards of a game with
`get_rewards`, and the score of a single player, can be lower than -1. Such a game declares the
lowest sum of a player's rewards as its member `lowest_return`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from axiom_gym.errors import ConfigError, GameError
from axiom_gym.game.facts import PlayerRanking

GetRewards = Callable[[Any, Any], Mapping[str, float]]
"""(state before an action, state after it) -> rewards by player id; missing players get 0."""


def reward_places(
    rankings: Sequence[PlayerRanking], players: int | None = None
) -> dict[str, float]:
    """Return the rewards of the remaining players by id.

    The first place gets 1, the last one -1, and rewards fall linearly between them. Equal players
    share the mean of their places. The rewards of all players, eliminated ones included, add up to
    0. A single player gets the score.

    Args:
        rankings: the remaining players in any order. Equal players share a rank, the best one of
            their places.
        players: the number of all players, if others were eliminated.
    """
    last = (players or len(rankings)) - 1
    if last == 0:
        return {rankings[0].player.id: float(rankings[0].score)}
    rewards = {}
    for place in rankings:
        better = sum(one.rank < place.rank for one in rankings)
        equal = sum(one.rank == place.rank for one in rankings)
        rewards[place.player.id] = _reward_place(better, equal, last)
    return rewards


def reward_out(gone: Sequence[str], left: int, players: int) -> dict[str, float]:
    """Return the rewards of players who are eliminated together, by id.

    Args:
        gone: the ids of these players.
        left: the number of remaining players, who all have better places.
        players: the number of all players.
    """
    return dict.fromkeys(gone, _reward_place(left, len(gone), players - 1))


def _reward_place(better: int, equal: int, last: int) -> float:
    return 1.0 - (2 * better + equal - 1) / last


def read_rewards(given: Any, player_ids: Sequence[str], name: str) -> dict[str, float]:
    """Return the rewards that a game gave, with an entry for each player.

    Raises:
        GameError: if they are not a mapping from player ids to finite numbers.
    """
    if not isinstance(given, Mapping) or not given.keys() <= set(player_ids):
        raise GameError(
            f"{name}: get_rewards must give a mapping from the players "
            f"{', '.join(map(repr, player_ids))} to numbers, got {given!r}."
        )
    rewards = {one: float(given.get(one, 0.0)) for one in player_ids}
    if not all(map(math.isfinite, rewards.values())):
        raise GameError(f"{name}: all rewards must be finite numbers, got {given!r}.")
    return rewards


def find_lowest_return(game: Any) -> float | None:
    """Return the lowest sum of a player's rewards that a game declares; None if it declares none.

    Raises:
        ConfigError: if it is not a finite number.
    """
    low = getattr(game, "lowest_return", None)
    if low is None:
        return None
    if not isinstance(low, int | float) or not math.isfinite(low):
        raise ConfigError(
            f"{game.metadata.name}: lowest_return must be a finite number, the lowest sum of a "
            f"player's rewards in any match, got {low!r}."
        )
    return float(low)
