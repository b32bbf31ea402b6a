"""Debts, bankruptcy, and the final places of players.

The debtor is always the acting player, in its own turn and in an opponent's, so that all debts are
settled in the same way.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_envs.destreect import log
from axiom_envs.destreect.constants import BANK, BROKE, DEBT, OVER, OWING, SETTLE, SETTLED
from axiom_envs.destreect.state import Params, can_raise_money, net_worth
from axiom_gym.event_log import emit
from axiom_gym.kernel import inline_kernel, inner_kernel

Rewards = npt.NDArray[np.float32]
"""(P,) float32."""

# --------------------------------------------------------------------------------------------------
# Places


@inline_kernel
def reward_of(standing: int, players: int) -> float:
    """Return the reward of a final place: +1 for the first, -1 for the last, linear between.

    standing: twice the place, counted from 0. The mean of shared places may end in 1/2, so twice
    the place is an integer.
    """
    return 1.0 - standing / (players - 1)


@inner_kernel
def count_alive(state: Any) -> int:
    """Return the number of players who are not bankrupt."""
    count = 0
    for seat in range(int(state.players)):
        count += int(state.alive[seat])
    return count


@inner_kernel
def _place(state: Any, seat: int, standing: int, rewards: Rewards) -> None:
    """Set a seat's final place and write its reward."""
    state.standing[seat] = standing
    rewards[seat] = reward_of(standing, int(state.players))


@inner_kernel
def rank_by_worth(state: Any, rewards: Rewards, params: Params) -> None:
    """Place all remaining players by net worth; tied players get the mean of their places."""
    for seat in range(int(state.players)):
        if int(state.alive[seat]) == 0:
            continue
        own, better, equal = net_worth(state, seat, params), 0, 0
        for other in range(int(state.players)):
            if int(state.alive[other]) != 0:
                theirs = net_worth(state, other, params)
                better += int(theirs > own)
                equal += int(theirs == own)
        _place(state, seat, 2 * better + equal - 1, rewards)


@inner_kernel
def _go_bankrupt(state: Any, rewards: Rewards, events: Any, params: Params) -> None:
    """Eliminate the acting player and hand its cash and deeds over to the creditor.

    All its deeds are mortgaged by then. They stay so, unless the creditor is the bank: then they
    become free, without a mortgage.
    """
    seat, creditor, remaining = int(state.acting), int(state.creditor), count_alive(state)
    cash = int(state.cash[seat])
    emit(events, log.BANKRUPT, seat, creditor, cash, remaining)
    state.cash[seat] = 0
    if creditor != BANK:
        state.cash[creditor] = int(state.cash[creditor]) + cash
    for deed in range(params.places.shape[0]):
        if int(state.owner[deed]) == seat:
            state.owner[deed] = creditor
            if creditor == BANK:
                state.mortgaged[deed] = 0
            emit(events, log.HANDED_OVER, seat, creditor, int(params.places[deed]))
    state.alive[seat] = 0
    state.locked[seat] = 0
    _place(state, seat, 2 * (remaining - 1), rewards)
    if remaining == 2:
        for other in range(int(state.players)):
            if int(state.alive[other]) != 0:
                _place(state, other, 0, rewards)
                emit(events, log.GAME_WON, other)
        state.phase = OVER


# --------------------------------------------------------------------------------------------------
# Debts


@inner_kernel
def owe(state: Any, seat: int, creditor: int, amount: int, reason: int, events: Any) -> int:
    """Give a seat a debt and make it the acting player; return SETTLE, the pending consequence."""
    state.acting = seat
    state.debt = amount
    state.creditor = creditor
    state.reason = reason
    if int(state.cash[seat]) < amount:
        emit(events, log.OWED, seat, creditor, amount, reason)
    return SETTLE


@inner_kernel
def settle(state: Any, rewards: Rewards, events: Any, params: Params) -> int:
    """Let the acting player pay its debt, or ask it to raise money, or eliminate it.

    Returns:
        SETTLED, OWING or BROKE.
    """
    seat, creditor, debt = int(state.acting), int(state.creditor), int(state.debt)
    cash = int(state.cash[seat])
    if cash < debt and can_raise_money(state, seat, params):
        state.phase = DEBT
        return OWING
    code = BROKE
    if cash >= debt:
        code = SETTLED
        state.cash[seat] = cash - debt
        if creditor != BANK:
            state.cash[creditor] = int(state.cash[creditor]) + debt
        emit(events, log.PAID, seat, creditor, debt, int(state.reason))
    else:
        _go_bankrupt(state, rewards, events, params)
    state.debt = 0
    state.creditor = BANK
    state.reason = 0
    return code
