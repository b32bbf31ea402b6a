"""Observations of creatures and of the game, and facts that must stay hidden."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from axiom_envs.dnd.constants import STEP
from axiom_envs.dnd.engine.creature.entity import Entity
from axiom_envs.dnd.engine.encounter.choices import Choice
from axiom_envs.dnd.engine.rules import effects, standard
from axiom_envs.skirmish.observe.layout import ENTITY_NAMES, entity_index

# -- entities --------------------------------------------------------------------------------------


def test_entities__the_acting_creature_comes_first(stages: Any) -> None:
    stage = stages("P.P", "P..", "F.F", "..F")
    for actor in stage.sides[0]:
        stage.turn_of(actor)
        order = [actor, *(one for one in stage.sides[0] if one is not actor)]
        for slot, one in enumerate((*order, *stage.sides[1])):
            x, y = one.position or (0, 0)
            assert stage.entry(slot, "x") == pytest.approx(x / 3)
            assert stage.entry(slot, "y") == pytest.approx(y / 4)
            assert stage.entry(slot, "acting") == (one is actor)
            assert stage.entry(slot, "side") == (1 if slot < 3 else -1)
        assert stage.entry(0, "x", 1) == stage.sides[1][0].position[0] / 3


def test_entities__slots_without_a_creature_are_zero(stages: Any) -> None:
    table = stages.open_field().parts()[1]
    assert not table[3].any()
    assert not stages.open_field().parts(1)[1][1].any()


def test_entities__numbers_of_a_skeleton(stages: Any) -> None:
    stage = stages("P...", "....", "....", "..F.", party="skeleton")
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


def test_entities__riders_and_traits(stages: Any) -> None:
    stage = stages("P...", "....", "....", ".F..", "....", party="wolf", foes="giant_spider")
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
def test_entities__changes_show(stages: Any, change: Change, name: str, value: float) -> None:
    stage = stages("P...", "F...", "....", "P..F")
    one, foe = stage.sides[0][0], stage.sides[1][0]
    stage.turn_of(one)
    before = stage.entry(0, name)
    change(one, foe)
    assert stage.entry(0, name) == pytest.approx(value)
    assert before != pytest.approx(value)


def test_entities__exhaustion_adds_up(stages: Any) -> None:
    stage = stages("P...", "....", "....", "...F")
    one = stage.sides[0][0]
    stage.turn_of(one)
    for level in (1, 2):
        one.add_condition(standard.Exhaustion(level=1))
        assert stage.entry(0, "exhaustion") == pytest.approx(level / 6)


def test_entities__an_unloaded_crossbow(stages: Any) -> None:
    stage = stages("P...", "....", "....", "...F", party="bandit")
    one = stage.sides[0][0]
    stage.turn_of(one)
    crossbow = one.equipment.profiles[1]
    assert stage.entry(0, "profile1.uses") == 1
    one.economy.marks.add(f"loading {crossbow.weapon.number}")
    assert stage.entry(0, "profile1.uses") == 0


# -- globals ---------------------------------------------------------------------------------------


def test_globals__of_a_turn(stages: Any) -> None:
    stage = stages.open_field()
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


def test_globals__of_a_reaction(stages: Any) -> None:
    stage = stages("....F", ".PF..", ".....", "P....")
    mover, foe = stage.sides[0][0], stage.sides[1][1]
    stage.turn_of(mover)
    stage.encounter.act(Choice(STEP, square=(0, 0)))
    stage.update()
    assert stage.encounter.decider is foe
    assert stage.value("kind.opportunity", 1) == stage.value("decides", 1) == 1
    assert stage.value("kind.main", 1) == stage.value("kind.defence", 1) == 0
    assert stage.value("trigger_slot", 1) == 3 / 4
    assert stage.entry(0, "x", 1) == pytest.approx(2 / 5)
    assert (stage.value("trigger_x", 1), stage.value("trigger_y", 1)) == (0, 0)
    assert stage.value("kind.opportunity") == stage.value("trigger_slot") == 0
    assert stage.value("actor_slot") == 1 / 4


# -- hidden facts ----------------------------------------------------------------------------------


def test_hidden__an_enemy_out_of_sight_shows_only_that_it_lives(stages: Any) -> None:
    stage = stages.walled()
    table = stage.parts()[1]
    for slot in (2, 3):
        shown = {name for name, value in zip(ENTITY_NAMES, table[slot], strict=True) if value}
        assert shown == {"alive", "side"}
    assert not stage.plane("enemies").any()
    assert not stage.plane("last_known").any()
    assert stage.value("enemies_seen") == stage.value("enemies_hp") == 0
    assert stage.value("enemies_alive") == 1
    assert (stage.plane("enemy_distance") == 1).all()


def test_hidden__last_known_position_of_an_enemy(stages: Any) -> None:
    stage = stages.walled()
    foe = stage.sides[1][0]
    stage.last_seen["party", foe.number] = (5, 5)
    assert np.argwhere(stage.plane("last_known")).tolist() == [[5, 5]]
    foe.health.dead = True
    assert not stage.plane("last_known").any()


def test_hidden__an_unseen_actor_is_not_named(stages: Any) -> None:
    stage = stages.walled()
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
    stages: Any,
    squares: list[tuple[int, int]],
    hit_points: int,
    conditions: set[Any],
    moved: int,
    turn: int,
    decisions: int,
) -> None:
    stage = stages.walled()
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
    stage.update()
    if not stage.seen["party"]:
        assert np.array_equal(stage.write(), before)
        assert np.array_equal(stage.write(fresh=True), before)


def test_hidden__an_enemy_in_sight_does_show(stages: Any) -> None:
    stage = stages.walled()
    before = stage.write()
    stage.sides[1][0].place((2, 5))
    stage.update()
    assert stage.seen["party"]
    assert not np.array_equal(stage.write(), before)
