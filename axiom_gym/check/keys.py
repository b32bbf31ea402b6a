"""A check that a person can type every legal move of a game at the terminal."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from axiom_gym.batch.batch import Batch
from axiom_gym.game.prompt_keys import find_collision, normalize


def find_key_problem(batch: Batch, game: int = 0) -> str:
    """Return the first problem with the keys of the legal choices of one game; "" without one.

    A key is in lower case, is neither a number nor a key of the prompt, and differs from the others
    of its sub-action. A game without `sub_action_key` has no problem.
    """
    return next(_find_problems(batch, game), "")


def _find_problems(batch: Batch, game: int) -> Iterator[str]:
    find_key = batch.game.sub_action_key
    if find_key is None:
        return
    state = batch.buffers.states[game]
    for seat in batch.to_act(game):
        for k, mask in enumerate(batch.buffers.masks[game, batch.view_of(seat)]):
            known: dict[str, int] = {}
            for action in np.flatnonzero(mask).tolist():
                key = find_key(state, seat, k, action)
                where = f"the key {key!r} of action {action} (sub-action {k} of player {seat})"
                if not key or key != key.lower():
                    yield f"{where} must be a text in lower case."
                if problem := find_collision(key):
                    yield f"{where} cannot be typed: {problem}"
                if normalize(key) in known:
                    yield f"{where} is also that of action {known[normalize(key)]}."
                known[normalize(key)] = action
