"""The kernel of Quantaris: the five functions of `axiom_gym.kernel`, based on the module `rules`.

An action has one sub-action for each unit, with directions as the player sees them; the actions of
both players have shape (2, 3):

    0 SHIELD | 1..4 MOVE N E S W | 5..8 PULSE N E S W | 9..12 PULSE NE NW SE SW (ruleset 0.2 only)
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_envs.quantaris.constants import (
    ACTION_MOVE,
    ACTION_PULSE,
    ACTION_SHIELD,
    CORE_HP,
    NOBODY,
    PLAYING,
    SIZE,
    START_X,
    START_Y,
    UNIT_HP,
    UNITS,
    UNITS_PER_PLAYER,
)
from axiom_envs.quantaris.geometry import slot_of
from axiom_envs.quantaris.observe import observe
from axiom_envs.quantaris.orders import decode_action
from axiom_envs.quantaris.rules import resolve, write_outcome
from axiom_envs.quantaris.state import STATE, Params
from axiom_gym.kernel import ILLEGAL, NO_SUB_ACTION, kernel

__all__ = ["STATE", "legal_actions", "observe", "outcome", "reset", "step"]


@kernel
def reset(state: Any, params: Params) -> None:
    """Write the initial position."""
    state.turn = 1
    state.phase = PLAYING
    state.winner = NOBODY
    for unit in range(UNITS):
        state.x[unit] = START_X + unit % UNITS_PER_PLAYER
        state.y[unit] = START_Y[0] if unit < UNITS_PER_PLAYER else START_Y[1]
        state.hp[unit] = UNIT_HP
    state.core_hp[:] = CORE_HP


@kernel
def legal_actions(state: Any, player: int, mask: npt.NDArray[np.int8], params: Params) -> None:
    """Write the action mask of a player.

    A living unit may shield, pulse in any direction, and make any move that stays on the board. A
    dead unit may only shield, which has no effect.

    mask: (3, 13) int8 in ruleset 0.2, (3, 9) in 0.1; written.
    """
    for row in range(UNITS_PER_PLAYER):
        unit = slot_of(player, row)
        if state.hp[unit] <= 0:
            mask[row, 1:] = 0
            mask[row, ACTION_SHIELD] = 1
            continue
        x, y = int(state.x[unit]), int(state.y[unit])
        if player == 1:
            x, y = SIZE - 1 - x, SIZE - 1 - y
        mask[row, ACTION_SHIELD] = 1
        mask[row, ACTION_MOVE] = y > 0
        mask[row, ACTION_MOVE + 1] = x < SIZE - 1
        mask[row, ACTION_MOVE + 2] = y < SIZE - 1
        mask[row, ACTION_MOVE + 3] = x > 0
        mask[row, ACTION_PULSE:] = 1


@kernel
def step(
    state: Any,
    actions: npt.NDArray[np.int64],
    rewards: npt.NDArray[np.float32],
    events: Any,
    params: Params,
) -> int:
    """Play one turn and return `ENDED`, `RUNNING` or `ILLEGAL`.

    The reward is +1, -1 or 0 at the end of the game, plus the shaping of every turn.

    actions: (2, 3), overwritten. rewards: (2,), written.
    """
    choices = 13 if params.diagonals else 9
    for player in range(2):
        for row in range(UNITS_PER_PLAYER):
            if actions[player, row] < NO_SUB_ACTION or actions[player, row] >= choices:
                return ILLEGAL
    for row in range(UNITS_PER_PLAYER):
        actions[0, row] = decode_action(0, row, actions[0, row])
    # B's rows are B3 B2 B1, and `resolve` takes the orders of both players in the order of slots.
    first, last = decode_action(1, 0, actions[1, 0]), decode_action(1, 2, actions[1, 2])
    actions[1, 1] = decode_action(1, 1, actions[1, 1])
    actions[1, 0] = last
    actions[1, 2] = first
    core_a, core_b = int(state.core_hp[0]), int(state.core_hp[1])
    code = resolve(state, actions.reshape(UNITS), events, params)
    write_outcome(state, rewards)
    if params.shaping != 0.0:
        gain = (core_b - int(state.core_hp[1])) - (core_a - int(state.core_hp[0]))
        rewards[0] += params.shaping * gain
        rewards[1] -= params.shaping * gain
    return code


@kernel
def outcome(state: Any, returns: npt.NDArray[np.float32], params: Params) -> None:
    """Write the outcome: +1 for the winner, -1 for the loser, 0 for a draw. returns: (2,)."""
    write_outcome(state, returns)
