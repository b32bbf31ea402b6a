"""The kernel of Destreect: the functions of `axiom_gym.kernel`.

The rules that they play by stand in `rules`, `turn`, `moves`, `deals` and `money`.

Actions, D deeds: the spaces that can be owned, in the order of the ring:

    0 ROLL | 1 PAY | 2 BUY | 3 DECLINE | 4 RAISE_10 | 5 RAISE_50 | 6 PASS | 7 END_TURN
    8 .. 8 + D - 1  BUILD | then D times SELL | then D times MORTGAGE | then D times REDEEM
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_envs.destreect.constants import (
    BANK,
    BUY,
    DEBT,
    DECLINE,
    DONE,
    END_TURN,
    FEE,
    FIRST_DEED_ACTION,
    GIFT,
    MOVE_ON,
    NEXT_GIFT,
    NEXT_TURN,
    NOBODY,
    OVER,
    PAY,
    ROLL,
    ROLLING,
    SETTLE,
)
from axiom_envs.destreect.deals import begin_auction, bid, buy, touch_deed
from axiom_envs.destreect.legality import (
    is_legal,
    is_legal_on_deed,
    is_legal_plain,
    may_touch_deeds,
)
from axiom_envs.destreect.money import BROKE, OWING, Rewards, count_alive, reward_of, settle
from axiom_envs.destreect.moves import advance, ask_gift, pay_fee, roll
from axiom_envs.destreect.observe import observe
from axiom_envs.destreect.state import STATE, Params
from axiom_envs.destreect.turn import begin_manage, end_turn
from axiom_gym.kernel import ENDED, ILLEGAL, RUNNING, TRUNCATED, inline_kernel, inner_kernel, kernel
from axiom_gym.rng import next_below

__all__ = [
    "STATE",
    "acting",
    "alive",
    "legal_actions",
    "observe",
    "outcome",
    "reset",
    "step",
]


@kernel
def reset(state: Any, params: Params) -> None:
    """Everybody on the start, all deeds free, the deck shuffled."""
    state.board = np.uint32(params.board)
    state.turn = 1
    state.players = params.players
    state.phase = ROLLING
    state.active = 0
    state.acting = 0
    state.dice[:] = 0
    state.doubles = 0
    state.actions = 0
    state.standing[:] = -1
    state.alive[:] = 0
    state.cash[:] = 0
    for seat in range(params.players):
        state.alive[seat] = 1
        state.cash[seat] = params.start_cash + seat * params.seat_bonus
    state.position[:] = 0
    state.locked[:] = 0
    state.owner[:] = NOBODY
    state.mortgaged[:] = 0
    state.houses[:] = 0
    state.bid = 0
    state.bidder = NOBODY
    state.passed[:] = 0
    state.debt = 0
    state.creditor = BANK
    state.reason = 0
    state.given = 0
    _shuffle_deck(state, params)


@inner_kernel
def _shuffle_deck(state: Any, params: Params) -> None:
    """Fisher-Yates, from the back."""
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


@kernel
def legal_actions(state: Any, player: int, mask: npt.NDArray[np.int8], params: Params) -> None:
    """What the player to act may do. mask: (1, 8 + 4 D) int8."""
    mask[0, FIRST_DEED_ACTION:] = 0
    for action in range(FIRST_DEED_ACTION):
        mask[0, action] = is_legal_plain(state, action, params)
    if not may_touch_deeds(state, params):
        return
    deeds, seat = params.places.shape[0], int(state.acting)
    for deed in range(deeds):
        if int(state.owner[deed]) == seat:
            for kind in range(4):
                legal = is_legal_on_deed(state, kind, deed, params)
                mask[0, FIRST_DEED_ACTION + kind * deeds + deed] = legal


@inner_kernel
def _play(state: Any, action: int, events: Any, params: Params) -> int:
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


@kernel
def step(
    state: Any,
    actions: npt.NDArray[np.int64],
    rewards: npt.NDArray[np.float32],
    events: Any,
    params: Params,
) -> int:
    """One decision. actions: (1, 1). rewards: (P,), of those whose place it decides."""
    action = int(actions[0, 0])
    rewards[:] = 0.0
    if not is_legal(state, action, params):
        return ILLEGAL
    todo = _play(state, action, events, params)
    while todo != DONE:
        todo = _carry_on(state, todo, rewards, events, params)
    if int(state.phase) != OVER:
        return RUNNING
    return ENDED if count_alive(state) == 1 else TRUNCATED


@kernel
def outcome(state: Any, returns: npt.NDArray[np.float32], params: Params) -> None:
    """+1 for the first place to -1 for the last once the game is over. returns: (P,)."""
    for seat in range(params.players):
        over = int(state.phase) == OVER
        returns[seat] = reward_of(int(state.standing[seat]), params.players) if over else 0.0


@inline_kernel
def acting(state: Any, params: Params) -> int:
    """Who decides now: of a debt the debtor, in an auction the bidder whose turn it is."""
    return int(state.acting)


@inline_kernel
def alive(state: Any, player: int, params: Params) -> bool:
    """Whether a player is not bankrupt."""
    return int(state.alive[player]) != 0
