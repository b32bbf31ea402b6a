"""The compiled loop that lets one scripted player act in a batch.

A template, as `axiom_gym.batch.driver` is; see there.
"""

from __future__ import annotations

from typing import Any

from axiom_gym.backend.null_kernel import bot
from axiom_gym.batch.sequence import has_ended_early
from axiom_gym.batch.types import Buffers
from axiom_gym.kernel import EVERYONE, entry

CACHE = False


@entry(CACHE)
def act_batch(low: int, high: int, seats: Any, number: int, buffers: Buffers, params: Any) -> None:
    """Writes the actions of every seat that this bot holds, in games low..high-1.

    In a sequential game only who is to act does. A game whose episode has ended is left out: the
    next step resets it or is refused, and a stream must not depend on that.

    Args:
        low: the first game.
        high: the game after the last.
        seats: (B, P) int16; who plays there.
        number: the bot acts where `seats` equals this.
        buffers: the batch; states, masks and streams are read, actions written, streams advanced.
        params: the parameters of the game.
    """
    for i in range(low, high):
        if buffers.episodes[i].ended != 0 or has_ended_early(i, buffers):
            continue
        actor = int(buffers.acting[i])
        for v in range(buffers.masks.shape[1]):
            p = v if actor == EVERYONE else actor
            if seats[i, p] == number:
                mask, sub_actions = buffers.masks[i, v], buffers.actions[i, v]
                bot(buffers.states[i], p, mask, buffers.streams[i, p], sub_actions, params)
