"""Steps: costs, obstacles, dragging; forced movement."""

from __future__ import annotations

from typing import Any

import pytest

from axiom_envs.dnd.engine.encounter.choices import movement_field
from axiom_envs.dnd.engine.encounter.creation import create
from axiom_envs.dnd.engine.rules.effects import Disengaged
from axiom_envs.dnd.engine.rules.movement import force, make_step, push, step_cost, why_not_step
from axiom_envs.dnd.engine.rules.standard import Frightened, Grappled, Prone, Restrained
from axiom_envs.dnd.engine.values.types import Size
from axiom_envs.dnd.engine.world.world import World


def test_step_cost__open_ground(make_world: Any, put: Any) -> None:
    mover = put(make_world(), "commoner", (1, 1))
    assert {step_cost(mover, (1 + dx, 1 + dy)) for dx, dy in ((1, 0), (0, 1), (1, 1))} == {5}


@pytest.mark.parametrize(
    ("symbol", "crawls", "feet"),
    [(".", False, 5), ("~", False, 10), (".", True, 10), ("~", True, 15), ("o", False, 10)],
)
def test_step_cost__difficult_and_crawling(
    symbol: str, crawls: bool, feet: int, make_world: Any, put: Any
) -> None:
    symbol = "," if symbol == "~" else symbol
    mover = put(make_world((f".{symbol}.",)), "commoner", (0, 0))
    if crawls:
        mover.add_condition(Prone())
    assert step_cost(mover, (1, 0)) == feet
    make_step(mover, (1, 0))
    assert mover.economy.moved == feet


def test_step_cost__space_of_another_is_difficult(make_world: Any, put: Any) -> None:
    world = make_world()
    mover, _ = put(world, "commoner", (0, 0)), put(world, "commoner", (1, 0))
    assert step_cost(mover, (1, 0)) == 10


def test_step_cost__space_of_another_on_difficult_ground_counts_once(
    make_world: Any, put: Any
) -> None:
    world = make_world((".,.",))
    mover, _ = put(world, "commoner", (0, 0)), put(world, "commoner", (1, 0))
    assert step_cost(mover, (1, 0)) == 10


def test_why_not_step__walls_edges_and_corners(make_world: Any, put: Any) -> None:
    mover = put(make_world((".#.", "#..", "...")), "commoner", (0, 0))
    assert "wall" in str(why_not_step(mover, (1, 0)))
    assert "ends" in str(why_not_step(mover, (-1, 0)))
    assert "corners" in str(why_not_step(mover, (1, 1)))


def test_why_not_step__one_corner_is_passed(make_world: Any, put: Any) -> None:
    mover = put(make_world((".#.", "...")), "commoner", (0, 0))
    assert why_not_step(mover, (1, 1)) is None


def test_why_not_step__never_ends_in_a_taken_square(make_world: Any, put: Any) -> None:
    world = make_world()
    mover = put(world, "commoner", (0, 0))
    put(world, "commoner", (1, 0))
    assert "is there" in str(why_not_step(mover, (1, 0)))
    assert why_not_step(mover, (1, 0), ends=False) is None


@pytest.mark.parametrize(
    ("name", "side", "passes"),
    [
        ("commoner", "a", True),
        ("commoner", "b", False),
        ("ogre", "b", False),
        ("ogre", "a", True),
    ],
)
def test_why_not_step__passing_other_creatures(
    name: str, side: str, passes: bool, make_world: Any, put: Any
) -> None:
    world = make_world()
    mover = put(world, "commoner", (0, 0))
    put(world, name, (1, 0), side)
    assert (why_not_step(mover, (1, 0), ends=False) is None) == passes


@pytest.mark.parametrize("small", [True, False])
def test_why_not_step__through_hostile_two_sizes_apart(
    small: bool, make_world: Any, put: Any
) -> None:
    world = make_world()
    goblin, ogre = put(world, "goblin", (0, 0)), put(world, "ogre", (1, 0), "b")
    assert (goblin.size, ogre.size) == (Size.SMALL, Size.LARGE)
    mover, square = (goblin, (1, 0)) if small else (ogre, (0, 0))
    assert why_not_step(mover, square, ends=False) is None


def test_why_not_step__large_needs_room_for_all_of_it(make_world: Any, put: Any) -> None:
    world = make_world(("....", "..#.", "...."))
    ogre = put(world, "ogre", (0, 0))
    assert "wall" in str(why_not_step(ogre, (1, 0)))
    assert why_not_step(ogre, (0, 1)) is None


def test_why_not_step__speed_of_zero(make_world: Any, put: Any) -> None:
    mover = put(make_world(), "commoner", (0, 0))
    mover.add_condition(Restrained())
    assert "speed of 0" in str(why_not_step(mover, (1, 0)))


def test_make_step__too_expensive_costs_nothing(make_world: Any, put: Any) -> None:
    mover = put(make_world((".,.",)), "commoner", (0, 0))
    mover.economy.moved = 25
    step = make_step(mover, (1, 0))
    assert step.canceled
    assert "10 ft" in str(step.message)
    assert (mover.position, mover.economy.moved) == ((0, 0), 25)


@pytest.mark.parametrize("in_view", [True, False])
def test_why_not_step__frightened_never_closer(in_view: bool, make_world: Any, put: Any) -> None:
    world = make_world(("..." + ("." if in_view else "#") + "...", ".......", "......."))
    mover, feared = put(world, "commoner", (2, 0)), put(world, "ogre", (5, 0), "b")
    mover.add_condition(Frightened(source=feared))
    assert "fears" in str(why_not_step(mover, (3, 1)))
    assert why_not_step(mover, (2, 1)) is None
    assert why_not_step(mover, (1, 0)) is None


@pytest.mark.parametrize(("held", "feet"), [("commoner", 10), ("ogre", 10), ("goblin", 10)])
def test_step_cost__dragging_halves_the_speed(
    held: str, feet: int, make_world: Any, put: Any
) -> None:
    world = make_world()
    mover, other = put(world, "commoner", (3, 1)), put(world, held, (1, 1), "b")
    other.add_condition(Grappled(source=mover))
    assert step_cost(mover, (4, 1)) == feet


def test_step_cost__dragging_a_creature_two_sizes_smaller_is_free(
    make_world: Any, put: Any
) -> None:
    world = make_world()
    ogre, goblin = put(world, "ogre", (2, 1)), put(world, "goblin", (1, 1), "b")
    goblin.add_condition(Grappled(source=ogre))
    assert step_cost(ogre, (3, 1)) == 5


def test_make_step__drags_the_grappled_creature(make_world: Any, put: Any) -> None:
    world = make_world()
    mover, other = put(world, "commoner", (2, 1)), put(world, "commoner", (1, 1), "b")
    other.add_condition(Grappled(source=mover))
    make_step(mover, (3, 1))
    assert (mover.position, other.position) == ((3, 1), (2, 1))
    assert other.has("grappled")
    assert mover.economy.moved == 10


def test_make_step__does_not_drag_a_creature_still_in_reach(make_world: Any, put: Any) -> None:
    world = make_world()
    mover, other = put(world, "commoner", (2, 1)), put(world, "commoner", (1, 1), "b")
    other.add_condition(Grappled(source=mover))
    make_step(mover, (2, 2))
    assert other.position == (1, 1)
    assert other.has("grappled")


def test_make_step__releases_a_creature_without_room(make_world: Any, put: Any) -> None:
    world = make_world(("....",))
    mover, ally = put(world, "commoner", (1, 0)), put(world, "commoner", (2, 0))
    held = put(world, "commoner", (0, 0), "b")
    held.add_condition(Grappled(source=mover))
    mover.place((2, 0))  # passing through its ally's space
    make_step(mover, (3, 0))
    assert held.position == (0, 0)
    assert not held.has("grappled")
    assert ally.position == (2, 0)


def test_make_step__large_creatures_are_dragged_too(make_world: Any, put: Any) -> None:
    world = make_world()
    mover, ogre = put(world, "ogre", (2, 1)), put(world, "ogre", (0, 1), "b")
    ogre.add_condition(Grappled(source=mover))
    make_step(mover, (3, 1))
    assert ogre.position == (1, 1)
    assert ogre.has("grappled")


def test_make_step__aggressive_feet_only_toward_an_enemy(make_world: Any, put: Any) -> None:
    world = make_world()
    orc, _ = put(world, "orc", (3, 2)), put(world, "commoner", (6, 2), "b")
    orc.economy.extra = orc.economy.toward = 30
    orc.economy.moved = 30
    assert "closer to an enemy" in str(why_not_step(orc, (2, 2)))
    assert why_not_step(orc, (4, 2)) is None
    make_step(orc, (4, 2))
    assert (orc.economy.toward, orc.economy.movement_left) == (25, 25)


def test_step_cost__every_second_diagonal_is_ten_with_the_option(make_world: Any, put: Any) -> None:
    mover = put(make_world(diagonals="5-10-5"), "commoner", (0, 0))
    costs = []
    for square in ((1, 1), (2, 2), (3, 2), (4, 3), (5, 4)):
        assert int(movement_field(mover).feet[square[1], square[0]]) == step_cost(mover, square)
        costs.append(make_step(mover, square).feet)
    assert costs == [5, 10, 5, 5, 10]


def test_step_cost__diagonals_are_counted_anew_each_turn(make_world: Any, put: Any) -> None:
    mover = put(make_world(diagonals="5-10-5"), "commoner", (0, 0))
    make_step(mover, (1, 1))
    mover.economy.renew_turn()
    assert step_cost(mover, (2, 2)) == 5


def test_force__costs_and_provokes_nothing(make_world: Any, put: Any) -> None:
    world = make_world()
    mover = put(world, "commoner", (2, 2))
    put(world, "commoner", (1, 2), "b")
    event = force(mover, (3, 2))
    assert not event.canceled
    assert mover.position == (3, 2)
    assert mover.economy.moved == 0


def test_force__not_into_another(make_world: Any, put: Any) -> None:
    world = make_world()
    mover, other = put(world, "commoner", (2, 2)), put(world, "commoner", (3, 2), "b")
    event = force(mover, (3, 2))
    assert event.canceled
    assert other.name in str(event.message)
    assert mover.position == (2, 2)


@pytest.mark.parametrize(
    ("start", "feet", "end"), [((3, 2), 5, (4, 2)), ((3, 3), 10, (4, 4)), ((3, 2), 30, (6, 2))]
)
def test_push__away_as_far_as_there_is_room(
    start: tuple[int, int], feet: int, end: tuple[int, int], make_world: Any, put: Any
) -> None:
    world = make_world()
    source, target = put(world, "commoner", (2, 2)), put(world, "commoner", start, "b")
    moved = push(target, source, feet)
    assert target.position == end
    assert moved == 5 * max(end[0] - start[0], end[1] - start[1])


def test_push__a_large_creature_pushes_straight(make_world: Any, put: Any) -> None:
    world = make_world()
    ogre, target = put(world, "ogre", (1, 1)), put(world, "commoner", (3, 2), "b")
    assert push(target, ogre) == 5
    assert target.position == (4, 2)


def test_push__not_between_two_corners(make_world: Any, put: Any) -> None:
    world = make_world(("..#.", "...#", "...."))
    source, target = put(world, "commoner", (1, 2)), put(world, "commoner", (2, 1), "b")
    assert push(target, source) == 0
    assert target.position == (2, 1)


def test_push__off_the_grid_moves_nobody() -> None:
    world = World(1)
    source, target = create("commoner", world=world), create("commoner", world=world)
    assert push(target, source) == 0


def test_disengaged__ends_with_the_turn(make_world: Any, put: Any) -> None:
    mover = put(make_world(), "commoner", (0, 0))
    mover.add_condition(Disengaged(source=mover))
    assert mover.has("disengaged")
