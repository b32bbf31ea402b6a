"""Maps made by chance: terrain in clusters around bodies that stand already, never cut in two.

Axis letters: H rows (y, growing downwards) and W columns (x) of a map.

Order of draws of `make_terrain`: for each code of `ORDER` with a share above 0, cluster by cluster
until the share is reached: the size, the start (x, then y), and what the pattern draws, as said at
`PATTERNS`. A cluster that would cut the map in two is drawn too, but not laid.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from axiom_envs.dnd.geometry.paths import connected
from axiom_envs.dnd.geometry.terrain import (
    DIFFICULT,
    ENTER_COST,
    FLOOR,
    OBSCURED,
    OBSTACLE,
    WALL,
    WATER,
)
from axiom_gym.seeded_rng import SeededRNG

Square = tuple[int, int]
Terrain = npt.NDArray[np.uint8]

ORDER = (WALL, WATER, OBSTACLE, DIFFICULT, OBSCURED)
"""What is laid first; what comes later takes only floor that is left."""

SMALLEST, LARGEST = 2, 6
"""Squares of a cluster."""

_STEPS: tuple[Square, ...] = ((0, -1), (1, 0), (0, 1), (-1, 0))


def _thicket(rng: SeededRNG, start: Square, size: int) -> list[Square]:
    """Grows on any side. Draws for each further square one of those that there are, and a side."""
    squares = [start]
    while len(squares) < size:
        x, y = rng.pick(squares)
        dx, dy = rng.pick(_STEPS)
        squares.append((x + dx, y + dy))
    return squares


def _ruin(rng: SeededRNG, start: Square, size: int) -> list[Square]:
    """Two straight arms at a right angle. Draws the direction, and which way it turns."""
    first = rng.below(4)
    second = first + 1 + 2 * rng.below(2)
    turns = [first] * (size // 2) + [second] * (size - 1 - size // 2)
    return _walk(start, turns)


def _ridge(rng: SeededRNG, start: Square, size: int) -> list[Square]:
    """A staircase along a diagonal. Draws one of the four."""
    first = rng.below(4)
    return _walk(start, [first + k % 2 for k in range(size - 1)])


def _creek(rng: SeededRNG, start: Square, size: int) -> list[Square]:
    """Winds on. Draws a direction, then for each step whether it turns left, not, or right."""
    heading = rng.below(4)
    turns = []
    for _ in range(size - 1):
        heading += rng.below(3) - 1
        turns.append(heading)
    return _walk(start, turns)


def _walk(start: Square, turns: Iterable[int]) -> list[Square]:
    squares = [start]
    for turn in turns:
        dx, dy = _STEPS[turn % 4]
        squares.append((squares[-1][0] + dx, squares[-1][1] + dy))
    return squares


Pattern = Callable[[SeededRNG, Square, int], list[Square]]

PATTERNS: Mapping[str, Pattern] = {
    "thickets": _thicket,
    "ruins": _ruin,
    "ridges": _ridge,
    "creeks": _creek,
}
"""The shapes of clusters: (generator, first square, how many) -> squares, perhaps off the map."""

TRAINING_PATTERNS = ("thickets", "ruins")
HELD_OUT_PATTERNS = ("ridges", "creeks")


def make_terrain(
    rng: SeededRNG,
    width: int,
    height: int,
    *,
    pattern: str,
    shares: Mapping[int, float],
    taken: Iterable[Square],
    size: int = 1,
    mirrored: bool = False,
) -> Terrain:
    """A map with clusters of terrain.

    Walls and water never cut it: a body of size 1, and one of `size`, can walk from wherever it can
    stand to everywhere else it can. So there may be less of them than was asked for.

    Args:
        rng: draws as the module says.
        width: W.
        height: H.
        pattern: one of `PATTERNS`.
        shares: the share of the map's squares that each terrain code is to cover, at most.
        taken: squares (x, y) that stay floor.
        size: of the largest body, in squares.
        mirrored: whether the map is to be its own image when it is turned by half a turn. `taken`
            must be so then.

    Returns:
        (H, W) uint8, codes of `axiom_envs.dnd.geometry.terrain`.
    """
    terrain = np.zeros((height, width), np.uint8)
    free = np.ones((height, width), np.bool_)
    for x, y in taken:
        free[y, x] = False
    sizes = (1,) if size == 1 else (1, size)
    for code in ORDER:
        wanted = round(shares.get(code, 0.0) * width * height)
        # What does not fit is tried again elsewhere, but not for ever.
        for _ in range(8 + wanted):
            if wanted <= 0:
                break
            squares = _draw_cluster(rng, pattern, width, height)
            wanted -= _lay(terrain, free, code, squares, wanted, sizes, mirrored)
    return terrain


def _draw_cluster(rng: SeededRNG, pattern: str, width: int, height: int) -> list[Square]:
    size = rng.range(SMALLEST, LARGEST)
    start = (rng.below(width), rng.below(height))
    return PATTERNS[pattern](rng, start, size)


def _lay(
    terrain: Terrain,
    free: npt.NDArray[np.bool_],
    code: int,
    squares: Sequence[Square],
    wanted: int,
    sizes: Sequence[int],
    mirrored: bool,
) -> int:
    """Lays as much of a cluster as fits and is wanted; returns how many squares that are.

    terrain: (H, W). free: (H, W), what may be laid on.
    """
    height, width = terrain.shape
    laid: list[Square] = []
    for x, y in squares:
        if not (0 <= x < width and 0 <= y < height and free[y, x]):
            continue
        images = {(x, y), (width - 1 - x, height - 1 - y)} if mirrored else {(x, y)}
        if len(laid) + len(images) <= wanted:
            laid += images
            for i, j in images:
                terrain[j, i] = code
                free[j, i] = False
    if ENTER_COST[code] == 0 and laid and not _is_whole(terrain, sizes):
        for x, y in laid:
            terrain[y, x] = FLOOR
            free[y, x] = True
        return 0
    return len(laid)


def _is_whole(terrain: Terrain, sizes: Sequence[int]) -> bool:
    cost = ENTER_COST[terrain]
    return all(connected(cost, size) for size in sizes)
