"""Random scenarios."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from axiom_envs.dnd.constants import MAX_SHARE
from axiom_envs.dnd.data import Library, creature, scenario
from axiom_envs.dnd.data.models import BodySpec, ScenarioSpec
from axiom_envs.dnd.data.scenario_checks import footprint, scenario_mistakes
from axiom_envs.dnd.generator import (
    HELD_OUT_CREATURES,
    TOLERANCE,
    TRAINING_CREATURES,
    draw_roster,
    generate,
    kinds,
    lay_out,
)
from axiom_envs.dnd.geometry.paths import connected
from axiom_envs.dnd.geometry.terrain import ENTER_COST, parse_map
from axiom_gym.errors import ConfigError
from axiom_gym.seeded_rng import SeededRNG

quick = settings(deadline=None, max_examples=50)  # the first call compiles
LIKELY: dict[str, Any] = {
    "units": 4,
    "budget": 400,
    "mirrored": False,
    "width": 10,
    "height": 9,
    "walls": 0.1,
    "water": 0.05,
    "difficult": 0.1,
}


def make(seed: int = 0, **changes: Any) -> ScenarioSpec:
    return generate(SeededRNG(seed), **(LIKELY | changes))


def sides_of(spec: ScenarioSpec) -> tuple[tuple[BodySpec, ...], tuple[BodySpec, ...]]:
    return spec.sides["party"], spec.sides["foes"]


def worth(bodies: tuple[BodySpec, ...]) -> int:
    return sum(creature(body.creature, body.level).xp for body in bodies)


def size_of(body: BodySpec) -> int:
    return 2 if creature(body.creature, body.level).size == "large" else 1


@quick
@given(
    seed=st.integers(0, 2**32 - 1),
    units=st.integers(1, 8),
    budget=st.integers(10, 20_000),
    width=st.integers(4, 16),
    height=st.integers(4, 16),
    shares=st.tuples(*[st.floats(0, MAX_SHARE)] * 3),
    mirrored=st.booleans(),
    held_out=st.booleans(),
)
def test_generate__makes_scenarios_without_mistakes(
    seed: int, units: int, budget: int, width: int, height: int,
    shares: tuple[float, float, float], mirrored: bool, held_out: bool,
) -> None:  # fmt: skip
    walls, water, difficult = shares
    spec = make(
        seed, units=units, budget=budget, width=width, height=height, walls=walls, water=water,
        difficult=difficult, mirrored=mirrored, held_out=held_out,
    )  # fmt: skip
    library = Library.builtin()
    assert list(scenario_mistakes(spec, library.creatures, library.classes)) == []
    assert ScenarioSpec.parse(spec.model_dump_json())[1] == []
    party, foes = sides_of(spec)
    assert max(len(party), len(foes)) <= units
    cost = ENTER_COST[parse_map(spec.map or ())]
    assert cost.shape == (height, width)
    assert all(connected(cost, size) for size in {1, *map(size_of, (*party, *foes))})
    if mirrored:
        assert [(one.creature, one.level) for one in party] == [
            (one.creature, one.level) for one in foes
        ]


@pytest.mark.parametrize("held_out", [False, True])
@pytest.mark.parametrize("budget", [100, 400, 1000, 3000])
def test_generate__sides_are_worth_the_budget(budget: int, held_out: bool) -> None:
    for seed in range(10):
        for side in sides_of(make(seed, budget=budget, units=8, held_out=held_out)):
            assert abs(worth(side) - budget) <= TOLERANCE * budget


@pytest.mark.parametrize(("budget", "nearest"), [(10, 25), (20_000, 8 * 1800), (14_000, 8 * 1800)])
def test_generate__comes_as_close_to_the_budget_as_possible(budget: int, nearest: int) -> None:
    party, foes = sides_of(make(1, budget=budget, units=8, width=16, height=16))
    if abs(nearest - budget) > TOLERANCE * budget:
        assert worth(party) == worth(foes) == nearest
    else:
        assert abs(worth(party) - budget) <= TOLERANCE * budget


def test_generate__is_the_same_for_the_same_seed() -> None:
    assert make(5) == make(5)
    assert len({make(seed).model_dump_json() for seed in range(20)}) == 20


def test_generate__mirrored_maps_look_the_same_from_both_sides() -> None:
    for seed in range(10):
        spec = make(seed, mirrored=True)
        rows = spec.map or ()
        assert [row[::-1] for row in rows[::-1]] == list(rows)
        for one, other in zip(*sides_of(spec), strict=True):
            assert one.position is not None
            size = size_of(one)
            turned = (10 - one.position[0] - size, 9 - one.position[1] - size)
            assert other.position == turned


@pytest.mark.parametrize(
    ("name", "symbol"),
    [
        ("walls", "#"),
        ("water", "~"),
        ("difficult", ","),
        ("obstacles", "o"),
        ("obscured", "%"),
    ],
)
def test_generate__each_share_is_of_its_terrain(name: str, symbol: str) -> None:
    shares = dict.fromkeys(("walls", "water", "difficult", "obstacles", "obscured"), 0.0)
    spec = make(3, **(shares | {name: 0.2}))
    assert set("".join(spec.map or ())) == {".", symbol}


def test_generate__asymmetric_sides_differ() -> None:
    specs = [make(seed) for seed in range(10)]
    assert any(
        [b.creature for b in spec.sides["party"]] != [b.creature for b in spec.sides["foes"]]
        for spec in specs
    )


def test_generate__sides_stand_apart() -> None:
    for seed in range(20):
        party, foes = (
            [
                square
                for body in side
                for square in footprint(body.position or (0, 0), size_of(body))
            ]
            for side in sides_of(make(seed))
        )
        xs, ys = ([one[k] for one in party] for k in (0, 1))
        us, vs = ([one[k] for one in foes] for k in (0, 1))
        assert max(xs) < min(us) or max(us) < min(xs) or max(ys) < min(vs) or max(vs) < min(ys)


def test_generate__held_out_and_training_share_nothing() -> None:
    seen: dict[bool, set[tuple[str, int | None]]] = {False: set(), True: set()}
    styles: dict[bool, set[str]] = {False: set(), True: set()}
    for held_out in (False, True):
        for seed in range(60):
            spec = make(seed, held_out=held_out, budget=[100, 700, 1800][seed % 3])
            assert spec.held_out is held_out
            bodies = (*spec.sides["party"], *spec.sides["foes"])
            seen[held_out] |= {(body.creature, body.level) for body in bodies}
            styles[held_out].add(spec.title.rpartition(" ")[2])
    assert not seen[False] & seen[True]
    assert not styles[False] & styles[True]


def test_kinds__are_all_creatures_once() -> None:
    assert sorted(TRAINING_CREATURES + HELD_OUT_CREATURES) == sorted(Library.builtin().creatures)
    assert not set(kinds(False)) & set(kinds(True))
    assert all(one.level is None for one in kinds(False, classes=False))
    assert all(one.squares == 1 for one in kinds(True, large=False))
    assert {one.name for one in kinds(True)} >= set(Library.builtin().classes)


def test_draw_roster__every_kind_occurs() -> None:
    pool = kinds(False)
    rng = SeededRNG(3)
    rosters = [draw_roster(rng, pool, 8, 500) for _ in range(300)]
    assert {len(roster) for roster in rosters} == set(range(1, 9))
    assert {one.name for roster in rosters for one in roster} == {
        one.name for one in pool if one.xp <= 600
    }


def test_generate__no_large_creatures_without_room_for_a_side_of_them() -> None:
    for seed in range(20):
        for side in sides_of(make(seed, width=4, height=4, units=3, budget=600)):
            assert all(size_of(body) == 1 for body in side)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("units", 9, "units must be .*1 .*8"),
        ("units", 0, "units must be"),
        ("budget", 9, "budget must be .*10 .*20000"),
        ("width", 3, "width must be .*4 .*16"),
        ("height", 17, "height must be .*4 .*16"),
        ("walls", 0.5, r"walls must be a share .* 0 to 0\.4, got 0\.5"),
        ("water", -0.1, "water must be a share"),
        ("difficult", float("nan"), "difficult must be a share"),
        ("obscured", 1.0, "obscured must be a share"),
    ],
)
def test_generate__refuses_what_is_not_allowed(name: str, value: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        make(**{name: value})


# -- scenarios of the data files -------------------------------------------------------------------


@pytest.mark.parametrize("name", ["scouts-and-thugs", "dusk-ambush"])
def test_lay_out__generates_the_map(name: str) -> None:
    asked, library = scenario(name), Library.builtin()
    for seed in range(5):
        spec = lay_out(SeededRNG(seed), asked)
        assert list(scenario_mistakes(spec, library.creatures, library.classes)) == []
        assert asked.generate is not None
        assert parse_map(spec.map or ()).shape == (asked.generate.height, asked.generate.width)
        assert [body.creature for body in spec.sides["foes"]] == [
            body.creature for body in asked.sides["foes"]
        ]
    assert lay_out(SeededRNG(1), asked) == lay_out(SeededRNG(1), asked)


def test_lay_out__does_not_change_scenarios_with_a_map() -> None:
    rng = SeededRNG(1)
    spec = scenario("2v2-goblins")
    assert lay_out(rng, spec) is spec
    assert rng.state == SeededRNG(1).state
