"""The places and the winner at the end of a match, with forfeits taken into account."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from axiom_gym.errors import GameError
from axiom_gym.game.facts import Game, Player, PlayerRanking


def rank_match(
    game: Game[Any, Any], state: Any, players: Sequence[Player], forfeited: Sequence[str]
) -> tuple[PlayerRanking, ...]:
    """Return the game's rankings with players who forfeited at the end, see `put_last`.

    Raises:
        GameError: if the rankings do not hold each player once, with a finite score.
    """
    known = {player.id: player for player in players}
    given = _get_rankings(game, state, known)
    places = [PlayerRanking(known[one.player.id], one.rank, float(one.score)) for one in given]
    kernel = getattr(game, "kernel_game", None)
    return put_last(places, forfeited, kernel.info.min_outcome if kernel else math.inf)


def put_last(
    places: Sequence[PlayerRanking], forfeited: Sequence[str], loss: float
) -> tuple[PlayerRanking, ...]:
    """Return the places, best first, with players who forfeited at the end.

    Their scores are at most those of all players and that of a loss, so that no player who is
    behind gains by a forfeit.

    Args:
        places: the places of all players.
        forfeited: the ids of players who forfeited. The first one gets the last place.
        loss: the lowest possible score; infinite if it is not known.
    """
    lowest = min([one.score for one in places] + [loss] * math.isfinite(loss))
    kept = sorted(
        (one for one in places if one.player.id not in forfeited), key=lambda one: one.rank
    )
    ranks = [1 + sum(other.rank < one.rank for other in kept) for one in kept]
    ranks += range(len(kept) + 1, len(places) + 1)
    given = {one.player.id: one for one in places}
    listed = kept + [PlayerRanking(given[name].player, 0, lowest) for name in reversed(forfeited)]
    return tuple(
        PlayerRanking(one.player, rank, one.score) for one, rank in zip(listed, ranks, strict=True)
    )


def _get_rankings(
    game: Game[Any, Any], state: Any, known: dict[str, Player]
) -> list[PlayerRanking]:
    given = list(game.get_rankings(state))
    if sorted(place.player.id for place in given) != sorted(known):
        raise GameError(
            f"{game.metadata.name}: get_rankings must hold each player once, {', '.join(known)}; "
            f"it holds {', '.join(place.player.id for place in given) or 'nobody'}."
        )
    if not all(math.isfinite(place.score) for place in given):
        raise GameError(f"{game.metadata.name}: all scores must be finite, got {given!r}.")
    return given


def find_winner(
    game: Game[Any, Any],
    state: Any,
    rankings: Sequence[PlayerRanking],
    forfeited: Sequence[str],
) -> Player | None:
    """Return the winner, or None for a draw.

    The game decides. After a forfeit, a sole player with rank 1 who did not forfeit wins.

    Raises:
        GameError: if the winner is not a player of the match.
    """
    if forfeited:
        first = [place.player for place in rankings if place.rank == 1]
        return first[0] if len(first) == 1 and first[0].id not in forfeited else None
    winner = game.get_winner(state)
    known = {place.player.id: place.player for place in rankings}
    if winner is not None and winner.id not in known:
        raise GameError(
            f"{game.metadata.name}: get_winner gives {winner.id!r}, who is not a player; players "
            f"are {', '.join(map(repr, known))}."
        )
    return None if winner is None else known[winner.id]
