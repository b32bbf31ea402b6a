"""Drawings of Destreect positions: the ring, which begins at the bottom right and runs clockwise.

A space shows its number, a band in the colour of its district (grey for a line) with a white square
for each house and a bar across it if the deed is mortgaged, a frame in the colour of its owner, and
the players as discs. A black square marks a locked-up player. The middle shows the cash of each
player, and a dot marks the acting player.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_envs.destreect.boards import Board, find_board, find_cell, ring_size
from axiom_envs.destreect.constants import DETOUR, FATE, LINE, OVER, START, TAX
from axiom_gym.render.canvas import Canvas, Colour

_CELL = 62
_PAPER: Colour = (246, 244, 238)
_EDGE: Colour = (196, 190, 176)
_INK: Colour = (70, 66, 60)
_WHITE: Colour = (255, 255, 255)
_LINE: Colour = (150, 150, 150)
_SEATS: tuple[Colour, ...] = (
    (38, 98, 186),
    (196, 62, 50),
    (46, 140, 78),
    (214, 148, 30),
    (126, 70, 160),
    (30, 150, 160),
)
_DISTRICTS: tuple[Colour, ...] = (
    (150, 110, 80),
    (120, 170, 210),
    (205, 110, 160),
    (225, 150, 70),
    (190, 70, 60),
    (220, 200, 80),
    (90, 150, 100),
    (70, 80, 150),
    (140, 190, 170),
    (170, 140, 190),
)
_GROUNDS: dict[int, Colour] = {
    START: (214, 234, 208),
    FATE: (226, 214, 238),
    TAX: (238, 214, 206),
    DETOUR: (222, 222, 222),
}


def paint(state: Any, config: Any = None) -> npt.NDArray[np.uint8]:
    """Draw a position as an image, (H, W, 3) uint8."""
    board = find_board(int(state.board))
    width, height = ring_size(len(board.spaces))
    canvas = Canvas(height * _CELL + 1, width * _CELL + 1, _PAPER)
    for place in range(len(board.spaces)):
        row, column = find_cell(place, width, height)
        _paint_space(canvas, state, board, place, row * _CELL, column * _CELL)
    _paint_players(canvas, state, width, height)
    return canvas.pixels


def _paint_space(canvas: Canvas, state: Any, board: Board, place: int, top: int, left: int) -> None:
    """Draw one cell of the ring with the players on it."""
    space = board.spaces[place]
    canvas.rectangle(top, left, _CELL + 1, _CELL + 1, _EDGE)
    ground = _GROUNDS.get(space.kind, _WHITE)
    canvas.rectangle(top + 1, left + 1, _CELL - 1, _CELL - 1, ground)
    if space.is_deed:
        _paint_deed(canvas, state, board, place, top, left)
    canvas.number(str(place), top + _CELL - 15, left + 6, 2, _INK)
    for seat in range(int(state.players)):
        if state.alive[seat] and int(state.position[seat]) == place:
            y, x = top + 27 + 13 * (seat // 3), left + 16 + 15 * (seat % 3)
            canvas.disc(y, x, 6, _SEATS[seat])
            if state.locked[seat]:
                canvas.rectangle(y - 2, x - 2, 5, 5, (0, 0, 0))


def _paint_deed(canvas: Canvas, state: Any, board: Board, place: int, top: int, left: int) -> None:
    """Draw the owner's frame, the band of the district, the houses and the mortgage of a deed."""
    space, deed = board.spaces[place], board.deeds.index(place)
    if state.owner[deed] >= 0:
        canvas.rectangle(top + 1, left + 1, _CELL - 1, _CELL - 1, _SEATS[int(state.owner[deed])])
        canvas.rectangle(top + 5, left + 5, _CELL - 9, _CELL - 9, _WHITE)
    is_line = space.kind == LINE
    colour = _LINE if is_line else _DISTRICTS[board.districts.index(space.district)]
    canvas.rectangle(top + 5, left + 5, 12, _CELL - 9, colour)
    for house in range(int(state.houses[deed])):
        canvas.rectangle(top + 7, left + 9 + 12 * house, 8, 8, _WHITE)
    if state.mortgaged[deed]:
        canvas.rectangle(top + 10, left + 5, 2, _CELL - 9, _INK)


def _paint_players(canvas: Canvas, state: Any, width: int, height: int) -> None:
    """Draw the colour and the cash of each player, in the middle."""
    row = ((height - 2) * _CELL - 20) // int(state.players)
    for seat in range(int(state.players)):
        if not state.alive[seat]:
            continue
        y, x = _CELL + 10 + seat * min(row, 40), _CELL + 24
        canvas.rectangle(y, x, 20, 20, _SEATS[seat])
        canvas.number(str(int(state.cash[seat])), y + 1, x + 32, 4, _INK)
        if int(state.acting) == seat and int(state.phase) != OVER:
            canvas.disc(y + 10, x - 12, 6, _INK)
