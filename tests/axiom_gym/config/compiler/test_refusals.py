"""Refusals of operations that cannot be traced; they name the place and the replacement."""

from __future__ import annotations

import functools
import math
import statistics
from collections.abc import Callable
from fractions import Fraction
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
    PhaseResult,
    Task,
    any_,
    max_,
    min_,
    table,
    where,
)
from axiom_gym.config.compiled import CompiledConfig
from axiom_gym.config.compiler import paths
from axiom_gym.errors import TraceError

IDLE = Task(reward=lambda before, after: 0)
PRICES = {0: 5, 1: 7}
RATES = np.array([0.5, 2.0])


def config(**parts: Any) -> GameConfig:
    """Return a game with a field of every kind."""
    return GameConfig(
        initial_state=lambda: {"x": 5, "y": 2.5, "n": 3, "flag": True, "list": [1], "word": "a"},
        attributes={"x": Attribute(0, 10), "y": Attribute(0.0, 10.0)},
        choices={"job": Choice("clerk", "boss", None)},
        **parts,
    )


def refusal(config: GameConfig, task: Task = IDLE) -> str:
    with pytest.raises(TraceError) as caught:
        CompiledConfig(config, task)
    return str(caught.value)


def of_effect(effect: Any) -> str:
    """Return the message for an action's second effect, without its place."""
    message = refusal(config(actions=[Action("act", effects=[{"x": 1}, effect])]))
    place = "action 'act', actions[0].effects[1]: "
    assert message.startswith(place)
    return message.removeprefix(place)


def hide(s: Any) -> Any:
    try:
        return {"x": 1 if s["x"] > 3 else 2}
    except Exception:
        return {"x": 3}


def compare_state(s: Any) -> Any:
    return {"x": 1 if s == {"x": 5} else 2}


def write(s: Any) -> Any:
    s["x"] = 1
    return {}


def loop(s: Any) -> Any:
    while s["x"] > 3:
        pass
    return {}


# Names, because validation refuses these strings if they are written out.
COOK = "cook"


def branch(s: Any) -> Any:
    return {"x": sum(1 if s["n"] % k else 2 for k in range(2, 20))}


FORBIDDEN: dict[str, tuple[Callable[[Any], Any], tuple[str, ...]]] = {
    "a loop without an end": (loop, ("5,000 operations",)),
    "too many paths": (branch, ("more than 300 paths", "where()")),
    "in it": (lambda s: {"flag": 1 in s["x"]}, ("`in`", "s['x']", "a number")),
    "mean": (lambda s: {"y": statistics.mean([s["x"], s["y"]])}, ()),
    "len": (lambda s: {"x": len(s["x"])}, ()),
    "for": (lambda s: {"x": sum(i for i in s["n"])}, ("a loop", "too many")),
    "range": (lambda s: {"x": sum(range(s["n"]))}, ("range()", "too many", "Attribute(low")),
    "index": (lambda s: {"x": [1, 2, 3][s["n"]]}, ("an index", "too many", "Attribute(low")),
    "index of a float": (lambda s: {"x": [1, 2, 3][s["y"]]}, ("an index", "int(x)")),
    "into": (lambda s: {"x": s["x"][0]}, ("an index into it", "a number")),
    "lookup": (lambda s: {"x": PRICES[s["n"]]}, ("dict or set lookup", "too many")),
    "lookup of a float": (lambda s: {"x": PRICES[s["y"]]}, ("dict or set lookup", "int(x)")),
    "f-string": (lambda s: {"n": {"3": 1}[f"{s['n']}"]}, ("a text", "too many")),
    "~": (lambda s: {"flag": ~s["flag"]}, ("~", "write `not`")),
    "^": (lambda s: {"flag": s["flag"] ^ (s["x"] > 1)}, ("^", "a != b")),
    "<<": (lambda s: {"x": s["x"] << 1}, ("<<", "x * 2")),
    ">>": (lambda s: {"x": s["x"] >> 1}, (">>", "x // 2")),
    "bits": (lambda s: {"x": s["x"] & 1}, ("operand of & or |", "compare it first")),
    "no brackets": (lambda s: {"flag": s["x"] > 1 & s["flag"]}, ("operand of & or |", "brackets")),
    "hypot": (lambda s: {"y": math.hypot(s["y"], 1)}, ("math.hypot", "x * x + y * y")),
    "numpy function": (lambda s: {"y": np.sqrt(s["y"])}, ()),
    "numpy maximum": (lambda s: {"x": np.maximum(s["x"], 3)}, ()),
    "numpy number": (lambda s: {"y": s["y"] * RATES[0]}, ("write 0.5", ".tolist()")),
    "numpy divisor": (lambda s: {"y": RATES[1] / s["x"]}, ("write 2.0", ".item()")),
    "numpy in where": (lambda s: {"y": where(s["flag"], RATES[1], 0.0)}, ("write 2.0",)),
    "numpy table": (lambda s: {"y": table(s["x"] % 2, RATES)}, (".tolist()",)),
    "fraction": (lambda s: {"flag": s["x"] == Fraction(1, 2)}, ("Fraction(1, 2)", "plain number")),
    "method of a number": (lambda s: {"flag": s["y"].is_integer()}, (".is_integer of s['y']",)),
    "history": (lambda s: {"x": len(s["history"])}, ("s['history']", "field of the state")),
    "history test": (lambda s: {"x": 1 if s["history"] else 2}, ("s['history']",)),
    "meta": (lambda s: {"x": s["meta"].get("bonus", 0)}, ("s['meta']", "field of the state")),
    "a list": (lambda s: {"x": s["list"][0]}, ("s['list']", "starts as [1]", "Choice(")),
    "undeclared string": (lambda s: {"flag": s["word"] == "a"}, ("s['word']", "Choice(...)")),
    "unknown field": (lambda s: {"x": s["money"]}, ("KeyError", "'money'")),
    "write": (write, ("writes to s['x']", "return the change")),
    "compare states": (compare_state, ("compares a complete state",)),
    "no delta": (lambda s: None, ("a delta must be a mapping such as {'health': -10}, got None",)),
    "a number": (lambda s: s["x"] + 1, ("a delta must be a mapping",)),
    "odd key": (lambda s: {1: 2}, ("the name of a field must be a string, got 1",)),
    "string for a number": (lambda s: {"n": "many"}, ("'n' holds a number and is set",)),
    "number for a choice": (lambda s: {"job": 1}, ("'job' holds a string or None",)),
    "string for an attribute": (
        lambda s: {"x": "a"},
        ("adds 'a' to the attribute 'x'", "needs a number"),
    ),
    "list for a field": (lambda s: {"n": [s["x"]]}, ("[s['x']], a list",)),
    "no option": (lambda s: {"job": COOK}, ("sets 'job' to 'cook'", "'clerk', 'boss', None")),
    "maybe no option": (
        lambda s: {"job": COOK if s["flag"] else "boss"},
        ("sets 'job' to 'cook'", "its options are"),
    ),
    "half a string": (lambda s: {"job": where(s["flag"], "boss", 1)}, ("a number in one case",)),
    "choice as a number": (lambda s: {"x": s["job"] + 1}, ("TypeError",)),
    "64 bits": (lambda s: {"n": s["n"] * s["n"] * s["n"]}, ("s['n']", "64 bits", "clip()")),
    "big constant": (lambda s: {"n": s["n"] + 10**30}, ("64 bits", "clip()")),
    "53 bits": (lambda s: {"y": s["n"] * 1000 * 0.5}, ("2**53", "clip()")),
    "no entry": (lambda s: {"x": table(s["x"] + 50, [1, 2])}, ("never in the table [0, 1]",)),
    "cached": (functools.lru_cache(lambda s: {"x": 1}), ("TypeError",)),
}


@pytest.mark.parametrize("name", FORBIDDEN)
def test_effect__that_cannot_be_traced(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "MOST_PATHS", 300)  # the limits are higher, and take seconds
    monkeypatch.setattr(paths, "MOST_OPERATIONS", 5_000)
    effect, fragments = FORBIDDEN[name]
    message = of_effect(effect)
    for fragment in fragments:
        assert fragment in message


# Places


PLACES: dict[str, tuple[Callable[[Any], GameConfig], str]] = {
    "restriction of all": (lambda f: config(restrictions=[f], actions=[Action("act")]),
                           "action 'act', restrictions[0]: "),
    "restriction": (lambda f: config(actions=[Action("act", restrictions=[f])]),
                    "action 'act', actions[0].restrictions[0]: "),
    "condition": (lambda f: config(actions=[Action("go"), Action("act", conditions=[f])]),
                  "action 'act', actions[1].conditions[0]: "),
    "event": (lambda f: config(events=[Event("flu", conditions=[f])]),
              "event 'flu', events[0].conditions[0]: "),
    "milestone": (lambda f: config(events=[Event("old", "milestone", restrictions=[f])]),
                  "event 'old', events[0].restrictions[0]: "),
    "event's effect": (lambda f: config(events=[Event("flu", base_probability=1, effects=[f])]),
                       "event 'flu', events[0].effects[0]: "),
    "passive": (lambda f: config(passive_modifiers=[PassiveModifier("rent", f)]),
                "passive modifier 'rent', passive_modifiers[0].delta: "),
    "passive's condition": (lambda f: config(passive_modifiers=[PassiveModifier("rent", {}, f)]),
                            "passive modifier 'rent', passive_modifiers[0].condition: "),
    "probability": (lambda f: config(events=[Event("flu")],
                                     probability_modifiers=[lambda s, p, e: f(s)]),
                    "event 'flu', probability_modifiers[0]: "),
    "phase": (lambda f: config(custom_phases={"own": lambda s, c, t: f(s)}, tick_order=["own"]),
              "phase 'own', custom_phases['own']: "),
}  # fmt: skip


@pytest.mark.parametrize("name", PLACES)
def test_refusal__names_the_place(name: str) -> None:
    make, place = PLACES[name]
    message = refusal(make(lambda s: 1 << s["n"]))
    assert message.startswith(place)
    assert "s['n']" in message


@pytest.mark.parametrize("name", ["reward", "terminated", "score"])
def test_refusal__names_the_function_of_the_task(name: str) -> None:
    def choose(s: Any, *_: Any) -> int:
        return 1 << s["n"]

    functions = {"reward": lambda before, after: 0, name: lambda *states: choose(states[0])}
    message = refusal(config(), Task(**functions))
    assert message.startswith(f"task.{name}: ")
    assert "s['n']" in message


def test_phase__that_returns_something_else() -> None:
    def of_phase(phase: Any) -> str:
        return refusal(config(custom_phases={"own": phase}, tick_order=["own"]))

    assert "return PhaseResult(state)" in of_phase(lambda s, c, t: s)
    assert "return {**state, ...}" in of_phase(lambda s, c, t: PhaseResult({"x": 1}))
    assert "writes 'meta'" in of_phase(lambda s, c, t: PhaseResult({**s, "meta": {}}))
    assert "writes 'cooldowns'" in of_phase(lambda s, c, t: PhaseResult({**s, "cooldowns": {}}))
    assert "sets 'job' to 'x'" in of_phase(lambda s, c, t: PhaseResult({**s, "job": "x"}))


# Fields that the initial state does not have


def test_new_field__cannot_be_read() -> None:
    for read in (lambda s: s["new"], lambda s: s.get("new", 0)):
        message = refusal(
            config(
                actions=[Action("act", effects=[{"new": 1}])],
                passive_modifiers=[PassiveModifier("use", lambda s, read=read: {"x": read(s)})],
            )
        )
        assert "passive modifier 'use'" in message
        assert "s['new'] is set by an effect" in message
        assert "initial state" in message


@pytest.mark.parametrize(
    "count", [len, lambda s: len(list(s)), lambda s: len(s.items()), lambda s: len([*s.values()])]
)
def test_new_field__makes_the_number_of_fields_unknown(count: Callable[[Any], int]) -> None:
    parts: dict[str, Any] = {
        "passive_modifiers": [PassiveModifier("use", lambda s: {"x": 0 * count(s)})]
    }
    CompiledConfig(config(**parts), IDLE)
    message = refusal(config(**parts, actions=[Action("act", effects=[{"new": 1}])]))
    assert "effects add ['new']" in message


def test_field__that_does_not_exist_has_its_default() -> None:
    compiled = CompiledConfig(
        config(passive_modifiers=[PassiveModifier("use", lambda s: {"x": s.get("nowhere", 4)})]),
        IDLE,
    )
    assert "s_x + 4" in compiled.source.text


# Values stored between calls


def test_value__stored_by_an_earlier_call() -> None:
    memory: dict[str, Any] = {}

    def remember(s: Any) -> bool:
        memory.update(x=s["x"])
        return True

    message = refusal(
        config(
            passive_modifiers=[PassiveModifier("grow", {"x": 1}, remember)] * 1,
            actions=[Action("act", effects=[lambda s: {"n": memory.get("x", 0)}])],
        )
    )
    assert "condition: changes a variable of its own, which lasts from call to call" in message


# Unusual callables that can be traced

ALLOWED: dict[str, Callable[[Any], Any]] = {
    "math.floor": lambda s: {"x": math.floor(s["y"])},
    "abs": lambda s: {"x": abs(s["x"] - 7)},
    "sum": lambda s: {"x": sum([s["x"], s["n"]])},
    "sum of fields": lambda s: {"x": sum(s[name] for name in ("x", "n", "flag"))},
    "a loop over constants": lambda s: {"x": sum(s["x"] % i for i in range(1, 5))},
    "default arguments": lambda s, k=3, j=2: {"x": s["x"] * k - j},
    "** of integers": lambda s: {"x": s["x"] ** 3 - s["x"] ** 0},
    "plus": lambda s: {"x": +s["x"]},
    "bools as numbers": lambda s: {"x": (s["x"] > 3) + s["flag"] * 2},
    "NumPy's numbers as a result": lambda s: {"x": RATES[1], "n": np.int64(3), "flag": np.bool_(1)},
    "min and max of constants": lambda s: {"x": max(1, 2) * s["x"]},
    "dict of constants": lambda s: {**PRICES_BY_NAME, "x": s["x"]},
    "or of mappings": lambda s: {"x": (s | {"x": 1})["x"], "n": (s | {"x": 1})["n"]},
    "any_ of a generator": lambda s: {"flag": any_(s["x"] == i for i in range(3))},
    "min_ of many": lambda s: {"x": min_(s["x"], s["n"], 3, s["y"]), "n": max_(1, s["n"] % 2)},
    "a condition that is constant": lambda s: {"x": 1 if "n" in s else 2},
    "None": lambda s: {"job": where(s["flag"], None, "boss")},
}
PRICES_BY_NAME = {"n": 5}


@pytest.mark.parametrize("name", ALLOWED)
def test_effect__that_can_be_traced(parity: Any, name: str) -> None:
    game = config(actions=[Action("act", effects=[ALLOWED[name]])])
    parity.play(game, IDLE, (0, 1, 0, 0))  # raises if the two differ


def test_callables__of_every_form(parity: Any) -> None:
    class Doubler:
        def __call__(self, s: Any) -> Any:
            return {"x": s["x"]}

        def method(self, s: Any, context: Any) -> Any:
            return {"x": context["amount"]}

        @staticmethod
        def static(s: Any, context: Any = None) -> Any:
            return {"n": context["amount"]}

    def partly(factor: int, s: Any) -> Any:
        return {"x": factor * s["x"]}

    effects = [Doubler(), Doubler().method, Doubler.static, functools.partial(partly, -1)]
    contexts = [{"amount": 3}, {"amount": -1}]
    game = config(actions=[Action("act", effects=effects, contexts=contexts)])
    parity.play(game, IDLE, (0, 1, 2, 0))  # raises if the two differ
