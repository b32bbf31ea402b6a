"""The rules of deeds: purchases, auctions, and the actions of the `manage` phase."""

from __future__ import annotations

from typing import Any

from axiom_envs.destreect import log
from axiom_envs.destreect.catalogue import BUILD, MORTGAGE, PASS, RAISE_10, SELL
from axiom_envs.destreect.constants import AUCTION, NOBODY
from axiom_envs.destreect.state import Params, offered_deed
from axiom_envs.destreect.turn import begin_manage
from axiom_gym.event_log import emit
from axiom_gym.kernel import inner_kernel


@inner_kernel
def _sell_deed(state: Any, seat: int, price: int, params: Params) -> None:
    """Sell the offered deed from the bank to a seat."""
    state.owner[offered_deed(state, params)] = seat
    state.cash[seat] = int(state.cash[seat]) - price


@inner_kernel
def buy(state: Any, events: Any, params: Params) -> None:
    """Let the active player buy the offered deed."""
    seat, deed = int(state.active), offered_deed(state, params)
    price = int(params.prices[deed])
    _sell_deed(state, seat, price, params)
    emit(events, log.BOUGHT, seat, int(params.places[deed]), price)
    begin_manage(state)


@inner_kernel
def begin_auction(state: Any, events: Any, params: Params) -> None:
    """Begin the auction of the offered deed with the player after the active one.

    All players who are not bankrupt may bid; the active player is the last in turn.
    """
    emit(events, log.DECLINED, int(state.active), int(state.position[int(state.active)]))
    for seat in range(params.players):
        state.passed[seat] = 1 - int(state.alive[seat])
    state.phase = AUCTION
    state.bid = 0
    state.bidder = NOBODY
    state.actions = 0
    state.acting = _next_bidder(state, params)


@inner_kernel
def _next_bidder(state: Any, params: Params) -> int:
    """Return the next player who has not passed, or NOBODY if all have passed.

    It is the acting player if all others have passed.
    """
    for offset in range(1, params.players + 1):
        seat = (int(state.acting) + offset) % params.players
        if int(state.passed[seat]) == 0:
            return seat
    return NOBODY


@inner_kernel
def bid(state: Any, action: int, events: Any, params: Params) -> None:
    """Raise or pass; the auction ends when the next to bid is the highest bidder, or nobody."""
    seat, space = int(state.acting), int(state.position[int(state.active)])
    if action == PASS:
        state.passed[seat] = 1
        emit(events, log.PASSED, seat, space)
    else:
        state.bid = int(state.bid) + (10 if action == RAISE_10 else 50)
        state.bidder = seat
        state.actions = int(state.actions) + 1
        emit(events, log.RAISED, seat, space, int(state.bid))
    following, bidder = _next_bidder(state, params), int(state.bidder)
    if following != bidder:
        state.acting = following
        return
    if bidder == NOBODY:
        emit(events, log.UNSOLD, space)
    else:
        _sell_deed(state, bidder, int(state.bid), params)
        emit(events, log.WON, bidder, space, int(state.bid))
    state.passed[:] = 0
    state.bid = 0
    state.bidder = NOBODY
    begin_manage(state)


@inner_kernel
def change_deed(state: Any, kind: int, deed: int, events: Any, params: Params) -> None:
    """Carry out BUILD, SELL, MORTGAGE or REDEEM of the acting player."""
    seat, space = int(state.acting), int(params.places[deed])
    if kind == BUILD:
        gain, event = -int(params.costs[deed]), log.BUILT
        state.houses[deed] = int(state.houses[deed]) + 1
    elif kind == SELL:
        gain, event = int(params.refunds[deed]), log.SOLD
        state.houses[deed] = int(state.houses[deed]) - 1
    elif kind == MORTGAGE:
        gain, event = int(params.loans[deed]), log.MORTGAGED
        state.mortgaged[deed] = 1
    else:
        gain, event = -int(params.redeems[deed]), log.REDEEMED
        state.mortgaged[deed] = 0
    state.cash[seat] = int(state.cash[seat]) + gain
    state.actions = int(state.actions) + 1
    emit(events, event, seat, space, abs(gain))
