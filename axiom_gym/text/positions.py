"""Positions as text, as players see them."""

from __future__ import annotations

from typing import Any

from axiom_gym.batch.batch import Batch


def describe_position(batch: Batch, seat: int, game: int = 0) -> str:
    """Return a position of a batch as a player sees it.

    A plain Python game with a method `view` shows the player's view, a kernel game the text of its
    `describe_view`, or else of its `describe_state`.
    """
    state, live = batch.buffers.states[game], batch.game.live
    if live is None and batch.game.describe_view is not None:
        return batch.game.describe_view(state, seat)
    if live is None:
        return batch.describe_state(game)
    match = live(batch.params, state)
    view = getattr(match.game, "view", None)
    seen = match.state if view is None else view(match.state, match.players[seat].id)
    return describe_plain(match.game, seen)


def describe_plain(game: Any, state: Any) -> str:
    """Return the state of a plain Python game as text: by its `describe_state`, or by `repr`."""
    return str(getattr(game, "describe_state", repr)(state))
