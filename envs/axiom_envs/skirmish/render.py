"""Pictures of a position: the party is blue, the foes are red, numbered in their order.

A bar shows the remaining hit points. A ring marks the creature whose turn it is, a small dot a
prone creature. A creature at 0 hit points is pale; dead creatures are not shown. Walls are dark,
water is blue, difficult ground brown, low obstacles are brown diamonds, and obscured ground is
green.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_envs.dnd import constants as ground
from axiom_envs.dnd.engine.creature.entity import Entity
from axiom_envs.skirmish.rules import Session
from axiom_envs.skirmish.state import reader
from axiom_gym.render.canvas import Canvas, Colour

_CELL = 40
_FLOOR: Colour = (246, 244, 238)
_LINE: Colour = (220, 215, 203)
_INK: Colour = (255, 255, 255)
_RING: Colour = (236, 186, 60)
_LOST: Colour = (120, 116, 108)
_SIDES: tuple[Colour, Colour] = ((38, 98, 186), (196, 62, 50))
_PALE: tuple[Colour, Colour] = ((158, 186, 226), (232, 170, 162))
_OBSTACLE: Colour = (150, 118, 82)
_GROUND: dict[int, Colour] = {
    ground.WALL: (74, 72, 66),
    ground.WATER: (168, 204, 226),
    ground.DIFFICULT: (226, 208, 172),
    ground.OBSCURED: (182, 206, 170),
}


def paint(state: Any, config: Any = None) -> npt.NDArray[np.uint8]:
    """Return the position as a picture, (H, W, 3) uint8."""
    session = reader.find(state)
    grid = session.encounter.world.grid
    assert grid is not None
    canvas = Canvas(grid.height * _CELL + 1, grid.width * _CELL + 1, _FLOOR)
    for y in range(grid.height):
        for x in range(grid.width):
            _paint_square(canvas, x, y, int(grid.terrain[y, x]))
    for i in range(grid.width + 1):
        canvas.rectangle(0, i * _CELL, grid.height * _CELL + 1, 1, _LINE)
    for i in range(grid.height + 1):
        canvas.rectangle(i * _CELL, 0, 1, grid.width * _CELL + 1, _LINE)
    for one in session.encounter.fighters:
        if one.body >= 0 and one.senses.position is not None:
            _paint_creature(canvas, session, one, one.senses.position)
    return canvas.pixels


def _paint_square(canvas: Canvas, x: int, y: int, code: int) -> None:
    if code in _GROUND:
        canvas.rectangle(y * _CELL, x * _CELL, _CELL, _CELL, _GROUND[code])
    if code == ground.OBSTACLE:
        canvas.diamond((y + 0.5) * _CELL, (x + 0.5) * _CELL, 0.36 * _CELL, _OBSTACLE)


def _paint_creature(canvas: Canvas, session: Session, one: Entity, at: tuple[int, int]) -> None:
    """Paint a disc as large as the creature's space, with its number and its bar."""
    encounter, side, wide = session.encounter, session.seat_of_side(one), one.size.squares
    extent = wide * _CELL
    top, left = at[1] * _CELL, at[0] * _CELL
    y, x = top + 0.46 * extent, left + 0.5 * extent
    if one is encounter.actor and not encounter.over:
        canvas.disc(y, x, 0.42 * extent, _RING)
    canvas.disc(y, x, 0.36 * extent, (_SIDES if one.is_up else _PALE)[side])
    canvas.number(str(session.slots[one.number] + 1), int(y) - 7, int(x) - 4, 3, _INK)
    if one.has("prone"):
        canvas.disc(y + 0.22 * extent, x, 3, _INK)
    whole = extent - 8
    share = one.health.current / max(1, one.health.maximum.score)
    canvas.rectangle(top + extent - 6, left + 4, 4, whole, _LOST)
    canvas.rectangle(top + extent - 6, left + 4, 4, round(whole * min(1.0, share)), _SIDES[side])
