"""Maps as text, field of view, cover, paths: against references of independent design."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from axiom_envs.dnd.constants import (
    DIRECTIONS,
    HALF_COVER,
    NO_COVER,
    THREE_QUARTERS_COVER,
    TOTAL_COVER,
)
from axiom_envs.dnd.geometry.cover import cover_field, cover_grade
from axiom_envs.dnd.geometry.paths import (
    OCCUPIED,
    connected,
    label_components,
    movement_field,
    path_to,
)
from axiom_envs.dnd.geometry.sight import BORDER, SEEN, UNSEEN, field_of_view
from axiom_envs.dnd.geometry.terrain import ENTER_COST, format_map, parse_map
from axiom_gym.errors import ConfigError

Map = npt.NDArray[np.uint8]


def draw_map(seed: int, height: int, width: int, share: float = 0.25) -> Map:
    """Return (H, W) uint8, 1 with this probability."""
    chance = np.random.default_rng(seed).random((height, width))
    return (chance < share).astype(np.uint8)


def view(opaque: Map, x: int, y: int, radius: int = 99) -> Map:
    visible = np.full(opaque.shape, 9, np.uint8)
    field_of_view(opaque, x, y, radius, visible)
    return visible


# -- maps ------------------------------------------------------------------------------------------


def test_parse_map__reads_what_format_map_writes() -> None:
    rows = [".#~", ",o%"]
    assert parse_map(rows).tolist() == [[0, 1, 2], [3, 4, 5]]
    assert format_map(parse_map(rows)) == rows


def test_parse_map__names_all_mistakes_with_their_place() -> None:
    with pytest.raises(ConfigError) as error:
        parse_map(["..x", "..", "?.."])
    text = str(error.value)
    assert "row 0, column 2: 'x'" in text
    assert "row 1: 2 columns, but row 0 has 3" in text
    assert "row 2, column 0: '?'" in text
    with pytest.raises(ConfigError, match="at least one row"):
        parse_map([])


# -- sight -----------------------------------------------------------------------------------------


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 9), st.integers(1, 9), st.sampled_from([0.1, 0.4]))
def test_field_of_view__is_mutual(seed: int, height: int, width: int, share: float) -> None:
    opaque = draw_map(seed, height, width, share)
    squares = [(x, y) for y in range(height) for x in range(width)]
    seen = {square: view(opaque, *square) == SEEN for square in squares}
    for x, y in squares:
        for i, j in squares:
            assert seen[x, y][j, i] == seen[i, j][y, x], (x, y, i, j)


def test_field_of_view__walls_cast_shadows() -> None:
    opaque = parse_map([".....", "..#..", "....."]) & 1
    assert view(opaque, 0, 1).tolist() == [
        [SEEN] * 5,
        [SEEN, SEEN, BORDER, UNSEEN, UNSEEN],
        [SEEN] * 5,
    ]


def test_field_of_view__without_walls_is_the_radius() -> None:
    opaque = np.zeros((9, 9), np.uint8)
    assert (view(opaque, 2, 7) == SEEN).all()
    near = np.zeros((9, 9), np.uint8)
    near[2:7, 1:6] = SEEN
    assert np.array_equal(view(opaque, 3, 4, 2), near)


def test_field_of_view__from_an_opaque_square_is_that_square() -> None:
    opaque = np.zeros((3, 3), np.uint8)
    opaque[1, 1] = 1
    assert view(opaque, 1, 1).sum() == SEEN
    assert view(opaque, 0, 1)[1, 1] == BORDER


# -- cover -----------------------------------------------------------------------------------------


def grade(*rows: str) -> int:
    """Return the cover of the target `t` from `a`; `#` is a wall, `b` a body."""
    places = {s: (x, y) for y, row in enumerate(rows) for x, s in enumerate(row) if s in "at"}
    walls = np.array([[s == "#" for s in row] for row in rows], np.uint8)
    bodies = np.array([[s == "b" for s in row] for row in rows], np.uint8)
    found = set()
    for turned in range(2):
        for flip_x in (1, -1):
            for flip_y in (1, -1):
                ends = []
                for mark in "at":
                    x, y = places[mark]
                    x = x if flip_x == 1 else walls.shape[1] - 1 - x
                    y = y if flip_y == 1 else walls.shape[0] - 1 - y
                    ends += [y, x] if turned else [x, y]
                maps = [np.ascontiguousarray(m[::flip_y, ::flip_x]) for m in (walls, bodies)]
                if turned:
                    maps = [np.ascontiguousarray(m.T) for m in maps]
                found.add(cover_grade(maps[0], maps[1], *ends))
    assert len(found) == 1, "reflections differ"
    return found.pop()


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (["a...t"], NO_COVER),
        (["at"], NO_COVER),
        (["a#t"], TOTAL_COVER),  # everything off the map is wall
        (["...", "a#t", "..."], HALF_COVER),
        (["..#..", "a.#.t", "..#.."], TOTAL_COVER),
        (["..#..", "a.#.t", "....."], HALF_COVER),
        (["a.b.t"], HALF_COVER),
        (["a....", "..b..", "....t"], HALF_COVER),
        (["a.b..", "....t"], HALF_COVER),
        (["a..", "b..", "..t"], NO_COVER),
        (["a#", "#t"], NO_COVER),  # touches a corner only
        (["a.#t"], TOTAL_COVER),
        (["....", "a.#t"], HALF_COVER),
        ([".....", "a....", "..#..", "....t"], THREE_QUARTERS_COVER),
    ],
)
def test_cover_grade__positions(rows: list[str], expected: int) -> None:
    assert grade(*rows) == expected


def test_cover_grade__bodies_at_the_ends_do_not_count() -> None:
    bodies = np.array([[1, 0, 0, 1]], np.uint8)
    nothing = np.zeros_like(bodies)
    assert cover_grade(nothing, bodies, 0, 0, 3, 0) == NO_COVER
    assert cover_grade(nothing, bodies, 0, 0, 0, 0) == NO_COVER
    bodies[0, 2] = 1
    assert cover_grade(nothing, bodies, 3, 0, 0, 0) == HALF_COVER


def crosses(walls: Map, start: tuple[int, int], end: tuple[int, int]) -> bool:
    """Return True if a line between corners is blocked; cuts it at every grid line."""
    (px, py), (qx, qy) = start, end
    cuts = {Fraction(0), Fraction(1)}
    for p, q in ((px, qx), (py, qy)):
        if p != q:
            cuts |= {Fraction(k - p, q - p) for k in range(min(p, q), max(p, q))}
    ordered = sorted(cuts)
    for left, right in pairwise(ordered):
        middle = (left + right) / 2
        x, y = px + (qx - px) * middle, py + (qy - py) * middle
        columns = [int(x) - 1, int(x)] if x.denominator == 1 else [int(x // 1)]
        rows = [int(y) - 1, int(y)] if y.denominator == 1 else [int(y // 1)]
        height, width = walls.shape
        inside = [
            0 <= i < width and 0 <= j < height and not walls[j, i] for i in columns for j in rows
        ]
        if not any(inside):
            return True
    return False


def test_cover_field__equals_a_reference_in_fractions() -> None:
    walls, nobody = draw_map(0, 7, 8, 0.2), np.zeros((7, 8), np.uint8)
    x0, y0 = 3, 3
    grades = np.full((7, 8), 9, np.uint8)
    cover_field(walls, nobody, x0, y0, grades)
    corners = [(i, j) for j in range(2) for i in range(2)]
    for y in range(7):
        for x in range(8):
            counts = [
                sum(crosses(walls, (x0 + a, y0 + b), (x + c, y + d)) for c, d in corners)
                for a, b in corners
            ]
            assert grades[y, x] == [0, 1, 1, 2, 3][min(counts)], (x, y)
            assert grades[y, x] == cover_grade(walls, nobody, x0, y0, x, y)
    assert set(np.unique(grades).tolist()) == {0, 1, 2, 3}


# -- paths -----------------------------------------------------------------------------------------


class Field:
    """The outputs of `movement_field`."""

    def __init__(
        self,
        cost: Map,
        x: int,
        y: int,
        size: int = 1,
        threats: npt.NDArray[np.uint16] | None = None,
        diagonals: int = 0,
        parity: int = 0,
    ) -> None:
        shape = cost.shape
        if threats is None:
            threats = np.zeros(shape, np.uint16)
        self.cost, self.exposure = np.full(shape, 9, np.int16), np.full(shape, 9, np.int16)
        self.previous, self.diagonals = np.full((2, *shape), 9, np.int8), diagonals
        movement_field(
            cost, x, y, size, threats, diagonals, self.cost, self.exposure, self.previous, parity
        )

    def path(self, x: int, y: int) -> list[int] | None:
        out = np.empty(self.previous.size, np.int8)
        length = path_to(self.previous, x, y, out, self.diagonals)
        return None if length < 0 else out[:length].tolist()


def entered(cost: Map, x: int, y: int, size: int) -> int:
    height, width = cost.shape
    if x < 0 or y < 0 or x + size > width or y + size > height:
        return 0
    space = cost[y : y + size, x : x + size]
    return 0 if (space == 0).any() else int(space.max())


def step_price(
    cost: Map, x: int, y: int, size: int, direction: int, parity: int, diagonals: int
) -> int | None:
    dx, dy = DIRECTIONS[direction]
    price = entered(cost, x + dx, y + dy, size)
    if price in (0, OCCUPIED):
        return None
    if dx and dy:
        if not entered(cost, x + dx, y, size) and not entered(cost, x, y + dy, size):
            return None
        price += diagonals * parity
    return price


def attacks(
    threats: npt.NDArray[np.uint16], old: tuple[int, int], new: tuple[int, int], size: int
) -> int:
    (x, y), (i, j) = old, new
    before = int(np.bitwise_or.reduce(threats[y : y + size, x : x + size], axis=None))
    after = int(np.bitwise_or.reduce(threats[j : j + size, i : i + size], axis=None))
    return (before & ~after).bit_count()


Node = tuple[int, int, int]


def relax(
    cost: Map, start: Node, size: int, threats: npt.NDArray[np.uint16], diagonals: int
) -> dict[Node, tuple[int, int]]:
    """Return (feet / 5, attacks) of the best paths, by Bellman-Ford over squares and parity."""
    best = {start: (0, 0)}
    while True:
        before = dict(best)
        for (x, y, parity), (feet, hits) in before.items():
            for direction, (dx, dy) in enumerate(DIRECTIONS):
                price = step_price(cost, x, y, size, direction, parity, diagonals)
                if price is None:
                    continue
                turned = parity ^ (diagonals & direction & 1)
                node = (x + dx, y + dy, turned)
                way = (feet + price, hits + attacks(threats, (x, y), node[:2], size))
                best[node] = min(way, best.get(node, way))
        if best == before:
            return best


@pytest.mark.parametrize("size", [1, 2])
@pytest.mark.parametrize("diagonals", [0, 1])
@pytest.mark.parametrize("seed", range(3))
def test_movement_field__equals_a_reference(size: int, diagonals: int, seed: int) -> None:
    chance = np.random.default_rng(seed)
    odds = [0.12, 0.6, 0.13, 0.08, 0.07]
    cost = chance.choice(np.array([0, 1, 2, 3, OCCUPIED], np.uint8), (7, 8), p=odds)
    cost[2:4, 3:5] = 1
    threats = np.zeros((7, 8), np.uint16)
    for enemy in range(3):
        x, y = int(chance.integers(0, 6)), int(chance.integers(0, 5))
        threats[y : y + 3, x : x + 3] |= np.uint16(1 << enemy)
    parity = seed % 2 * diagonals
    ways = Field(cost, 3, 2, size, threats, diagonals, parity)
    best = relax(cost, (3, 2, parity), size, threats, diagonals)
    for y in range(7):
        for x in range(8):
            found = [best[node] for k in (0, 1) if (node := (x, y, k)) in best]
            expected = min(found, default=(-1, 0))
            assert (ways.cost[y, x], ways.exposure[y, x]) == expected, (x, y)
            follow(ways, cost, threats, size, parity, x, y)


def follow(
    ways: Field, cost: Map, threats: npt.NDArray[np.uint16], size: int, parity: int, x: int, y: int
) -> None:
    """Check that the path to a square leads there, at the cost in the field."""
    steps = ways.path(x, y)
    if steps is None:
        assert ways.cost[y, x] == -1
        return
    i, j, feet, hits = 3, 2, 0, 0
    for direction in steps:
        price = step_price(cost, i, j, size, direction, parity, ways.diagonals)
        assert price is not None
        dx, dy = DIRECTIONS[direction]
        hits += attacks(threats, (i, j), (i + dx, j + dy), size)
        i, j, feet, parity = i + dx, j + dy, feet + price, parity ^ (direction & 1)
    assert (i, j, feet, hits) == (x, y, ways.cost[y, x], ways.exposure[y, x])


def test_movement_field__ties_take_the_first_direction_as_last_step() -> None:
    ways = Field(np.ones((5, 5), np.uint8), 2, 2)
    assert ways.path(2, 0) == [0, 0]  # not north-west, north-east
    assert ways.path(4, 3) == [3, 2] or ways.path(4, 3) == [2, 3]
    assert ways.path(4, 3)[-1] == 2  # type: ignore[index]  # east before south-east
    assert ways.path(2, 2) == []


def test_movement_field__avoids_threats_on_equally_short_paths() -> None:
    threats = np.zeros((3, 5), np.uint16)
    threats[0, 1:4] = 1
    ways = Field(np.ones((3, 5), np.uint8), 0, 1, threats=threats)
    assert ways.exposure[1, 4] == 0
    threats[:, 1:4] = 3
    ways = Field(np.ones((3, 5), np.uint8), 0, 1, threats=threats)
    assert ways.exposure[1, 4] == 2
    assert ways.exposure[1, 3] == 0  # it stays in their reach


def test_movement_field__no_squeezing_between_corners_but_between_creatures() -> None:
    cost = np.array([[1, 0], [0, 1]], np.uint8)
    assert Field(cost, 0, 0).cost[1, 1] == -1
    assert Field(cost, 0, 0).path(1, 1) is None
    cost[0, 1] = 1
    assert Field(cost, 0, 0).cost[1, 1] == 1
    cost[0, 1] = cost[1, 0] = OCCUPIED
    assert Field(cost, 0, 0).cost.tolist() == [[0, -1], [-1, 1]]


def test_movement_field__every_second_diagonal_is_longer() -> None:
    ways = Field(np.ones((5, 5), np.uint8), 0, 0, diagonals=1)
    assert np.diag(ways.cost).tolist() == [0, 1, 3, 4, 6]
    ways = Field(np.ones((5, 5), np.uint8), 0, 0, diagonals=1, parity=1)
    assert np.diag(ways.cost).tolist() == [0, 2, 3, 5, 6]


def test_connected__diagonal_gaps_and_narrow_doors() -> None:
    def cost(*rows: str) -> Map:
        found: Map = ENTER_COST[parse_map(rows)]
        return found

    assert not connected(cost(".#", "#."))
    assert connected(cost(".#", ".."))
    assert not connected(cost(".~.", ".~."))
    door = cost("..#..", ".....", "..#..")
    assert connected(door)
    assert not connected(door, 2)
    labels = np.empty((3, 5), np.int16)
    assert label_components(door, 2, labels) == 2
    assert labels.tolist() == [[0, -1, -1, 1, -1], [0, -1, -1, 1, -1], [-1] * 5]
    assert connected(cost("#"))
