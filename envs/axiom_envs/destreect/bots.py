"""The scripted opponents of Destreect: `greedy` and `planner`.

They read only what every player sees, which excludes the order of the deck. They draw no random
numbers.

Axis letters: K = 1 sub-action, N actions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_envs.destreect.catalogue import (
    BUILD,
    BUY,
    DECLINE,
    END_TURN,
    MORTGAGE,
    PASS,
    RAISE_10,
    REDEEM,
    ROLL,
    SELL,
)
from axiom_envs.destreect.constants import AUCTION, DEBT, OFFER, ROLLING
from axiom_envs.destreect.state import Params, offered_deed
from axiom_envs.destreect.tactics import (
    NO_ACTION,
    Mask,
    action_on,
    bid_limit,
    is_allowed,
    least_loss,
    manage,
    wants_to_buy,
)
from axiom_gym.kernel import inline_kernel, inner_kernel, kernel

# --------------------------------------------------------------------------------------------------
# greedy


@inner_kernel
def _dearest(mask: Mask, kind: int, params: Params) -> int:
    """Return the legal action of a kind on the most expensive deed. mask: (1, N)."""
    best, most = NO_ACTION, 0
    for deed in range(params.places.shape[0]):
        if is_allowed(mask, kind, deed, params) and int(params.prices[deed]) >= most:
            best, most = action_on(kind, deed, params), int(params.prices[deed])
    return best


@inline_kernel
def _first_of(action: int, other: int) -> int:
    """Return `action`, or `other` if `action` is NO_ACTION."""
    return other if action == NO_ACTION else action


@kernel
def greedy(
    state: Any,
    player: int,
    mask: Mask,
    stream: Any,
    sub_actions: npt.NDArray[np.int64],
    params: Params,
) -> None:
    """Spend all cash immediately.

    1. It buys every deed that it can pay for, and bids up to the price.
    2. It builds on the most expensive street possible, then redeems the most expensive deed.
    3. In debt it mortgages the most expensive deed possible, then sells the most expensive houses.
    4. In the lock-up it rolls.

    mask: (K, N). sub_actions: (K,), written.
    """
    phase = int(state.phase)
    if phase == ROLLING:
        sub_actions[0] = ROLL
    elif phase == OFFER:
        sub_actions[0] = BUY if mask[0, BUY] != 0 else DECLINE
    elif phase == AUCTION:
        price = int(params.prices[offered_deed(state, params)])
        raises = mask[0, RAISE_10] != 0 and int(state.bid) + 10 <= price
        sub_actions[0] = RAISE_10 if raises else PASS
    elif phase == DEBT:
        sub_actions[0] = _first_of(_dearest(mask, MORTGAGE, params), _dearest(mask, SELL, params))
    else:
        build, redeem = _dearest(mask, BUILD, params), _dearest(mask, REDEEM, params)
        sub_actions[0] = _first_of(_first_of(build, redeem), END_TURN)


# --------------------------------------------------------------------------------------------------
# planner


@kernel
def planner(
    state: Any,
    player: int,
    mask: Mask,
    stream: Any,
    sub_actions: npt.NDArray[np.int64],
    params: Params,
) -> None:
    """Weigh costs against the rent that they bring.

    1. It buys streets and no lines. If no opponent can pay the price, it starts an auction.
    2. It bids up to the value of a deed, `bid_limit`.
    3. It keeps as much cash as its next roll can cost in rent. It spends the rest first on the
       houses, then on the redemptions that bring most rent for their cost.
    4. In debt it sells or mortgages what loses the least rent for the money that it gets.
    5. In the lock-up it rolls.

    mask: (K, N). sub_actions: (K,), written.
    """
    phase = int(state.phase)
    if phase == ROLLING:
        sub_actions[0] = ROLL
    elif phase == OFFER:
        buys = mask[0, BUY] != 0 and wants_to_buy(state, player, params)
        sub_actions[0] = BUY if buys else DECLINE
    elif phase == AUCTION:
        affordable = int(state.bid) + 10 <= bid_limit(state, player, params)
        sub_actions[0] = RAISE_10 if mask[0, RAISE_10] != 0 and affordable else PASS
    elif phase == DEBT:
        sub_actions[0] = least_loss(state, mask, params)
    else:
        sub_actions[0] = manage(state, player, mask, params)
