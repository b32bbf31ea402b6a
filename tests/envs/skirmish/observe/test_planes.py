"""Observations: the layout and the planes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from axiom_envs.dnd.constants import DROP_PRONE, OBSTACLE, WALL
from axiom_envs.dnd.engine.encounter.choices import Choice
from axiom_envs.dnd.geometry.cover import cover_field
from axiom_envs.skirmish.observe import feature_names, observation_size, split
from axiom_envs.skirmish.observe.layout import (
    ENTITY_NAMES,
    ENTITY_SIZE,
    GLOBAL_SIZE,
    PLANE_COUNT,
    PLANES,
    plane_index,
)
from axiom_gym.seeded_rng import SeededRNG

# -- layout ----------------------------------------------------------------------------------------


def test_layout__matches_the_specification() -> None:
    assert (PLANE_COUNT, ENTITY_SIZE, GLOBAL_SIZE) == (20, 107, 16)
    assert observation_size(4, 12, 12) == 20 * 144 + 8 * 107 + 16


def test_feature_names__are_one_for_each_entry() -> None:
    names = feature_names(2, 5, 4)
    assert len(names) == len(set(names)) == observation_size(2, 5, 4)
    assert names[plane_index("walls") * 20 + 3 * 5 + 4] == "plane.walls[y=3,x=4]"
    for name in ("self.hp", "ally1.condition.prone", "enemy0.x", "global.round"):
        assert name in names


def test_split__gives_views() -> None:
    observation = np.arange(observation_size(2, 5, 4), dtype=np.float32)
    planes, entities, tail = split(observation, 2, 5, 4)
    assert planes.shape == (20, 4, 5)
    assert entities.shape == (4, 107)
    assert tail.shape == (16,)
    assert planes[1, 0, 1] == 21
    assert entities[0, 0] == 400
    assert tail[-1] == observation[-1]
    assert all(np.shares_memory(part, observation) for part in (planes, entities, tail))


def test_tables__give_every_scale() -> None:
    assert all(plane.scale for plane in PLANES)
    assert len(set(ENTITY_NAMES)) == 107


# -- whole games -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "party", "foes"),
    [
        (("P.o.F.", ".#..~.", "P.,.F.", ".%..o."), "goblin", ["hobgoblin", "wolf"]),
        (("P..#...", "....F..", "..o....", "P......"), ["fighter", "rogue"], "ogre"),
        (("P....F.", ".......", ".......", "P......"), ["giant_spider", "ranger"], "barbarian"),
    ],
)  # fmt: skip
def test_write_observation__is_bounded_complete_and_equal_to_a_fresh_one(
    stages: Any, rows: tuple[str, ...], party: Any, foes: Any
) -> None:
    stage, rng = stages(*rows, party=party, foes=foes), SeededRNG(2)
    for count in range(40):
        for player in (0, 1):
            out = stage.write(player)
            assert np.all(np.abs(out) <= 1)
            if count % 4 == player:
                assert np.array_equal(out, stage.write(player, fresh=True))
        if stage.encounter.over:
            break
        stage.encounter.act(rng.pick(stage.encounter.legal_actions()))
        stage.update()
    assert count > 10


# -- planes ----------------------------------------------------------------------------------------


def test_planes__show_the_map(stages: Any) -> None:
    stage = stages("P.#.", "~,o%", "....", "..F.")
    for name, square in (
        ("walls", (0, 2)), ("water", (1, 0)), ("difficult", (1, 1)), ("obstacles", (1, 2)),
        ("obscured", (1, 3)),
    ):  # fmt: skip
        assert [tuple(one) for one in np.argwhere(stage.plane(name))] == [square]
    assert stage.plane("in_bounds").all()
    assert (stage.plane("light") == 1).all()


def test_planes__are_zero_where_the_board_is_larger_than_the_map(stages: Any) -> None:
    stage = stages.open_field()
    stage.width, stage.height = 9, 7
    planes = stage.parts()[0]
    assert planes[0].sum() == 30
    assert not planes[:, 5:].any()
    assert not planes[:, :, 6:].any()
    assert np.array_equal(planes[:, :5, :6], stages.open_field().parts()[0])


def test_planes__positions_of_creatures(stages: Any) -> None:
    stage = stages.open_field()
    first, second = stage.sides[0]
    stage.turn_of(second)
    second.health.current = 1
    first.health.current = 5
    assert np.argwhere(stage.plane("self")).tolist() == [[3, 1]]
    assert np.argwhere(stage.plane("allies")).tolist() == [[0, 0]]
    assert stage.plane("allies")[0, 0] == pytest.approx(5 / first.health.maximum.score, abs=1e-3)
    assert np.argwhere(stage.plane("enemies")).tolist() == [[3, 4]]
    distances = stage.plane("enemy_distance") * 16
    assert distances[3, 4] == 0
    assert distances[0, 0] == 4
    assert not stage.plane("bodies").any()


def test_planes__large_creatures_cover_four_squares(stages: Any) -> None:
    stage = stages("P.....", "......", "....F.", "......", foes="ogre")
    assert np.argwhere(stage.plane("enemies")).tolist() == [[2, 4], [2, 5], [3, 4], [3, 5]]
    assert np.argwhere(stage.plane("self", 1)).tolist() == [[2, 4], [2, 5], [3, 4], [3, 5]]


def test_planes__the_dead_and_the_dying(stages: Any) -> None:
    stage = stages.open_field()
    first, second = stage.sides[0]
    second.health.current = 0
    first.health.current, first.health.dead = 0, True
    bodies = stage.plane("bodies")
    assert bodies[0, 0] == 1
    assert bodies[3, 1] == 0.5
    assert bodies.sum() == 1.5


@pytest.mark.parametrize("diagonals", ["5", "5-10-5"])
@pytest.mark.parametrize("creature", ["guard", "ogre"])
def test_planes__paths_agree_with_legal_moves(stages: Any, creature: str, diagonals: str) -> None:
    stage = stages(
        "P...P...", "........", "..#.,...", ".,#..~..", "....,F..", "........",
        party=[creature, "guard"], diagonals=diagonals,
    )  # fmt: skip
    mover = stage.sides[0][0]
    stage.turn_of(mover)
    for prone in (False, True):
        if prone:
            stage.encounter.act(Choice(DROP_PRONE))
        legal, reachable = stage.encounter.legal, stage.plane("reachable") > 0
        assert legal.cells is not None
        assert legal.field is not None
        x, y = mover.position or (0, 0)
        reachable[y, x] = legal.cells[y, x]
        assert np.array_equal(reachable, legal.cells)
        speed = mover.economy.current_speed
        way = np.where(legal.field.feet < 0, speed, legal.field.feet) / speed
        assert np.allclose(stage.plane("path_cost"), np.minimum(1, way))
        assert np.array_equal(stage.plane("reachable_dash") > 0, legal.field.reachable(2 * speed))


def test_planes__no_square_is_reachable_in_the_opponents_turn(stages: Any) -> None:
    stage = stages.open_field()
    stage.turn_of(stage.sides[1][0])
    assert not stage.plane("reachable").any()
    assert not stage.plane("reachable_dash").any()
    assert stage.plane("reachable", 1).any()


def test_planes__feet_that_only_lead_to_enemies_do_not_count(stages: Any) -> None:
    stage = stages("P" + "." * 14 + "F", *["." * 16] * 3)
    one = stage.sides[0][0]
    stage.turn_of(one)
    one.economy.extra = one.economy.toward = 30
    assert np.flatnonzero(stage.plane("reachable")[0]).tolist() == list(range(7))


@pytest.mark.parametrize(("creature", "passes"), [("kobold", True), ("guard", False)])
def test_planes__small_creatures_pass_large_ones(stages: Any, creature: str, passes: bool) -> None:
    stage = stages("P.F...", "......", "######", "......", party=creature, foes="ogre")
    stage.turn_of(stage.sides[0][0])
    assert stage.plane("reachable_dash")[0, 5] == passes


def test_planes__last_known_positions_are_not_obstacles(stages: Any) -> None:
    stage = stages.walled()
    one = stage.sides[0][0]
    stage.turn_of(one)
    before, plane = stage.parts()[0], plane_index("last_known")
    stage.last_seen["party", stage.sides[1][0].number] = (1, 1)
    after = stage.parts()[0]
    assert after[plane, 1, 1] == 1
    after[plane] = 0
    assert np.array_equal(after, before)


def test_planes__reach_ignores_enemies_that_cannot_see(stages: Any) -> None:
    stage = stages("P.#F", "..#.", "..#.", "...P")
    first, second = stage.sides[0]
    for one, count in ((first, 0), (second, 4)):
        stage.turn_of(one)
        assert stage.seen["party"]
        assert np.count_nonzero(stage.plane("enemy_reach")) == count


def test_planes__reach_needs_a_reaction(stages: Any) -> None:
    stage = stages.open_field()
    foe = stage.sides[1][0]
    stage.turn_of(stage.sides[0][0])
    reach = stage.plane("enemy_reach") * stage.units
    assert np.argwhere(reach).tolist() == [[y, x] for y in (2, 3, 4) for x in (3, 4, 5)]
    assert (stage.plane("ally_reach") * stage.units).sum() == 9
    foe.economy.used = dict.fromkeys(foe.economy.used, 1)
    assert not stage.plane("enemy_reach").any()


def test_planes__reach_ten_without_the_far_corners_of_longer_diagonals(stages: Any) -> None:
    rows = ("P......", ".......", ".......", "....F..", ".......", ".......")
    for diagonals, squares in (("5", 25), ("5-10-5", 21)):
        stage = stages(*rows, diagonals=diagonals)
        foe = stage.sides[1][0]
        foe.equipment.profiles[0].reach = 10
        stage.turn_of(stage.sides[0][0])
        assert np.count_nonzero(stage.plane("enemy_reach")) == squares


def test_planes__sight_and_cover_agree_with_the_grid(stages: Any) -> None:
    stage = stages("P..o...", "...#.F.", ".......", "P....F.", "..#....", "....F..")
    shooter = stage.sides[0][0]
    stage.turn_of(shooter)
    grid = shooter.world.grid
    assert grid is not None
    assert np.array_equal(stage.plane("line_of_sight"), grid.field_of_view(0, 0) == 1)
    cover = stage.plane("cover")
    for foe in stage.sides[1]:
        x, y = foe.position or (0, 0)
        expected = (0, 0.2, 0.5, 1)[grid.cover(shooter.body, foe.body)]
        assert cover[y, x] == pytest.approx(expected)


@settings(deadline=None, max_examples=30)
@given(
    rows=st.lists(st.text("....#o,", min_size=6, max_size=6), min_size=4, max_size=4),
    squares=st.sets(
        st.tuples(st.integers(0, 5), st.integers(0, 3)).filter(lambda one: one != (0, 0)),
        min_size=4,
        max_size=4,
    ),
)  # fmt: skip
def test_planes__cover_of_bodies_and_map_together(
    stages: Any, rows: list[str], squares: set[tuple[int, int]]
) -> None:
    grid = [list(row) for row in rows]
    for (x, y), letter in zip([(0, 0), *sorted(squares)], "PPPFF", strict=True):
        grid[y][x] = letter
    stage = stages(*("".join(row) for row in grid))
    first = stage.sides[0][0]
    stage.turn_of(first)
    terrain = np.asarray(first.world.grid.terrain)
    bodies = (terrain == OBSTACLE).astype(np.uint8)
    for one in (*stage.sides[0][1:], *stage.sides[1]):
        if one in stage.sides[0] or one.number in stage.seen["party"]:
            x, y = one.position or (0, 0)
            bodies[y, x] = 1
    grades = np.empty(terrain.shape, np.uint8)
    cover_field((terrain == WALL).astype(np.uint8), bodies, 0, 0, grades)
    expected = np.array([0, 0.2, 0.5, 1], np.float32)[grades]
    assert np.array_equal(stage.plane("cover"), expected)
