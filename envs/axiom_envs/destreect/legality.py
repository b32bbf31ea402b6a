"""What a player may do, what a rent is, and what a player is worth."""

from __future__ import annotations

from typing import Any

from axiom_envs.destreect.boards import MAX_HOUSES
from axiom_envs.destreect.constants import (
    AUCTION,
    BUILD,
    BUY,
    DEBT,
    DECLINE,
    END_TURN,
    FIRST_DEED_ACTION,
    MANAGE,
    MORTGAGE,
    OFFER,
    PASS,
    PAY,
    RAISE_10,
    RAISE_50,
    ROLL,
    ROLLING,
    SELL,
)
from axiom_envs.destreect.state import Params
from axiom_gym.kernel import inline_kernel, inner_kernel


@inline_kernel
def offered_deed(state: Any, params: Params) -> int:
    """The deed of the space where the active player stands; -1 if it has none."""
    return int(params.deeds[int(state.position[int(state.active)])])


@inner_kernel
def survey(state: Any, group: int, seat: int, params: Params) -> tuple[int, bool, int, int]:
    """A seat's hold on a group.

    Returns:
        How many deeds of it are the seat's; whether any of the group is mortgaged; fewest and most
        houses on a deed of the group.
    """
    held, mortgaged, fewest, most = 0, False, MAX_HOUSES, 0
    for i in range(params.sizes[group]):
        deed = int(params.members[group, i])
        houses = int(state.houses[deed])
        held += int(int(state.owner[deed]) == seat)
        mortgaged = mortgaged or int(state.mortgaged[deed]) != 0
        fewest = min(fewest, houses)
        most = max(most, houses)
    return held, mortgaged, fewest, most


@inner_kernel
def rent_of(state: Any, deed: int, params: Params) -> int:
    """What landing on an owned deed costs."""
    group = int(params.groups[deed])
    held, _, _, _ = survey(state, group, int(state.owner[deed]), params)
    if group == params.lines:
        return int(params.rents[deed, held])
    houses = int(state.houses[deed])
    doubled = houses == 0 and held == params.sizes[group]
    return int(params.rents[deed, houses]) * (2 if doubled else 1)


@inner_kernel
def net_worth(state: Any, seat: int, params: Params) -> int:
    """Cash, the price of deeds or half of it if mortgaged, and half the cost of houses."""
    worth = int(state.cash[seat])
    for deed in range(params.places.shape[0]):
        if int(state.owner[deed]) == seat:
            mortgaged = int(state.mortgaged[deed]) != 0
            worth += int(params.loans[deed]) if mortgaged else int(params.prices[deed])
            worth += int(state.houses[deed]) * int(params.refunds[deed])
    return worth


@inner_kernel
def can_raise_money(state: Any, seat: int, params: Params) -> bool:
    """Whether a seat has anything to sell or mortgage: a deed that is not mortgaged.

    If it has houses, one of them can be sold; if not, the deed can be mortgaged.
    """
    for deed in range(params.places.shape[0]):
        if int(state.owner[deed]) == seat and int(state.mortgaged[deed]) == 0:
            return True
    return False


# --------------------------------------------------------------------------------------------------
# Legal actions


@inline_kernel
def is_legal_plain(state: Any, action: int, params: Params) -> bool:
    """Whether the player to act may do an action that concerns no deed of its own."""
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
def may_touch_deeds(state: Any, params: Params) -> bool:
    """Whether the player to act may build, sell, mortgage or redeem at all."""
    phase = int(state.phase)
    return phase == DEBT or (phase == MANAGE and int(state.actions) < params.action_limit)


@inner_kernel
def is_legal_on_deed(state: Any, kind: int, deed: int, params: Params) -> bool:
    """Whether the player to act may do this to a deed; `may_touch_deeds` has been asked."""
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
    """Whether the player to act may do this; any number may be asked for."""
    deeds = params.places.shape[0]
    if action < 0 or action >= FIRST_DEED_ACTION + 4 * deeds:
        return False
    if action < FIRST_DEED_ACTION:
        return is_legal_plain(state, action, params)
    kind, deed = (action - FIRST_DEED_ACTION) // deeds, (action - FIRST_DEED_ACTION) % deeds
    return may_touch_deeds(state, params) and is_legal_on_deed(state, kind, deed, params)
