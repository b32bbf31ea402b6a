"""Debts, bankruptcy, and the places that players end on.

Money is owed by the player who acts, so that a debt is settled in one way, whoever's turn it is.
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
    """+1 for the first place, -1 for the last, linear between. standing: twice the place from 0."""
    return 1.0 - standing / (players - 1)


@inner_kernel
def count_alive(state: Any) -> int:
    """How many are still in the game."""
    count = 0
    for seat in range(int(state.players)):
        count += int(state.alive[seat])
    return count


@inner_kernel
def _place(state: Any, seat: int, standing: int, rewards: Rewards) -> None:
    """Fixes a seat's final place, and pays for it."""
    state.standing[seat] = standing
    rewards[seat] = reward_of(standing, int(state.players))


@inner_kernel
def rank_by_worth(state: Any, rewards: Rewards, params: Params) -> None:
    """Places for all who are still in the game; equals share the mean of the places they take."""
    for seat in range(int(state.players)):
        if int(state.alive[seat]) == 0:
            continue
        worth, better, equal = net_worth(state, seat, params), 0, 0
        for other in range(int(state.players)):
            if int(state.alive[other]) != 0:
                others = net_worth(state, other, params)
                better += int(others > worth)
                equal += int(others == worth)
        _place(state, seat, 2 * better + equal - 1, rewards)


@inner_kernel
def _go_bankrupt(state: Any, rewards: Rewards, events: Any, params: Params) -> None:
    """The player who acts leaves the game, and its creditor gets everything.

    Nothing is left then but cash and mortgaged deeds; the bank makes them free again.
    """
    seat, creditor, left = int(state.acting), int(state.creditor), count_alive(state)
    cash = int(state.cash[seat])
    emit(events, log.BANKRUPT, seat, creditor, cash, left)
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
    _place(state, seat, 2 * (left - 1), rewards)
    if left == 2:
        for other in range(int(state.players)):
            if int(state.alive[other]) != 0:
                _place(state, other, 0, rewards)
                emit(events, log.GAME_WON, other)
        state.phase = OVER


# --------------------------------------------------------------------------------------------------
# Debts


@inner_kernel
def owe(state: Any, seat: int, creditor: int, amount: int, reason: int, events: Any) -> int:
    """A seat owes something, and acts until it is settled; what comes is SETTLE."""
    state.acting = seat
    state.debt = amount
    state.creditor = creditor
    state.reason = reason
    if int(state.cash[seat]) < amount:
        emit(events, log.OWED, seat, creditor, amount, reason)
    return SETTLE


@inner_kernel
def settle(state: Any, rewards: Rewards, events: Any, params: Params) -> int:
    """The player who acts pays what it owes, or must raise money, or is bankrupt."""
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
