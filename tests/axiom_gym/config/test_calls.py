"""Failing callables: the error, and the state after the operation."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from axiom_gym.config.calls import takes_context
from axiom_gym.config.definitions import (
    MILESTONE,
    PASSIVE,
    RANDOM,
    Action,
    Attribute,
    Choice,
    Event,
    GameConfig,
    PassiveModifier,
)
from axiom_gym.config.engine import Engine, create_engine
from axiom_gym.errors import CallableError, EngineError


def fail(*_: Any) -> Any:
    raise RuntimeError(f"at {len(_)}")


def play(original: bool = False, **parts: Any) -> Engine:
    start = {"x": 10, **parts.pop("start", {})}
    parts = {"attributes": {"x": Attribute(0, 100)}, **parts}
    return create_engine(GameConfig(lambda: dict(start), **parts), seed=1, original=original)


def event(trigger: str = "random", **parts: Any) -> dict[str, Any]:
    """Return the parts of a game with a harmless event, followed by this one."""
    return {"events": [Event("ok"), Event("e", trigger, base_probability=1, **parts)]}


def action(**parts: Any) -> dict[str, Any]:
    """Return the parts of a game with a harmless action, followed by this one."""
    return {"actions": [Action("ok"), Action("go", **parts)]}


HOLDS: Callable[..., bool] = lambda s: True  # noqa: E731 - stands in tables
FORBIDS: Callable[..., bool] = lambda s: False  # noqa: E731

IN_TICKS = [
    (event(text=fail), f"event 'e' in {RANDOM}, events[1].text"),
    (event("milestone", text=fail), f"event 'e' in {MILESTONE}, events[1].text"),
    (event(effects=[{}, fail]), f"event 'e' in {RANDOM}, events[1].effects[1]"),
    (event(conditions=[HOLDS, fail]), f"event 'e' in {RANDOM}, events[1].conditions[1]"),
    (event(restrictions=[FORBIDS, fail]), f"event 'e' in {RANDOM}, events[1].restrictions[1]"),
    ({**event(), "restrictions": [fail]}, f"event 'ok' in {RANDOM}, restrictions[0]"),
    (
        {"passive_modifiers": [PassiveModifier("p", fail)]},
        f"passive modifier 'p' in {PASSIVE}, passive_modifiers[0].delta",
    ),
    (
        {"passive_modifiers": [PassiveModifier("p", {}, fail)]},
        f"passive modifier 'p' in {PASSIVE}, passive_modifiers[0].condition",
    ),
]
IN_ACTIONS = [
    (action(text=fail), "action 'go', actions[1].text"),
    (action(effects=[{}, fail]), "action 'go', actions[1].effects[1]"),
    (action(conditions=[HOLDS, fail]), "action 'go', actions[1].conditions[1]"),
    (action(restrictions=[FORBIDS, fail]), "action 'go', actions[1].restrictions[1]"),
]


@pytest.mark.parametrize(("parts", "place"), [*IN_TICKS, *IN_ACTIONS])
def test_failures__name_the_place_and_change_nothing(parts: dict[str, Any], place: str) -> None:
    engine = play(**parts)
    before = engine.get_state()
    expected = re.escape(f"{place}: RuntimeError: at ")
    with pytest.raises(CallableError, match=f"^{expected}") as caught:
        engine.apply_action("go") if "actions" in parts else engine.tick()
    assert isinstance(caught.value.__cause__, RuntimeError)
    assert engine.get_state() == before
    with pytest.raises(EngineError, match="Nothing to undo"):
        engine.undo()


def test_failures__of_other_callables_name_their_place() -> None:
    with pytest.raises(
        CallableError,
        match=rf"^event 'e' in {RANDOM}, probability_modifiers\[1\]: RuntimeError: at 3$",
    ):
        play(
            **event(),
            probability_modifiers=[
                lambda s, p, e: p,
                lambda s, p, e: e.id == "ok" or fail(s, p, e),
            ],
        ).tick()
    phases = {"custom_phases": {"own": fail}, "tick_order": ["own"]}
    with pytest.raises(CallableError, match=r"^phase 'own', custom_phases\['own'\]: RuntimeError"):
        play(**phases).tick()
    engine = play(actions=[Action("ok"), Action("go", conditions=[fail])])
    with pytest.raises(CallableError, match=r"^action 'go', actions\[1\].conditions\[0\]: "):
        engine.get_available_actions()
    assert engine.is_available("ok")


def test_failures__name_the_global_restriction_and_the_action() -> None:
    engine = play(**action(), restrictions=[FORBIDS, fail])
    with pytest.raises(CallableError, match=r"^action 'go', restrictions\[1\]: RuntimeError"):
        engine.is_available("go")


def test_failures__keep_the_numbers_drawn() -> None:
    engine = play(events=[Event("a"), Event("b"), Event("c", base_probability=1, text=fail)])
    other = play(events=[Event("a"), Event("b"), Event("c")])
    with pytest.raises(CallableError):
        engine.tick()
    other.tick()
    assert engine.rng.state == other.rng.state


def test_failures__of_the_original_keep_earlier_effects() -> None:
    effects = [{"x": 5, "note": "a"}, fail, {"x": 50}]
    engine = play(True, actions=[Action("go", effects=effects)])
    before = engine.get_state()
    with pytest.raises(CallableError):
        engine.apply_action("go")
    assert engine.get_state() == {**before, "x": 15, "note": "a"}
    assert engine.undo() == before


def test_failures__of_a_tick_of_the_original_leave_a_snapshot() -> None:
    parts = {**event(text=fail), **action(effects=[{"x": 1}]), "undo_depth": 1}
    engine = play(True, **parts)
    state = engine.apply_action("go")
    with pytest.raises(CallableError):
        engine.tick()
    assert engine.get_state() == engine.undo() == state
    with pytest.raises(EngineError, match="Nothing to undo"):
        engine.undo()
    engine = play(**parts)
    engine.apply_action("go")
    with pytest.raises(CallableError):
        engine.tick()
    assert engine.undo()["x"] == 10


@pytest.mark.parametrize(
    ("delta", "message"),
    [
        ({"x": math.nan}, "attribute 'x' gets nan, which is not finite."),
        ({"x": -math.inf}, "attribute 'x' gets -inf, which is not finite."),
        ({"x": np.float64("nan")}, "attribute 'x' gets nan, which is not finite."),
        ({"x": "5"}, "attribute 'x' gets '5', which is not a number."),
        ({"x": None}, "attribute 'x' gets None, which is not a number."),
        ({"x": [1]}, "attribute 'x' gets [1], which is not a number."),
        ({"x": Fraction(1, 2)}, "attribute 'x' gets Fraction(1, 2), which is not a number."),
        ({"note": math.inf}, "field 'note' gets inf, which is not finite."),
        ({"job": "king"}, "choice 'job' gets 'king'; its options are 'clerk', 'boss'."),
        ({"job": None}, "choice 'job' gets None; its options are 'clerk', 'boss'."),
        ({"job": 1}, "choice 'job' gets 1; its options are 'clerk', 'boss'."),
        ({5: 1}, "the name of a field must be a string, got 5."),
        (None, "a delta must be a mapping such as {'health': -10}, got None."),
        ([("x", 1)], "a delta must be a mapping such as {'health': -10}, got [('x', 1)]."),
        ({"x": 10**400}, "OverflowError: "),
        ({"note": (one for one in "ab")}, "TypeError: cannot pickle 'generator' object"),
    ],
)
def test_deltas__with_impossible_values_change_nothing(delta: Any, message: str) -> None:
    effects = [{"x": 1}, lambda s: delta]
    choices = {"job": Choice("clerk", "boss")}
    engine = play(choices=choices, **action(effects=effects))
    before = engine.get_state()
    expected = re.escape(f"action 'go', actions[1].effects[1]: {message}")
    with pytest.raises(CallableError, match=f"^{expected}"):
        engine.apply_action("go")
    assert engine.get_state() == before


def test_deltas__are_applied_completely_or_not_at_all_in_the_original() -> None:
    engine = play(True, **action(effects=[lambda s: {"x": 1, "note": math.nan}]))
    with pytest.raises(CallableError):
        engine.apply_action("go")
    assert engine.get_state()["x"] == 10
    engine = play(True, passive_modifiers=[PassiveModifier("p", {"x": math.nan})])
    with pytest.raises(CallableError, match=r"s\[0\].delta: attribute 'x' gets nan"):
        engine.tick()


@pytest.mark.parametrize(
    ("result", "message"),
    [
        (math.nan, "the probability becomes nan."),
        (None, "the probability becomes None, which is not a number."),
        ("0.5", "the probability becomes '0.5', which is not a number."),
    ],
)
def test_probabilities__are_numbers(result: Any, message: str) -> None:
    engine = play(events=[Event("e")], probability_modifiers=[lambda s, p, e: result])
    expected = re.escape(f"event 'e' in {RANDOM}, probability_modifiers[0]: {message}")
    with pytest.raises(CallableError, match=f"^{expected}$"):
        engine.tick()


def test_probabilities__may_be_infinite() -> None:
    events = [Event("e", base_probability=0.5)]
    engine = play(events=events, probability_modifiers=[lambda s, p, e: math.inf])
    assert len(engine.tick()["history"]) == 1
    engine = play(events=events, probability_modifiers=[lambda s, p, e: -math.inf])
    assert len(engine.tick()["history"]) == 0


def test_texts__are_strings() -> None:
    engine = play(**action(text=lambda s: s["x"]))
    with pytest.raises(
        CallableError, match=r"actions\[1\].text: a text must be a string, got 10.$"
    ):
        engine.apply_action("go")


def test_conditions__are_true_or_false() -> None:
    engine = play(**action(conditions=[lambda s: np.array([1, 2])]))
    with pytest.raises(CallableError, match=r"conditions\[0\]: ValueError: The truth value"):
        engine.apply_action("go")


def test_takes_context__with_and_without_a_signature() -> None:
    assert not takes_context(lambda s: 1)
    assert takes_context(lambda s, c: 1)
    assert takes_context(lambda s, c=None: 1)
    assert not takes_context(lambda s, c=3: 1)
    assert not takes_context(lambda s, *, c=None: 1)
    assert takes_context(lambda *s: 1)
    assert takes_context(lambda s, *more: 1)
    assert not takes_context(dict)
    assert not takes_context("no callable")  # type: ignore[arg-type]
