"""The kernel of Konquista: the functions that `axiom_gym.kernel` specifies.

A step is one decision of the player whose turn it is; `catalogue` numbers the actions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_envs.konquista.catalogue import (
    ADVANCE,
    END_ATTACK,
    HOLD,
    decode,
)
from axiom_envs.konquista.constants import (
    ADVANCING,
    ATTACKING,
    FORTIFYING,
    MAX_PLAYERS,
    OVER,
    REINFORCE,
)
from axiom_envs.konquista.observe import observe
from axiom_envs.konquista.rules import (
    begin_turn,
    carry_out,
    deal,
    is_legal,
    place_reward,
    survivor_reward,
)
from axiom_envs.konquista.state import STATE, Params, can_attack, can_move, is_alive
from axiom_gym.kernel import ILLEGAL, inline_kernel, kernel

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
    """Deal the territories and armies; seat 0 begins."""
    state.board = np.uint32(params.fingerprint)
    state.turn = 1
    state.advance = -1
    for seat in range(MAX_PLAYERS):
        state.place[seat] = 0 if seat < params.players else -1
    state.owner[:] = -1
    state.armies[:] = 0
    deal(state, params)
    begin_turn(state, 0, None, params)


@kernel
def legal_actions(state: Any, player: int, mask: npt.NDArray[np.int8], params: Params) -> None:
    """Write the legal actions of the phase. mask: (1, N) int8, N = 2 T + 2 E + 4."""
    mask[0, :] = 0
    territories, borders, phase = params.territories, params.borders, int(state.phase)
    tail = 2 * territories + borders
    if phase == REINFORCE:
        for t in range(territories):
            own = np.int8(int(state.owner[t]) == player)
            mask[0, t] = own
            mask[0, territories + t] = own
    elif phase == ATTACKING:
        for border in range(borders):
            mask[0, 2 * territories + border] = can_attack(state, player, border, params)
        mask[0, tail + END_ATTACK - ADVANCE] = 1
    elif phase == ADVANCING:
        mask[0, tail] = 1
        mask[0, tail + HOLD - ADVANCE] = 1
    elif phase == FORTIFYING:
        for border in range(borders):
            mask[0, tail + 3 + border] = can_move(state, player, border, params)
        mask[0, tail + 3 + borders] = 1


@kernel
def step(
    state: Any,
    actions: npt.NDArray[np.int64],
    rewards: npt.NDArray[np.float32],
    events: Any,
    params: Params,
) -> int:
    """Play one decision. actions: (1, 1). rewards: (P,), written.

    An eliminated player gets the reward of its place immediately, the others at the end.
    """
    rewards[:] = 0.0
    kind, index = decode(actions[0, 0], params.territories, params.borders)
    if not is_legal(state, kind, index, params):
        return ILLEGAL
    return carry_out(state, kind, index, rewards, events, params)


@kernel
def outcome(state: Any, returns: npt.NDArray[np.float32], params: Params) -> None:
    """Write the reward of each player's place if the game is over, else 0. returns: (P,)."""
    for player in range(params.players):
        returns[player] = 0.0
        if int(state.phase) == OVER:
            if is_alive(state, player):
                returns[player] = survivor_reward(state, player, params)
            else:
                returns[player] = place_reward(int(state.place[player]), 1, params)


@inline_kernel
def acting(state: Any, params: Params) -> int:
    """Return the player whose turn it is."""
    return int(state.player)


@inline_kernel
def alive(state: Any, player: int, params: Params) -> bool:
    """Return True if a player has not been eliminated."""
    return is_alive(state, player)
