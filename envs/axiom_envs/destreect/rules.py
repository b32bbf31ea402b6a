"""The main rules of Destreect: a decision and its consequences.

The functions of `moves`, `deals`, `money` and `turn` return the pending consequence as a code, DONE
to NEXT_TURN, and `play` carries consequences out until none is pending. In this way each large
function is called from one place, which keeps compilation short.
"""

from __future__ import annotations

from typing import Any

from axiom_envs.destreect.catalogue import BUY, DECLINE, END_TURN, FIRST_DEED_ACTION, PAY, ROLL
from axiom_envs.destreect.constants import (
    BROKE,
    DEBT,
    DONE,
    FEE,
    GIFT,
    MOVE_ON,
    NEXT_GIFT,
    NEXT_TURN,
    OVER,
    OWING,
    SETTLE,
)
from axiom_envs.destreect.deals import begin_auction, bid, buy, change_deed
from axiom_envs.destreect.money import Rewards, settle
from axiom_envs.destreect.moves import advance, pay_fee, request_gift, roll
from axiom_envs.destreect.state import Params
from axiom_envs.destreect.turn import begin_manage, end_turn
from axiom_gym.kernel import inline_kernel, inner_kernel
from axiom_gym.rng import next_below


@inner_kernel
def shuffle_deck(state: Any, params: Params) -> None:
    """Shuffle the deck from the back (Fisher-Yates)."""
    cards = params.card_kinds.shape[0]
    state.deck[:] = -1
    state.top = 0
    for i in range(cards):
        state.deck[i] = i
    for i in range(cards - 1, 0, -1):
        j = next_below(state, i + 1)
        card = int(state.deck[i])
        state.deck[i] = int(state.deck[j])
        state.deck[j] = card


@inner_kernel
def _begin(state: Any, action: int, events: Any, params: Params) -> int:
    """Carry out a legal action; return the pending consequence."""
    if action == ROLL:
        return roll(state, events, params)
    if action == END_TURN:
        return NEXT_TURN
    if action >= FIRST_DEED_ACTION:
        deeds = params.places.shape[0]
        kind, deed = (action - FIRST_DEED_ACTION) // deeds, (action - FIRST_DEED_ACTION) % deeds
        change_deed(state, kind, deed, events, params)
        # In a debt the action has raised money, which may settle it.
        return SETTLE if int(state.phase) == DEBT else DONE
    if action == PAY:
        pay_fee(state, events, params)
    elif action == BUY:
        buy(state, events, params)
    elif action == DECLINE:
        begin_auction(state, events, params)
    else:
        bid(state, action, events, params)
    return DONE


@inner_kernel
def _settle(state: Any, rewards: Rewards, events: Any, params: Params) -> int:
    """Settle a due debt; return the consequence that it interrupted. rewards: (P,)."""
    reason = int(state.reason)
    code = settle(state, rewards, events, params)
    if code == OWING or int(state.phase) == OVER:
        return DONE
    if reason == GIFT:
        state.given = int(state.given) + 1
        return NEXT_GIFT
    if code == BROKE:
        return NEXT_TURN
    if reason == FEE:
        return MOVE_ON
    begin_manage(state)
    return DONE


@inner_kernel
def _continue(state: Any, pending: int, rewards: Rewards, events: Any, params: Params) -> int:
    """Carry out a pending consequence; return the next one. rewards: (P,)."""
    if pending == MOVE_ON:
        return advance(state, events, params)
    if pending == SETTLE:
        return _settle(state, rewards, events, params)
    if pending == NEXT_GIFT:
        return request_gift(state, events, params)
    end_turn(state, rewards, events, params)
    return DONE


@inline_kernel
def play(state: Any, action: int, rewards: Rewards, events: Any, params: Params) -> None:
    """Carry out a legal action. rewards: (P,), written for players whose place is decided."""
    pending = _begin(state, action, events, params)
    while pending != DONE:
        pending = _continue(state, pending, rewards, events, params)
