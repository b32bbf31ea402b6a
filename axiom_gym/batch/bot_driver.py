"""The compiled loop that lets one scripted player act in a batch.

Like `axiom_gym.batch.driver`, this file is a template.
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
    """Write the actions of every seat that this bot holds, in games low..high-1.

    In a sequential game, write only those of the player to act. Skip games whose episode has ended,
    because their next step is a reset or is refused, and must not advance a stream.

    Args:
        low: the first game.
        high: the game after the last one.
        seats: (B, P) int16, the number of the player at each seat.
        number: the number of the bot in `seats`.
        buffers: of the batch; reads states and masks, writes actions, advances streams.
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
