"""Drawings of Konquista positions: land in the owner's colour, armies as numbers, borders as lines.

Pixels near a territory's centre are its land. Dark lines separate regions, light lines separate
territories, and grey lines connect territories of different regions. The bar at the top has the
colour of the player whose turn it is.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_envs.konquista.boards import Board, find_board
from axiom_envs.konquista.constants import HEIGHT, WIDTH
from axiom_gym.render.canvas import Canvas, Colour

_SCALE = 8
"""Pixels per unit of a map."""

_MARGIN = 6 * _SCALE
_HEIGHT, _WIDTH = HEIGHT * _SCALE + 2 * _MARGIN, WIDTH * _SCALE + 2 * _MARGIN
_BAR = 10
_DISC = 15
_SEA: Colour = (222, 232, 238)
_ROUTE: Colour = (150, 160, 168)
_TERRITORY_LINE: Colour = (250, 250, 246)
_REGION_LINE: Colour = (74, 72, 66)
_INK: Colour = (255, 255, 255)
_SEATS: tuple[Colour, ...] = (
    (38, 98, 186),
    (196, 62, 50),
    (46, 134, 72),
    (168, 112, 12),
    (126, 70, 158),
    (66, 74, 84),
)


def paint(state: Any, config: Any = None) -> npt.NDArray[np.uint8]:
    """Draw a position as an image, (H, W, 3) uint8."""
    board = find_board(int(state.board))
    canvas = Canvas(_HEIGHT, _WIDTH, _SEA)
    _paint_land(canvas, board, [int(seat) for seat in state.owner[: len(board.territories)]])
    canvas.rectangle(0, 0, _BAR, _WIDTH, _SEATS[int(state.player)])
    for start, end in board.borders:
        if board.territories[start].region != board.territories[end].region:
            _paint_route(canvas, board, start, end)
    for t in range(len(board.territories)):
        y, x = _centre(board, t)
        canvas.disc(y, x, _DISC, _SEATS[int(state.owner[t])])
        _paint_number(canvas, int(state.armies[t]), y, x)
    return canvas.pixels


def _centre(board: Board, territory: int) -> tuple[int, int]:
    """Return the row and the column of a territory's centre."""
    here = board.territories[territory]
    return _MARGIN + here.y * _SCALE, _MARGIN + here.x * _SCALE


def _paint_route(canvas: Canvas, board: Board, start: int, end: int) -> None:
    """Draw a dotted line between territories of two regions."""
    from_y, from_x = _centre(board, start)
    to_y, to_x = _centre(board, end)
    for i in range(0, 101, 2):
        y, x = from_y + (to_y - from_y) * i // 100, from_x + (to_x - from_x) * i // 100
        canvas.rectangle(y - 1, x - 1, 3, 3, _ROUTE)


def _paint_number(canvas: Canvas, armies: int, y: int, x: int) -> None:
    """Draw a number of armies, centred; numbers of three or more digits are smaller."""
    text = str(armies)
    size = 3 if len(text) < 3 else 2 if len(text) == 3 else 1
    width = (4 * len(text) - 1) * size
    canvas.number(text, y - (5 * size) // 2, x - width // 2, size, _INK)


def _paint_land(canvas: Canvas, board: Board, owners: list[int]) -> None:
    """Fill the territories with a light tone of their owners' colours, and draw their outlines."""
    nearest, line, region_line = _survey(board.fingerprint)
    pixels = canvas.pixels
    for t, owner in enumerate(owners):
        red, green, blue = (255 - (255 - tone) * 2 // 5 for tone in _SEATS[owner])
        pixels[nearest == t] = (red, green, blue)
    pixels[line] = _TERRITORY_LINE
    pixels[region_line] = _REGION_LINE


@lru_cache(maxsize=8)
def _survey(fingerprint: int) -> tuple[npt.NDArray[np.int64], ...]:
    """Return each pixel's territory, -1 at sea, and the outlines of territories and of regions.

    The three arrays have the shape (H, W).
    """
    board = find_board(fingerprint)
    rows, columns = np.ogrid[:_HEIGHT, :_WIDTH]
    distance = np.full((_HEIGHT, _WIDTH), _reach(board) ** 2)
    nearest = np.full(distance.shape, -1)
    for t in range(len(board.territories)):
        y, x = _centre(board, t)
        away = (rows - y) ** 2 + (columns - x) ** 2
        nearer = away < distance
        distance[nearer], nearest[nearer] = away[nearer], t
    regions = np.array([*(here.region for here in board.territories), -1])[nearest]
    return nearest, _edges(nearest), _edges(regions)


def _edges(areas: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return an array, (H, W) bool, that marks the pixels with a neighbour in another area."""
    edges = np.zeros(areas.shape, bool)
    down, right = areas[1:] != areas[:-1], areas[:, 1:] != areas[:, :-1]
    edges[1:] |= down
    edges[:-1] |= down
    edges[:, 1:] |= right
    edges[:, :-1] |= right
    return edges


def _reach(board: Board) -> int:
    """Return the radius of a territory's land in pixels.

    It is 0.66 times the median distance of neighbours within a region.
    """
    lengths = [
        np.hypot(a.x - b.x, a.y - b.y)
        for a, b in ((board.territories[i], board.territories[j]) for i, j in board.borders)
        if a.region == b.region
    ]
    return int(0.66 * _SCALE * (np.median(lengths) if lengths else 10))
