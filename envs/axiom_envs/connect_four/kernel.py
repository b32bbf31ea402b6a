"""The kernel of Connect Four: the functions that `axiom_gym.kernel` specifies."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_envs.connect_four.constants import COLUMNS, DRAW, NO_WINNER
from axiom_envs.connect_four.observe import observe
from axiom_envs.connect_four.rules import is_open, play
from axiom_envs.connect_four.state import STATE
from axiom_gym.kernel import ILLEGAL, kernel

__all__ = ["STATE", "acting", "legal_actions", "observe", "outcome", "reset", "step"]


@kernel
def reset(state: Any, params: Any) -> None:
    """Empty the board; `player_0` moves first."""
    state.stones[:] = 0
    state.ply = 0
    state.winner = NO_WINNER


@kernel
def acting(state: Any, params: Any) -> int:
    """Return the player who moves: `player_0` and `player_1` alternate."""
    return int(state.ply) & 1


@kernel
def legal_actions(state: Any, player: int, mask: npt.NDArray[np.int8], params: Any) -> None:
    """Allow every column that is not full. mask: (1, 7) int8, written."""
    occupied = int(state.stones[0]) | int(state.stones[1])
    for column in range(COLUMNS):
        mask[0, column] = is_open(occupied, column)


@kernel
def step(
    state: Any,
    actions: npt.NDArray[np.int64],
    rewards: npt.NDArray[np.float32],
    events: Any,
    params: Any,
) -> int:
    """Drop a stone. actions: (1, 1), the column. rewards: (2,) float32, written."""
    column, player = int(actions[0, 0]), int(state.ply) & 1
    occupied = int(state.stones[0]) | int(state.stones[1])
    if column < 0 or column >= COLUMNS or not is_open(occupied, column):
        return ILLEGAL
    return play(state, player, column, rewards)


@kernel
def outcome(state: Any, returns: npt.NDArray[np.float32], params: Any) -> None:
    """Write +1 for the winner and -1 for the loser, else 0. returns: (2,) float32, written."""
    winner = int(state.winner)
    for player in range(2):
        decided = 0 <= winner < DRAW
        returns[player] = (1.0 if player == winner else -1.0) if decided else 0.0
