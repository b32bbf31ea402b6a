"""Random maps, and the places of bodies on them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from axiom_envs.dnd.constants import DIFFICULT, FLOOR, OBSTACLE, WALL, WATER
from axiom_envs.dnd.geometry.paths import connected
from axiom_envs.dnd.geometry.terrain import ENTER_COST
from axiom_envs.dnd.maps import (
    HELD_OUT_PATTERNS,
    PATTERNS,
    TRAINING_PATTERNS,
    draw_board,
    draw_places,
    make_terrain,
    start_areas,
)
from axiom_gym.errors import ConfigError
from axiom_gym.seeded_rng import SeededRNG

quick = settings(deadline=None, max_examples=50)  # the first call compiles
SHARES = {WALL: 0.15, WATER: 0.1, DIFFICULT: 0.1, OBSTACLE: 0.05}


@pytest.mark.parametrize("pattern", PATTERNS)
def test_patterns__make_connected_clusters(pattern: str) -> None:
    for seed in range(20):
        squares = PATTERNS[pattern](SeededRNG(seed), (5, 5), 6)
        assert len(squares) == 6
        assert squares[0] == (5, 5)
        for k, (x, y) in enumerate(squares[1:], 1):
            assert any(abs(x - i) + abs(y - j) == 1 for i, j in squares[:k])


def test_patterns__have_their_shapes() -> None:
    for seed in range(20):
        ridge = PATTERNS["ridges"](SeededRNG(seed), (0, 0), 5)
        assert {abs(ridge[-1][0]), abs(ridge[-1][1])} == {2}
        ruin = PATTERNS["ruins"](SeededRNG(seed), (0, 0), 5)
        assert {abs(ruin[-1][0]), abs(ruin[-1][1])} == {2}
        assert ruin[2][0] == 0 or ruin[2][1] == 0
    creeks = [PATTERNS["creeks"](SeededRNG(seed), (0, 0), 5)[-1] for seed in range(20)]
    assert len(set(creeks)) > 4


def test_patterns__of_training_and_held_out_are_different() -> None:
    assert not set(TRAINING_PATTERNS) & set(HELD_OUT_PATTERNS)
    assert {*TRAINING_PATTERNS, *HELD_OUT_PATTERNS} == set(PATTERNS)


@quick
@given(
    seed=st.integers(0, 2**32 - 1),
    width=st.integers(4, 16),
    height=st.integers(4, 16),
    pattern=st.sampled_from(tuple(PATTERNS)),
    size=st.sampled_from((1, 2)),
    mirrored=st.booleans(),
)
def test_make_terrain__invariants(
    seed: int, width: int, height: int, pattern: str, size: int, mirrored: bool
) -> None:
    taken = [(0, 0), (width - 1, height - 1)]
    terrain = make_terrain(
        SeededRNG(seed), width, height,
        pattern=pattern, shares=SHARES, taken=taken, size=size, mirrored=mirrored,
    )  # fmt: skip
    assert terrain.shape == (height, width)
    assert all(terrain[y, x] == FLOOR for x, y in taken)
    cost = ENTER_COST[terrain]
    assert connected(cost, 1)
    assert connected(cost, size)
    for code, share in SHARES.items():
        assert (terrain == code).sum() <= round(share * width * height)
    if mirrored:
        assert np.array_equal(terrain, terrain[::-1, ::-1])


def test_make_terrain__reaches_its_shares_where_there_is_room() -> None:
    for seed in range(10):
        terrain = make_terrain(SeededRNG(seed), 16, 16, pattern="thickets", shares=SHARES, taken=())
        for code, share in SHARES.items():
            assert (terrain == code).sum() == round(share * 256)


def test_make_terrain__ends_if_nothing_fits() -> None:
    taken = [(x, y) for x in range(4) for y in range(4)]
    terrain = make_terrain(SeededRNG(1), 4, 4, pattern="ruins", shares=SHARES, taken=taken)
    assert not terrain.any()


@quick
@given(seed=st.integers(0, 2**32 - 1), width=st.integers(4, 16), height=st.integers(4, 16))
def test_draw_board__starts_are_opposite_and_apart(seed: int, width: int, height: int) -> None:
    board = draw_board(SeededRNG(seed), width, height)
    areas = start_areas(width, height)
    ends = [areas.index(area) for area in board.starts]
    assert abs(ends[0] - ends[1]) == 2
    (x0, y0, wide, high), (x1, y1, _, _) = board.starts
    assert x0 + wide <= x1 or x1 + wide <= x0 or y0 + high <= y1 or y1 + high <= y0
    assert board.room(2) >= 2


@quick
@given(seed=st.integers(0, 2**32 - 1), larges=st.integers(0, 4), smalls=st.integers(0, 8))
def test_draw_places__stand_in_the_area_apart(seed: int, larges: int, smalls: int) -> None:
    sizes = [1] * min(smalls, 16 - 4 * larges) + [2] * larges
    places = draw_places(SeededRNG(seed), (3, 1, 2, 8), sizes)
    squares = [
        (x + i, y + j)
        for (x, y), size in zip(places, sizes, strict=True)
        for i in range(size)
        for j in range(size)
    ]
    assert len(set(squares)) == len(squares)
    assert all(3 <= x < 5 and 1 <= y < 9 for x, y in squares)


def test_draw_places__without_room_raises() -> None:
    with pytest.raises(ConfigError, match=r"5 creatures have no room .* 2 x 8 .* map larger"):
        draw_places(SeededRNG(1), (0, 0, 2, 8), [2] * 5)
