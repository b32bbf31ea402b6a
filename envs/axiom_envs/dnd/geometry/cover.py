"""Cover between two squares, from lines between their corners, in integers.

The SRD 5.1, "Cover", gives the bonuses; the procedure is a design decision of this package. Four
lines lead from one of the attacker's corners to the target's four corners. The attacker's corner
with the fewest blocked lines counts: no blocked line means no cover, one or two half cover, three
three-quarters cover, all four total cover. A line is blocked if it enters the interior of a wall,
or runs along the edge between two walls; everything off the map is wall. A line may touch a corner,
and may run along the face of a wall. A creature or low obstacle on the line between the centres
gives at least half cover.

Coordinates of lines are half squares: square (x, y) lies between 2x and 2x + 2.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_envs.dnd.constants import HALF_COVER
from axiom_envs.dnd.geometry.compiled import compiled
from axiom_gym.kernel import inline_kernel, inner_kernel, kernel


@inner_kernel
def _crosses(field: Any, px: int, py: int, qx: int, qy: int, most: int) -> bool:
    """Return True if a line enters more than `most` marked squares.

    The line has py <= qy, and does not run along an edge.
    """
    dx, dy = qx - px, qy - py
    count = 0
    if dy == 0:
        for i in range(min(px, qx) // 2, (max(px, qx) + 1) // 2):
            count += int(field[py // 2, i] != 0)
        return count > most
    for j in range(py // 2, (qy + 1) // 2):
        start = px * dy + dx * (max(py, 2 * j) - py)
        end = px * dy + dx * (min(qy, 2 * j + 2) - py)
        last = -(-max(start, end) // (2 * dy))
        for i in range(min(start, end) // (2 * dy), last):
            count += int(field[j, i] != 0)
        if count > most:
            return True
    return False


@inline_kernel
def _is_wall(blocking: Any, x: int, y: int) -> bool:
    height, width = blocking.shape
    if x < 0 or y < 0 or x >= width or y >= height:
        return True
    return bool(blocking[y, x] != 0)


@inner_kernel
def _is_seam_blocked(blocking: Any, px: int, py: int, qx: int, qy: int) -> bool:
    """Return True if a line along edges of squares somewhere has walls on both sides."""
    if py == qy:
        for i in range(min(px, qx) // 2, max(px, qx) // 2):
            if _is_wall(blocking, i, py // 2 - 1) and _is_wall(blocking, i, py // 2):
                return True
        return False
    for j in range(min(py, qy) // 2, max(py, qy) // 2):
        if _is_wall(blocking, px // 2 - 1, j) and _is_wall(blocking, px // 2, j):
            return True
    return False


@inner_kernel
def _is_blocked(blocking: Any, px: int, py: int, qx: int, qy: int) -> bool:
    """Return True if walls block the line between two corners of squares."""
    if px == qx or py == qy:
        return _is_seam_blocked(blocking, px, py, qx, qy)
    if py > qy:
        px, py, qx, qy = qx, qy, px, py
    return _crosses(blocking, px, py, qx, qy, 0)


@inner_kernel
def _fewest_blocked(blocking: Any, x0: int, y0: int, x1: int, y1: int) -> int:
    """Return the number of blocked lines from the attacker's best corner."""
    fewest = 4
    nearest = int(x1 > x0) + 2 * int(y1 > y0)  # probably the best; starting there saves work
    for k in range(4):
        corner = k ^ nearest
        px, py = 2 * (x0 + corner % 2), 2 * (y0 + corner // 2)
        count = 0
        for end in range(4):
            qx, qy = 2 * (x1 + end % 2), 2 * (y1 + end // 2)
            count += int(_is_blocked(blocking, px, py, qx, qy))
            if count >= fewest:
                break
        fewest = min(fewest, count)
        if fewest == 0:
            break
    return fewest


@inner_kernel
def _stands_between(bodies: Any, x0: int, y0: int, x1: int, y1: int) -> bool:
    """Return True if the line between centres enters a body's square other than the two ends."""
    if y0 > y1:
        x0, y0, x1, y1 = x1, y1, x0, y0
    ends = int(bodies[y0, x0] != 0)
    if x0 != x1 or y0 != y1:
        ends += int(bodies[y1, x1] != 0)
    return _crosses(bodies, 2 * x0 + 1, 2 * y0 + 1, 2 * x1 + 1, 2 * y1 + 1, ends)


@kernel
def cover_grade_of(
    blocking: npt.NDArray[np.uint8],
    bodies: npt.NDArray[np.uint8],
    x0: int,
    y0: int,
    x1: int,
    y1: int,
) -> int:
    """Return the grade of cover, as `cover_grade`. blocking, bodies: (H, W) uint8."""
    blocked = _fewest_blocked(blocking, x0, y0, x1, y1)
    grade = (blocked + 1) // 2 if blocked < 3 else blocked - 1
    if grade == 0 and _stands_between(bodies, x0, y0, x1, y1):
        return HALF_COVER
    return grade


@kernel
def cover_field_into(
    blocking: npt.NDArray[np.uint8],
    bodies: npt.NDArray[np.uint8],
    x0: int,
    y0: int,
    grades: npt.NDArray[np.uint8],
) -> None:
    """Write grades of cover, as `cover_field`. blocking, bodies, grades: (H, W) uint8."""
    height, width = blocking.shape
    for y in range(height):
        for x in range(width):
            grades[y, x] = cover_grade_of(blocking, bodies, x0, y0, x, y)


def cover_grade(
    blocking: npt.NDArray[np.uint8],
    bodies: npt.NDArray[np.uint8],
    x0: int,
    y0: int,
    x1: int,
    y1: int,
) -> int:
    """Return the cover of a target on (x1, y1) from an attacker on (x0, y0).

    Args:
        blocking: (H, W) uint8, 1 for walls.
        bodies: (H, W) uint8, 1 for squares with a creature or low obstacle; the ends do not count.
        x0: column of the attacker.
        y0: row of the attacker.
        x1: column of the target.
        y1: row of the target.

    Returns:
        NO_COVER, HALF_COVER, THREE_QUARTERS_COVER or TOTAL_COVER: 0 to 3.
    """
    return int(compiled(cover_grade_of)(blocking, bodies, x0, y0, x1, y1))


def cover_field(
    blocking: npt.NDArray[np.uint8],
    bodies: npt.NDArray[np.uint8],
    x0: int,
    y0: int,
    grades: npt.NDArray[np.uint8],
) -> None:
    """Write the cover of every square from an attacker on (x0, y0).

    Args:
        blocking: (H, W) uint8, 1 for walls.
        bodies: (H, W) uint8, 1 for squares with a creature or low obstacle; the ends do not count.
        x0: column of the attacker.
        y0: row of the attacker.
        grades: (H, W) uint8, written: 0 to 3, as `cover_grade` returns.
    """
    compiled(cover_field_into)(blocking, bodies, x0, y0, grades)
