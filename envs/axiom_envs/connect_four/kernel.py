"""The rules of Connect Four, once: one record, and the functions of `axiom_gym.kernel` on it."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_envs.connect_four.rules import (
    CELL_BITS,
    CELLS,
    COLUMNS,
    DRAW,
    NO_WINNER,
    drop,
    has_line,
    is_open,
)
from axiom_gym.kernel import ENDED, ILLEGAL, RUNNING, kernel, record_dtype

STATE = record_dtype(
    [
        ("stones", np.int64, (2,)),  # of each player, as `board` has them
        ("ply", np.int8),  # stones on the board; player_0 moves where it is even
        ("winner", np.int8),  # NO_WINNER, 0, 1 or DRAW
        ("rng", np.uint32),  # nothing is drawn from it
    ]
)


@kernel
def reset(state: Any, params: Any) -> None:
    """An empty board; `player_0` moves first."""
    state.stones[:] = 0
    state.ply = 0
    state.winner = NO_WINNER


@kernel
def acting(state: Any, params: Any) -> int:
    """The players move in turn."""
    return int(state.ply) & 1


@kernel
def legal_actions(state: Any, player: int, mask: npt.NDArray[np.int8], params: Any) -> None:
    """Every column that is not full. mask: (1, 7) int8."""
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
    """Drops a stone. actions: (1, 1), the column. rewards: (2,) float32, written."""
    column, player = int(actions[0, 0]), int(state.ply) & 1
    occupied = int(state.stones[0]) | int(state.stones[1])
    if column < 0 or column >= COLUMNS or not is_open(occupied, column):
        return ILLEGAL
    stones = int(state.stones[player]) | drop(occupied, column)
    state.stones[player] = stones
    state.ply = int(state.ply) + 1
    rewards[:] = 0.0
    if has_line(stones):
        state.winner = player
        rewards[player] = 1.0
        rewards[1 - player] = -1.0
        return ENDED
    if int(state.ply) == CELLS:
        state.winner = DRAW
        return ENDED
    return RUNNING


@kernel
def observe(state: Any, player: int, observation: npt.NDArray[np.float32], params: Any) -> None:
    """One's own stones, then the other's, by rows from the top.

    observation: (84,) or (2, 6, 7) float32, contiguous; the same numbers.
    """
    cells = observation.reshape(2 * CELLS)
    for side in range(2):
        stones = int(state.stones[player if side == 0 else 1 - player])
        for cell in range(CELLS):
            cells[side * CELLS + cell] = (stones >> CELL_BITS[cell]) & 1


@kernel
def outcome(state: Any, returns: npt.NDArray[np.float32], params: Any) -> None:
    """+1 to the winner and -1 to the loser. returns: (2,) float32, written."""
    winner = int(state.winner)
    for player in range(2):
        decided = 0 <= winner < DRAW
        returns[player] = (1.0 if player == winner else -1.0) if decided else 0.0
