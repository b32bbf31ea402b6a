"""Validation of configs, which finds all mistakes at once, each with its place."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from typing import Any

import pytest

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
    PhaseResult,
)
from axiom_gym.config.engine import create_engine
from axiom_gym.config.validation import check, validate
from axiom_gym.errors import ConfigError

NONE = GameConfig(initial_state=dict)


def config(**parts: Any) -> GameConfig:
    """Return a valid config with these parts replaced."""
    defaults: dict[str, Any] = {
        "initial_state": lambda: {"x": 1},
        "attributes": {"x": Attribute(0, 9)},
        "choices": {"job": Choice("clerk", "boss", None)},
    }
    return GameConfig(**{**defaults, **parts})


def own(s: Mapping[str, Any], config: GameConfig, tick: int) -> PhaseResult:
    return PhaseResult(s)


def test_validate__finds_no_mistakes_in_valid_configs(quickstart: GameConfig) -> None:
    assert validate(quickstart) == []
    assert validate(NONE) == validate(config()) == []


def test_validate__accepts_all_allowed_values() -> None:
    class Condition:
        def __call__(self, s: Any) -> bool:
            return True

        def method(self, s: Any, ctx: Any) -> bool:
            return True

    functions = [Condition(), Condition().method, lambda *s: 1, lambda s, k=3: 1, dict, str.isalpha]
    rule: dict[str, Any] = {
        "conditions": functions,
        "restrictions": tuple(functions),
        "effects": [{"x": True, "job": None, "note": [1], "n": 10**400}, {}, *functions],
        "text": lambda s, ctx: "",
        "meta": {"tag": 1},
    }
    full = config(
        initial_state=lambda: {"x": 1000, "y": None, "job": "boss", "note": None, "n": 1.5},
        attributes={"x": Attribute(0.5, 9, 1), "y": Attribute(3, 3, 3)},
        actions=[Action("e", contexts=[{"a": 1}, {}], **rule), Action("p")],
        events=[
            Event("e", "milestone", cooldown=0, **rule),
            Event("e", base_probability=0.0, cooldown=2.5),
            Event("f", base_probability=1),
        ],
        passive_modifiers=[PassiveModifier("p", {"x": 0.5}, Condition())],
        restrictions=functions,
        probability_modifiers=[lambda s, p, e: p, lambda *all: 1],
        custom_phases={"own": own},
        tick_order=["own", RANDOM, "own", MILESTONE],
        undo_depth=-1,
    )
    assert validate(full) == []
    check(full)


IS_NO_LIST = {
    "passive_modifiers": ("PassiveModifier", PassiveModifier("p", {})),
    "actions": ("Action", {"go": Action("go")}),
    "events": ("Event", "flu"),
    "restrictions": ("callables", {1}),
    "probability_modifiers": ("callables", None),
    "tick_order": ("names of phases", RANDOM),
}
ENGINE = "is one of the engine's own fields, tick, history, cooldowns, meta; "
_count = itertools.count()

MISTAKES: list[tuple[dict[str, Any], str, str]] = [
    *(
        ({name: value}, name, f"must be a list of {what}, got ")
        for name, (what, value) in IS_NO_LIST.items()
    ),
    ({"attributes": (1,)}, "attributes", "must be a mapping of names to Attribute, got (1,)."),
    ({"choices": None}, "choices", "must be a mapping of names to Choice, got None."),
    ({"custom_phases": own}, "custom_phases", "must be a mapping of names to callables, got "),
    ({"name": ""}, "name", "must be a non-empty string, got ''."),
    ({"undo_depth": 1.5}, "undo_depth", "must be an integer, 0 for no undo, got 1.5."),
    ({"undo_depth": True}, "undo_depth", "must be an integer, 0 for no undo, got True."),
    # Attributes
    ({"attributes": {"y": (0, 1)}}, "attributes['y']", "must be of the type Attribute, got (0, 1)"),
    ({"attributes": {"": Attribute(0, 1)}}, "attributes['']", "must be a non-empty string"),
    ({"attributes": {"tick": Attribute(0, 1)}}, "attributes['tick']", f"{ENGINE}use another name"),
    (
        {"attributes": {"y": Attribute(math.nan, 1)}},
        "attributes['y'].min",
        "must be a finite number, got nan.",
    ),
    (
        {"attributes": {"y": Attribute(0, math.inf)}},
        "attributes['y'].max",
        "must be a finite number, got inf.",
    ),
    (
        {"attributes": {"y": Attribute(0, 1, default=None)}},
        "attributes['y'].default",
        "must be a finite number, got None.",
    ),
    (
        {"attributes": {"y": Attribute(5, 1, 3)}},
        "attributes['y']",
        "min must not be above max, got min=5 and max=1.",
    ),
    (
        {"attributes": {"y": Attribute(1, 5)}},
        "attributes['y'].default",
        "must be from min=1 to max=5, got 0. The default is 0 unless given.",
    ),
    (
        {"attributes": {"y": Attribute(1, 5, 5.5)}},
        "attributes['y'].default",
        "must be from min=1 to max=5, got 5.5.",
    ),
    # Choices
    ({"choices": {"y": ["a"]}}, "choices['y']", "must be of the type Choice, got ['a']."),
    ({"choices": {"meta": Choice("a")}}, "choices['meta']", f"{ENGINE}use another name."),
    (
        {"choices": {"x": Choice("a")}},
        "choices['x']",
        "is also an attribute; a field is either of them",
    ),
    (
        {"choices": {"y": Choice()}},
        "choices['y'].options",
        "must have at least one option, got none.",
    ),
    (
        {"choices": {"y": Choice("a", 1)}},
        "choices['y'].options[1]",
        "must be a string or None, got 1.",
    ),
    (
        {"choices": {"y": Choice("a", "b", "a")}},
        "choices['y'].options[2]",
        "must be unique, got 'a' again.",
    ),
    (
        {"choices": {"y": Choice("a", default="b")}},
        "choices['y'].default",
        "must be one of the options ('a',), got 'b'.",
    ),
    # The initial state
    ({"initial_state": {"x": 1}}, "initial_state", "must be a callable of (), got {'x': 1}."),
    ({"initial_state": lambda s: s}, "initial_state", "must be a callable of (); it takes (s)."),
    ({"initial_state": lambda: 1 / 0}, "initial_state", "must not raise, got ZeroDivisionError: "),
    ({"initial_state": lambda: None}, "initial_state", "must be a callable that returns a mapping"),
    (
        {"initial_state": lambda: {"x": next(_count)}},
        "initial_state",
        "must always return the same",
    ),
    ({"initial_state": lambda: {"tick": 3}}, "initial_state()['tick']", f"{ENGINE}leave it out."),
    ({"initial_state": lambda: {"": 3}}, "initial_state()['']", "must be a non-empty"),
    ({"initial_state": lambda: {"x": "7"}}, "initial_state()['x']", "must be a finite number"),
    (
        {"initial_state": lambda: {"x": True}},
        "initial_state()['x']",
        "must be a finite number, got",
    ),
    ({"initial_state": lambda: {"n": math.inf}}, "initial_state()['n']", "must be a finite number"),
    (
        {"initial_state": lambda: {"job": "bos"}},
        "initial_state()['job']",
        "must be one of the options ('clerk', 'boss', None), got 'bos'. Did you mean 'boss'?",
    ),
    (
        {"initial_state": lambda: {"j": None}, "choices": {"j": Choice("a")}},
        "initial_state()['j']",
        "must be one of the options ('a',), got None.",
    ),
    # Passive modifiers
    ({"passive_modifiers": [{}]}, "passive_modifiers[0]", "must be of the type PassiveModifier"),
    (
        {"passive_modifiers": [PassiveModifier("p", 5)]},
        "passive_modifiers[0].delta",
        "must be a delta such as {'health': -10}, or a callable of (state), got 5.",
    ),
    (
        {"passive_modifiers": [PassiveModifier("p", {}, condition=True)]},
        "passive_modifiers[0].condition",
        "must be a callable of (state) or (state, context), got True.",
    ),
    (
        {"passive_modifiers": [PassiveModifier("p", {}), PassiveModifier("p", {})]},
        "passive_modifiers[1].id",
        "must be unique, got the id of passive_modifiers[0].",
    ),
    # Actions
    ({"actions": ["go"]}, "actions[0]", "must be of the type Action, got 'go'."),
    ({"actions": [Action("")]}, "actions[0].id", "must be a non-empty string, got ''."),
    ({"actions": [Action(7)]}, "actions[0].id", "must be a non-empty string, got 7."),
    ({"actions": [Action("a", label=None)]}, "actions[0].label", "must be a string, got None."),
    (
        {"actions": [Action("a", text=5)]},
        "actions[0].text",
        "must be a string, or a callable of (state), got 5.",
    ),
    (
        {"actions": [Action("a", text=lambda: "")]},
        "actions[0].text",
        "must be a callable of (state) or (state, context); it takes ().",
    ),
    ({"actions": [Action("a", meta=None)]}, "actions[0].meta", "must be a mapping of names to"),
    (
        {"actions": [Action("a", contexts={"a": 1})]},
        "actions[0].contexts",
        "must be a list of mappings, got {'a': 1}.",
    ),
    (
        {"actions": [Action("a", contexts=[{"n": 1, "m": 2}, {"n": 2}, {"m": 2, "n": 1}])]},
        "actions[0].contexts[2]",
        "must be unique, got the context of actions[0].contexts[0].",
    ),
    (
        {"actions": [Action("Wait")]},
        "actions[0].id",
        "must be another name, got 'Wait'. `wait` starts the next tick.",
    ),
    (
        {"actions": [Action("a", contexts=[{}, 50])]},
        "actions[0].contexts[1]",
        "must be a mapping of names to values, got 50.",
    ),
    (
        {"actions": [Action("a"), Action("b"), Action("a")]},
        "actions[2].id",
        "must be unique, got the id of actions[0].",
    ),
    (
        {"actions": [Action("a", effects={"x": 1})]},
        "actions[0].effects",
        "must be a list of deltas and callables, got {'x': 1}.",
    ),
    ({"actions": [Action("a", conditions=len)]}, "actions[0].conditions", "must be a list of"),
    # Events
    ({"events": [None]}, "events[0]", "must be of the type Event, got None."),
    (
        {"events": [Event("e", trigger="milestones")]},
        "events[0].trigger",
        "must be 'random' or 'milestone', got 'milestones'. Did you mean 'milestone'?",
    ),
    (
        {"events": [Event("e", base_probability=math.nan)]},
        "events[0].base_probability",
        "must be a number from 0 to 1, got nan.",
    ),
    (
        {"events": [Event("e", base_probability=15)]},
        "events[0].base_probability",
        "must be a number from 0 to 1, got 15. A probability modifier may go beyond.",
    ),
    ({"events": [Event("e", base_probability=-0.1)]}, "events[0].base_probability", "must be a"),
    (
        {"events": [Event("e", cooldown=-1)]},
        "events[0].cooldown",
        "must be a number of ticks, at least 0, or None, got -1.",
    ),
    ({"events": [Event("e", cooldown="1")]}, "events[0].cooldown", "must be a number of ticks"),
    (
        {"events": [Event("e", cooldown=3), Event("e")]},
        "events[1].id",
        "must be unique, got the id of events[0]. Give both a cooldown to share it",
    ),
    (
        {"events": [Event("e", conditions=[len, lambda s, a, b: 1])]},
        "events[0].conditions[1]",
        "must be a callable of (state) or (state, context); it takes (s, a, b).",
    ),
    (
        {"events": [Event("e", restrictions=[lambda *, s: 1])]},
        "events[0].restrictions[0]",
        "must be a callable of (state) or (state, context); it takes (*, s).",
    ),
    ({"events": [Event("e", effects=[5])]}, "events[0].effects[0]", "must be a delta such as"),
    ({"events": [Event("e", effects=[lambda: 1])]}, "events[0].effects[0]", "must be a callable"),
    (
        {"events": [Event("e", effects=[{}, {"x": math.nan}])]},
        "events[0].effects[1]['x']",
        "must be a finite number, got nan.",
    ),
    (
        {"events": [Event("e", effects=[{"history": []}])]},
        "events[0].effects[0]['history']",
        f"{ENGINE}leave it out.",
    ),
    (
        {"events": [Event("e", effects=[{"job": 1}])]},
        "events[0].effects[0]['job']",
        "must be one of the options ('clerk', 'boss', None), got 1.",
    ),
    ({"events": [Event("e", effects=[{"n": math.inf}])]}, "events[0].effects[0]['n']", "must be a"),
    (
        {"events": [Event("e", effects=[{3: 1}])]},
        "events[0].effects[0][3]",
        "must be a non-empty string",
    ),
    # Callables of the game
    ({"restrictions": [None]}, "restrictions[0]", "must be a callable of (state) or (state, cont"),
    (
        {"probability_modifiers": [lambda s, p: p]},
        "probability_modifiers[0]",
        "must be a callable of (state, probability, event); it takes (s, p).",
    ),
    # Phases
    (
        {"tick_order": [RANDOM, "milestonePhase"]},
        "tick_order[1]",
        f"must be one of {PASSIVE}, {RANDOM}, {MILESTONE}, got 'milestonePhase'. "
        f"Did you mean '{MILESTONE}'? Define your own phases in custom_phases.",
    ),
    ({"tick_order": [[]]}, "tick_order[0]", "must be one of"),
    (
        {"custom_phases": {"own": 1}, "tick_order": ["own"]},
        "custom_phases['own']",
        "must be a callable of (state, config, tick), got 1.",
    ),
    (
        {"custom_phases": {"own": lambda s: s}, "tick_order": ["own"]},
        "custom_phases['own']",
        "must be a callable of (state, config, tick); it takes (s).",
    ),
    (
        {"custom_phases": {RANDOM: own}},
        f"custom_phases['{RANDOM}']",
        "has the name of a built-in phase, which takes precedence; rename it.",
    ),
    (
        {"custom_phases": {"own": own}},
        "custom_phases['own']",
        "never runs; add its name to tick_order, or leave it out.",
    ),
]


@pytest.mark.parametrize(("parts", "path", "message"), MISTAKES)
def test_validate__finds_each_mistake(parts: dict[str, Any], path: str, message: str) -> None:
    wrong = config(**parts)
    problems = validate(wrong)
    assert [problem.path for problem in problems] == [path]
    assert problems[0].message.startswith(message)
    with pytest.raises(ConfigError):
        create_engine(wrong)


def test_validate__finds_all_mistakes_at_once() -> None:
    parts = {name: value for name, (_, value) in IS_NO_LIST.items()}
    everything = GameConfig(**{**parts, "initial_state": 5, "attributes": 5, "choices": 5})
    found = [problem.path for problem in validate(everything)]
    assert sorted(found) == sorted([*IS_NO_LIST, "initial_state", "attributes", "choices"])
    events = [Event("", "never", 5, "high", -1, [5], [6], [7])]
    paths = ["id", "trigger", "text", "base_probability", "cooldown"]
    paths += ["effects[0]", "conditions[0]", "restrictions[0]"]
    found = [problem.path for problem in validate(config(events=events))]
    assert sorted(found) == sorted(f"events[0].{path}" for path in paths)


def test_check__lists_all_mistakes() -> None:
    with pytest.raises(ConfigError) as caught:
        check(config(name="town", undo_depth=None, actions=[Action("")]))
    assert str(caught.value) == (
        "config 'town' has 2 problems:\n"
        "  undo_depth: must be an integer, 0 for no undo, got None.\n"
        "  actions[0].id: must be a non-empty string, got ''."
    )
    assert [path for path, _ in caught.value.problems] == ["undo_depth", "actions[0].id"]  # type: ignore[attr-defined]
    with pytest.raises(ConfigError, match=r"^config 'game' has a problem:\n  undo_depth: must"):
        check(config(undo_depth=None))


def test_check__shortens_long_values() -> None:
    (problem,) = validate(config(actions=["x" * 1000]))
    assert problem.message == f"must be of the type Action, got '{'x' * 76}...."
