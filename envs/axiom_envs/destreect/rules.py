"""How a decision in Destreect is carried out, with all that comes of it.

The rules of its parts stand in `moves`, `deals`, `money` and `turn`. They say by a code what is
still to come, and each is called at one place: that keeps the time short that compiling takes.
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
from axiom_envs.destreect.deals import begin_auction, bid, buy, touch_deed
from axiom_envs.destreect.money import Rewards, settle
from axiom_envs.destreect.moves import advance, ask_gift, pay_fee, roll
from axiom_envs.destreect.state import Params
from axiom_envs.destreect.turn import begin_manage, end_turn
from axiom_gym.kernel import inline_kernel, inner_kernel
from axiom_gym.rng import next_below


@inner_kernel
def shuffle_deck(state: Any, params: Params) -> None:
    """Shuffle the deck from the back, after Fisher and Yates."""
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
    """Carries a legal action out; what is still to come of it."""
    if action == ROLL:
        return roll(state, events, params)
    if action == END_TURN:
        return NEXT_TURN
    if action >= FIRST_DEED_ACTION:
        deeds = params.places.shape[0]
        kind, deed = (action - FIRST_DEED_ACTION) // deeds, (action - FIRST_DEED_ACTION) % deeds
        touch_deed(state, kind, deed, events, params)
        # Who owes has raised money, which may settle the debt.
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
    """A debt falls due; what goes on that it has interrupted. rewards: (P,)."""
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
def _carry_on(state: Any, todo: int, rewards: Rewards, events: Any, params: Params) -> int:
    """Does what is still to come of an action; what is then. rewards: (P,)."""
    if todo == MOVE_ON:
        return advance(state, events, params)
    if todo == SETTLE:
        return _settle(state, rewards, events, params)
    if todo == NEXT_GIFT:
        return ask_gift(state, events, params)
    end_turn(state, rewards, events, params)
    return DONE


@inline_kernel
def play(state: Any, action: int, rewards: Rewards, events: Any, params: Params) -> None:
    """Carry out a legal action. rewards: (P,), of those whose place it decides."""
    todo = _begin(state, action, events, params)
    while todo != DONE:
        todo = _carry_on(state, todo, rewards, events, params)
