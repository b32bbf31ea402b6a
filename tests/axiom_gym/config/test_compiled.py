"""Compiled configs: records and states, kernels by Numba, and the errors that `verify` finds."""

from __future__ import annotations

import operator
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from axiom_gym.config import (
    Action,
    Attribute,
    Choice,
    Event,
    GameConfig,
    PassiveModifier,
    Task,
    create_engine,
    where,
)
from axiom_gym.config.compiled import CompiledConfig
from axiom_gym.config.compiler.nodes import COMPARISONS
from axiom_gym.errors import TraceError
from axiom_gym.kernel import ILLEGAL, NO_SUB_ACTION
from axiom_gym.records import field_names

TASK = Task(reward=lambda before, after: after["a"] - before["a"])


def config(delta: Any = None, **parts: Any) -> GameConfig:
    return GameConfig(
        **{
            "initial_state": lambda: {"n": -4, "flag": True, "share": 0.25, "list": [1]},
            "attributes": {"a": Attribute(0, 9, default=3)},
            "choices": {"job": Choice(None, "clerk", "boss", default="clerk")},
            "passive_modifiers": [PassiveModifier("rule", delta)] if delta else [],
            "actions": [
                Action(
                    "look",
                    conditions=[
                        lambda s: s["flag"] & (s["n"] < 0) & (s["share"] > 0),
                        lambda s: s["job"] != "boss",
                    ],
                    effects=[{"job": None}],
                )
            ],
            "events": [Event("flu", base_probability=0.5, cooldown=3, effects=[{"a": 1}])],
            **parts,
        }
    )


def test_record__holds_the_interpreters_values() -> None:
    compiled = CompiledConfig(config(), TASK)
    engine = create_engine(compiled.config, seed=4)
    for _ in range(5):
        engine.tick()
        engine.apply_action("look")
    state = engine.get_state()
    record = compiled.encode(state, engine.rng.state)
    known = compiled.decode(record)
    assert known == {key: state[key] for key in known}
    assert known.keys() == {"a", "job", "n", "flag", "share", "tick", "cooldowns"}
    assert known["job"] is None
    assert type(known["flag"]) is bool
    assert record["rng"] == engine.rng.state


def test_record__continues_like_the_interpreter(parity: ModuleType) -> None:
    compiled = CompiledConfig(config(), TASK)
    engine = create_engine(compiled.config, seed=4)
    for _ in range(3):
        engine.tick()
    pair = parity.Pair(compiled, 4)
    pair.record = compiled.encode(engine.get_state(), engine.rng.state)
    pair.record["total"] = 0
    pair.interpreted.engine = engine
    for action in (0, 1, 0, 1):
        pair.step(action)  # raises if the two differ


def test_seed__is_that_of_the_generator(parity: ModuleType) -> None:
    compiled = CompiledConfig(config(), TASK)
    for seed in (0, 1, 2**31, 2**32 - 1):
        pair = parity.Pair(compiled, seed)
        for action in (0, 1, 1, 1):
            pair.step(action)  # raises if the two differ


@pytest.mark.compiled_only
@pytest.mark.parametrize(
    "name", ["quickstart", pytest.param("stress_town", marks=pytest.mark.slow)]
)
def test_recorded__configs_play_equally_when_compiled(
    parity: ModuleType, recorded: dict[str, Any], name: str
) -> None:
    task = Task(
        reward=lambda before, after: (after["money"] - before["money"]) * 0.001,
        terminated=lambda s: s["age"] >= 60,
        max_ticks=80,
    )
    game = recorded[name].config
    if name == "stress_town":  # its functions test the context's type
        actions = [action for action in game.actions if action.id not in ("donate", "freeze")]
        game = GameConfig(**{**parts_of(game), "actions": actions, "restrictions": []})
    compiled = CompiledConfig(game, task)
    for seed in range(5):
        pair = parity.Pair(compiled, seed, compiled.kernel)
        for turn in range(40):
            action = (turn * turn + seed) % len(compiled.action_names)
            pair.step(action)  # raises if the two differ


def parts_of(config: GameConfig) -> dict[str, Any]:
    return {name: getattr(config, name) for name in GameConfig.__slots__}


# Errors found by sampling


def test_verify__shows_state_and_both_results(monkeypatch: pytest.MonkeyPatch) -> None:
    # No rule is known that reaches this point; here, the comparison of numbers is wrong.
    monkeypatch.setitem(COMPARISONS, ">", operator.ge)
    with pytest.raises(TraceError) as caught:
        CompiledConfig(config(lambda s: {"a": 7 if s["n"] > 3 else 8}), TASK)
    assert "with {'n': 3} it gives {'a': 8}, but its trace gives {'a': 7}" in str(caught.value)


def test_verify__accepts_rules_that_sometimes_fail() -> None:
    CompiledConfig(config(lambda s: {"a": 6 // s["a"], "share": 1 / (s["n"] + 4)}), TASK)
    CompiledConfig(config(lambda s: {"share": where(s["n"] > 0, 1.0, 2.0) / s["share"]}), TASK)


def test_kernel__is_written_once_for_equal_configs() -> None:
    assert CompiledConfig(config(), TASK).kernel is CompiledConfig(config(), TASK).kernel
    other = CompiledConfig(config({"a": 1}), TASK)
    assert other.kernel is not CompiledConfig(config(), TASK).kernel


def test_kernel__state_ends_with_the_generator() -> None:
    state = CompiledConfig(config(), TASK).kernel.STATE
    assert field_names(state)[-1] == "rng"
    assert state["rng"] == np.uint32


def test_kernel__takes_a_missing_sub_action_as_wait(parity: ModuleType) -> None:
    compiled = CompiledConfig(config(), TASK)
    waits, other = parity.Pair(compiled, 4), parity.Pair(compiled, 4)
    rewards = np.zeros(1, np.float32)
    for action in (-2, 2, 99):
        before = waits.record.tobytes()
        code = waits.kernel.step(waits.record, np.array([[action]]), rewards, None, None)
        assert code == ILLEGAL
        assert waits.record.tobytes() == before
    waits.kernel.step(waits.record, np.array([[NO_SUB_ACTION]]), rewards, None, None)
    other.step(1)
    assert waits.record.tobytes() == other.record.tobytes()
