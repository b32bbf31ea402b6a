"""Positions of games for OpenSpiel, without OpenSpiel itself."""

from __future__ import annotations

import copy
import itertools
import pickle
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from axiom_gym.adapters import openspiel
from axiom_gym.adapters.openspiel import Position, Table, find_table
from axiom_gym.batch import Batch
from axiom_gym.errors import ActionError, ConfigError, IllegalActionError, IncompatibleGameError
from axiom_gym.kernel import EVERYONE


@pytest.fixture
def table(raft: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Table:
    """A simultaneous game with chance and elimination, known as "raft"."""
    made = Table(raft.GAME, danger=20)
    monkeypatch.setitem(openspiel._tables, "raft", made)
    return made


def choose(table: Table, saved: Any, rng: np.random.Generator) -> dict[int, int]:
    """Return a random legal action for each player who is to act."""
    seats = range(table.num_players) if saved.actor == EVERYONE else [saved.actor]
    return {seat: int(rng.choice(table.legal_actions(saved, seat))) for seat in seats}


def test_positions__are_those_of_the_batch(raft: ModuleType, table: Table) -> None:
    """Positions of two episodes alternate, so that each is loaded again for each turn."""
    batches = [Batch(raft.GAME, autoreset="disabled", danger=20) for _ in range(2)]
    positions = [table.start(seed) for seed in range(2)]
    for seed, batch in enumerate(batches):
        batch.reset(seed)
    rng = np.random.default_rng(1)
    turns = 0
    while not all(saved.ended for saved in positions):
        for k, batch in enumerate(batches):
            if positions[k].ended:
                continue
            actions = choose(table, positions[k], rng)
            batch.buffers.actions[0] = np.array([divmod(actions[p], 4) for p in range(3)])
            positions[k] = table.play(positions[k], actions)
            batch.step()
            turns += 1
            assert positions[k].arrays[0].tobytes() == batch.buffers.states.tobytes()
            assert positions[k].ended == bool(
                batch.buffers.terminated[0] or not batch.alive().any()
            )
            for seat, view in enumerate(batch.views()):
                assert np.array_equal(table.observe(positions[k], seat), view)
    assert turns > 8
    for saved, batch in zip(positions, batches, strict=True):
        assert list(saved.outcomes) == batch.outcomes()[0].tolist()


def test_legal_actions__are_numbers_of_joint_actions(table: Table) -> None:
    saved = table.start(1)
    assert (table.num_actions, table.num_players) == (12, 3)
    assert table.legal_actions(saved, 0) == list(range(8))
    assert table.describe_action(saved, 0, 5).startswith("5: ")


def test_eliminated_player__has_one_action(raft: ModuleType) -> None:
    table = Table(raft.GAME, preset="sharks")
    saved = table.play(table.start(1), {0: 1, 1: 0, 2: 0})
    assert table.legal_actions(saved, 0) == [2 * 4 + 1]
    assert len(table.legal_actions(saved, 1)) > 1


def test_sequential_game__asks_one_player(brawl: ModuleType) -> None:
    table = Table(brawl.GAME, players=3)
    saved = table.start(1)
    assert saved.actor >= 0
    assert table.legal_actions(saved, saved.actor)
    others = [seat for seat in range(3) if seat != saved.actor]
    assert [table.legal_actions(saved, seat) for seat in others] == [[], []]


def test_game_for_one_player__is_sequential(climb: ModuleType) -> None:
    table = Table(climb.GAME)
    assert table.is_sequential
    assert table.start(1).actor == 0


@pytest.mark.parametrize(("action", "error"), [(12, ActionError), (8, IllegalActionError)])
def test_play__refuses_actions_and_changes_nothing(
    table: Table, action: int, error: type[Exception]
) -> None:
    saved = table.start(1)
    before = saved.arrays[0].tobytes()
    with pytest.raises(error):
        table.play(saved, {0: action, 1: 0, 2: 0})
    assert table.play(saved, {0: 0, 1: 0, 2: 0}).arrays[0].tobytes() != before
    assert saved.arrays[0].tobytes() == before


def test_position__starts_when_it_is_needed(table: Table) -> None:
    seeds = itertools.count(5)
    first, second = Position("raft", seeds), Position("raft", seeds)
    assert second.saved.arrays[0].tobytes() == table.start(5).arrays[0].tobytes()
    assert first.saved.arrays[0].tobytes() == table.start(6).arrays[0].tobytes()


def test_position__copies_are_independent_and_draw_the_same_numbers(table: Table) -> None:
    one = Position("raft", itertools.count(5))
    others = [copy.deepcopy(one), pickle.loads(pickle.dumps(one))]
    before = one.saved.arrays[0].tobytes()
    one.play({0: 0, 1: 0, 2: 0})
    for other in others:
        assert other.saved.arrays[0].tobytes() == before
        other.play({0: 0, 1: 0, 2: 0})
        assert other.saved.arrays[0].tobytes() == one.saved.arrays[0].tobytes()


def test_find_table__names_the_remedy() -> None:
    with pytest.raises(ConfigError, match=r"'axiom_chess' is not registered.*register\(\)"):
        find_table("axiom_chess")


@pytest.mark.parametrize("name", ["actions", "mask_in", "dropouts", "on_illegal"])
def test_table__has_no_options_of_environments(raft: ModuleType, name: str) -> None:
    with pytest.raises(ConfigError, match=f"no option '{name}'"):
        Table(raft.GAME, **{name: "x"})


def test_table__refuses_too_many_joint_actions(
    raft: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(openspiel, "MOST_JOINT_ACTIONS", 11)
    with pytest.raises(IncompatibleGameError, match=r"raft has 12 joint actions.*up to 11"):
        Table(raft.GAME)


def test_register__says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ConfigError, match=r"pip install 'axiom-gym\[openspiel\]'"):
        openspiel.register("connect_four")
