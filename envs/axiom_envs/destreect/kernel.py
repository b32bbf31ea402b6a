"""The kernel of Destreect: the functions that `axiom_gym.kernel` specifies.

A step is one decision of one player; `catalogue` numbers the actions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_envs.destreect.catalogue import FIRST_DEED_ACTION
from axiom_envs.destreect.constants import BANK, NOBODY, OVER, ROLLING
from axiom_envs.destreect.legality import (
    is_legal,
    is_legal_on_deed,
    is_legal_plain,
    may_change_deeds,
)
from axiom_envs.destreect.money import count_alive, reward_of
from axiom_envs.destreect.observe import observe
from axiom_envs.destreect.rules import play, shuffle_deck
from axiom_envs.destreect.state import STATE, Params
from axiom_gym.kernel import ENDED, ILLEGAL, RUNNING, TRUNCATED, inline_kernel, kernel

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
    """Put all players on the start, free all deeds, and shuffle the deck."""
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
    shuffle_deck(state, params)


@kernel
def legal_actions(state: Any, player: int, mask: npt.NDArray[np.int8], params: Params) -> None:
    """Write the legal actions of the acting player. mask: (1, 8 + 4 D) int8."""
    mask[0, FIRST_DEED_ACTION:] = 0
    for action in range(FIRST_DEED_ACTION):
        mask[0, action] = is_legal_plain(state, action, params)
    if not may_change_deeds(state, params):
        return
    deeds, seat = params.places.shape[0], int(state.acting)
    for deed in range(deeds):
        if int(state.owner[deed]) == seat:
            for kind in range(4):
                legal = is_legal_on_deed(state, kind, deed, params)
                mask[0, FIRST_DEED_ACTION + kind * deeds + deed] = legal


@kernel
def step(
    state: Any,
    actions: npt.NDArray[np.int64],
    rewards: npt.NDArray[np.float32],
    events: Any,
    params: Params,
) -> int:
    """Play one decision. actions: (1, 1). rewards: (P,), 0 unless a player's place is decided."""
    action = int(actions[0, 0])
    rewards[:] = 0.0
    if not is_legal(state, action, params):
        return ILLEGAL
    play(state, action, rewards, events, params)
    if int(state.phase) != OVER:
        return RUNNING
    return ENDED if count_alive(state) == 1 else TRUNCATED


@kernel
def outcome(state: Any, returns: npt.NDArray[np.float32], params: Params) -> None:
    """Write +1 for the first place to -1 for the last when the game is over, else 0.

    returns: (P,).
    """
    for seat in range(params.players):
        over = int(state.phase) == OVER
        returns[seat] = reward_of(int(state.standing[seat]), params.players) if over else 0.0


@inline_kernel
def acting(state: Any, params: Params) -> int:
    """Return the player who decides: the debtor of a debt, or the next bidder of an auction."""
    return int(state.acting)


@inline_kernel
def alive(state: Any, player: int, params: Params) -> bool:
    """Return True if a player is not bankrupt."""
    return int(state.alive[player]) != 0
