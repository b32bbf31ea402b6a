"""Pictures of Quantaris positions: player A is blue and at the bottom, B is red and at the top.

A unit shows its number, and its hp as dots below. A core shows its hp.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_envs.quantaris.constants import CORES, SIZE, UNITS, UNITS_PER_PLAYER
from axiom_gym.render.canvas import Canvas, Colour

_CELL = 44
_BACKGROUND: Colour = (246, 244, 238)
_LINE: Colour = (214, 209, 196)
_INK: Colour = (255, 255, 255)
_SIDES: tuple[Colour, Colour] = ((38, 98, 186), (196, 62, 50))
_PALE: tuple[Colour, Colour] = ((158, 186, 226), (232, 170, 162))


def paint(state: Any, config: Any = None) -> npt.NDArray[np.uint8]:
    """Return a picture of the position, (H, W, 3) uint8."""
    canvas = Canvas(SIZE * _CELL + 1, SIZE * _CELL + 1, _BACKGROUND)
    for i in range(SIZE + 1):
        canvas.rectangle(i * _CELL, 0, 1, SIZE * _CELL + 1, _LINE)
        canvas.rectangle(0, i * _CELL, SIZE * _CELL + 1, 1, _LINE)
    for player, (x, y) in enumerate(CORES):
        _paint_core(canvas, player, x, y, int(state.core_hp[player]))
    for slot in range(UNITS):
        if state.hp[slot] > 0:
            _paint_unit(canvas, slot, int(state.x[slot]), int(state.y[slot]), int(state.hp[slot]))
    return canvas.pixels


def _centre(x: int, y: int) -> tuple[float, float]:
    return (y + 0.5) * _CELL, (x + 0.5) * _CELL


def _paint_core(canvas: Canvas, player: int, x: int, y: int, hp: int) -> None:
    """Paint a core as a diamond with its hp on it, pale if it is dead."""
    row, column = _centre(x, y)
    canvas.diamond(row, column, 0.46 * _CELL, _SIDES[player] if hp > 0 else _PALE[player])
    canvas.number(str(max(hp, 0)), int(row) - 7, int(column) - 4, 3, _INK)


def _paint_unit(canvas: Canvas, slot: int, x: int, y: int, hp: int) -> None:
    """Paint a unit as a disc with its number, and a dot below it for each hp."""
    player = slot // UNITS_PER_PLAYER
    row, column = _centre(x, y)
    canvas.disc(row, column, 0.34 * _CELL, _SIDES[player])
    canvas.number(str(slot % UNITS_PER_PLAYER + 1), int(row) - 7, int(column) - 4, 3, _INK)
    for dot in range(hp):
        canvas.disc(row + 0.38 * _CELL, column - 5 + 10 * dot, 3, _SIDES[player])
