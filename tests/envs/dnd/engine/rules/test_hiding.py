"""Hiding, searching, and light."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from axiom_envs.dnd.engine.creature.checks import passive_perception
from axiom_envs.dnd.engine.creature.entity import Entity
from axiom_envs.dnd.engine.rules.attack import Attack
from axiom_envs.dnd.engine.rules.effects import Hidden
from axiom_envs.dnd.engine.rules.hiding import Hide, Search, notice_dc, reveal_all, why_not_hide
from axiom_envs.dnd.engine.rules.perception import is_dim_to, sees
from axiom_envs.dnd.engine.rules.turns import start_turn
from axiom_envs.dnd.engine.values.types import CostType
from axiom_envs.dnd.engine.world.options import Options
from axiom_envs.dnd.engine.world.world import World
from axiom_envs.dnd.geometry.terrain import parse_map
from axiom_envs.dnd.grid import Grid

OPEN = (".......",) * 5
WALLED = ("...#...", "...#...", "...#...", "...#...", ".......")
Square = tuple[int, int]


# -- Hide and Search -------------------------------------------------------------------------------


def test_hide__not_in_plain_sight(make_world: Any, put: Any) -> None:
    world = make_world()
    who, enemy = put(world, "goblin", (0, 0)), put(world, "guard", (6, 0), "b")
    event = Hide(who).apply()
    assert event.canceled
    assert f"{enemy.name} sees {who.name} clearly" in str(event.message)
    assert who.economy.left(CostType.ACTIONS) == 1


@pytest.mark.parametrize(("natural", "hides"), [(6, False), (7, True)])
def test_hide__must_beat_passive_perception(
    natural: int, hides: bool, load: Any, make_world: Any, put: Any
) -> None:
    world = make_world(WALLED)
    who, enemy = put(world, "goblin", (0, 0)), put(world, "guard", (6, 0), "b")
    load(world, natural)  # Stealth +6
    assert passive_perception(enemy, who) == 12
    Hide(who).apply()
    assert who.has("hidden") == hides


def test_hide__a_new_check_replaces_the_old_one(load: Any, make_world: Any, put: Any) -> None:
    world = make_world(WALLED)
    who, _ = put(world, "goblin", (0, 0)), put(world, "guard", (6, 0), "b")
    load(world, 20, 20, 1)
    Hide(who).apply()
    start_turn(who)
    Hide(who).apply()
    assert who.has("hidden")
    start_turn(who)
    Hide(who).apply()
    assert not who.has("hidden")


def test_hide__in_darkness_with_the_option(load: Any, put: Any) -> None:
    dark = Grid(parse_map(OPEN), np.zeros((5, 7), np.uint8))
    world = World(1, log="full", options=Options(light=True), grid=dark)
    who, enemy = put(world, "goblin", (0, 0)), put(world, "guard", (6, 0), "b")
    load(world, 20)
    assert not sees(enemy, who)
    assert sees(who, enemy)
    assert not Hide(who).apply().canceled
    assert who.has("hidden")


def test_hidden__attack_from_hiding_has_advantage_and_reveals(
    advantage: Any, load: Any, make_world: Any, put: Any
) -> None:
    world = make_world()
    who, enemy = put(world, "goblin", (0, 0)), put(world, "guard", (6, 0), "b")
    who.add_condition(Hidden(unaware=(enemy,), stealth=15))
    assert advantage(who, enemy, 1) == 1
    load(world, 1)
    Attack(who, enemy, who.equipment.profiles[1]).apply()
    assert not who.has("hidden")


def test_hidden__noticed_only_by_enemies_with_a_clear_view(make_world: Any, put: Any) -> None:
    world = make_world(WALLED)
    who = put(world, "goblin", (0, 0))
    near, far = put(world, "guard", (2, 0), "b"), put(world, "guard", (6, 0), "b")
    who.add_condition(Hidden(unaware=(near, far), stealth=15))
    reveal_all(world)
    assert sees(near, who)
    assert who.has("hidden")
    (hidden,) = who.conditions["hidden"]
    assert isinstance(hidden, Hidden)
    assert hidden.unaware == (far,)


@pytest.mark.parametrize(("natural", "finds"), [(12, False), (13, True)])
def test_search__against_the_stealth_total(
    natural: int, finds: bool, load: Any, make_world: Any, put: Any
) -> None:
    world = make_world(WALLED)
    who, seeker = put(world, "goblin", (0, 0)), put(world, "guard", (6, 0), "b")
    who.add_condition(Hidden(unaware=(seeker,), stealth=15))
    load(world, natural)  # Perception +2
    Search(seeker).apply()
    assert who.has("hidden") != finds


def test_search__nobody_to_search_for(make_world: Any, put: Any) -> None:
    event = Search(put(make_world(), "guard", (0, 0))).apply()
    assert event.canceled
    assert "no enemy is hidden" in str(event.message)


# -- light -----------------------------------------------------------------------------------------


@pytest.fixture
def in_light(put: Any) -> Any:
    """A factory of enemies in darkness (0), dim (1) or bright light (2)."""

    def in_light(level: int, *bodies: tuple[str, Square]) -> list[Entity]:
        light = np.full((5, 14), level, np.uint8)
        grid = Grid(parse_map(("." * 14,) * 5), light)
        world = World(1, options=Options(light=True), grid=grid)
        return [put(world, name, at, "ab"[k % 2]) for k, (name, at) in enumerate(bodies)]

    return in_light


def test_light__darkness_blinds_without_darkvision(advantage: Any, in_light: Any) -> None:
    guard, goblin = in_light(0, ("guard", (0, 0)), ("goblin", (4, 0)))
    assert not sees(guard, goblin)
    assert sees(goblin, guard)
    assert advantage(guard, goblin) == -1
    assert advantage(goblin, guard, 1) == 1


def test_light__darkvision_ends_at_its_radius(in_light: Any) -> None:
    guard, goblin = in_light(0, ("guard", (0, 0)), ("goblin", (12, 0)))
    assert sees(goblin, guard)
    goblin.place((13, 0))
    assert not sees(goblin, guard)


@pytest.mark.parametrize(("level", "guards", "goblins"), [(0, False, True), (1, True, False)])
def test_light__dim_depends_on_darkvision(
    level: int, guards: bool, goblins: bool, in_light: Any
) -> None:
    guard, goblin = in_light(level, ("guard", (0, 0)), ("goblin", (4, 0)))
    assert is_dim_to(goblin, guard) == guards
    assert is_dim_to(guard, goblin) == goblins
    assert notice_dc(goblin, guard) == passive_perception(goblin, guard) - 5 * goblins


def test_light__no_hiding_in_the_dark_from_darkvision(in_light: Any) -> None:
    guard, goblin = in_light(0, ("guard", (0, 0)), ("goblin", (4, 0)))
    assert "sees Guard clearly" in str(why_not_hide(guard))
    assert why_not_hide(goblin) is None


def test_light__without_the_option_nothing_is_dark(put: Any) -> None:
    light = np.zeros((5, 7), np.uint8)
    world = World(1, grid=Grid(parse_map(OPEN), light))
    guard, goblin = put(world, "guard", (0, 0)), put(world, "goblin", (4, 0), "b")
    assert sees(guard, goblin)
    assert not is_dim_to(goblin, guard)
