"""What players get in the environments of plain Python games.

A game says so itself by `get_rewards(before, after)`, or a callable of that form is handed in; else
the places are what counts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from axiom_gym.errors import GameError
from axiom_gym.game.facts import PlayerRanking

GetRewards = Callable[[Any, Any], Mapping[str, float]]
"""(state before an action, state after it) -> by player id; who is not named gets 0."""


def reward_places(
    rankings: Sequence[PlayerRanking], players: int | None = None
) -> dict[str, float]:
    """Return rewards by player id for the first places, which add up to 0 with those of the others.

    The first gets 1 and the last -1, those between them lie on the line; equal players share the
    mean of their places. Who plays alone gets the score.

    Args:
        rankings: those who are still in, in any order; equal ones share a rank, which is the best
            of theirs.
        players: how many play, if others are out.
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
    """Return rewards by player id for those who go out together, behind all who are left."""
    return dict.fromkeys(gone, _reward_place(left, len(gone), players - 1))


def _reward_place(better: int, equal: int, last: int) -> float:
    return 1.0 - (2 * better + equal - 1) / last


def read_rewards(given: Any, player_ids: Sequence[str], name: str) -> dict[str, float]:
    """What a game gave as rewards, with an entry for each player.

    Raises:
        GameError: for what is no mapping from player ids to finite numbers.
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
