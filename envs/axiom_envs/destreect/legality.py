"""The legal actions of Destreect."""

from __future__ import annotations

from typing import Any

from axiom_envs.destreect.catalogue import (
    BUILD,
    BUY,
    DECLINE,
    END_TURN,
    FIRST_DEED_ACTION,
    MORTGAGE,
    PASS,
    PAY,
    RAISE_10,
    RAISE_50,
    ROLL,
    SELL,
)
from axiom_envs.destreect.constants import AUCTION, DEBT, MANAGE, MAX_HOUSES, OFFER, ROLLING
from axiom_envs.destreect.state import Params, offered_deed, survey
from axiom_gym.kernel import inline_kernel, inner_kernel


@inline_kernel
def is_legal_plain(state: Any, action: int, params: Params) -> bool:
    """Return True if a plain action, one before FIRST_DEED_ACTION, is legal."""
    phase, seat = int(state.phase), int(state.acting)
    cash = int(state.cash[seat])
    if phase == ROLLING:
        may_pay = int(state.locked[seat]) > 0 and cash >= params.fee
        return action == ROLL or (action == PAY and may_pay)
    if phase == OFFER:
        affordable = cash >= int(params.prices[offered_deed(state, params)])
        return action == DECLINE or (action == BUY and affordable)
    if phase == AUCTION:
        left = cash - int(state.bid) if int(state.actions) < params.action_limit else 0
        raises = (action == RAISE_10 and left >= 10) or (action == RAISE_50 and left >= 50)
        return action == PASS or raises
    return phase == MANAGE and action == END_TURN


@inline_kernel
def may_change_deeds(state: Any, params: Params) -> bool:
    """Return True if the phase and the action limit allow actions on deeds."""
    phase = int(state.phase)
    return phase == DEBT or (phase == MANAGE and int(state.actions) < params.action_limit)


@inner_kernel
def is_legal_on_deed(state: Any, kind: int, deed: int, params: Params) -> bool:
    """Return True if an action on a deed is legal, given that `may_change_deeds` is True."""
    seat = int(state.acting)
    if int(state.owner[deed]) != seat:
        return False
    cash, group = int(state.cash[seat]), int(params.groups[deed])
    houses, mortgaged = int(state.houses[deed]), int(state.mortgaged[deed]) != 0
    held, any_mortgaged, fewest, most = survey(state, group, seat, params)
    if kind == SELL:
        return houses > 0 and houses == most
    if kind == MORTGAGE:
        return not mortgaged and most == 0
    if int(state.phase) == DEBT:
        return False
    if kind == BUILD:
        whole = held == params.sizes[group] and not any_mortgaged and group != params.lines
        evenly = houses == fewest and houses < MAX_HOUSES
        return whole and evenly and cash >= int(params.costs[deed])
    return mortgaged and cash >= int(params.redeems[deed])


@inline_kernel
def is_legal(state: Any, action: int, params: Params) -> bool:
    """Return True if an action of the acting player is legal. Any integer is allowed."""
    deeds = params.places.shape[0]
    if action < 0 or action >= FIRST_DEED_ACTION + 4 * deeds:
        return False
    if action < FIRST_DEED_ACTION:
        return is_legal_plain(state, action, params)
    kind, deed = (action - FIRST_DEED_ACTION) // deeds, (action - FIRST_DEED_ACTION) % deeds
    return may_change_deeds(state, params) and is_legal_on_deed(state, kind, deed, params)
