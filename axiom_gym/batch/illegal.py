"""Illegal actions: finding, omitting and penalising them, and the error that describes one.

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
"""The result of a search that finds no offence."""


@inline_kernel
def is_illegal(i: int, v: int, k: int, buffers: Buffers) -> bool:
    """Return whether sub-action `k` in row `v` of game `i` is out of range or masked."""
    action = buffers.actions[i, v, k]
    if action < 0 or action >= buffers.masks.shape[3]:
        return True
    return bool(buffers.masks[i, v, k, action] == 0)


@inline_kernel
def collect_sub_actions(i: int, buffers: Buffers, sub_actions: npt.NDArray[np.int64]) -> bool:
    """Copy the actions of game `i`, with NO_SUB_ACTION for each illegal sub-action.

    Mark the players who gave illegal ones in the episode's `offenders`. Marks of earlier turns
    remain.

    Args:
        i: the game.
        buffers: of the batch.
        sub_actions: (V, K) int64, written.

    Returns:
        True if there is an illegal one.
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
    """Return the first illegal sub-action of game `i` as v * K + k, or OK."""
    for v in range(buffers.masks.shape[1]):
        for k in range(buffers.masks.shape[2]):
            if is_illegal(i, v, k, buffers):
                return v * int(buffers.masks.shape[2]) + k
    return OK


@inline_kernel
def _offends(p: int, actor: int, offenders: npt.NDArray[np.int8]) -> bool:
    """Return whether player `p` gave an illegal action in this turn.

    In a sequential game only `actor` can have; the marks in `offenders` may be of earlier turns.
    """
    return bool(offenders[p] != 0) if actor == EVERYONE else p == actor


@inner_kernel
def pay_forfeits(
    actor: int,
    offenders: npt.NDArray[np.int8],
    forfeit_reward: float,
    rewards: npt.NDArray[np.float32],
) -> None:
    """Give the reward of a forfeit to each offender, and share their loss among the others.

    Args:
        actor: the player who acted, the only offender; EVERYONE in a simultaneous game.
        offenders: (P,) int8, 1 = offender; read only in a simultaneous game.
        forfeit_reward: the reward of each offender; negative.
        rewards: (P,) float32, written.
    """
    players = rewards.shape[0]
    count = 0
    for p in range(players):
        count += int(_offends(p, actor, offenders))
    for p in range(players):
        if _offends(p, actor, offenders):
            rewards[p] = forfeit_reward
        else:
            rewards[p] = -forfeit_reward * count / (players - count)


def illegal_action(batch: Batch, game: int, view: int, k: int, action: int) -> IllegalActionError:
    """Return the error for `action` as sub-action `k` in row `view` (on axis V) of a game."""
    buffers = batch.buffers
    actor = int(buffers.acting[game])
    agent = batch.agents[view if actor == EVERYONE else actor]
    legal = np.flatnonzero(buffers.masks[game, view, k]).tolist()
    return IllegalActionError(
        f"game {game}: sub-action {k} of {agent} is {action}, which is illegal; legal are {legal}."
        f"\n{batch.describe_state(game)}"
    )
