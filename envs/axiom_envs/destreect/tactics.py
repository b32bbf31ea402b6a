"""The evaluations of Destreect's planner: dangers, the values of deeds, and the gains of rent.

Axis letters: N actions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_envs.destreect.catalogue import (
    BUILD,
    END_TURN,
    FIRST_DEED_ACTION,
    MORTGAGE,
    REDEEM,
    SELL,
)
from axiom_envs.destreect.constants import NOBODY
from axiom_envs.destreect.state import Params, offered_deed, rent_of, survey
from axiom_gym.kernel import inline_kernel, inner_kernel

Mask = npt.NDArray[np.int8]
"""(1, N) int8, 1 = legal."""

NO_ACTION = -1
"""The result of a search that found no action."""


@inline_kernel
def action_on(kind: int, deed: int, params: Params) -> int:
    """Return the action of a kind on a deed."""
    return FIRST_DEED_ACTION + kind * int(params.places.shape[0]) + deed


@inline_kernel
def is_allowed(mask: Mask, kind: int, deed: int, params: Params) -> bool:
    """Return True if the action of a kind on a deed is legal. mask: (1, N)."""
    return int(mask[0, action_on(kind, deed, params)]) != 0


LEAST_YIELD = 150
"""The rent per 1,000 of cost that a redemption must exceed."""

WHOLE_DISTRICT = 8
"""The factor on a street's rent if mortgaging it would break a complete district."""


@inner_kernel
def danger(state: Any, player: int, params: Params) -> int:
    """Return the highest rent that the player's next roll can cost; the planner keeps this cash."""
    spaces, worst = params.kinds.shape[0], 0
    for steps in range(2, 13):
        deed = int(params.deeds[(int(state.position[player]) + steps) % spaces])
        if deed < 0 or int(state.mortgaged[deed]) != 0:
            continue
        owner = int(state.owner[deed])
        if owner != NOBODY and owner != player:
            worst = max(worst, rent_of(state, deed, params))
    return worst


@inner_kernel
def _richest_rival(state: Any, player: int, params: Params) -> int:
    """Return the cash of the richest opponent."""
    most = 0
    for seat in range(params.players):
        if seat != player:
            most = max(most, int(state.cash[seat]))
    return most


@inner_kernel
def _most_held_by_rival(state: Any, group: int, player: int, params: Params) -> int:
    """Return the largest number of deeds of a group that an opponent holds."""
    most = 0
    for seat in range(params.players):
        if seat != player:
            held, _, _, _ = survey(state, group, seat, params)
            most = max(most, held)
    return most


# --------------------------------------------------------------------------------------------------
# Buying


@inner_kernel
def wants_to_buy(state: Any, player: int, params: Params) -> bool:
    """Return True if the planner buys the offered deed at its price.

    Lines bring too little rent. If the opponents cannot pay the price, an auction is cheaper.
    """
    deed = offered_deed(state, params)
    is_line = int(params.groups[deed]) == params.lines
    return not is_line and _richest_rival(state, player, params) + 10 >= int(params.prices[deed])


@inner_kernel
def bid_limit(state: Any, player: int, params: Params) -> int:
    """Return the highest bid of a player for the deed on auction.

    It is the price multiplied by

    - 2/5 for a line;
    - 2 for a street that completes a district of the player;
    - 3/2 for a street that would complete a district of an opponent;
    - 5/4 for a street in a district of which the player holds a part;
    - 11/10 for any other street.
    """
    deed = offered_deed(state, params)
    group, price = int(params.groups[deed]), int(params.prices[deed])
    if group == params.lines:
        return price * 2 // 5
    held, _, _, _ = survey(state, group, player, params)
    others = int(params.sizes[group]) - 1
    if held == others:
        return price * 2
    if _most_held_by_rival(state, group, player, params) == others:
        return price * 3 // 2
    return price * 5 // 4 if held > 0 else price * 11 // 10


# --------------------------------------------------------------------------------------------------
# Managing


@inner_kernel
def _best_house(state: Any, mask: Mask, spare: int, params: Params) -> int:
    """Return the BUILD that brings most rent for its cost, at most `spare`. mask: (1, N)."""
    best, most = NO_ACTION, 0
    for deed in range(params.places.shape[0]):
        cost, houses = int(params.costs[deed]), int(state.houses[deed])
        if cost <= spare and is_allowed(mask, BUILD, deed, params):
            gain = int(params.rents[deed, houses + 1]) - rent_of(state, deed, params)
            if 1000 * gain // cost > most:
                best, most = action_on(BUILD, deed, params), 1000 * gain // cost
    return best


@inner_kernel
def _best_redemption(state: Any, mask: Mask, spare: int, params: Params) -> int:
    """Return the REDEEM that brings most rent for its cost, at most `spare`. mask: (1, N)."""
    best, most = NO_ACTION, LEAST_YIELD
    for deed in range(params.places.shape[0]):
        cost = int(params.redeems[deed])
        if cost <= spare and is_allowed(mask, REDEEM, deed, params):
            gain = 1000 * rent_of(state, deed, params) // cost
            if gain > most:
                best, most = action_on(REDEEM, deed, params), gain
    return best


@inner_kernel
def manage(state: Any, player: int, mask: Mask, params: Params) -> int:
    """Choose the best house, else the best redemption, else END_TURN. mask: (1, N)."""
    spare = int(state.cash[player]) - danger(state, player, params)
    choice = _best_house(state, mask, spare, params)
    if choice == NO_ACTION:
        choice = _best_redemption(state, mask, spare, params)
    return END_TURN if choice == NO_ACTION else choice


@inner_kernel
def least_loss(state: Any, mask: Mask, params: Params) -> int:
    """Return the SELL or MORTGAGE that loses least rent for its money. mask: (1, N)."""
    best, least = NO_ACTION, 1 << 40
    for deed in range(params.places.shape[0]):
        if is_allowed(mask, SELL, deed, params):
            houses = int(state.houses[deed])
            lost = int(params.rents[deed, houses]) - int(params.rents[deed, houses - 1])
            # The refund of a house that costs 1 is 0.
            loss = 1000 * lost // max(int(params.refunds[deed]), 1)
            if loss < least:
                best, least = action_on(SELL, deed, params), loss
        if is_allowed(mask, MORTGAGE, deed, params):
            loss = 1000 * _rent_at_risk(state, deed, params) // int(params.loans[deed])
            if loss < least:
                best, least = action_on(MORTGAGE, deed, params), loss
    return best


@inner_kernel
def _rent_at_risk(state: Any, deed: int, params: Params) -> int:
    """Return the rent that mortgaging a deed loses, weighted for a complete district."""
    group = int(params.groups[deed])
    held, _, _, _ = survey(state, group, int(state.owner[deed]), params)
    is_whole = held == params.sizes[group] and group != params.lines
    return rent_of(state, deed, params) * (WHOLE_DISTRICT if is_whole else 1)
