"""Actions that are not legal: how the driver finds, omits and penalises them, and their message.

Axis letters as in `axiom_gym.kernel`: P players, V who act at once, K sub-actions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from axiom_gym.batch.types import Buffers
from axiom_gym.errors import IllegalActionError
from axiom_gym.kernel import EVERYONE, NO_SUB_ACTION, inline_kernel, inner_kernel

if TYPE_CHECKING:
    from axiom_gym.batch.batch import Batch

OK = -1
"""What is found where nothing is wrong."""


@inline_kernel
def is_illegal(i: int, v: int, k: int, buffers: Buffers) -> bool:
    """Whether the action for order `k` in row `v` of game `i` is out of range or masked."""
    action = buffers.actions[i, v, k]
    if action < 0 or action >= buffers.masks.shape[3]:
        return True
    return bool(buffers.masks[i, v, k, action] == 0)


@inline_kernel
def collect_sub_actions(i: int, buffers: Buffers, sub_actions: npt.NDArray[np.int64]) -> bool:
    """Copies the actions of game `i`, illegal ones as NO_SUB_ACTION; whether there are any.

    Who gave one is marked among the episode's offenders, where marks of earlier turns stay.

    sub_actions: (V, K) int64, written.
    """
    found = False
    offenders = buffers.episodes[i].offenders
    actor = int(buffers.acting[i])
    for v in range(sub_actions.shape[0]):
        for k in range(sub_actions.shape[1]):
            sub_actions[v, k] = buffers.actions[i, v, k]
            if is_illegal(i, v, k, buffers):
                found = True
                offenders[v if actor == EVERYONE else actor] = 1
                sub_actions[v, k] = NO_SUB_ACTION
    return found


@inner_kernel
def find_offence(i: int, buffers: Buffers) -> int:
    """The first illegal order of game `i` as v * K + k, or OK."""
    for v in range(buffers.masks.shape[1]):
        for k in range(buffers.masks.shape[2]):
            if is_illegal(i, v, k, buffers):
                return v * int(buffers.masks.shape[2]) + k
    return OK


@inline_kernel
def _offends(p: int, actor: int, offenders: npt.NDArray[np.int8]) -> bool:
    """Whether player `p` offends in this turn; where one acts at a time, marks may be older."""
    return bool(offenders[p] != 0) if actor == EVERYONE else p == actor


@inner_kernel
def pay_forfeits(
    actor: int, offenders: npt.NDArray[np.int8], rewards: npt.NDArray[np.float32]
) -> None:
    """Offenders get -1, the others share their loss; if all of several offend, nobody gets any.

    offenders: (P,) int8, 1 = offends; if one alone has acted, it is `actor`. rewards: (P,) float32,
    written.
    """
    players = rewards.shape[0]
    count = 0
    for p in range(players):
        count += int(_offends(p, actor, offenders))
    for p in range(players):
        if count == players and players > 1:
            rewards[p] = 0.0
        elif _offends(p, actor, offenders):
            rewards[p] = -1.0
        else:
            rewards[p] = count / (players - count)


def illegal_action(batch: Batch, game: int, view: int, order: int) -> IllegalActionError:
    """Return the error for the action in row `view`, order `order` of `buffers.actions[game]`."""
    buffers = batch.buffers
    actor = int(buffers.acting[game])
    agent = batch.agents[view if actor == EVERYONE else actor]
    action = int(buffers.actions[game, view, order])
    legal = np.flatnonzero(buffers.masks[game, view, order]).tolist()
    return IllegalActionError(
        f"game {game}: action {action} of {agent}, order {order}, is not legal; legal are "
        f"{legal}.\n{batch.describe_state(game)}"
    )
