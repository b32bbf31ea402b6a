"""The observation of Connect Four: two planes of cells, or the same numbers as a vector."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_envs.connect_four.constants import CELL_BITS, CELLS
from axiom_gym.kernel import kernel


@kernel
def observe(state: Any, player: int, observation: npt.NDArray[np.float32], params: Any) -> None:
    """Write the player's own stones, then the opponent's, row by row from the top.

    observation: (84,) or (2, 6, 7) float32, contiguous; the numbers are the same.
    """
    cells = observation.reshape(2 * CELLS)
    for side in range(2):
        stones = int(state.stones[player if side == 0 else 1 - player])
        for cell in range(CELLS):
            cells[side * CELLS + cell] = (stones >> CELL_BITS[cell]) & 1
