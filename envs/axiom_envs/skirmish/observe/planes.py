"""The planes of an observation that change as creatures move, in one compiled function.

The function gets creatures as rows of numbers, `bodies`, and considers no others. Shapes: H rows
and W columns of the board; h and w of the map, at most as many; M bodies.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from axiom_envs.dnd.constants import OBSTACLE, SQUARE, WALL
from axiom_envs.dnd.geometry.compiled import compiled
from axiom_envs.dnd.geometry.cover import cover_field
from axiom_envs.dnd.geometry.paths import OCCUPIED, UNREACHED, movement_field_into
from axiom_envs.dnd.geometry.sight import SEEN
from axiom_envs.dnd.geometry.terrain import ENTER_COST
from axiom_envs.skirmish.observe.layout import PLANES, plane_index
from axiom_gym.kernel import inline_kernel, inner_kernel, kernel

SELF, ALLY, ENEMY, LOST = range(4)
"""Roles of bodies: slot 0, others of its side, seen enemies, and last known positions."""

UP, DOWN, DEAD = range(3)
"""States of bodies."""

X, Y, SIZE, ROLE, STATE, REACH, CAN_PASS, SHARE = range(8)
"""Columns of `bodies`.

X, Y: the lowest column and row. SIZE: side in squares. ROLE, STATE: see above. REACH: reach of an
opportunity attack in feet, 0 for slot 0. CAN_PASS: 1 if slot 0 may pass. SHARE: hit points in
1/1000 of the maximum."""
BODY_COLUMNS = 8

SPEED, BUDGET, DASH_BUDGET, CRAWLS, DRAG, SECOND, UNITS = range(7)
"""Entries of `walker`, which describes slot 0.

SPEED: feet per turn. BUDGET: feet that it may move now, -1 for none. DASH_BUDGET: the same with a
dash. CRAWLS: 1 if it crawls. DRAG: 2 if it drags a creature, else 1. SECOND: 1 if every second
diagonal step is longer. UNITS: N."""

_FIRST = plane_index("self")
MOVING = len(PLANES) - _FIRST
"""The number of planes that this module writes: the last ones of an observation."""

_ALLIES = plane_index("allies") - _FIRST
_ENEMIES = plane_index("enemies") - _FIRST
_LOST = plane_index("last_known") - _FIRST
_COST = plane_index("path_cost") - _FIRST
_REACHABLE = plane_index("reachable") - _FIRST
_DASH = plane_index("reachable_dash") - _FIRST
_ENEMY_REACH = plane_index("enemy_reach") - _FIRST
_ALLY_REACH = plane_index("ally_reach") - _FIRST
_SIGHT = plane_index("line_of_sight") - _FIRST
_COVER = plane_index("cover") - _FIRST
_DISTANCE = plane_index("enemy_distance") - _FIRST
_BODIES = plane_index("bodies") - _FIRST

_COVER_VALUES = np.array([0.0, 0.2, 0.5, 1.0], np.float32)
_FAR = 16
_PER_MILLE = 1000


class Scratch(NamedTuple):
    """Memory of the compiled functions, for maps of one shape (h, w); see `movement_field_into`."""

    cost: npt.NDArray[np.uint8]
    threats: npt.NDArray[np.uint16]
    best: npt.NDArray[np.int64]
    heap: npt.NDArray[np.int64]
    steps: npt.NDArray[np.int16]
    exposures: npt.NDArray[np.int16]
    previous: npt.NDArray[np.int8]
    taken: npt.NDArray[np.uint8]

    @staticmethod
    def of(height: int, width: int) -> Scratch:
        """Allocate memory for a map of this shape."""
        shape = (height, width)
        return Scratch(
            cost=np.zeros(shape, np.uint8),
            threats=np.zeros(shape, np.uint16),
            best=np.empty((2, *shape), np.int64),
            heap=np.empty(16 * height * width + 1, np.int64),
            steps=np.empty(shape, np.int16),
            exposures=np.empty(shape, np.int16),
            previous=np.empty((2, *shape), np.int8),
            taken=np.zeros(shape, np.uint8),
        )


@inline_kernel
def _gap(square: int, place: int, size: int) -> int:
    """Return the squares along one axis from a square to a space."""
    return max(0, place - square, square - (place + size - 1))


@inner_kernel
def _mark_bodies(bodies: Any, planes: Any) -> None:
    """Mark the positions of bodies. bodies: (M, 8). planes: (13, H, W), zeros here."""
    for k in range(bodies.shape[0]):
        role, state = int(bodies[k, ROLE]), int(bodies[k, STATE])
        plane, value = _LOST, 1.0
        if role == SELF:
            plane = 0
        elif role != LOST:
            plane = _ALLIES if role == ALLY else _ENEMIES
            value = int(bodies[k, SHARE]) / _PER_MILLE
        size = int(bodies[k, SIZE])
        for y in range(bodies[k, Y], bodies[k, Y] + size):
            for x in range(bodies[k, X], bodies[k, X] + size):
                if state != DEAD:
                    planes[plane, y, x] = value
                if state != UP:
                    planes[_BODIES, y, x] = 1.0 if state == DEAD else 0.5


@inner_kernel
def _mark_distances(
    bodies: Any, second: int, units: int, height: int, width: int, planes: Any
) -> None:
    """Write the number of creatures that reach each square, and the nearest enemy's distance."""
    for y in range(height):
        for x in range(width):
            nearest, allies, enemies = _FAR, 0, 0
            for k in range(bodies.shape[0]):
                role, size = int(bodies[k, ROLE]), int(bodies[k, SIZE])
                if role == LOST or int(bodies[k, STATE]) != UP:
                    continue
                dx, dy = _gap(x, int(bodies[k, X]), size), _gap(y, int(bodies[k, Y]), size)
                feet = SQUARE * (max(dx, dy) + second * (min(dx, dy) // 2))
                reaches = int(feet <= int(bodies[k, REACH]) and int(bodies[k, REACH]) > 0)
                if role == ENEMY:
                    nearest = min(nearest, max(dx, dy))
                    enemies += reaches
                else:
                    allies += reaches
            planes[_ENEMY_REACH, y, x] = enemies / units
            planes[_ALLY_REACH, y, x] = allies / units
            planes[_DISTANCE, y, x] = nearest / _FAR


@inner_kernel
def _find_costs(terrain: Any, bodies: Any, crawls: int, cost: Any, taken: Any) -> None:
    """Write slot 0's cost to enter squares: another creature's space is difficult ground (SRD)."""
    height, width = terrain.shape
    taken[:, :] = 0
    for k in range(1, bodies.shape[0]):
        if int(bodies[k, ROLE]) == LOST or int(bodies[k, STATE]) == DEAD:
            continue
        mark = 1 if bodies[k, CAN_PASS] != 0 else 2
        size = int(bodies[k, SIZE])
        for y in range(bodies[k, Y], bodies[k, Y] + size):
            for x in range(bodies[k, X], bodies[k, X] + size):
                taken[y, x] = max(int(taken[y, x]), mark)
    for y in range(height):
        for x in range(width):
            enter = int(ENTER_COST[terrain[y, x]])
            if enter == 0:
                cost[y, x] = 0
            elif taken[y, x] == 2:
                cost[y, x] = OCCUPIED
            else:
                cost[y, x] = max(enter, 1 + int(taken[y, x])) + crawls


@inner_kernel
def _has_room(taken: Any, x: int, y: int, size: int) -> bool:
    for j in range(y, y + size):
        for i in range(x, x + size):
            if taken[j, i] != 0:
                return False
    return True


@inner_kernel
def _mark_paths(steps: Any, taken: Any, walker: Any, size: int, planes: Any) -> None:
    """Write slot 0's cost of a path to each square, and the squares where it can end a move."""
    height, width = steps.shape
    speed = int(walker[SPEED])
    for y in range(height):
        for x in range(width):
            if steps[y, x] == UNREACHED:
                planes[_COST, y, x] = 1.0
                continue
            feet = SQUARE * int(steps[y, x]) * int(walker[DRAG])
            if feet > 0:
                planes[_COST, y, x] = min(1.0, feet / speed) if speed > 0 else 1.0
            if feet <= int(walker[DASH_BUDGET]) and _has_room(taken, x, y, size):
                planes[_DASH, y, x] = 1.0
                if feet <= int(walker[BUDGET]):
                    planes[_REACHABLE, y, x] = 1.0


@kernel
def write_planes_into(
    terrain: npt.NDArray[np.uint8],
    bodies: npt.NDArray[np.int32],
    walker: npt.NDArray[np.int32],
    cost: npt.NDArray[np.uint8],
    threats: npt.NDArray[np.uint16],
    best: npt.NDArray[np.int64],
    heap: npt.NDArray[np.int64],
    steps: npt.NDArray[np.int16],
    exposures: npt.NDArray[np.int16],
    previous: npt.NDArray[np.int8],
    taken: npt.NDArray[np.uint8],
    planes: npt.NDArray[np.float32],
) -> None:
    """Write the planes, except for line of sight and cover, which stay unchanged.

    The first body is slot 0 if its role is SELF; otherwise the planes of its movement stay 0.

    terrain: (h, w) codes. bodies: (M, 8). walker: (7,). cost to taken: the arrays of `Scratch`,
    overwritten except for threats, which is all 0. planes: (13, H, W), written.
    """
    height, width = terrain.shape
    for k in range(planes.shape[0]):
        if k != _SIGHT and k != _COVER:
            planes[k, :, :] = 0.0
    _mark_bodies(bodies, planes)
    second = int(walker[SECOND])
    _mark_distances(bodies, second, int(walker[UNITS]), height, width, planes)
    if bodies.shape[0] == 0 or int(bodies[0, ROLE]) != SELF or int(bodies[0, STATE]) == DEAD:
        return
    _find_costs(terrain, bodies, int(walker[CRAWLS]), cost, taken)
    x, y, size = int(bodies[0, X]), int(bodies[0, Y]), int(bodies[0, SIZE])
    movement_field_into(
        cost, x, y, size, threats, second, 0, best, heap, steps, exposures, previous
    )
    _mark_paths(steps, taken, walker, size, planes)


@inner_kernel
def _stands_between(bodies: Any, x0: int, y0: int, x1: int, y1: int) -> bool:
    """Return True if the line between two squares' centres enters the space of a body.

    Slot 0 and bodies on the far square do not count. The line enters a square between its ends if
    the square has corners on both sides of the line.
    """
    dx, dy = x1 - x0, y1 - y0
    for k in range(1, bodies.shape[0]):
        if int(bodies[k, ROLE]) == LOST or int(bodies[k, STATE]) == DEAD:
            continue
        size = int(bodies[k, SIZE])
        for j in range(bodies[k, Y] - y0, bodies[k, Y] - y0 + size):
            for i in range(bodies[k, X] - x0, bodies[k, X] - x0 + size):
                if i == dx and j == dy:
                    continue
                inside = min(0, dx) <= i <= max(0, dx) and min(0, dy) <= j <= max(0, dy)
                if inside and 2 * abs(dx * j - dy * i) < abs(dx) + abs(dy):
                    return True
    return False


@kernel
def write_cover_into(
    grades: npt.NDArray[np.uint8],
    bodies: npt.NDArray[np.int32],
    x: int,
    y: int,
    lowers: int,
    planes: npt.NDArray[np.float32],
) -> None:
    """Write the plane of cover against shots from a square of slot 0.

    grades: (h, w), the cover that the map alone gives from there, 0 to 3. bodies: (M, 8). lowers:
    if 1, only write values that are lower than the existing ones. planes: (13, H, W).
    """
    height, width = grades.shape
    for j in range(height):
        for i in range(width):
            grade = int(grades[j, i])
            if grade == 0 and _stands_between(bodies, x, y, i, j):
                grade = 1
            value = _COVER_VALUES[grade]
            if lowers == 0 or value < planes[_COVER, j, i]:
                planes[_COVER, j, i] = value


write_planes: Callable[..., None] = compiled(write_planes_into)
"""`write_planes_into`, for callers in Python."""
write_cover: Callable[..., None] = compiled(write_cover_into)
"""`write_cover_into`, for callers in Python."""


@lru_cache(maxsize=4096)
def cover_of_map(ground: bytes, height: int, width: int, x: int, y: int) -> npt.NDArray[np.uint8]:
    """Return the cover that a map alone gives against shots from a square; cached across games.

    Args:
        ground: the terrain codes, row by row.
        height: h.
        width: w.
        x: column of the square.
        y: row of the square.

    Returns:
        (h, w) uint8, 0 to 3, see `axiom_envs.dnd.geometry.cover`.
    """
    terrain = np.frombuffer(ground, np.uint8).reshape(height, width)
    walls, low = (terrain == WALL).astype(np.uint8), (terrain == OBSTACLE).astype(np.uint8)
    grades = np.empty((height, width), np.uint8)
    cover_field(walls, low, x, y, grades)
    return grades


def write_sight(views: Sequence[npt.NDArray[np.uint8]], planes: npt.NDArray[np.float32]) -> None:
    """Write the plane of line of sight.

    Args:
        views: the field of view from each square of slot 0, (h, w) uint8.
        planes: (13, H, W).
    """
    height, width = views[0].shape
    plane = planes[_SIGHT, :height, :width]
    plane[:] = views[0] == SEEN
    for view in views[1:]:
        plane[view == SEEN] = 1.0


def clear_shots(planes: npt.NDArray[np.float32]) -> None:
    """Clear line of sight and cover, for a slot 0 that cannot see or shoot. planes: (13, H, W)."""
    planes[_SIGHT] = planes[_COVER] = 0.0
