"""The engine's methods: actions, undo and seeds."""

from __future__ import annotations

import inspect
import tracemalloc
from collections.abc import Mapping
from typing import Any

import pytest

from axiom_gym.config.definitions import (
    ENGINE_KEYS,
    Action,
    Attribute,
    GameConfig,
    HistoryEntry,
)
from axiom_gym.config.engine import Engine, create_engine
from axiom_gym.config.history import History
from axiom_gym.errors import EngineError
from axiom_gym.rng import SeededRNG

NOTHING = r"^Nothing to undo$"


def game(**parts: Any) -> GameConfig:
    """Return a config with the attribute `x` from 0 to 100, which starts at 10."""
    start = parts.pop("start", {"x": 10})
    attributes = {"x": Attribute(0, 100), **parts.pop("attributes", {})}
    return GameConfig(initial_state=lambda: dict(start), attributes=attributes, **parts)


def play(**parts: Any) -> Engine:
    return create_engine(game(**parts), seed=1)


def fields(engine: Engine) -> dict[str, Any]:
    state = engine.get_state()
    return {key: state[key] for key in state if key not in ENGINE_KEYS}


def texts(engine: Engine) -> list[str]:
    return [entry.text for entry in engine.get_state()["history"]]


# Actions


def test_context__is_passed_to_callables_that_take_one() -> None:
    bonus, seen = 5, []

    class Takes:
        def __call__(self, s: Mapping[str, Any], ctx: Any) -> bool:
            seen.append(ctx)
            return True

    def takes_if_given(s: Mapping[str, Any], ctx: Any = None) -> Mapping[str, Any]:
        return {"given": ctx}

    action = Action(
        "go",
        text=lambda s, ctx: f"with {ctx}",
        conditions=[Takes()],
        restrictions=[lambda s, ctx: ctx is not None],
        effects=[
            lambda s: {"one": len(s)},
            lambda s, ctx: {"two": ctx},
            lambda s, bonus=bonus: {"x": bonus},
            takes_if_given,
            lambda *all: {"all": all[1]},
        ],
    )
    engine = play(actions=[action])
    engine.apply_action("go", "c")
    expected = {"x": 15, "one": 5, "two": "c", "given": "c", "all": "c"}
    assert fields(engine) == expected
    assert engine.get_available_actions("d") == [action]
    engine.apply_action("go")
    assert texts(engine) == ["with c", "with None"]
    assert seen == ["c", "d", None]


def test_signatures__are_inspected_once(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = play(actions=[Action("go", effects=[lambda s, ctx: {"x": ctx}])])
    monkeypatch.setattr(inspect, "signature", None)
    assert engine.apply_action("go", 3)["x"] == 13


def test_text__is_made_from_the_state_before_the_effects() -> None:
    actions = [Action("go", text=lambda s: f"from {s['x']}", effects=[{"x": 5}]), Action("none")]
    engine = play(actions=actions)
    engine.apply_action("go")
    engine.apply_action("none")
    assert texts(engine) == ["from 10", ""]
    assert engine.get_state()["history"][0][:3] == (0, "go", "from 10")


def test_history__has_timestamps_of_the_clock() -> None:
    times = iter([1.5, 2.5])
    config = game(actions=[Action("go")])
    engine = create_engine(config, clock=lambda: next(times))
    engine.apply_action("go")
    state = engine.apply_action("go")
    assert [entry.timestamp for entry in state["history"]] == [1.5, 2.5]


def test_available__actions_are_listed_in_order() -> None:
    actions = [
        Action("c", conditions=[lambda s: s["x"] >= 10, lambda s: s["x"] < 12]),
        Action("a", restrictions=[lambda s: s["x"] > 10]),
        Action("b", effects=[{"x": 1}]),
        Action("d", conditions=[lambda s: 0]),
    ]
    engine = play(actions=actions, restrictions=[lambda s: s["x"] > 12])
    seen = []
    for _ in range(4):
        seen.append("".join(action.id for action in engine.get_available_actions()))
        assert seen[-1] == "".join(one for one in "cabd" if engine.is_available(one))
        if "b" in seen[-1]:
            engine.apply_action("b")
    assert seen == ["cab", "cb", "b", ""]


@pytest.mark.parametrize(
    ("id", "message"),
    [
        ("nope", "Action not found: nope"),
        ("", "Action not found: "),
        (["both"], r"Action not found: \['both'\]"),
        ("both", "Action blocked by restriction: both"),
        ("late", "Action conditions not met: late"),
    ],
)
def test_actions__that_are_not_available_change_nothing(id: Any, message: str) -> None:
    both = Action("both", restrictions=[lambda s: True], conditions=[lambda s: False])
    engine = play(actions=[both, Action("late", conditions=[lambda s: False])])
    before = engine.get_state()
    with pytest.raises(EngineError, match=f"^{message}$"):
        engine.apply_action(id)
    assert engine.get_state() == before
    with pytest.raises(EngineError, match=NOTHING):
        engine.undo()


def test_is_available__evaluates_only_this_action() -> None:
    with pytest.raises(EngineError, match="Action not found: go"):
        play().is_available("go")


# Undo


@pytest.mark.parametrize(("depth", "left"), [(0, 0), (-3, 0), (1, 1), (2, 2), (10, 7)])
def test_undo__reverts_up_to_its_depth(depth: int, left: int) -> None:
    engine = play(undo_depth=depth, actions=[Action("go", text="went", effects=[{"x": 1}])])
    states = [engine.get_state()]
    for i in range(7):
        states.append(engine.apply_action("go") if i % 2 else engine.tick())
    for i in range(left):
        assert engine.undo() == states[-2 - i] == engine.get_state()
    with pytest.raises(EngineError, match=NOTHING):
        engine.undo()
    assert engine.get_state() == states[-1 - left]


def test_undo__does_not_restore_random_numbers(quickstart: GameConfig) -> None:
    engine = create_engine(quickstart, seed=3)
    engine.tick()
    drawn = engine.rng.state
    engine.undo()
    assert engine.rng.state == drawn
    assert quickstart.undo_depth == 10


def test_seed__determines_all_random_numbers(quickstart: GameConfig) -> None:
    def run(seed: int) -> Any:
        engine = create_engine(quickstart, seed, clock=lambda: 0.0)
        return [engine.tick() for _ in range(50)]

    assert run(0) == run(0) == run(2**32)
    assert run(0) != run(1)
    assert create_engine(quickstart).rng.state == 0


def test_ticks__use_constant_memory_in_a_long_game(quickstart: GameConfig) -> None:
    start = create_engine(quickstart)
    entry = HistoryEntry(0, "work", "", 0.0)
    state = start.get_state() | {"history": History([entry] * 200_000)}
    engine = Engine(quickstart, state, SeededRNG(0))
    engine.apply_action("work")
    tracemalloc.start()
    try:
        for _ in range(100):
            engine.tick()
            engine.apply_action("work")
            engine.undo()
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 5_000_000  # two states, each with a list of 1.6 MB


def test_engine__has_its_config(quickstart: GameConfig) -> None:
    assert create_engine(quickstart).config is quickstart
