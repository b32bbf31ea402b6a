"""The scripted players of Destreect: `greedy` and `planner`.

They read what every player sees, and never the order of the deck; they draw no random numbers.

Axis letters: K = 1 order, N actions.
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
    least_loss,
    manage,
    may,
    wants_to_buy,
)
from axiom_gym.kernel import inline_kernel, inner_kernel, kernel

# --------------------------------------------------------------------------------------------------
# greedy


@inner_kernel
def _dearest(mask: Mask, kind: int, params: Params) -> int:
    """The legal action of a kind on the dearest deed. mask: (1, N)."""
    best, most = NO_ACTION, 0
    for deed in range(params.places.shape[0]):
        if may(mask, kind, deed, params) and int(params.prices[deed]) >= most:
            best, most = action_on(kind, deed, params), int(params.prices[deed])
    return best


@inline_kernel
def _first_of(action: int, other: int) -> int:
    """The first of two actions, or the other where there is none."""
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
    """Spends what it has, at once.

    1. It buys whatever it can pay, and bids up to the price.
    2. It builds on the dearest street that it may build on, then redeems the dearest deed.
    3. In debt it mortgages the dearest deed that it may, then sells the dearest houses.
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
    """Weighs what things cost against the rent that they bring.

    1. It buys streets and no lines; where no rival can pay a price, it has the deed auctioned.
    2. It bids by what a deed is worth to it, `bid_limit`.
    3. It keeps as much cash as its next roll can cost, and puts the rest where it brings most rent:
       into houses first, then into redeeming what yields enough.
    4. In debt it gives up what loses least rent for the money.
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
