"""Rolls, moves, and their consequences: spaces, cards and the lock-up.

The functions return a pending consequence as a code from `constants`, DONE to NEXT_TURN, and
`rules` carries it out. In this way each large function is called from one place, which keeps
compilation short. A card that moves a player never leads to another card.
"""

from __future__ import annotations

from typing import Any

from axiom_envs.destreect import log
from axiom_envs.destreect.constants import (
    BANK,
    CARD_BILL,
    CASH,
    COLLECT,
    DETOUR,
    DONE,
    FATE,
    FEE,
    GIFT,
    LINE,
    LOCKUP,
    MAX_ROLLS,
    MOVE,
    MOVE_ON,
    NEXT_GIFT,
    NOBODY,
    OFFER,
    RENT,
    REPAIRS_BILL,
    STREET,
    TAX,
    TAX_BILL,
)
from axiom_envs.destreect.money import owe
from axiom_envs.destreect.state import Params, offered_deed, rent_of
from axiom_envs.destreect.turn import begin_manage
from axiom_gym.event_log import emit
from axiom_gym.kernel import inner_kernel
from axiom_gym.rng import next_below


@inner_kernel
def _lock_up(state: Any, events: Any, params: Params) -> int:
    """Send the active player to the lock-up, without start pay and without another turn."""
    seat = int(state.active)
    state.position[seat] = params.lockup
    state.locked[seat] = 1
    state.doubles = 0
    emit(events, log.LOCKED_UP, seat)
    begin_manage(state)
    return DONE


@inner_kernel
def _move_to(state: Any, space: int, events: Any, params: Params) -> None:
    """Move the active player forward to a space; passing or reaching the start pays."""
    seat = int(state.active)
    before = int(state.position[seat])
    state.position[seat] = space
    emit(events, log.MOVED, seat, before, space)
    if space <= before and params.start_pay > 0:
        state.cash[seat] = int(state.cash[seat]) + params.start_pay
        emit(events, log.START_PAID, seat, params.start_pay)


@inner_kernel
def request_gift(state: Any, events: Any, params: Params) -> int:
    """Let the next opponent owe the active player a gift; begin `manage` after the last one.

    `state.given` is the number of opponents who have settled their gifts.
    """
    active = int(state.active)
    cards = params.card_kinds.shape[0]
    used = (int(state.top) + cards - 1) % cards
    amount = int(params.card_values[int(state.deck[used])])
    while int(state.given) < params.players - 1:
        seat = (active + 1 + int(state.given)) % params.players
        if int(state.alive[seat]) != 0:
            return owe(state, seat, active, amount, GIFT, events)
        state.given = int(state.given) + 1
    state.given = 0
    begin_manage(state)
    return DONE


@inner_kernel
def _count_houses(state: Any, seat: int, params: Params) -> int:
    houses = 0
    for deed in range(params.places.shape[0]):
        if int(state.owner[deed]) == seat:
            houses += int(state.houses[deed])
    return houses


@inner_kernel
def _draw_card(state: Any, events: Any, params: Params) -> int:
    """Carry out the top card and put it under the deck.

    Returns:
        The pending consequence; MOVE_ON if the card moved the player, who has yet to land.
    """
    seat, cards = int(state.active), params.card_kinds.shape[0]
    card = int(state.deck[int(state.top)])
    state.top = (int(state.top) + 1) % cards
    kind, value = int(params.card_kinds[card]), int(params.card_values[card])
    emit(events, log.DREW, seat, card)
    if kind == MOVE:
        _move_to(state, value, events, params)
        return MOVE_ON
    if kind == LOCKUP:
        return _lock_up(state, events, params)
    if kind == COLLECT:
        return NEXT_GIFT
    if kind == CASH and value >= 0:
        state.cash[seat] = int(state.cash[seat]) + value
        emit(events, log.GAINED, seat, value)
        begin_manage(state)
        return DONE
    bill = -value if kind == CASH else value * _count_houses(state, seat, params)
    return owe(state, seat, BANK, bill, CARD_BILL if kind == CASH else REPAIRS_BILL, events)


@inner_kernel
def _land(state: Any, events: Any, params: Params) -> int:
    """Carry out the space that the active player has reached; return the pending consequence."""
    seat = int(state.active)
    kind = int(params.kinds[int(state.position[seat])])
    if kind == FATE:
        pending = _draw_card(state, events, params)
        if pending != MOVE_ON:
            return pending
        kind = int(params.kinds[int(state.position[seat])])
    if kind in (STREET, LINE):
        return _land_on_deed(state, events, params)
    if kind == TAX:
        amount = int(params.taxes[int(state.position[seat])])
        return owe(state, seat, BANK, amount, TAX_BILL, events)
    if kind == DETOUR:
        return _lock_up(state, events, params)
    begin_manage(state)
    return DONE


@inner_kernel
def _land_on_deed(state: Any, events: Any, params: Params) -> int:
    """Offer a free deed, or charge rent for an opponent's deed that is not mortgaged."""
    seat, deed = int(state.active), offered_deed(state, params)
    owner = int(state.owner[deed])
    if owner == NOBODY:
        state.phase = OFFER
        state.acting = seat
        emit(events, log.OFFERED, seat, int(params.places[deed]))
    elif owner == seat or int(state.mortgaged[deed]) != 0:
        begin_manage(state)
    else:
        return owe(state, seat, owner, rent_of(state, deed, params), RENT, events)
    return DONE


@inner_kernel
def advance(state: Any, events: Any, params: Params) -> int:
    """Move the active player by the dice and land; return the pending consequence."""
    steps = int(state.dice[0]) + int(state.dice[1])
    here = int(state.position[int(state.active)])
    _move_to(state, (here + steps) % params.kinds.shape[0], events, params)
    return _land(state, events, params)


@inner_kernel
def roll(state: Any, events: Any, params: Params) -> int:
    """Roll two dice, in this order; return the pending consequence."""
    seat = int(state.active)
    first = 1 + next_below(state, 6)
    second = 1 + next_below(state, 6)
    state.dice[0] = first
    state.dice[1] = second
    emit(events, log.ROLLED, seat, first, second)
    if int(state.locked[seat]) > 0:
        return _roll_in_lockup(state, events, params)
    state.doubles = int(state.doubles) + 1 if first == second else 0
    return _lock_up(state, events, params) if int(state.doubles) == MAX_ROLLS else MOVE_ON


@inner_kernel
def _roll_in_lockup(state: Any, events: Any, params: Params) -> int:
    """Free the player after a double, or for the fee after the third failed roll.

    A double gives no further turn here.
    """
    seat = int(state.active)
    double = int(state.dice[0]) == int(state.dice[1])
    if not double and int(state.locked[seat]) < MAX_ROLLS:
        state.locked[seat] = int(state.locked[seat]) + 1
        begin_manage(state)
        return DONE
    state.locked[seat] = 0
    emit(events, log.FREED, seat)
    return MOVE_ON if double else owe(state, seat, BANK, params.fee, FEE, events)


@inner_kernel
def pay_fee(state: Any, events: Any, params: Params) -> None:
    """Free the active player from the lock-up for the fee; the roll is still to come."""
    seat = int(state.active)
    state.cash[seat] = int(state.cash[seat]) - params.fee
    state.locked[seat] = 0
    emit(events, log.PAID, seat, BANK, params.fee, FEE)
    emit(events, log.FREED, seat)
