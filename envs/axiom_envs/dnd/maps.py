"""Random maps: places for two sides, and clusters of terrain around them.

The terrain never cuts a map in two.

Shapes: H is the number of rows (y, growing downwards), W the number of columns (x) of a map.

Order of draws of `make_terrain`: for each code of `ORDER` with a share above 0, cluster by cluster
until the share is reached: the size, the start (x, then y), and the draws of the pattern (see
`PATTERNS`). A cluster that would cut the map in two is drawn as well, but not laid.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from axiom_envs.dnd.constants import DIFFICULT, FLOOR, OBSCURED, OBSTACLE, WALL, WATER
from axiom_envs.dnd.data.scenario_checks import footprint
from axiom_envs.dnd.geometry.paths import connected
from axiom_envs.dnd.geometry.terrain import ENTER_COST
from axiom_gym.errors import ConfigError
from axiom_gym.seeded_rng import SeededRNG

Square = tuple[int, int]
Terrain = npt.NDArray[np.uint8]

ORDER = (WALL, WATER, OBSTACLE, DIFFICULT, OBSCURED)
"""The order in which terrain is laid; each code only takes floor that is left."""

SMALLEST, LARGEST = 2, 6
"""Minimum and maximum number of squares of a cluster."""

_STEPS: tuple[Square, ...] = ((0, -1), (1, 0), (0, 1), (-1, 0))


def _thicket(rng: SeededRNG, start: Square, size: int) -> list[Square]:
    """Grow in all directions. Each further square draws one of the squares so far, and a side."""
    squares = [start]
    while len(squares) < size:
        x, y = rng.pick(squares)
        dx, dy = rng.pick(_STEPS)
        squares.append((x + dx, y + dy))
    return squares


def _ruin(rng: SeededRNG, start: Square, size: int) -> list[Square]:
    """Build two straight arms at a right angle. Draws the direction, then the turn."""
    first = rng.below(4)
    second = first + 1 + 2 * rng.below(2)
    turns = [first] * (size // 2) + [second] * (size - 1 - size // 2)
    return _walk(start, turns)


def _ridge(rng: SeededRNG, start: Square, size: int) -> list[Square]:
    """Build a staircase along a diagonal. Draws one of the four diagonals."""
    first = rng.below(4)
    return _walk(start, [first + k % 2 for k in range(size - 1)])


def _creek(rng: SeededRNG, start: Square, size: int) -> list[Square]:
    """Wind along. Draws a direction, then for each step a turn: left, none or right."""
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
"""The shapes of clusters: (generator, first square, size) -> squares, possibly off the map."""

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
    """Make a map with clusters of terrain.

    Walls and water never cut the map: a body of size 1, and one of `size`, can walk between any two
    places where it can stand. Therefore there may be less of them than the share asks for.

    Args:
        rng: the generator; the module describes the draws.
        width: W.
        height: H.
        pattern: one of `PATTERNS`.
        shares: by terrain code, the maximum share of the map's squares that it covers.
        taken: squares (x, y) that stay floor.
        size: side of the largest body, in squares.
        mirrored: if True, the map is symmetric under a half turn. `taken` must have the same
            symmetry.

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
        # A cluster that does not fit is tried again elsewhere; the number of tries is bounded.
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
    """Lay as much of a cluster as fits and is wanted; return the number of squares laid.

    terrain: (H, W). free: (H, W), True where terrain may be laid.
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


# -- places ----------------------------------------------------------------------------------------

Area = tuple[int, int, int, int]
"""A rectangle of a map: its lowest x and y, and its extent along both axes."""


@dataclass(frozen=True, slots=True)
class Board:
    """The size of a map, and the start areas of its sides.

    Attributes:
        width, height: squares.
        starts: the start areas of the party and the foes, opposite each other.
    """

    width: int
    height: int
    starts: tuple[Area, Area]

    def room(self, size: int) -> int:
        """Return the number of bodies of `size` x `size` squares that a start area holds."""
        _, _, wide, high = self.starts[0]
        return (wide // size) * (high // size)

    def turn(self, places: Sequence[Square], sizes: Sequence[int]) -> list[Square]:
        """Return the places of bodies, whose sides are `sizes`, after a half turn of the map."""
        return [
            (self.width - x - size, self.height - y - size)
            for (x, y), size in zip(places, sizes, strict=True)
        ]


def start_areas(width: int, height: int) -> tuple[Area, Area, Area, Area]:
    """Return areas in the west, north, east and south: a third of the map, 2 squares or more."""
    wide, high = max(2, width // 3), max(2, height // 3)
    return (
        (0, 0, wide, height),
        (0, 0, width, high),
        (width - wide, 0, wide, height),
        (0, height - high, width, high),
    )


def draw_board(rng: SeededRNG, width: int, height: int) -> Board:
    """Create a board; draws which of `start_areas` is the party's."""
    areas = start_areas(width, height)
    end = rng.below(4)
    return Board(width, height, (areas[end], areas[(end + 2) % 4]))


def draw_places(rng: SeededRNG, area: Area, sizes: Sequence[int]) -> list[Square]:
    """Place bodies in an area; draws one shuffle of the area's squares, listed row by row.

    The largest bodies come first; each takes the first square of the shuffle where it has room. If
    one finds no room, the squares are taken row by row instead, which leaves no gaps.

    Args:
        rng: the generator.
        area: the area.
        sizes: the side of each body, in squares.

    Returns:
        For each body its lowest x and y.

    Raises:
        ConfigError: if there is no room for all.
    """
    x, y, wide, high = area
    squares = [(x + i, y + j) for j in range(high) for i in range(wide)]
    found = _fit(rng.shuffle(squares), sizes) or _fit(squares, sizes)
    if found is None:
        raise ConfigError(
            f"{len(sizes)} creatures have no room in a start area of {wide} x {high} squares: "
            "make the map larger, or the side smaller."
        )
    return found


def _fit(squares: Sequence[Square], sizes: Sequence[int]) -> list[Square] | None:
    free = set(squares)
    found: dict[int, Square] = {}
    for k in sorted(range(len(sizes)), key=lambda k: -sizes[k]):
        place = next((one for one in squares if free.issuperset(footprint(one, sizes[k]))), None)
        if place is None:
            return None
        free.difference_update(footprint(place, sizes[k]))
        found[k] = place
    return [found[k] for k in range(len(sizes))]
