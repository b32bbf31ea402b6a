"""The simple scripted player of Destreect, and what scripted players share.

They read what every player sees, and never the order of the deck; they draw no random numbers.

Axis letters: K = 1 order, N actions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_envs.destreect.constants import (
    AUCTION,
    BUILD,
    BUY,
    DEBT,
    DECLINE,
    END_TURN,
    FIRST_DEED_ACTION,
    MORTGAGE,
    OFFER,
    PASS,
    RAISE_10,
    REDEEM,
    ROLL,
    ROLLING,
    SELL,
)
from axiom_envs.destreect.legality import offered_deed
from axiom_envs.destreect.state import Params
from axiom_gym.kernel import inline_kernel, inner_kernel, kernel

Mask = npt.NDArray[np.int8]
"""(1, N) int8, 1 = legal."""

NO_ACTION = -1
"""What a search returns that has found nothing."""


@inline_kernel
def action_on(kind: int, deed: int, params: Params) -> int:
    """The action of a kind on a deed."""
    return FIRST_DEED_ACTION + kind * int(params.places.shape[0]) + deed


@inline_kernel
def may(mask: Mask, kind: int, deed: int, params: Params) -> bool:
    """Whether it is legal. mask: (1, N)."""
    return int(mask[0, action_on(kind, deed, params)]) != 0


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
    state: Any, player: int, mask: Mask, stream: Any, orders: npt.NDArray[np.int64], params: Params
) -> None:
    """Spends what it has, at once.

    1. It buys whatever it can pay, and bids up to the price.
    2. It builds on the dearest street that it may build on, then redeems the dearest deed.
    3. In debt it mortgages the dearest deed that it may, then sells the dearest houses.
    4. In the lock-up it rolls.

    mask: (K, N). orders: (K,), written.
    """
    phase = int(state.phase)
    if phase == ROLLING:
        orders[0] = ROLL
    elif phase == OFFER:
        orders[0] = BUY if mask[0, BUY] != 0 else DECLINE
    elif phase == AUCTION:
        price = int(params.prices[offered_deed(state, params)])
        raises = mask[0, RAISE_10] != 0 and int(state.bid) + 10 <= price
        orders[0] = RAISE_10 if raises else PASS
    elif phase == DEBT:
        orders[0] = _first_of(_dearest(mask, MORTGAGE, params), _dearest(mask, SELL, params))
    else:
        build, redeem = _dearest(mask, BUILD, params), _dearest(mask, REDEEM, params)
        orders[0] = _first_of(_first_of(build, redeem), END_TURN)
