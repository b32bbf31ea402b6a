"""Opportunity attacks: attackers, occasions, and interrupted movement."""

from __future__ import annotations

from typing import Any

import pytest

from axiom_envs.dnd.constants import DECLINE, DIRECTIONS, DISENGAGE, END_TURN, MOVE, REACT, STEP
from axiom_envs.dnd.engine.encounter.choices import Choice
from axiom_envs.dnd.engine.encounter.creation import create
from axiom_envs.dnd.engine.encounter.encounter import Encounter
from axiom_envs.dnd.engine.rules.grappling import ShoveBack
from axiom_envs.dnd.engine.rules.movement import push
from axiom_envs.dnd.engine.rules.opportunity import opportunists
from axiom_envs.dnd.engine.rules.standard import Blinded, Invisible, Stunned
from axiom_envs.dnd.engine.values.types import CostType

SIZE = 11
CENTRE = (5, 5)


@pytest.fixture
def rows() -> tuple[str, ...]:
    """A map with room around the centre."""
    return ("." * SIZE,) * SIZE


# -- attackers -------------------------------------------------------------------------------------


@pytest.mark.parametrize("direction", range(8))
def test_opportunists__leaving_and_staying_from_all_eight_neighbours(
    direction: int, make_world: Any, put: Any
) -> None:
    world = make_world()
    enemy = put(world, "guard", CENTRE, "b")
    dx, dy = DIRECTIONS[direction]
    mover = put(world, "commoner", (CENTRE[0] + dx, CENTRE[1] + dy), "a")
    for step_x, step_y in DIRECTIONS:
        square = (CENTRE[0] + dx + step_x, CENTRE[1] + dy + step_y)
        if square == CENTRE:
            continue
        leaves = max(abs(square[0] - CENTRE[0]), abs(square[1] - CENTRE[1])) > 1
        assert (opportunists(mover, square) == [enemy]) == leaves


def test_opportunists__reach_of_ten(make_world: Any, put: Any) -> None:
    world = make_world()
    enemy = put(world, "guard", CENTRE, "b")
    enemy.equipment.profiles[0].reach = 10
    mover = put(world, "commoner", (6, 5), "a")
    assert opportunists(mover, (7, 5)) == []
    mover.place((7, 5))
    assert opportunists(mover, (8, 5)) == [enemy]


def test_opportunists__large_creatures(make_world: Any, put: Any) -> None:
    world = make_world()
    ogre = put(world, "ogre", CENTRE, "b")  # to (6, 6)
    mover = put(world, "commoner", (7, 7), "a")
    assert opportunists(mover, (8, 8)) == [ogre]
    assert opportunists(mover, (7, 6)) == []
    mover.place((0, 0))
    worg = put(world, "worg", (7, 5), "a")
    assert opportunists(worg, (8, 5)) == [ogre]
    assert opportunists(worg, (7, 4)) == []


def test_opportunists__are_neither_allies_nor_neutral(make_world: Any, put: Any) -> None:
    world = make_world()
    put(world, "guard", (4, 5), "a")
    create("guard", position=(4, 4), world=world)
    mover = put(world, "commoner", CENTRE, "a")
    assert opportunists(mover, (6, 5)) == []


@pytest.mark.parametrize("why", ["unseen", "blind", "stunned", "spent", "dead", "shooter"])
def test_opportunists__cannot_react(why: str, make_world: Any, put: Any) -> None:
    world = make_world()
    enemy, mover = put(world, "guard", (4, 5), "b"), put(world, "commoner", CENTRE, "a")
    if why == "unseen":
        mover.add_condition(Invisible())
    elif why == "blind":
        enemy.add_condition(Blinded())
    elif why == "stunned":
        enemy.add_condition(Stunned())
    elif why == "spent":
        enemy.economy.spend(CostType.REACTIONS)
    elif why == "dead":
        enemy.health.dead = True
    else:
        enemy.equipment.profiles = [one for one in enemy.equipment.profiles if not one.is_melee]
    assert opportunists(mover, (6, 5)) == []


def test_opportunists__forced_movement_provokes_nothing(fight: Any) -> None:
    encounter, (mover, enemy, other) = fight(
        ("ogre", (4, 5)), ("commoner", (6, 5)), ("guard", (6, 6))
    )
    assert push(enemy, mover, 10) == 10
    assert other.economy.left(CostType.REACTIONS) == 1
    assert not encounter.is_reaction


def test_shove_back__provokes_nothing(load: Any, make_world: Any, put: Any) -> None:
    world = make_world()
    shover, target = put(world, "fighter", (4, 5), "a"), put(world, "commoner", CENTRE, "b")
    friend = put(world, "fighter", (4, 6), "a")
    load(world, 10)
    ShoveBack(shover, target).apply()
    assert target.position == (6, 5)
    assert friend.economy.left(CostType.REACTIONS) == 1


# -- decisions -------------------------------------------------------------------------------------


def test_step__decision_comes_before_the_mover_leaves(fight: Any) -> None:
    encounter, (mover, enemy) = fight(("fighter", CENTRE), ("guard", (4, 5)))
    encounter.act(Choice(STEP, square=(6, 5)))
    assert encounter.is_reaction
    assert encounter.decider is enemy
    assert mover.position == CENTRE
    assert mover.economy.moved == 0
    assert [one.kind for one in encounter.legal_actions()] == [REACT, DECLINE]
    assert "opportunity attack" in encounter.question()


def test_step__declined_reaction_is_not_spent_nor_offered_again(attacks: Any, fight: Any) -> None:
    encounter, (mover, enemy) = fight(("fighter", CENTRE), ("guard", (4, 5)))
    state = encounter.world.rng.state
    encounter.act(Choice(STEP, square=(6, 5)))
    encounter.act(Choice(DECLINE))
    assert encounter.decider is mover
    assert mover.position == (6, 5)
    assert enemy.economy.left(CostType.REACTIONS) == 1
    assert not attacks(encounter)
    assert encounter.world.rng.state == state


def test_step__reacts_once_a_round(attacks: Any, fight: Any, load: Any) -> None:
    encounter, (mover, enemy) = fight(("fighter", CENTRE), ("guard", (4, 5)))
    load(encounter.world, 2)
    encounter.act(Choice(STEP, square=(6, 5)))
    encounter.act(Choice(REACT))
    assert len(attacks(encounter)) == 1
    assert mover.position == (6, 5)
    assert enemy.economy.left(CostType.REACTIONS) == 0
    assert enemy.economy.left(CostType.ACTIONS) == 1
    encounter.act(Choice(STEP, square=CENTRE))
    encounter.act(Choice(STEP, square=(6, 5)))
    assert not encounter.is_reaction


def test_step__all_attackers_decide_in_order(fight: Any) -> None:
    encounter, (mover, *enemies) = fight(
        ("fighter", CENTRE), ("guard", (4, 5)), ("guard", (4, 4)), ("guard", (6, 6))
    )
    encounter.act(Choice(STEP, square=(6, 5)))
    asked = []
    while encounter.is_reaction:
        asked.append(encounter.decider)
        encounter.act(Choice(DECLINE))
    assert asked == enemies[:2]
    assert mover.position == (6, 5)


def test_step__reaction_is_restored_at_the_start_of_a_turn(fight: Any, load: Any) -> None:
    encounter, (_, enemy) = fight(("fighter", CENTRE), ("guard", (4, 5)))
    load(encounter.world, 2)
    encounter.act(Choice(STEP, square=(6, 5)))
    encounter.act(Choice(REACT))
    encounter.act(Choice(END_TURN))
    assert encounter.actor is enemy
    assert enemy.economy.left(CostType.REACTIONS) == 1


def test_disengage__offers_no_reaction(fight: Any) -> None:
    encounter, (mover, _) = fight(("fighter", CENTRE), ("guard", (4, 5)))
    encounter.act(Choice(DISENGAGE))
    encounter.act(Choice(STEP, square=(6, 5)))
    assert encounter.decider is mover
    assert not encounter.is_reaction


# -- interrupted movement --------------------------------------------------------------------------


def test_move__interrupted_step_by_step(fight: Any, load: Any) -> None:
    encounter, (mover, first, second) = fight(
        ("fighter", (2, 5)), ("guard", (2, 4)), ("guard", (6, 4))
    )
    load(encounter.world, 2)
    encounter.act(Choice(MOVE, square=(8, 5)))
    assert encounter.decider is first
    encounter.act(Choice(REACT))
    if encounter.is_reaction:  # the path led past the second one
        assert encounter.decider is second
        assert mover.position != (8, 5)
        encounter.act(Choice(DECLINE))
    assert mover.position == (8, 5)
    assert mover.economy.moved == 30


def test_move__avoids_opportunity_attacks_on_equally_short_paths(attacks: Any, fight: Any) -> None:
    encounter, (mover, _) = fight(("fighter", (2, 5)), ("guard", (5, 3)))
    encounter.act(Choice(MOVE, square=(8, 5)))
    assert mover.position == (8, 5)
    assert not attacks(encounter)


def test_move__ends_at_0_hit_points_and_provokes_no_more(
    attacks: Any, fight: Any, load: Any
) -> None:
    encounter, (mover, first, second) = fight(
        ("fighter", CENTRE), ("guard", (4, 5)), ("guard", (4, 4))
    )
    create("commoner", position=(0, 0), side="a", world=encounter.world)
    encounter.fighters.append(encounter.world.entities[-1])
    mover.health.current = 1
    load(encounter.world, 15)
    encounter.act(Choice(STEP, square=(6, 5)))
    encounter.act(Choice(REACT))
    assert mover.health.current == 0
    assert mover.position == CENTRE
    assert [one.source for one in attacks(encounter)] == [first]
    assert not encounter.stack
    assert second.position == (4, 4)


def test_move__a_fall_in_anothers_space_ends_beside_it(
    load: Any, make_world: Any, put: Any
) -> None:
    world = make_world()
    mover, ally = put(world, "fighter", (2, 5), "a"), put(world, "fighter", (3, 5), "a")
    enemy = put(world, "guard", (2, 6), "b")
    encounter = Encounter(world).start()
    while encounter.actor is not mover:
        encounter.act(Choice(END_TURN))
    for x in range(SIZE):
        for y in (4, 6):
            if (x, y) != enemy.position:
                world.grid.set_terrain(x, y, 1)  # type: ignore[union-attr]
    mover.health.current = 1
    load(world, 15)
    encounter.act(Choice(MOVE, square=(5, 5)))
    while encounter.is_reaction:
        encounter.act(Choice(REACT))
    assert mover.health.current == 0
    assert (mover.position, ally.position) == ((2, 5), (3, 5))


def test_parry__inside_an_opportunity_attack(attacks: Any, fight: Any, load: Any) -> None:
    encounter, (mover, enemy) = fight(("bandit_captain", CENTRE), ("guard", (4, 5)))
    load(encounter.world, 13)  # 16 against 15, and 17 with the parry
    encounter.act(Choice(STEP, square=(6, 5)))
    encounter.act(Choice(REACT))
    assert encounter.decider is mover
    assert encounter.is_reaction
    assert "parry" in encounter.question()
    before = mover.health.current
    encounter.act(Choice(REACT))
    (attack,) = attacks(encounter)
    assert not attack.hits
    assert mover.health.current == before
    assert mover.economy.left(CostType.REACTIONS) == 0
    assert enemy.economy.left(CostType.REACTIONS) == 0
    assert mover.position == (6, 5)


def test_parry__declined_lets_the_hit_through(attacks: Any, fight: Any, load: Any) -> None:
    encounter, (mover, _) = fight(("bandit_captain", CENTRE), ("guard", (4, 5)))
    load(encounter.world, 13)
    encounter.act(Choice(STEP, square=(6, 5)))
    encounter.act(Choice(REACT))
    encounter.act(Choice(DECLINE))
    (attack,) = attacks(encounter)
    assert attack.hits
    assert mover.economy.left(CostType.REACTIONS) == 1


def test_automatic__reactions_are_taken_without_a_decision(
    attacks: Any, fight: Any, load: Any
) -> None:
    encounter, (mover, enemy) = fight(("fighter", CENTRE), ("guard", (4, 5)), asks_reactions=False)
    load(encounter.world, 2)
    encounter.act(Choice(STEP, square=(6, 5)))
    assert encounter.decider is mover
    assert len(attacks(encounter)) == 1
    assert enemy.economy.left(CostType.REACTIONS) == 0
