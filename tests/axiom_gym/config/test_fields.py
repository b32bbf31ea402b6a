"""Fields of a state: their start values, deltas, and that no containers are shared."""

from __future__ import annotations

import copy
import enum
import math
import pickle
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest

from axiom_gym.config.compiled import CompiledConfig
from axiom_gym.config.definitions import (
    ENGINE_KEYS,
    Action,
    Attribute,
    Choice,
    GameConfig,
    PassiveModifier,
    Set,
)
from axiom_gym.config.engine import Engine, create_engine
from axiom_gym.config.task import Task
from axiom_gym.errors import CallableError, ConfigError, EngineError, TraceError


def game(**parts: Any) -> GameConfig:
    """Return a config with the attribute `x` from 0 to 100, which starts at 10."""
    start = parts.pop("start", {"x": 10})
    attributes = {"x": Attribute(0, 100), **parts.pop("attributes", {})}
    return GameConfig(initial_state=lambda: dict(start), attributes=attributes, **parts)


def play(**parts: Any) -> Engine:
    return create_engine(game(**parts), seed=1)


def act(*effects: Any, **parts: Any) -> Engine:
    """Return a game after its action `go`, which has these effects."""
    engine = play(actions=[Action("go", effects=effects)], **parts)
    engine.apply_action("go")
    return engine


def fields(engine: Engine) -> dict[str, Any]:
    state = engine.get_state()
    return {key: state[key] for key in state if key not in ENGINE_KEYS}


# Start


def test_start__clamps_numbers_and_fills_in_defaults() -> None:
    attributes = {"a": Attribute(0, 5), "b": Attribute(-5, 5, default=-2), "c": Attribute(1, 9, 3)}
    engine = play(start={"x": 200, "a": -0.5, "b": None, "note": [1]}, attributes=attributes)
    state = {"x": 100, "a": 0, "b": -2, "c": 3, "note": [1]}
    assert engine.get_state() == state | {"tick": 0, "history": [], "cooldowns": {}, "meta": {}}


@pytest.mark.parametrize("value", ["7", True, math.nan, [7]])
def test_start__uses_the_unclamped_default_for_other_types(value: object) -> None:
    config = game(start={"x": value}, attributes={"x": Attribute(0, 5, default=-9)})
    assert create_engine(config, original=True).get_state()["x"] == -9


def test_start__fills_in_choices() -> None:
    choices = {"job": Choice("clerk", "boss"), "home": Choice("flat", None, default=None)}
    assert fields(play(choices=choices)) == {"x": 10, "job": "clerk", "home": None}
    assert fields(play(choices=choices, start={"x": 1, "job": "boss"}))["job"] == "boss"


def test_start__refuses_an_unknown_option_without_validation() -> None:
    config = game(choices={"job": Choice("clerk", "boss")}, start={"job": "king"})
    with pytest.raises(ConfigError, match=r"'job' gets 'king'; its options are 'clerk', 'boss'"):
        create_engine(config, original=True)


# Deltas


def test_delta__adds_to_attributes_and_replaces_other_fields() -> None:
    engine = act({"x": -4, "n": 5, "name": "a"}, {"x": 200, "n": 7})
    assert fields(engine) == {"x": 100, "n": 7, "name": "a"}
    assert fields(act({"x": -11})) == {"x": 0}


def test_delta__is_computed_from_the_state_after_the_previous_effect() -> None:
    engine = act(lambda s: {"x": s["x"], "y": s["x"]}, lambda s: {"x": 1, "z": s["x"]})
    assert fields(engine) == {"x": 21, "y": 10, "z": 20}


def test_delta__may_have_fractions() -> None:
    attributes = {"x": Attribute(-0.5, 10.25, default=0.125), "y": Attribute(0, 1, 0.5)}
    engine = act({"x": 0.1, "y": 0.2}, {"x": 0.2}, start={"x": 0.1}, attributes=attributes)
    assert fields(engine) == {"x": 0.1 + 0.1 + 0.2, "y": 0.5 + 0.2}
    assert fields(act({"x": 0.5}, attributes=attributes)) == {"x": 10.25, "y": 0.5}
    assert fields(act({"x": -99.5}, attributes=attributes)) == {"x": -0.5, "y": 0.5}


def test_delta__keeps_ints_and_floats_apart() -> None:
    engine = act({"x": 1, "y": 1.0, "f": 2, "g": 2.0}, attributes={"y": Attribute(0, 9)})
    kinds = {key: type(value) for key, value in fields(engine).items()}
    assert kinds == {"x": int, "y": float, "f": int, "g": float}


@pytest.mark.parametrize("key", ENGINE_KEYS)
def test_delta__cannot_write_the_fields_of_the_engine(key: str) -> None:
    message = rf"^action 'go', actions\[0\].effects\[0\]: a delta must not write '{key}', which the"
    for delta in ({key: 50, "x": 1}, {key: Set(50)}):
        with pytest.raises(CallableError, match=message):
            act(lambda s, delta=delta: delta)
        with pytest.raises(TraceError, match=r"effects\[0\]: a delta must not write"):
            CompiledConfig(
                game(actions=[Action("go", effects=[lambda s, delta=delta: delta])]),
                Task(lambda a, b: 0),
            )
    action = Action("go", effects=[lambda s: {key: 50, "x": 1}])
    engine = create_engine(GameConfig(lambda: {"x": 10}, actions=[action]), original=True)
    assert {**engine.apply_action("go"), "history": []} == {
        **{"x": 1, "tick": 0, "history": [], "cooldowns": {}, "meta": {}}
    }


def test_delta__stores_no_negative_zeros() -> None:
    start = {"x": -0.0, "y": -0.0}
    values = fields(act({"x": -0.0, "note": -0.0}, start=start))
    assert [math.copysign(1, value) for value in values.values()] == [1, 1, 1]
    low = fields(act({"x": -5}, attributes={"x": Attribute(-0.0, 5.0)}))["x"]
    assert math.copysign(1, low) == 1


def test_delta__takes_bools_and_numbers_of_numpy_as_numbers() -> None:
    delta = {"x": np.int64(2), "n": np.float32(0.5), "b": np.bool_(True)}
    values = fields(act(lambda s: delta, {"x": True}))
    assert values == {"x": 13, "n": 0.5, "b": True}
    assert [type(value) for value in values.values()] == [int, float, bool]


def test_delta__of_a_choice_must_be_one_of_its_options() -> None:
    choices = {"job": Choice("clerk", "boss", None)}
    assert fields(act({"job": "boss"}, choices=choices))["job"] == "boss"
    assert fields(act({"job": None}, choices=choices))["job"] is None
    title = enum.StrEnum("title", {"BOSS": "boss"}).BOSS
    assert type(fields(act(lambda s: {"job": title}, choices=choices))["job"]) is str


# Containers


def test_state__is_a_deep_copy() -> None:
    start = {"x": 1, "bag": ["a"], "map": {"k": [1]}, "pair": ([1], 2)}
    engine = play(start=start, actions=[Action("go")])
    state = engine.get_state()
    state["bag"].append("b")
    state["map"]["k"].append(2)
    state["pair"][0].append(3)
    state["meta"]["a"] = state["cooldowns"]["a"] = 1
    state["x"] = 99
    assert fields(engine) == start
    for operation in (engine.tick, lambda: engine.apply_action("go"), engine.undo):
        operation()["bag"].append("b")
        assert fields(engine) == start
    assert start == {"x": 1, "bag": ["a"], "map": {"k": [1]}, "pair": ([1], 2)}


def test_state__does_not_share_lists_with_the_config() -> None:
    delta = {"bag": ["a"]}
    engine = act(delta)
    delta["bag"].append("b")
    engine.get_state()["bag"].append("c")
    assert fields(engine)["bag"] == ["a"]


NESTED = {"bag": [1, [2]], "inventory": {"rope": 1, "more": {}}, "tags": {"a"}, "pair": (1, [2])}
WRITES: list[Callable[[Any], Any]] = [
    lambda s: s["bag"].append(1),
    lambda s: s["bag"][1].append(1),
    lambda s: s["bag"].sort(),
    lambda s: s["bag"].__setitem__(0, 5),
    lambda s: s["bag"].__iadd__([3]),
    lambda s: s["inventory"].update(rope=2),
    lambda s: s["inventory"].__setitem__("rope", 2),
    lambda s: s["inventory"]["more"].setdefault("a", 2),
    lambda s: s["inventory"].pop("rope"),
    lambda s: s["tags"].add("b"),
    lambda s: s["tags"].__ior__({"b"}),
    lambda s: s["pair"][1].append(3),
    lambda s: s["cooldowns"].__setitem__("e", 3),
    lambda s: s["meta"].clear(),
    lambda s: s["grid"].__setitem__(0, 3),
]


@pytest.mark.parametrize("write", WRITES)
def test_callables__cannot_write_nested_values(write: Callable[[Any], Any]) -> None:
    start = {**NESTED, "grid": np.zeros(2)}
    action = Action("go", conditions=[lambda s: s["tick"] == 0 or write(s)])
    modifier = PassiveModifier("p", lambda s: write(s) or {})
    engine = play(actions=[action], passive_modifiers=[modifier], start=start)
    assert engine.is_available("go")
    with pytest.raises(CallableError, match=r"^passive modifier 'p' .* read-only"):
        engine.tick()
    engine = play(actions=[Action("go", conditions=[write])], start=start)
    with pytest.raises(
        CallableError, match=r"^action 'go', actions\[0\].conditions\[0\]: .*Error: "
    ):
        engine.is_available("go")


def test_callables__of_the_original_engine_write_nested_values() -> None:
    action = Action("go", effects=[lambda s: s["bag"].append("b") or {}])
    engine = create_engine(GameConfig(lambda: {"bag": ["a"]}, actions=[action]), original=True)
    assert engine.apply_action("go")["bag"] == ["a", "b"]
    assert engine.undo()["bag"] == ["a"]


def test_callables__get_plain_copies_of_nested_values() -> None:
    made: list[Any] = []

    def read(s: Any) -> Any:
        bag, inventory, tags = s["bag"], s["inventory"], s["tags"]
        made.extend([[*bag, 3], bag[:1], list(bag), bag.copy(), copy.deepcopy(bag)])
        made.extend([inventory | {"a": 1}, {**inventory}, dict(inventory), inventory.copy()])
        made.extend([tags | {"b"}, tags - {"a"}, set(tags)])
        made.extend(pickle.loads(pickle.dumps(one)) for one in (bag, inventory, tags))
        assert (bag, inventory, tags) == (NESTED["bag"], NESTED["inventory"], NESTED["tags"])
        return {"bag": [*bag, "rope"], "inventory": {**inventory, "rope": 2}, "tags": tags | {"b"}}

    state = act(read, start=NESTED).get_state()
    assert state["bag"] == [1, [2], "rope"]
    assert (state["inventory"], state["tags"]) == ({"rope": 2, "more": {}}, {"a", "b"})
    plain = {list, dict, set}
    assert {type(value) for value in made} == plain
    assert {type(value) for value in (state["bag"], state["bag"][1], state["inventory"])} <= plain


def test_callables__cannot_write_the_state() -> None:
    def write(s: Any) -> Mapping[str, Any]:
        s["x"] = 99
        return {}

    action = Action("go", conditions=[write])
    engine = play(actions=[action], passive_modifiers=[PassiveModifier("p", write)])
    for operation in (
        lambda: act(write),
        engine.tick,
        engine.get_available_actions,
        lambda: engine.is_available("go"),
        lambda: engine.apply_action("go"),
    ):
        with pytest.raises(EngineError, match="TypeError: 'mappingproxy' object does not support"):
            operation()
    assert fields(engine) == {"x": 10}


def test_attributes__convert_numpy_numbers() -> None:
    bounds = Attribute(np.float64(0), np.float64(9), default=np.float64(3))
    engine = create_engine(GameConfig(lambda: {}, attributes={"n": bounds}))
    assert type(engine.get_state()["n"]) is float
