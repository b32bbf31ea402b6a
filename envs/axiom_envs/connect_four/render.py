"""Drawings of Connect Four positions: player_0 is yellow, player_1 is red."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_envs.connect_four.constants import CELL_BITS, COLUMNS, ROWS
from axiom_gym.render.canvas import Canvas, Colour

_CELL = 48
_BOARD: Colour = (38, 84, 164)
_EMPTY: Colour = (240, 242, 247)
_STONES: tuple[Colour, Colour] = ((240, 190, 40), (206, 58, 48))


def paint(state: Any, config: Any = None) -> npt.NDArray[np.uint8]:
    """Draw a position as an image, (H, W, 3) uint8."""
    canvas = Canvas(ROWS * _CELL, COLUMNS * _CELL, _BOARD)
    for row in range(ROWS):
        for column in range(COLUMNS):
            bit = int(CELL_BITS[row * COLUMNS + column])
            colour = _EMPTY
            for player in range(2):
                if (int(state.stones[player]) >> bit) & 1:
                    colour = _STONES[player]
            canvas.disc((row + 0.5) * _CELL, (column + 0.5) * _CELL, 0.4 * _CELL, colour)
    return canvas.pixels
