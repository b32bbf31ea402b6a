"""Bodies on a map, and caches that are dropped when something changes."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np
import pytest

from axiom_envs.dnd.constants import DIFFICULT, FLOOR, OBSCURED, OBSTACLE, WALL
from axiom_envs.dnd.geometry.terrain import parse_map
from axiom_envs.dnd.grid import Grid
from axiom_gym.errors import ConfigError


def make(*rows: str, diagonals: str = "5") -> Grid:
    return Grid(parse_map(rows), diagonals=diagonals)


def bare(width: int = 6, height: int = 6, diagonals: str = "5") -> Grid:
    return Grid(np.zeros((height, width), np.uint8), diagonals=diagonals)


def test_place__takes_free_ground_only() -> None:
    grid = make("..#", "...", "..~")
    grid.place(0, 0, 0, size=2)
    assert grid.squares(0) == [(0, 0), (1, 0), (0, 1), (1, 1)]
    assert [grid.body_at(1, 1), grid.body_at(2, 1)] == [0, -1]
    assert grid.free_body() == 1
    for place, reason in [
        (lambda: grid.place(1, 1, 1), "body 0 is there"),
        (lambda: grid.place(1, 2, 0), "a wall is there"),
        (lambda: grid.place(1, 2, 2), "water is there"),
        (lambda: grid.place(1, 2, 1, size=2), "the map ends there"),
        (lambda: grid.place(0, 2, 1), "already on the grid"),
        (lambda: grid.place(64, 2, 1), "from 0 to 63, got 64"),
        (lambda: grid.place(1, 2, 1, size=3), "from 1 to 2, got 3"),
    ]:
        with pytest.raises(ConfigError, match=reason):
            place()
    assert grid.occupants(1, 1) == 1


def test_move__may_share_a_square_and_frees_the_old_one() -> None:
    grid = bare()
    grid.place(63, 0, 0)
    grid.place(2, 1, 0)
    grid.move(63, 1, 0)
    assert grid.occupants(1, 0) == 1 << 63 | 1 << 2
    assert grid.body_at(1, 0) == 2
    grid.move(63, 2, 0)
    assert [grid.body_at(x, 0) for x in range(3)] == [-1, 2, 63]
    grid.remove(63)
    assert grid.body_at(2, 0) == -1
    with pytest.raises(ConfigError, match="no body 63 is on the grid; there are: 2"):
        grid.position(63)


@pytest.mark.parametrize(
    "call",
    [
        lambda grid: grid.body_at(6, 0),
        lambda grid: grid.field_of_view(0, -1),
        lambda grid: grid.line_of_sight(0, 0, 0, 6),
        lambda grid: grid.distance_to(0, 9, 0),
        lambda grid: grid.set_terrain(6, 0, 0),
        lambda grid: grid.set_terrain(0, 0, 6),
        lambda grid: grid.move(0, -1, 0),
        lambda grid: grid.movement(0).path(0, 6),
        lambda grid: grid.movement(0, threats=np.zeros((6, 6), np.uint8)),
        lambda grid: grid.push(0, 2, 0),
    ],
)
def test_bad_input__names_the_value_and_the_range(call: Callable[[Grid], object]) -> None:
    grid = bare()
    grid.place(0, 1, 1)
    with pytest.raises(ConfigError, match=r"from -?\d to \d, got|must be uint16"):
        call(grid)
    with pytest.raises(ConfigError, match="terrain must be"):
        Grid(np.full((2, 2), 6))
    with pytest.raises(ConfigError, match="shape of the terrain"):
        Grid(np.zeros((2, 2), np.uint8), np.zeros((2, 3), np.uint8))
    with pytest.raises(ConfigError, match="diagonals"):
        bare(diagonals="7")


def test_distance__between_nearest_squares() -> None:
    for diagonals, feet in (("5", 15), ("5-10-5", 20)):
        grid = bare(diagonals=diagonals)
        grid.place(0, 0, 0, size=2)
        grid.place(1, 4, 3)
        assert grid.distance(0, 1) == grid.distance(1, 0) == feet
        assert grid.distance_to(0, 1, 1) == 0
        reach = grid.reach_squares(0, feet)
        assert reach[3, 4]
        assert not grid.reach_squares(0, feet - 5)[3, 4]
        expected = [[grid.distance_to(0, x, y) <= feet for x in range(6)] for y in range(6)]
        assert reach.tolist() == expected


def test_sees__any_square_of_a_large_body() -> None:
    grid = make("..#...", "......", "......")
    grid.place(0, 0, 0)
    grid.place(1, 3, 0)
    assert not grid.line_of_sight(0, 0, 3, 0)
    assert not grid.sees(0, 1)
    grid.remove(1)
    grid.place(1, 3, 0, size=2)
    assert grid.sees(0, 1)
    assert grid.sees(1, 0)


def test_cover__of_bodies_obstacles_and_large_targets() -> None:
    grid = bare(8, 4)
    grid.place(0, 0, 1)
    grid.place(1, 6, 1)
    assert grid.cover(0, 1) == 0
    grid.place(2, 3, 1)
    assert grid.cover(0, 1) == 1
    grid.remove(2)
    grid.set_terrain(5, 1, OBSTACLE)
    assert grid.cover(0, 1) == 1
    grid.remove(1)
    grid.place(1, 6, 1, size=2)
    assert grid.cover(0, 1) == 0  # its lower squares are visible past the obstacle
    for y in range(4):
        grid.set_terrain(3, y, WALL)
    assert grid.cover(0, 1) == 3


def test_cover__from_the_best_square_of_a_large_attacker() -> None:
    grid = bare(8, 4)
    grid.place(0, 0, 0, size=2)
    grid.place(1, 6, 0)
    grid.place(2, 3, 1)
    assert grid.cover(0, 1) == 0  # along the top row; from its last square body 2 is between
    grid.remove(0)
    grid.place(0, 1, 1)
    assert grid.cover(0, 1) == 1


def test_step_cost__adds_up_and_says_why_not() -> None:
    grid = make("..,", ".#.", "o..")
    grid.place(0, 1, 0)
    assert grid.step_cost(0, 0, 0) == 5
    assert grid.step_cost(0, 2, 0) == 10
    assert grid.step_cost(0, 2, 0, crawling=True) == 15
    grid.place(1, 2, 0)
    assert (
        grid.step_cost(0, 2, 0, crawling=True) == 15
    )  # difficult only once, for any number of reasons
    grid.place(2, 0, 0)
    assert grid.step_cost(0, 0, 0) == 10
    assert grid.step_cost(0, 1, 1) is None
    assert grid.why_not_step(0, 1, 1) == "a wall is there"
    assert grid.why_not_step(0, 1, -1) == "the map ends there"
    assert grid.why_not_step(0, 1, 0) == "(1, 0) is not adjacent to (1, 0)"
    grid.set_terrain(0, 1, WALL)
    grid.move(0, 0, 2)
    grid.set_terrain(1, 2, WALL)
    grid.set_terrain(1, 1, FLOOR)
    assert grid.why_not_step(0, 1, 1) == "there is no room between two corners"
    second = bare(diagonals="5-10-5")
    second.place(0, 0, 0)
    assert [second.step_cost(0, 1, 1, parity=k) for k in (0, 1)] == [5, 10]
    assert second.step_cost(0, 1, 0, parity=1) == 5


def test_movement__costs_of_bodies_and_end_squares() -> None:
    grid = bare(5, 1)
    grid.place(0, 0, 0)
    grid.place(1, 2, 0)
    field = grid.movement(0)
    assert field.feet.tolist() == [[0, 5, 15, 20, 25]]
    assert field.reachable(20).tolist() == [[True, True, False, True, False]]
    assert field.path(3, 0) == [(1, 0), (2, 0), (3, 0)]
    assert field.path(0, 0) == []
    blocked = grid.movement(0, blocked_bodies=1 << 1)
    assert blocked.feet.tolist() == [[0, 5, -1, -1, -1]]
    with pytest.raises(ConfigError, match=r"no path to \(3, 0\)"):
        blocked.path(3, 0)
    assert grid.movement(0, crawling=True).feet.tolist() == [[0, 10, 25, 35, 45]]


def test_movement__a_large_body_needs_room() -> None:
    grid = make(".....", ".....", "..#..")
    grid.place(0, 0, 0, size=2)
    grid.place(1, 4, 1)
    field = grid.movement(0)
    assert field.feet[0].tolist() == [0, 5, 10, 20, -1]
    assert field.feet[1].tolist() == [5, -1, -1, 20, -1]
    assert field.reachable(60)[0].tolist() == [True, True, True, False, False]


def test_movement__agrees_with_step_costs() -> None:
    grid = make("..,#", ".o..", "~.,.", "....")
    grid.place(0, 0, 0)
    grid.place(1, 2, 1)
    grid.place(2, 1, 2)
    for crawling in (False, True):
        field = grid.movement(0, crawling=crawling)
        for x, y in [(3, 3), (3, 1), (0, 3)]:
            copy, feet = Grid.load(grid.save()), 0
            for square in field.path(x, y):
                step = copy.step_cost(0, *square, crawling=crawling)
                assert step is not None
                feet += step
                copy.move(0, *square)
            assert feet == field.feet[y, x]


def test_push__only_onto_free_ground() -> None:
    grid = make("....", "..#.", "....")
    grid.place(0, 0, 0)
    assert grid.push(0, 1, 0) == (1, 0)
    assert grid.push(0, 1, 1) is None
    grid.place(1, 2, 0)
    assert grid.push(0, 1, 0) is None
    assert grid.push(0, 0, -1) is None
    assert grid.position(0) == (1, 0)


def test_caches__are_kept_until_their_inputs_change() -> None:
    grid = bare()
    grid.place(0, 0, 0)
    grid.place(1, 5, 5)
    view, reach = grid.field_of_view(0, 0), grid.reach_squares(0, 5)
    field = grid.movement(0)
    assert grid.movement(0) is field
    assert grid.movement(0, crawling=True) is not field
    grid.set_terrain(3, 3, DIFFICULT)
    assert grid.field_of_view(0, 0) is view
    assert grid.movement(0) is not field
    field = grid.movement(0)
    grid.set_terrain(2, 5, OBSCURED)
    assert grid.movement(0) is field
    assert grid.field_of_view(0, 0) is not view
    view = grid.field_of_view(0, 0)
    grid.move(1, 5, 4)
    assert grid.field_of_view(0, 0) is view
    assert grid.reach_squares(0, 5) is reach
    assert grid.movement(0) is not field
    assert not view.flags.writeable
    assert not reach.flags.writeable


def test_save__restores_an_equal_grid() -> None:
    grid = Grid(parse_map(["..,", "#o."]), np.array([[0, 1, 2], [2, 2, 2]]), diagonals="5-10-5")
    grid.place(3, 0, 0)
    grid.place(1, 1, 0)
    grid.move(1, 0, 0)
    saved = json.loads(json.dumps(grid.save()))
    again = Grid.load(saved)
    assert again.save() == saved
    assert again.occupants(0, 0) == 0b1010
    for broken in ({}, {**saved, "bodies": [[1, 0, 1, 1]]}, {**saved, "light": ["xyz", "222"]}):
        with pytest.raises(ConfigError, match=r"not a saved grid|a wall is there"):
            Grid.load(broken)
