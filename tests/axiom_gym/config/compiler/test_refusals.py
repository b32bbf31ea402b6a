"""Refusals of operations that cannot be traced; they name the place and the replacement."""

from __future__ import annotations

import functools
import itertools
import math
import random
import statistics
from collections.abc import Callable
from random import random as draw
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
from axiom_gym.errors import TraceError

IDLE = Task(reward=lambda before, after: 0)
PRICES = {0: 5, 1: 7}
RATES = np.array([0.5, 2.0])
COUNTER = itertools.count()
CALLS: list[Any] = []


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


def match(s: Any) -> Any:
    match s["x"]:
        case 5:
            return {"x": 1}
    return {"x": 2}


def loop(s: Any) -> Any:
    while s["x"] > 3:
        pass
    return {}


# Names, because validation refuses these strings if they are written out.
COOK, SOME_JOBS = "cook", ("a", "clerk")

FORBIDDEN: dict[str, tuple[Callable[[Any], Any], tuple[str, ...]]] = {
    "if": (lambda s: {"x": 1} if s["x"] > 3 else {}, ("if", "(s['x'] > 3)", "where(condition")),
    "while": (loop, ("while", "(s['x'] > 3)")),
    "match": (match, ("(s['x'] == 5)",)),
    "and": (lambda s: {"flag": s["x"] > 3 and s["y"] > 3}, ("and", "(s['x'] > 3)", "& and |")),
    "or": (lambda s: {"flag": s["flag"] or s["y"] > 3}, ("or", "s['flag']", "& and |")),
    "not": (lambda s: {"flag": not s["flag"]}, ("not", "s['flag']", "not_")),
    "in": (lambda s: {"flag": s["x"] in (1, 2)}, ("in", "(s['x'] == 1)", "any_")),
    "in a choice": (
        lambda s: {"flag": s["job"] in SOME_JOBS},
        ("`in`", "any_", "(always False)"),
    ),
    "in it": (lambda s: {"flag": 1 in s["x"]}, ("in", "s['x']", "any_(x == a")),
    "chain": (lambda s: {"flag": 1 < s["x"] < 5}, ("chained", "s['x']", "&")),
    "min": (lambda s: {"x": min(s["x"], s["y"])}, ("min()", "min_")),
    "max": (lambda s: {"x": max(s["x"], 3)}, ("max()", "max_")),
    "sorted": (lambda s: {"x": sorted([s["x"], s["y"]])[0]}, ("needs the value",)),
    "any": (lambda s: {"flag": any([s["x"] > 3])}, ("any_",)),
    "all": (lambda s: {"flag": all([s["x"] > 3])}, ("all_",)),
    "bool": (lambda s: {"flag": bool(s["x"])}, ("s['x']", "where(")),
    "int": (lambda s: {"x": int(s["y"])}, ("int()", "s['y']", "floor(x)")),
    "float": (lambda s: {"y": float(s["x"])}, ("float()", "x * 1.0")),
    "round": (lambda s: {"x": round(s["y"])}, ("round()", "floor(x + 0.5)")),
    "round 2": (lambda s: {"x": round(s["y"], 2)}, ("round()", "floor(x + 0.5)")),
    "trunc": (lambda s: {"x": math.trunc(s["y"])}, ("trunc()", "floor(x)")),
    "ceil": (lambda s: {"x": math.ceil(s["y"])}, ("ceil()", "-floor(-x)")),
    "divmod": (lambda s: {"x": divmod(s["x"], 3)[0]}, ("divmod()", "x // y")),
    "sqrt": (lambda s: {"y": math.sqrt(s["y"])}, ("function of math", "s['y']")),
    "isnan": (lambda s: {"flag": math.isnan(s["y"])}, ("function of math",)),
    "mean": (lambda s: {"y": statistics.mean([s["x"], s["y"]])}, ()),
    "len": (lambda s: {"x": len(s["x"])}, ("len()",)),
    "for": (lambda s: {"x": sum(i for i in s["x"])}, ("a loop", "names or constants")),
    "range": (lambda s: {"x": sum(range(s["x"]))}, ("range()", "table(key, values)")),
    "index": (lambda s: {"x": [1, 2, 3][s["x"]]}, ("an index", "table(key, values)")),
    "into": (lambda s: {"x": s["x"][0]}, ("index into it", "separate fields")),
    "repeat": (lambda s: {"x": len([0] * s["x"])}, ("numbers, bools",)),
    "lookup": (lambda s: {"x": PRICES[s["x"]]}, ("dict or set lookup", "table(key, values)")),
    "get": (lambda s: {"x": PRICES.get(s["x"], 0)}, ("dict or set lookup", "table(")),
    "set": (lambda s: {"flag": s["x"] in {1, 2}}, ("dict or set lookup", "table(")),
    "f-string": (lambda s: {"word": f"{s['x']}"}, ("a text", "`text=`")),
    "str": (lambda s: {"word": str(s["x"])}, ("a text", "`text=`")),
    "%": (lambda s: {"word": "%s" % s["x"]}, ("a text", "`text=`")),  # noqa: UP031
    "~": (lambda s: {"flag": ~s["flag"]}, ("~", "not_(condition)")),
    "^": (lambda s: {"flag": s["flag"] ^ (s["x"] > 1)}, ("^", "a != b")),
    "<<": (lambda s: {"x": s["x"] << 1}, ("<<", "x * 2")),
    ">>": (lambda s: {"x": s["x"] >> 1}, (">>", "x // 2")),
    "bits": (lambda s: {"x": s["x"] & 1}, ("operand of & or |", "compare it first")),
    "no brackets": (lambda s: {"flag": s["x"] > 1 & s["flag"]}, ("operand of & or |", "brackets")),
    "**": (lambda s: {"y": s["y"] ** 2}, ("constant power", "x * x")),
    "** 0.5": (lambda s: {"y": s["x"] ** 0.5}, ("constant power", "x * x")),
    "2 **": (lambda s: {"x": 2 ** s["x"]}, ("a power", "x * x")),
    "numpy function": (lambda s: {"y": np.sqrt(s["y"])}, ()),
    "numpy maximum": (lambda s: {"x": np.maximum(s["x"], 3)}, ()),
    "numpy where": (lambda s: {"x": np.where(s["x"] > 3, 1, 2)}, ("ValueError",)),
    "numpy array": (lambda s: {"x": (RATES * s["x"])[0]}, ("numbers, bools",)),
    "numpy number": (lambda s: {"y": s["y"] * RATES[0]}, ("write 0.5", ".tolist()")),
    "numpy divisor": (lambda s: {"y": RATES[1] / s["x"]}, ("write 2.0", ".item()")),
    "numpy in where": (lambda s: {"y": where(s["flag"], RATES[1], 0.0)}, ("write 2.0",)),
    "numpy table": (lambda s: {"y": table(s["x"] % 2, RATES)}, (".tolist()",)),
    "hidden": (hide, ("(s['x'] > 3)", "where(")),
    "is None": (lambda s: {"x": 1 if s["job"] is None else 2}, ("its trace", "`is`")),
    "isinstance": (
        lambda s: {"x": 1 if isinstance(s["x"], int) else 2},
        ("its trace", "isinstance()"),
    ),
    "type": (lambda s: {"x": 1 if type(s["y"]) is float else 2}, ("its trace",)),
    "hasattr": (lambda s: {"x": 1 if hasattr(s["y"], "is_integer") else 2}, ("its trace",)),
    "counter": (lambda s: {"x": next(COUNTER)}, ("its trace", "variables that change")),
    "list": (lambda s: {"x": [CALLS.append(1), len(CALLS)][1]}, ("its trace",)),
    "kept": (lambda s: {"x": [CALLS.append(s["x"]), CALLS[0]][1]}, ()),
    "random": (lambda s: {"x": int(random.random() < 1e-9)}, ("'random'", "only events")),
    "drawn": (lambda s: {"x": int(draw() < 1e-9)}, ("'draw'", "only events")),
    "numpy random": (lambda s: {"x": int(np.random.random() < 1e-9)}, ("'np'", "only events")),
    "history": (lambda s: {"x": len(s["history"])}, ("s['history']", "field of the state")),
    "history test": (lambda s: {"x": 1 if s["history"] else 2}, ("s['history']",)),
    "meta": (lambda s: {"x": s["meta"].get("bonus", 0)}, ("s['meta']", "field of the state")),
    "a list": (lambda s: {"x": s["list"][0]}, ("s['list']", "starts as [1]", "Choice(")),
    "undeclared string": (lambda s: {"flag": s["word"] == "a"}, ("s['word']", "Choice(...)")),
    "unknown field": (lambda s: {"x": s["money"]}, ("KeyError", "'money'")),
    "write": (lambda s: s.__setitem__("x", 1), ("writes to s['x']", "return the change")),
    "compare states": (compare_state, ("compares a complete state",)),
    "cooldown": (lambda s: {"x": s["cooldowns"]["flu"]}, (".get('flu', 0)",)),
    "cooldown or None": (lambda s: {"x": s["cooldowns"].get("flu")}, (".get('flu', 0)",)),
    "in cooldowns": (lambda s: {"flag": "flu" in s["cooldowns"]}, (".get('flu', -1) >= 0",)),
    "all cooldowns": (lambda s: {"x": len(s["cooldowns"])}, ("as a whole", ".get('event', 0)")),
    "any cooldown": (lambda s: {"x": 1 if s["cooldowns"] else 2}, ("as a whole",)),
    "cooldown items": (lambda s: {"x": sum(s["cooldowns"].values())}, ("as a whole",)),
    "no delta": (lambda s: None, ("a delta must be a mapping such as {'health': -10}, got None",)),
    "a number": (lambda s: s["x"] + 1, ("a delta must be a mapping",)),
    "odd key": (lambda s: {1: 2}, ("the name of a field must be a string, got 1",)),
    "key": (lambda s: {s["x"]: 2}, ("dict or set lookup",)),
    "string for a number": (lambda s: {"n": "many"}, ("'n' holds a number and is set",)),
    "number for a choice": (lambda s: {"job": 1}, ("'job' holds a string or None",)),
    "string for an attribute": (
        lambda s: {"x": "a"},
        ("adds 'a' to the attribute 'x'", "needs a number"),
    ),
    "list for a field": (lambda s: {"n": [s["x"]]}, ("[s['x']], a list",)),
    "no option": (lambda s: {"job": COOK}, ("sets 'job' to 'cook'", "'clerk', 'boss', None")),
    "maybe no option": (
        lambda s: {"job": where(s["flag"], "cook", "boss")},
        ("sets 'job' to 'cook'", "its options are"),
    ),
    "half a string": (lambda s: {"job": where(s["flag"], "boss", 1)}, ("a number in one case",)),
    "choice as a number": (lambda s: {"x": s["job"] + 1}, ("s['job'] is not a number", "table()")),
    "choice as a condition": (lambda s: {"x": where(s["job"], 1, 2)}, ("== or !=",)),
    "order of strings": (lambda s: {"flag": s["job"] < "m"}, ("s['job'] is not a number",)),
    "64 bits": (lambda s: {"n": s["n"] * s["n"] * s["n"]}, ("s['n']", "64 bits", "clip()")),
    "big constant": (lambda s: {"n": s["n"] + 10**30}, ("64 bits", "clip()")),
    "53 bits": (lambda s: {"y": s["n"] * 1000 * 0.5}, ("2**53", "clip()")),
    "no entry": (lambda s: {"x": table(s["x"] + 50, [1, 2])}, ("never in the table [0, 1]",)),
    "cached": (functools.lru_cache(lambda s: {"x": 1}), ("TypeError",)),
    "catches": (lambda s: {"x": safely(lambda: 6 // s["x"])}, ("catches ZeroDivisionError",)),
    "catches a table": (
        lambda s: {"x": safely(lambda: table(s["x"], [1, 2]))},
        ("catches KeyError (s['x'] is not in the table)", "default"),
    ),
}


def safely(compute: Callable[[], Any]) -> Any:
    try:
        return compute()
    except (ZeroDivisionError, KeyError):
        return 0


@pytest.mark.parametrize("name", FORBIDDEN)
def test_effect__that_cannot_be_traced(name: str) -> None:
    effect, fragments = FORBIDDEN[name]
    CALLS.clear()
    message = of_effect(effect)
    for fragment in fragments:
        assert fragment in message


def test_refusal__is_raised_even_if_the_function_catches_everything() -> None:
    def sly(s: Any) -> Any:
        for attempt in (lambda: int(s["y"]), lambda: 4):
            try:
                return {"x": attempt()}
            except BaseException:
                continue
        return {}

    assert "int() needs the value of s['y']" in of_effect(sly)


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
    message = refusal(make(lambda s: 1 if s["n"] > 2 else 0))
    assert message.startswith(place)
    assert "s['n']" in message


@pytest.mark.parametrize("name", ["reward", "terminated", "score"])
def test_refusal__names_the_function_of_the_task(name: str) -> None:
    def choose(s: Any, *_: Any) -> int:
        return 1 if s["n"] > 2 else 0

    functions = {"reward": lambda before, after: 0, name: lambda *states: choose(states[0])}
    message = refusal(config(), Task(**functions))
    assert message.startswith(f"task.{name}: an `if`")


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
    assert "another" in message or "earlier" in message or "its trace" in message


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
