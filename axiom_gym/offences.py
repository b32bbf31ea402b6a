"""Actions that are not legal: what the driver looks for, leaves out, and makes them cost.

Axis letters as in `axiom_gym.kernel`: P players, V who act at once, K orders.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from axiom_gym.batch_types import Buffers
from axiom_gym.kernel import EVERYONE, NO_ORDER, inline_kernel, inner_kernel

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
def collect_orders(i: int, buffers: Buffers, orders: npt.NDArray[np.int64]) -> int:
    """Copies the actions of game `i`, illegal ones as NO_ORDER; returns the offenders as bits.

    orders: (V, K), written.
    """
    offenders = 0
    actor = int(buffers.acting[i])
    for v in range(orders.shape[0]):
        for k in range(orders.shape[1]):
            orders[v, k] = buffers.actions[i, v, k]
            if is_illegal(i, v, k, buffers):
                offenders |= 1 << (v if actor == EVERYONE else actor)
                orders[v, k] = NO_ORDER
    return offenders


@inner_kernel
def find_offence(i: int, buffers: Buffers) -> int:
    """The first illegal order of game `i` as v * K + k, or OK."""
    for v in range(buffers.masks.shape[1]):
        for k in range(buffers.masks.shape[2]):
            if is_illegal(i, v, k, buffers):
                return v * int(buffers.masks.shape[2]) + k
    return OK


@inner_kernel
def pay_forfeits(offenders: int, rewards: npt.NDArray[np.float32]) -> None:
    """Offenders get -1, the others share their loss; if all of several offend, nobody gets any.

    rewards: (P,) float32, written.
    """
    players = rewards.shape[0]
    count = 0
    for p in range(players):
        count += (offenders >> p) & 1
    for p in range(players):
        if count == players and players > 1:
            rewards[p] = 0.0
        elif (offenders >> p) & 1:
            rewards[p] = -1.0
        else:
            rewards[p] = count / (players - count)
