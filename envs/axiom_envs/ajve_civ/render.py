"""Pictures of an AjveCiv world: a row for each people with its values, its size and its feelings.

A row has from left to right: the number of the people, black if it is dead; its six values in their
order; its population, yield and score as three bars; and its feelings about each people,
red for dislike and green for liking. Below the rows are the world's yield and a bar of the steps
played. Bars to the left and red numbers are negative.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_envs.ajve_civ.config import AjveCivConfig
from axiom_envs.ajve_civ.constants import VALUES
from axiom_gym.render.canvas import Canvas, Colour

_MARGIN = 12
_NAME, _VALUE, _BARS = 34, 52, 280
"""The widths of a people's number, of one of its values, and of its three bars, in pixels."""
_FEELINGS = 340
"""The preferred width of the feelings of a people, in pixels."""
_LEAST_ROW, _ROWS = 16, 400
"""The smallest height of a row, and the preferred height of all rows together, in pixels."""
_BAR = 12

_PAPER: Colour = (250, 249, 245)
_GRID: Colour = (226, 223, 214)
_INK: Colour = (52, 54, 58)
_MINUS: Colour = (190, 52, 44)
_WHITE: Colour = (255, 255, 255)
_LIKING: Colour = (40, 138, 74)
_YIELD: Colour = (214, 158, 46)
_POPULATION: Colour = (92, 132, 190)
_VALUES: tuple[Colour, ...] = (
    (58, 124, 196),  # discover
    (190, 62, 52),  # conquer
    (226, 146, 40),  # expand
    (44, 148, 134),  # exchange
    (118, 160, 60),  # consent
    (140, 92, 168),  # develop
)


def paint(state: Any, config: Any = None) -> npt.NDArray[np.uint8]:
    """Return a picture of the world, (H, W, 3) uint8; it is larger for more players."""
    players = len(state.death)
    row = max(_LEAST_ROW, min(56, _ROWS // players))
    feelings = max(row, _FEELINGS // players) * players
    width = 4 * _MARGIN + _NAME + len(VALUES) * _VALUE + _BARS + feelings
    canvas = Canvas(4 * _MARGIN + row * players + 2 * _BAR, width, _PAPER)
    left = 2 * _MARGIN + _NAME + len(VALUES) * _VALUE
    most = max(1, int(abs(_nations(state)).max()))
    for player in range(players):
        top = _MARGIN + player * row
        _paint_name(canvas, player, bool(state.death[player]), top, row)
        _paint_values(canvas, state["values"][player].tolist(), top, row)
        _paint_nation(canvas, _nations(state)[player].tolist(), most, top, left, row)
        _paint_feelings(
            canvas, state.feelings[player].tolist(), player, top, left + _BARS + _MARGIN, feelings
        )
    _paint_world(canvas, state, config, 2 * _MARGIN + row * players)
    return canvas.pixels


def _nations(state: Any) -> npt.NDArray[np.int64]:
    """Return the population, yield and score of each people, (P, 3)."""
    population, income = state.population.astype(np.int64), state.yields.astype(np.int64)
    return np.stack([population, income, population + income], axis=1)


def _number(
    canvas: Canvas, number: int, y: int, x: int, size: int, colours: tuple[Colour, Colour]
) -> None:
    """Paint a number centred at (y, x), in the first colour or, if negative, in the second."""
    text = str(abs(number))
    left = x - ((4 * len(text) - 1) * size) // 2
    canvas.number(text, y - (5 * size) // 2, left, size, colours[int(number < 0)])


def _paint_name(canvas: Canvas, player: int, dead: bool, top: int, row: int) -> None:
    """Paint the number of a people, from 1."""
    height = row - 4
    canvas.rectangle(top + 2, _MARGIN, height, _NAME - 6, _INK if dead else _GRID)
    ink = _WHITE if dead else _INK
    size = 3 if row >= 30 else 2
    _number(canvas, player + 1, top + row // 2, _MARGIN + (_NAME - 6) // 2, size, (ink, ink))


def _paint_values(canvas: Canvas, values: list[int], top: int, row: int) -> None:
    """Paint the six values as numbers on fields, in stronger colours for higher values."""
    for k, value in enumerate(values):
        left = _MARGIN + _NAME + k * _VALUE
        colour = _blend(_VALUES[k], max(0, value) / (max(0, value) + 12))
        canvas.rectangle(top + 2, left, row - 4, _VALUE - 4, colour)
        size = 2 if row >= 16 else 1
        _number(canvas, value, top + row // 2, left + (_VALUE - 4) // 2, size, (_INK, _MINUS))


def _blend(colour: Colour, strength: float) -> Colour:
    """Return a colour blended with the paper, from none (0) to full (1)."""
    red, green, blue = (
        round(paper + (tone - paper) * strength) for tone, paper in zip(colour, _PAPER, strict=True)
    )
    return red, green, blue


def _paint_nation(
    canvas: Canvas, nation: list[int], most: int, top: int, left: int, row: int
) -> None:
    """Paint three bars from a line in the middle, with lengths relative to the largest number."""
    bar, middle = (row - 4) // 3, left + _BARS // 2
    for k, (number, colour) in enumerate(zip(nation, (_POPULATION, _YIELD, _INK), strict=True)):
        length = round(abs(number) / most * (_BARS // 2 - 44))
        start = middle if number >= 0 else middle - length
        y = top + 2 + k * bar
        canvas.rectangle(y, start, bar - 1, length, colour if number >= 0 else _MINUS)
        if bar >= 7:
            beside = middle + (length + 24) * (1 if number >= 0 else -1)
            _number(canvas, number, y + bar // 2, beside, 1 if bar < 12 else 2, (_INK, _MINUS))
    canvas.rectangle(top, middle - 1, row, 1, _INK)


def _paint_feelings(
    canvas: Canvas, feelings: list[int], player: int, top: int, left: int, width: int
) -> None:
    """Paint a field for each other people, with the feeling as a number if there is room."""
    players = len(feelings)
    field = width // players
    height = (canvas.pixels.shape[0] - 4 * _MARGIN - 2 * _BAR) // players
    for other, feeling in enumerate(feelings):
        x, strength = left + other * field, abs(feeling) / (abs(feeling) + 16)
        colour = _blend(_LIKING if feeling >= 0 else _MINUS, strength)
        if other == player:
            colour = _GRID
        canvas.rectangle(top + 1, x + 1, height - 2, field - 2, colour)
        if other != player and field >= 28:
            ink = _WHITE if strength > 0.6 else _INK
            size = 2 if field >= 8 * len(str(abs(feeling))) + 6 and height >= 16 else 1
            _number(canvas, feeling, top + height // 2, x + field // 2, size, (ink, ink))


def _paint_world(canvas: Canvas, state: Any, config: AjveCivConfig | None, top: int) -> None:
    """Paint the world's yield as a number, and a bar of the steps played."""
    world, right = int(state.world_yield), canvas.pixels.shape[1] - _MARGIN
    sign = _LIKING if world >= 0 else _MINUS
    canvas.rectangle(top, _MARGIN, 2 * _BAR, 3 * _NAME, sign)
    _number(canvas, world, top + _BAR, _MARGIN + 3 * _NAME // 2, 3, (_WHITE, _WHITE))
    left = _MARGIN + 3 * _NAME + _MARGIN
    canvas.rectangle(top, left, 2 * _BAR, right - left, _GRID)
    if config is not None:
        played = (right - left) * int(state.turn) // config.duration
        canvas.rectangle(top, left, 2 * _BAR, played, _INK)
