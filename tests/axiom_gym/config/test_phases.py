"""Custom phases: their arguments and their results."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from axiom_gym.config.definitions import (
    MILESTONE,
    PASSIVE,
    RANDOM,
    Attribute,
    Choice,
    Event,
    GameConfig,
    HistoryEntry,
    PassiveModifier,
    Phase,
    PhaseResult,
)
from axiom_gym.config.engine import Engine, create_engine
from axiom_gym.errors import CallableError

ENTRY = HistoryEntry(1, "own", "written", 0.0)


def play(phase: Phase, **parts: Any) -> Engine:
    """Return a game with the attribute `x` from 0 to 100, starting at 10, and only this phase."""
    start = {"x": 10, **parts.pop("start", {})}
    parts = {"custom_phases": {"own": phase}, "tick_order": ["own"], **parts}
    config = GameConfig(lambda: dict(start), attributes={"x": Attribute(0, 100)}, **parts)
    return create_engine(config, seed=1, clock=lambda: 0.0)


def put(**changes: Any) -> Phase:
    """Return a phase that writes these fields."""
    return lambda s, config, tick: PhaseResult({**s, **changes})


def test_phase__gets_state_config_and_tick() -> None:
    seen: list[Any] = []

    def phase(s: Mapping[str, Any], config: GameConfig, tick: int) -> PhaseResult:
        seen.append((dict(s), config, tick))
        return PhaseResult(s)

    engine = play(phase, passive_modifiers=[PassiveModifier("p", {"x": 1})])
    start = engine.get_state()
    assert engine.tick() == {**start, "tick": 1}
    assert seen == [({**start, "tick": 1}, engine.config, 1)]


def test_phase__state_is_not_clamped() -> None:
    new = {
        "x": 500.5,
        "tick": 7.5,
        "cooldowns": {"e": 9.5},
        "meta": {"a": [1]},
        "history": [ENTRY],
        "bag": [{"a": (1, 2)}],
    }
    engine = play(lambda s, config, tick: PhaseResult(new), start={"gone": 1})
    state = engine.tick()
    assert state == new
    assert state["history"][-1].text == ENTRY.text
    for key, value in new.items():
        if key in ("cooldowns", "meta"):
            value["later"] = 1  # type: ignore[index]
        elif key == "bag":
            value.append("later")  # type: ignore[attr-defined]
    assert engine.get_state() == state
    assert engine.undo()["gone"] == 1


def test_phase__is_seen_by_the_phases_after_it() -> None:
    engine = play(
        put(x=20, tick=6, cooldowns={"late": 7, "due": 6}),
        tick_order=["own", PASSIVE, MILESTONE, "spy"],
        custom_phases={
            "own": put(x=20, tick=6, cooldowns={"late": 7, "due": 6}),
            "spy": lambda s, config, tick: PhaseResult({**s, "seen": tick}),
        },
        passive_modifiers=[PassiveModifier("p", lambda s: {"x": s["x"]})],
        events=[
            Event("late", "milestone", cooldown=1),
            Event("due", "milestone", "due", cooldown=2),
        ],
    )
    state = engine.tick()
    assert (state["x"], state["tick"], state["seen"]) == (40, 6, 6)
    assert state["cooldowns"] == {"late": 7, "due": 8}
    assert state["history"] == [HistoryEntry(6, "due", "due", 0.0)]


def test_phase__may_change_the_tick() -> None:
    engine = play(lambda s, config, tick: PhaseResult({**s, "tick": tick * 10}))
    assert [engine.tick()["tick"] for _ in range(3)] == [10, 110, 1110]
    assert engine.undo()["tick"] == 110


def test_phase__entries_are_ignored_but_history_may_be_written() -> None:
    engine = play(lambda s, config, tick: PhaseResult(s, [ENTRY]))
    assert engine.tick()["history"] == []
    for write in (
        lambda s, config, tick: PhaseResult({**s, "history": s["history"].append(ENTRY)}),
        lambda s, config, tick: PhaseResult({**s, "history": [*s["history"], ENTRY]}),
        lambda s, config, tick: ({**s, "history": (*s["history"], ENTRY)}, ()),
    ):
        engine = play(write)
        engine.tick()
        assert engine.tick()["history"] == [ENTRY, ENTRY]
        assert engine.undo()["history"] == [ENTRY]


def test_phase__may_leave_attributes_empty() -> None:
    passives = [PassiveModifier("p", {"x": 3, "y": 1})]
    config = GameConfig(
        lambda: {"x": 50},
        attributes={"x": Attribute(0, 100, default=7), "y": Attribute(0, 9, default=2)},
        passive_modifiers=passives,
        custom_phases={
            "drop": lambda s, config, tick: PhaseResult(
                {**{key: s[key] for key in s if key != "y"}, "x": None}
            )
        },
        tick_order=["drop", PASSIVE],
    )
    state = create_engine(config).tick()
    assert (state["x"], state["y"]) == (10, 3)


def test_phase__with_a_built_in_name_is_never_run() -> None:
    engine_config = GameConfig(
        lambda: {"x": 10},
        attributes={"x": Attribute(0, 100)},
        passive_modifiers=[PassiveModifier("p", {"x": 1})],
        custom_phases={PASSIVE: put(x=99), RANDOM: put(x=98), MILESTONE: put(x=97)},
    )
    assert create_engine(engine_config, original=True).tick()["x"] == 11


def test_phase__numbers_of_numpy_and_zeros_are_converted() -> None:
    state = play(put(x=np.float64(3.5), n=np.int64(2), zero=-0.0)).tick()
    assert (type(state["x"]), type(state["n"])) == (float, int)
    assert math.copysign(1, state["zero"]) == 1
    assert math.copysign(1, play(put(x=-0.0)).tick()["x"]) == 1


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"x": math.nan}, "attribute 'x' gets nan, which is not finite."),
        ({"x": np.float64("inf")}, "attribute 'x' gets inf, which is not finite."),
        ({"x": "high"}, "attribute 'x' gets 'high', which is not a number."),
        ({"other": -math.inf}, "field 'other' gets -inf, which is not finite."),
        ({"job": "king"}, "choice 'job' gets 'king'; its options are 'clerk', None."),
        ({7: 1}, "the name of a field must be a string, got 7."),
        ({"tick": None}, "'tick' must be a finite number, got None."),
        ({"tick": math.inf}, "'tick' must be a finite number, got inf."),
        ({"tick": True}, "'tick' must be a finite number, got True."),
        ({"cooldowns": [1]}, "'cooldowns' must map event ids to ticks, got [1]."),
        (
            {"cooldowns": {"e": "late"}},
            "'cooldowns' must hold finite numbers by event id, got 'e': 'late'.",
        ),
        ({"cooldowns": {1: 1}}, "'cooldowns' must hold finite numbers by event id, got 1: 1."),
        ({"meta": None}, "'meta' must be a mapping, got None."),
        ({"history": "abc"}, "'history' must be a list of HistoryEntry, got 'abc'."),
        (
            {"history": [ENTRY, "x"]},
            "'history[1]' must be a HistoryEntry, got 'x'.",
        ),
    ],
)
def test_phase__state_with_impossible_values_is_refused(changes: Any, message: str) -> None:
    engine = play(
        lambda s, config, tick: PhaseResult({**s, **changes}),
        choices={"job": Choice("clerk", None)},
    )
    before = engine.get_state()
    expected = re.escape(f"phase 'own', custom_phases['own']: {message}")
    with pytest.raises(CallableError, match=f"^{expected}$"):
        engine.tick()
    assert engine.get_state() == before


@pytest.mark.parametrize("key", ["tick", "history", "cooldowns", "meta"])
def test_phase__cannot_remove_the_engines_fields(key: str) -> None:
    engine = play(lambda s, c, tick: PhaseResult({k: v for k, v in s.items() if k != key}))
    with pytest.raises(CallableError, match=rf"the state has no '{key}'; return \{{\*\*"):
        engine.tick()


@pytest.mark.parametrize("result", [None, {"x": 1}, (1, 2), ({},), [{}, []]])
def test_phase__must_return_a_phase_result(result: Any) -> None:
    engine = play(lambda s, config, tick: result)
    with pytest.raises(
        CallableError, match=r"own'\]: a phase must return PhaseResult\(state\), got "
    ):
        engine.tick()
