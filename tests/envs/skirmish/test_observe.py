"""What a side observes, and what it must not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from axiom_envs.dnd.data.models import BodySpec, ScenarioSpec
from axiom_envs.dnd.engine import effects, standard
from axiom_envs.dnd.engine.choices import DROP_PRONE, STEP, Choice
from axiom_envs.dnd.engine.encounter import Encounter
from axiom_envs.dnd.engine.entity import Entity
from axiom_envs.dnd.engine.options import Options
from axiom_envs.dnd.engine.perception import sees
from axiom_envs.dnd.engine.scenarios import build_encounter
from axiom_envs.dnd.geometry.cover import cover_field
from axiom_envs.dnd.geometry.terrain import OBSTACLE, WALL
from axiom_envs.skirmish.config import SIDES
from axiom_envs.skirmish.features import (
    ENTITY_NAMES,
    ENTITY_SIZE,
    GLOBAL_NAMES,
    GLOBAL_SIZE,
    PLANE_COUNT,
    PLANES,
    entity_index,
    plane_index,
)
from axiom_envs.skirmish.features_view import View
from axiom_envs.skirmish.observe import (
    feature_names,
    observation_size,
    split,
    write_observation,
)
from axiom_gym.seeded_rng import SeededRNG

Floats = npt.NDArray[np.float32]


class Stage:
    """A fight on a map that is drawn as text: `P` and `F` are bodies of the party and the foes.

    It has what an observation is written from, as a session has.
    """

    def __init__(
        self, *rows: str, party: Any = "guard", foes: Any = "guard", **options: Any
    ) -> None:
        """Creatures: one name for all of a side, or one for each."""
        sides: dict[Any, Any] = {}
        for side, letter, names in (("party", "P", party), ("foes", "F", foes)):
            squares = [
                (x, y) for y, row in enumerate(rows) for x, s in enumerate(row) if s == letter
            ]
            listed = [names] * len(squares) if isinstance(names, str) else names
            sides[side] = tuple(
                BodySpec(creature=name, position=square)
                for name, square in zip(listed, squares, strict=True)
            )
        rows = tuple(row.replace("P", ".").replace("F", ".") for row in rows)
        spec = ScenarioSpec(name="stage", title="Stage", map=rows, sides=sides)
        self.encounter: Encounter = build_encounter(spec, 1, options=Options(**options))
        fighters = self.encounter.fighters
        self.sides = tuple([one for one in fighters if one.side == name] for name in SIDES)
        self.units = max(map(len, self.sides))
        self.height, self.width = len(rows), len(rows[0])
        self.seen: dict[str, frozenset[int]] = {}
        self.last_seen: dict[tuple[str, int], tuple[int, int]] = {}
        self.look()

    def look(self) -> None:
        """Finds out who sees whom."""
        for side, own, others in (("party", *self.sides), ("foes", *self.sides[::-1])):
            found = [
                one for one in others
                if one.body >= 0 and any(sees(other, one) for other in own if other.is_up)
            ]  # fmt: skip
            self.seen[side] = frozenset(one.number for one in found)
            self.last_seen |= {(side, one.number): one.position or (0, 0) for one in found}

    def observer_side(self, player: int) -> str:
        return SIDES[player]

    def turn_of(self, one: Entity) -> Stage:
        """Lets it be somebody's turn."""
        while self.encounter.actor is not one:
            self.encounter.act(self.encounter.legal_actions()[0])
        self.look()
        return self

    def write(self, player: int = 0, fresh: bool = False) -> Floats:
        """An observation; `fresh`: nothing that was kept is used."""
        out = np.full(observation_size(self.units, self.width, self.height), np.nan, np.float32)
        session: Any = self
        if fresh:
            View(session).write(session, SIDES[player], out)
        else:
            write_observation(session, player, out)
        return out

    def parts(self, player: int = 0) -> tuple[Floats, Floats, Floats]:
        return split(self.write(player), self.units, self.width, self.height)

    def plane(self, name: str, player: int = 0) -> Floats:
        return self.parts(player)[0][plane_index(name)]

    def entry(self, slot: int, name: str, player: int = 0) -> float:
        return float(self.parts(player)[1][slot, entity_index(name)])

    def value(self, name: str, player: int = 0) -> float:
        return float(self.parts(player)[2][GLOBAL_NAMES.index(name)])


def open_field(**options: Any) -> Stage:
    return Stage("P.....", "......", "......", ".P..F.", "......", **options)


def walled(**options: Any) -> Stage:
    """Nobody sees the other side."""
    return Stage("P..#...", "...#..F", "P..#...", "...#..F", "...#...", ".......", **options)


# -- layout ----------------------------------------------------------------------------------------


def test_layout__is_that_of_the_specification() -> None:
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


def test_tables__say_every_scale() -> None:
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
def test_write_observation__is_bounded_whole_and_as_written_anew(
    rows: tuple[str, ...], party: Any, foes: Any
) -> None:
    stage, rng = Stage(*rows, party=party, foes=foes), SeededRNG(2)
    for count in range(40):
        for player in (0, 1):
            out = stage.write(player)
            assert np.all(np.abs(out) <= 1)
            if count % 4 == player:
                assert np.array_equal(out, stage.write(player, fresh=True))
        if stage.encounter.over:
            break
        stage.encounter.act(rng.pick(stage.encounter.legal_actions()))
        stage.look()
    assert count > 10


# -- planes ----------------------------------------------------------------------------------------


def test_planes__show_the_map() -> None:
    stage = Stage("P.#.", "~,o%", "....", "..F.")
    for name, square in (
        ("walls", (0, 2)), ("water", (1, 0)), ("difficult", (1, 1)), ("obstacles", (1, 2)),
        ("obscured", (1, 3)),
    ):  # fmt: skip
        assert [tuple(one) for one in np.argwhere(stage.plane(name))] == [square]
    assert stage.plane("in_bounds").all()
    assert (stage.plane("light") == 1).all()


def test_planes__are_zero_where_the_board_is_larger_than_the_map() -> None:
    stage = open_field()
    stage.width, stage.height = 9, 7
    planes = stage.parts()[0]
    assert planes[0].sum() == 30
    assert not planes[:, 5:].any()
    assert not planes[:, :, 6:].any()
    assert np.array_equal(planes[:, :5, :6], open_field().parts()[0])


def test_planes__who_stands_where() -> None:
    stage = open_field()
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


def test_planes__large_creatures_cover_four_squares() -> None:
    stage = Stage("P.....", "......", "....F.", "......", foes="ogre")
    assert np.argwhere(stage.plane("enemies")).tolist() == [[2, 4], [2, 5], [3, 4], [3, 5]]
    assert np.argwhere(stage.plane("self", 1)).tolist() == [[2, 4], [2, 5], [3, 4], [3, 5]]


def test_planes__the_dead_and_the_dying() -> None:
    stage = open_field()
    first, second = stage.sides[0]
    second.health.current = 0
    first.health.current, first.health.dead = 0, True
    bodies = stage.plane("bodies")
    assert bodies[0, 0] == 1
    assert bodies[3, 1] == 0.5
    assert bodies.sum() == 1.5


@pytest.mark.parametrize("diagonals", ["5", "5-10-5"])
@pytest.mark.parametrize("creature", ["guard", "ogre"])
def test_planes__ways_are_those_that_are_legal(creature: str, diagonals: str) -> None:
    stage = Stage(
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


def test_planes__nothing_can_be_reached_in_the_others_turn() -> None:
    stage = open_field()
    stage.turn_of(stage.sides[1][0])
    assert not stage.plane("reachable").any()
    assert not stage.plane("reachable_dash").any()
    assert stage.plane("reachable", 1).any()


def test_planes__reach_of_those_who_could_react() -> None:
    stage = open_field()
    foe = stage.sides[1][0]
    stage.turn_of(stage.sides[0][0])
    reach = stage.plane("enemy_reach") * stage.units
    assert np.argwhere(reach).tolist() == [[y, x] for y in (2, 3, 4) for x in (3, 4, 5)]
    assert (stage.plane("ally_reach") * stage.units).sum() == 9
    foe.economy.used = dict.fromkeys(foe.economy.used, 1)
    assert not stage.plane("enemy_reach").any()


def test_planes__reach_ten_without_the_far_corners_of_longer_diagonals() -> None:
    rows = ("P......", ".......", ".......", "....F..", ".......", ".......")
    for diagonals, squares in (("5", 25), ("5-10-5", 21)):
        stage = Stage(*rows, diagonals=diagonals)
        foe = stage.sides[1][0]
        foe.equipment.profiles[0].reach = 10
        stage.turn_of(stage.sides[0][0])
        assert np.count_nonzero(stage.plane("enemy_reach")) == squares


def test_planes__sight_and_cover_are_the_grid_s() -> None:
    stage = Stage("P..o...", "...#.F.", ".......", "P....F.", "..#....", "....F..")
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
    rows: list[str], squares: set[tuple[int, int]]
) -> None:
    grid = [list(row) for row in rows]
    for (x, y), letter in zip([(0, 0), *sorted(squares)], "PPPFF", strict=True):
        grid[y][x] = letter
    stage = Stage(*("".join(row) for row in grid))
    first = stage.sides[0][0]
    stage.turn_of(first)
    terrain = np.asarray(first.world.grid.terrain)  # type: ignore[union-attr]
    bodies = (terrain == OBSTACLE).astype(np.uint8)
    for one in (*stage.sides[0][1:], *stage.sides[1]):
        if one in stage.sides[0] or one.number in stage.seen["party"]:
            x, y = one.position or (0, 0)
            bodies[y, x] = 1
    grades = np.empty(terrain.shape, np.uint8)
    cover_field((terrain == WALL).astype(np.uint8), bodies, 0, 0, grades)
    expected = np.array([0, 0.2, 0.5, 1], np.float32)[grades]
    assert np.array_equal(stage.plane("cover"), expected)


# -- entities --------------------------------------------------------------------------------------


def test_entities__the_acting_one_comes_first() -> None:
    stage = Stage("P.P", "P..", "F.F", "..F")
    for actor in stage.sides[0]:
        stage.turn_of(actor)
        order = [actor, *(one for one in stage.sides[0] if one is not actor)]
        for slot, one in enumerate((*order, *stage.sides[1])):
            x, y = one.position or (0, 0)
            assert stage.entry(slot, "x") == pytest.approx(x / 3)
            assert stage.entry(slot, "y") == pytest.approx(y / 4)
            assert stage.entry(slot, "acting") == (one is actor)
            assert stage.entry(slot, "side") == (1 if slot < 3 else -1)
        assert stage.entry(0, "x", 1) == stage.sides[1][0].position[0] / 3  # type: ignore[index]


def test_entities__slots_without_a_creature_are_zero() -> None:
    table = open_field().parts()[1]
    assert not table[3].any()
    assert not open_field().parts(1)[1][1].any()


def test_entities__numbers_of_a_skeleton() -> None:
    stage = Stage("P...", "....", "....", "..F.", party="skeleton")
    stage.turn_of(stage.sides[0][0])
    expected = {
        "alive": 1, "hp": 1, "max_hp": 0.13, "armour_class": 13 / 30, "speed": 0.5,
        "movement_left": 0.5, "action": 1, "bonus_action": 1, "reaction": 1, "size.medium": 1,
        "ability.dexterity": 0.2, "save.intelligence": -0.2, "skill.stealth": 0.1,
        "passive_perception": 0.45, "resistance.poison": 1, "resistance.bludgeoning": -1,
        "resistance.fire": 0, "profile0.to_hit": 4 / 15, "profile0.damage": 5.5 / 30,
        "profile0.range": 5 / 120, "profile0.long_range": 0, "profile1.range": 80 / 120,
        "profile1.long_range": 320 / 600, "profile1.uses": 1, "profile2.uses": 0,
    }  # fmt: skip
    for name, value in expected.items():
        assert stage.entry(0, name) == pytest.approx(value), name


def test_entities__riders_and_traits() -> None:
    stage = Stage("P...", "....", "....", ".F..", "....", party="wolf", foes="giant_spider")
    stage.turn_of(stage.sides[0][0])
    assert stage.entry(0, "profile0.rider") == pytest.approx(1 / 8)
    assert stage.entry(0, "trait.pack_tactics") == 1
    assert stage.entry(1, "profile0.rider") == pytest.approx(4 / 8)
    assert stage.entry(1, "profile1.rider") == pytest.approx(3 / 8)
    assert stage.entry(1, "size.large") == 1
    stage.sides[1][0].equipment.profiles[1].charged = False
    assert stage.entry(1, "profile1.uses") == 0


Change = Callable[[Entity, Entity], Any]


@pytest.mark.parametrize(
    ("change", "name", "value"),
    [
        (lambda one, _: one.add_condition(standard.Prone()), "condition.prone", 1),
        (lambda one, _: one.add_condition(standard.Stunned()), "condition.incapacitated", 1),
        (lambda one, _: one.add_condition(standard.Exhaustion(level=3)), "exhaustion", 0.5),
        (lambda one, _: one.add_condition(standard.Exhaustion(level=2)), "speed", 0.25),
        (lambda one, _: one.add_condition(effects.Dodging()), "dodging", 1),
        (lambda one, _: one.add_condition(effects.Disengaged()), "disengaged", 1),
        (lambda one, foe: one.add_condition(effects.Hidden((foe,), 15)), "hidden", 1),
        (lambda one, foe: one.add_condition(standard.Grappled(source=foe)), "grappled_by", 3 / 4),
        (lambda one, _: one.add_condition(standard.Petrified()), "resistance.fire", 0.5),
        (lambda one, _: setattr(one.health, "temporary", 7), "temporary_hp", 0.35),
        (lambda one, _: setattr(one.health, "failures", 2), "death_failures", 2 / 3),
        (lambda one, _: setattr(one.economy, "moved", 10), "movement_left", 20 / 60),
        (lambda one, _: setattr(one.economy, "extra", 30), "dashed", 0.5),
        (lambda one, _: setattr(one.economy, "plans", ((0, 1),)), "attacks_left", 0.5),
        (lambda one, _: setattr(one.health, "stable", True), "stable", 1),
    ],
)
def test_entities__what_changes_shows(change: Change, name: str, value: float) -> None:
    stage = Stage("P...", "F...", "....", "P..F")
    one, foe = stage.sides[0][0], stage.sides[1][0]
    stage.turn_of(one)
    before = stage.entry(0, name)
    change(one, foe)
    assert stage.entry(0, name) == pytest.approx(value)
    assert before != pytest.approx(value)


# -- globals ---------------------------------------------------------------------------------------


def test_globals__of_a_turn() -> None:
    stage = open_field()
    one = stage.sides[0][1]
    stage.turn_of(one)
    assert stage.value("round") == pytest.approx(1 / 20)
    assert stage.value("decides") == stage.value("kind.main") == 1
    assert stage.value("decides", 1) == stage.value("kind.main", 1) == 0
    assert stage.value("actor_slot") == 1 / 4
    assert stage.value("actor_slot", 1) == pytest.approx(4 / 4)
    assert stage.value("turn") == pytest.approx(stage.encounter.turn / 3)
    assert stage.value("decisions_left") == 1
    assert stage.value("decisions_left", 1) == 0
    assert stage.value("allies_alive") == 1
    assert stage.value("enemies_alive") == stage.value("enemies_seen") == 0.5
    one.health.current = 0
    assert stage.value("allies_hp") == 0.5


def test_globals__of_a_reaction() -> None:
    stage = Stage("....", ".PF.", "....", "P...")
    mover, foe = stage.sides[0][0], stage.sides[1][0]
    stage.turn_of(mover)
    stage.encounter.act(Choice(STEP, square=(0, 0)))
    stage.look()
    assert stage.encounter.decider is foe
    assert stage.value("kind.opportunity", 1) == stage.value("decides", 1) == 1
    assert stage.value("kind.main", 1) == stage.value("kind.defence", 1) == 0
    assert stage.value("trigger_slot", 1) == 3 / 4
    assert (stage.value("trigger_x", 1), stage.value("trigger_y", 1)) == (0, 0)
    assert stage.value("kind.opportunity") == stage.value("trigger_slot") == 0
    assert stage.value("actor_slot") == 1 / 4


# -- what is hidden --------------------------------------------------------------------------------


def test_hidden__an_enemy_out_of_sight_shows_only_that_it_lives() -> None:
    stage = walled()
    table = stage.parts()[1]
    for slot in (2, 3):
        shown = {name for name, value in zip(ENTITY_NAMES, table[slot], strict=True) if value}
        assert shown == {"alive", "side"}
    assert not stage.plane("enemies").any()
    assert not stage.plane("last_known").any()
    assert stage.value("enemies_seen") == stage.value("enemies_hp") == 0
    assert stage.value("enemies_alive") == 1
    assert (stage.plane("enemy_distance") == 1).all()


def test_hidden__where_an_enemy_was_last_seen() -> None:
    stage = walled()
    foe = stage.sides[1][0]
    stage.last_seen["party", foe.number] = (5, 5)
    assert np.argwhere(stage.plane("last_known")).tolist() == [[5, 5]]
    foe.health.dead = True
    assert not stage.plane("last_known").any()


def test_hidden__an_enemy_that_acts_unseen_is_nobody() -> None:
    stage = walled()
    stage.turn_of(stage.sides[1][1])
    assert stage.value("actor_slot") == stage.value("decisions_left") == 0
    assert stage.parts()[1][:, entity_index("acting")].sum() == 0


@settings(deadline=None, max_examples=25)
@given(
    squares=st.permutations([(x, y) for x in (4, 5, 6) for y in range(4)]),
    hit_points=st.integers(1, 11),
    conditions=st.sets(st.sampled_from([standard.Prone, standard.Poisoned, standard.Restrained])),
    moved=st.integers(0, 6),
    turn=st.integers(0, 3),
    decisions=st.integers(0, 9),
)
def test_hidden__nothing_of_an_enemy_out_of_sight_leaks(
    squares: list[tuple[int, int]], hit_points: int, conditions: set[Any], moved: int, turn: int,
    decisions: int,
) -> None:  # fmt: skip
    stage = walled()
    encounter = stage.encounter
    stage.turn_of(encounter.order[turn])
    before = stage.write()
    for foe, square in zip(stage.sides[1], squares, strict=False):
        foe.place((6, 5))
        foe.place(square)
        foe.health.current = hit_points
        foe.economy.moved = 5 * moved
        for condition in conditions:
            foe.add_condition(condition())
    if encounter.actor.side == "foes":
        encounter.decisions = decisions
    stage.look()
    if not stage.seen["party"]:
        assert np.array_equal(stage.write(), before)
        assert np.array_equal(stage.write(fresh=True), before)


def test_hidden__an_enemy_in_sight_does_show() -> None:
    stage = walled()
    before = stage.write()
    stage.sides[1][0].place((2, 5))
    stage.look()
    assert stage.seen["party"]
    assert not np.array_equal(stage.write(), before)
