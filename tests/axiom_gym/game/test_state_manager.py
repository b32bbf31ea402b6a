"""Checks that states are replaced and never changed."""

from __future__ import annotations

from types import ModuleType

import pytest

from axiom_gym.errors import AxiomError, GameError, StateImmutabilityError
from axiom_gym.game import StateManager
from axiom_gym.seeded_rng import SeededRNG


@pytest.mark.parametrize("strict", [False, True])
def test_apply__gives_the_new_state(race: ModuleType, strict: bool) -> None:
    state = race.ListState(0, "ann", [])
    after = StateManager(race.Scribble(""), strict).apply(state, "x", SeededRNG(0))
    assert after == race.ListState(1, "ann", ["x"])
    assert state == race.ListState(0, "ann", [])


@pytest.mark.parametrize("strict", [False, True])
def test_apply__refuses_the_same_object(race: ModuleType, strict: bool) -> None:
    manager = StateManager(race.Scribble("same"), strict)
    with pytest.raises(StateImmutabilityError, match=r"scribble: .*same ListState back.*replace"):
        manager.apply(race.ListState(0, "ann", []), "x", SeededRNG(0))


def test_apply__finds_a_changed_state_only_if_strict(race: ModuleType) -> None:
    state = race.ListState(0, "ann", [])
    StateManager(race.Scribble("changed")).apply(state, "x", SeededRNG(0))
    assert state.marks == ["x"]
    with pytest.raises(StateImmutabilityError, match="execute_action changed the ListState"):
        StateManager(race.Scribble("changed"), strict=True).apply(state, "o", SeededRNG(0))


def test_apply__finds_a_state_that_somebody_else_changed(race: ModuleType) -> None:
    manager = StateManager(race.Scribble(""), strict=True)
    state = manager.apply(race.ListState(0, "ann", []), "x", SeededRNG(0))
    state = manager.apply(state, "x", SeededRNG(0))
    state.marks[0] = "o"
    with pytest.raises(StateImmutabilityError, match="was changed after the game gave it"):
        manager.apply(state, "x", SeededRNG(0))


def test_immutability_error__is_the_games_fault() -> None:
    assert issubclass(StateImmutabilityError, GameError)
    assert issubclass(StateImmutabilityError, AxiomError)
