"""States that JSON can write, and games that start from them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from axiom_gym.config import Action, Attribute, Choice, GameConfig, PhaseResult, create_engine
from axiom_gym.config.definitions import HistoryEntry
from axiom_gym.config.history import History
from axiom_gym.errors import StateError

FARM = GameConfig(
    initial_state=lambda: {"hay": 3, "seen": False},
    attributes={"hay": Attribute(0, 20)},
    choices={"season": Choice("spring", "summer")},
    actions=[
        Action("mow", text="You mow.", effects=[{"hay": 2, "extra": 1.5, "season": "summer"}])
    ],
)


def test_state__is_json_and_starts_a_game() -> None:
    engine = create_engine(FARM, 1, clock=lambda: 2.5)
    engine.apply_action("mow")
    for state in (engine.get_state(), engine.tick(), engine.undo()):
        assert state["history"] == [HistoryEntry(0, "mow", "You mow.", 2.5)]
        assert state["history"][-1].text == "You mow."
    engine.tick()
    state = json.loads(json.dumps(engine.get_state()))
    assert state["history"] == [[0, "mow", "You mow.", 2.5]]
    again = create_engine(FARM, 1, state=state, clock=lambda: 2.5)
    assert again.get_state() == engine.get_state()
    assert again.apply_action("mow") == engine.apply_action("mow")
    assert again.get_state()["history"][-1] == HistoryEntry(1, "mow", "You mow.", 2.5)


def test_state__copy_of_the_history_is_the_callers() -> None:
    engine = create_engine(FARM)
    engine.apply_action("mow")
    engine.get_state()["history"].clear()
    assert len(engine.get_state()["history"]) == 1


def test_state__fields_left_out_start_as_in_a_new_game() -> None:
    state = create_engine(FARM, state={"hay": 7, "tick": 4}).get_state()
    assert state == create_engine(FARM).get_state() | {"hay": 7, "tick": 4}


@pytest.mark.parametrize(
    ("state", "message"),
    [
        ({"hya": 3}, "there is no field 'hya'. Did you mean 'hay'?"),
        ({"hay": 21}, "attribute 'hay' must be from 0 to 20, got 21"),
        ({"hay": "much"}, "attribute 'hay' must be a finite number, got 'much'"),
        ({"season": "winter"}, "choice 'season' gets 'winter'; its options are"),
        ({"history": [[0, "mow"]]}, r"'history\[0\]' must be \[tick, event id, text, timestamp\]"),
        ({"history": "mow"}, "'history' must be a list of entries"),
        ({"tick": None}, "'tick' must be a finite number"),
        ({"cooldowns": {"a": "b"}}, "'cooldowns' must hold finite numbers by event id"),
        ([1], "state must be a mapping"),
    ],
)
def test_state__errors_name_the_field(state: Any, message: str) -> None:
    with pytest.raises(StateError, match=message):
        create_engine(FARM, state=state)


def test_state__a_phase_may_leave_the_bounds() -> None:
    config = GameConfig(
        initial_state=dict,
        attributes={"hp": Attribute(0, 9)},
        custom_phases={"blow": lambda s, config, tick: PhaseResult({**s, "hp": 50})},
        tick_order=["blow"],
    )
    state = create_engine(config).tick()
    assert create_engine(config, state=state).get_state()["hp"] == 50


def test_state__after_an_operation_shares_the_history() -> None:
    """A copy of the history in every operation would make long games slower and slower."""
    engine = create_engine(FARM)
    states = engine.apply_action("mow"), engine.tick(), engine.undo()
    assert all(isinstance(state["history"], History) for state in states)
    assert len(states[0]["history"]) == len(states[1]["history"]) == 1
