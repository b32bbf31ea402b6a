"""Invariants of encounters between random players."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from axiom_envs.dnd.constants import DECLINE, END_TURN, MOST_DECISIONS
from axiom_envs.dnd.data.load import Library
from axiom_envs.dnd.engine.creature.entity import Entity
from axiom_envs.dnd.engine.encounter.encounter import Encounter
from axiom_envs.dnd.engine.rules.movement import the_grid
from axiom_envs.dnd.engine.values.types import CostType
from axiom_envs.dnd.engine.world.options import Options
from axiom_envs.dnd.engine.world.world import World
from axiom_envs.dnd.tactics import play_random
from axiom_gym.seeded_rng import SeededRNG

SCENARIOS = [
    name
    for name, spec in Library.builtin().scenarios.items()
    if spec.map is not None
    and all(body.position is not None for bodies in spec.sides.values() for body in bodies)
]
COSTS = [one for one in CostType if one is not CostType.ATTACKS]


def check_entity(one: Entity) -> None:
    health, economy = one.health, one.economy
    assert 0 <= health.current <= health.maximum.score
    assert health.temporary >= 0
    assert 0 <= health.successes <= 3
    assert 0 <= health.failures <= 3
    assert all(economy.left(kind) >= 0 for kind in COSTS)
    faster = 10 if "fast_movement" in one.traits else 0
    assert economy.moved <= economy.speed.base + faster + economy.extra
    assert economy.extra >= economy.toward >= 0
    assert not health.dead or health.current == 0


def check_encounter(encounter: Encounter) -> None:
    for one in encounter.fighters:
        check_entity(one)
    bodies = [one for one in encounter.fighters if one.body >= 0]
    walking = encounter.actor if encounter.stack else None  # it may pass through another's space
    taken = [at for one in bodies if one is not walking for at in the_grid(one).squares(one.body)]
    assert len(taken) == len(set(taken))
    grid = encounter.world.grid
    assert grid is not None
    assert all(grid.position(one.body) == one.position for one in bodies)
    assert encounter.decisions <= MOST_DECISIONS + 1
    assert 1 <= encounter.round <= encounter.round_limit


def play(encounter: Encounter, seed: int, most: int = 400) -> int:
    """Take random decisions, check the invariants after each, and return their number."""
    rng = SeededRNG(seed)
    for decision in range(most):
        if encounter.decider is None:
            assert encounter.over
            return decision
        assert next(encounter.legal.choices(encounter.actor), None) is not None
        choice = play_random(encounter, encounter.legal, rng)
        events = encounter.act(choice)
        assert choice.kind in (END_TURN, DECLINE) or encounter.is_reaction or events, choice
        assert not any(event.fault for event in events)
        check_encounter(encounter)
    return most


@given(
    scenario=st.sampled_from(SCENARIOS),
    seed=st.integers(0, 2**32 - 1),
    asks=st.booleans(),
    options=st.builds(
        Options,
        surprise=st.booleans(),
        light=st.booleans(),
        ready=st.booleans(),
        diagonals=st.sampled_from(("5", "5-10-5")),
        knock_out=st.booleans(),
        shared_initiative=st.booleans(),
    ),
)
@settings(max_examples=20, deadline=None, derandomize=True)
def test_encounter__invariants_hold(scenario: str, seed: int, asks: bool, options: Options) -> None:
    surprised = ("foes",) if options.surprise else ()
    encounter = Encounter.from_preset(
        scenario, seed=seed, asks_reactions=asks, options=options, log="off", surprised=surprised
    )
    play(encounter, seed, 150)  # asserts after each decision


@pytest.mark.slow
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_encounter__invariants_hold_to_the_end(scenario: str) -> None:
    for seed in range(4):
        asks = seed % 2 > 0
        encounter = Encounter.from_preset(scenario, seed=seed, log="off", asks_reactions=asks)
        play(encounter, seed, 5000)
        assert encounter.over


@pytest.mark.parametrize("scenario", ["bandits-vs-party", "gnolls-on-the-plain"])
def test_encounter__the_same_seed_is_the_same_game(scenario: str) -> None:
    def record() -> tuple[list[str], int, int]:
        encounter, rng = Encounter.from_preset(scenario, seed=5), SeededRNG(6)
        told = []
        for _ in range(120):
            if encounter.decider is None:
                break
            choice = play_random(encounter, encounter.legal, rng)
            told += [one.explain() for one in encounter.act(choice)]
        return told, encounter.world.rng.state, encounter.world.count

    first = record()
    assert first == record()
    assert len(first[0]) > 80


def count_objects(world: World) -> Counter[str]:
    """Count the objects of each class, without values, which are created on first use."""
    names = (type(one).__name__ for one in world.objects.values())
    return Counter(name for name in names if name != "ModifiableValue")


@pytest.mark.parametrize("scenario", ["bandits-vs-party", "gnolls-on-the-plain", "4v4-mixed"])
def test_encounter__new_objects_belong_to_conditions(scenario: str) -> None:
    decisions = 0
    for seed in (1, 2):
        encounter = Encounter.from_preset(scenario, seed=seed, log="off", round_limit=60)
        world, before = encounter.world, count_objects(encounter.world)
        values = len(world.objects) - before.total()
        decisions += play(encounter, seed, 600)
        assert count_objects(world) != before  # some objects must be removed
        for one in world.entities:
            for condition in reversed(one.active_conditions()):
                if condition.is_applied:
                    one.remove_condition(condition)
            assert not one.conditions
        assert count_objects(world) == before
        assert len(world.objects) - before.total() - values < 20 * len(world.entities)
    assert decisions > 600
