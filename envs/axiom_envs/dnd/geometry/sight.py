"""Field of view by symmetric shadowcasting, in integers.

A square is visible if the straight line between the centres of both squares is free. For this, an
opaque square acts as the line across its middle, perpendicular to the direction of view. The scan
goes row by row through four quadrants, and keeps the open sectors, each between two slopes. The
method follows Albert Ford's description. Visibility is mutual.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_envs.dnd.geometry.compiled import compiled
from axiom_gym.kernel import inline_kernel, inner_kernel, kernel

UNSEEN, SEEN, BORDER = range(3)
"""Values of `visible`. A BORDER is an opaque square: visible from outside, but not its inside."""


@kernel
def field_of_view_into(
    opaque: npt.NDArray[np.uint8],
    x: int,
    y: int,
    radius: int,
    sectors: npt.NDArray[np.int64],
    visible: npt.NDArray[np.uint8],
) -> None:
    """Write the field of view, as `field_of_view`, with memory of the caller.

    opaque: (H, W) uint8. sectors: (2HW + 8, 5) int64, overwritten. visible: (H, W) uint8, written.
    """
    visible[:, :] = UNSEEN
    visible[y, x] = SEEN
    if opaque[y, x] == 0:
        for quadrant in range(4):
            _scan(opaque, x, y, radius, quadrant, sectors, visible)


@inner_kernel
def _scan(
    opaque: Any, x: int, y: int, radius: int, quadrant: int, sectors: Any, visible: Any
) -> None:
    """Mark the visible squares of a quadrant. A sector is a depth and two slopes as fractions."""
    _put(sectors, 0, 1, -1, 1, 1, 1)
    waiting = 1
    while waiting > 0:
        waiting -= 1
        depth = int(sectors[waiting, 0])
        if depth <= radius:
            waiting = _scan_row(opaque, x, y, quadrant, sectors, waiting, visible)


@inner_kernel
def _scan_row(
    opaque: Any, x: int, y: int, quadrant: int, sectors: Any, top: int, visible: Any
) -> int:
    """Scan one row of the sector at `top`; its open parts become sectors of the next row."""
    height, width = opaque.shape
    depth, low, low_over = int(sectors[top, 0]), int(sectors[top, 1]), int(sectors[top, 2])
    high, high_over = int(sectors[top, 3]), int(sectors[top, 4])
    first = (2 * depth * low + low_over) // (2 * low_over)
    last = -((high_over - 2 * depth * high) // (2 * high_over))
    before = -1
    for column in range(first, last + 1):
        across, along = _turn(quadrant, column, depth)
        i, j = x + across, y + along
        inside = 0 <= i < width and 0 <= j < height
        wall = 1
        if inside:
            wall = int(opaque[j, i] != 0)
            if wall == 1:
                visible[j, i] = BORDER
            elif column * low_over >= depth * low and column * high_over <= depth * high:
                visible[j, i] = SEEN
        if before == 1 and wall == 0:
            low, low_over = 2 * column - 1, 2 * depth
        if before == 0 and wall == 1:
            _put(sectors, top, depth + 1, low, low_over, 2 * column - 1, 2 * depth)
            top += 1
        before = wall
    if before == 0:
        _put(sectors, top, depth + 1, low, low_over, high, high_over)
        top += 1
    return top


@inline_kernel
def _put(
    sectors: Any, row: int, depth: int, low: int, low_over: int, high: int, high_over: int
) -> None:
    sectors[row, 0], sectors[row, 1], sectors[row, 2] = depth, low, low_over
    sectors[row, 3], sectors[row, 4] = high, high_over


@inline_kernel
def _turn(quadrant: int, column: int, depth: int) -> tuple[int, int]:
    """Convert the axes of a quadrant (north, south, east, west) to steps in x and y."""
    if quadrant == 0:
        return column, -depth
    if quadrant == 1:
        return column, depth
    if quadrant == 2:
        return depth, column
    return -depth, column


def sector_rows(height: int, width: int) -> int:
    """Return the number of rows that `sectors` needs for a map of this size."""
    return 2 * height * width + 8


def field_of_view(
    opaque: npt.NDArray[np.uint8], x: int, y: int, radius: int, visible: npt.NDArray[np.uint8]
) -> None:
    """Write the squares that are visible from a square.

    From an opaque square only that square is visible. Of two squares that are not opaque, each sees
    the other or neither does. Two walls that touch at a corner do not block the line between them.

    Args:
        opaque: (H, W) uint8, 1 for squares that block sight.
        x: column of the origin, 0 to W - 1.
        y: row of the origin, 0 to H - 1.
        radius: in squares; a diagonal counts as one.
        visible: (H, W) uint8, C-contiguous, written: UNSEEN, SEEN, or BORDER for opaque squares.
    """
    sectors = np.empty((sector_rows(*opaque.shape), 5), np.int64)
    compiled(field_of_view_into)(opaque, x, y, radius, sectors, visible)
