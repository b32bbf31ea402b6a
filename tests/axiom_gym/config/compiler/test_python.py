"""Ordinary Python in rules: it compiles as it is, and plays like the interpreter."""

from __future__ import annotations

import dataclasses
import enum
import functools
import math
from collections.abc import Callable, Iterable, Sized
from math import floor as rounded_down
from types import ModuleType
from typing import Any, NamedTuple

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
)
from axiom_gym.config.compiled import CompiledConfig
from axiom_gym.kernel import FAULT, RUNNING

IDLE = Task(reward=lambda before, after: 0)
ACTIONS = (0, 1, 0, 0, 2, 0, 3, 0, 0, 1, 4, 0, 0, 3, 0, 0)
"""Actions that lead through all jobs and many values, with the rule in between."""


class Row(NamedTuple):
    pay: int
    fun: float


@dataclasses.dataclass(frozen=True)
class Level:
    cost: int
    name: str = "level"

    def price(self, skill: Any) -> Any:
        return self.cost - skill if skill > 1 else self.cost


class Job(enum.Enum):
    CLERK = "clerk"
    BOSS = "boss"


PRICES = {0: 5, 1: 7, 4: -2}
LEVELS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
PAY = {"clerk": 3, "boss": 9, None: 0}
ROWS = {"clerk": Row(3, 0.5), "boss": Row(-4, 0.1), None: Row(0, 0.0)}
COSTS = [Level(3), Level(1, "b"), Level(-2)]


def config(rule: Callable[..., Any], **parts: Any) -> GameConfig:
    """Return a game whose first action has the rule as its effect."""
    return GameConfig(
        initial_state=lambda: {"n": 3, "flag": True},
        attributes={"x": Attribute(0, 10, default=5), "y": Attribute(0.0, 10.0, default=2.5)},
        choices={"job": Choice("clerk", "boss", None)},
        actions=[
            Action("rule", effects=[rule]),
            Action("rise", effects=[{"job": "boss", "x": 3}]),
            Action("leave", effects=[{"job": None, "y": -1.75}]),
            Action("flip", effects=[lambda s: {"flag": not s["flag"], "x": -2}]),
            Action("more", effects=[lambda s: {"n": s["n"] - 2, "y": 0.5}]),
        ],
        events=[Event("flu", base_probability=0.3, cooldown=2)],
        **parts,
    )


def early_returns(s: Any) -> Any:
    if s["x"] > 7:
        return {"x": -3, "flag": False}
    if s["job"] is None:
        return {}
    for k in range(4):
        if s["x"] == k:
            break
    else:
        return {"x": 1}
    return {"y": k / 2}


def loops(s: Any) -> Any:
    total = 0
    for index, price in enumerate([3, 1, 4, 1, 5]):
        if price > s["x"]:
            continue
        total += price * index
        if total > s["y"] * 3:
            break
    while total > 4:
        total -= 3
    return {"x": -total}


def catches(s: Any) -> Any:
    try:
        return {"y": 6 / (s["x"] - 2)}
    except ZeroDivisionError:
        return {"x": 1}
    finally:
        _ = s["n"]


def catches_lookup(s: Any) -> Any:
    try:
        return {"x": PRICES[s["x"]]}
    except (KeyError, IndexError):
        return {"x": -1}


def patterns(s: Any) -> Any:
    match s["job"]:
        case None:
            return {"x": 1}
        case "boss" | "chief":
            return {"x": -2}
    match s["x"]:
        case int(k) if k > 3:
            return {"x": -k}
        case 1:
            return {"n": 7}
    return {"n": 3}


def sequence_pattern(s: Any) -> Any:
    match (s["flag"], s["x"]):
        case (True, 5):
            return {"y": 1.5}
        case (_, x):
            return {"x": x - 6}


def closure(s: Any) -> Any:
    total = 0

    def add(value: Any) -> None:
        nonlocal total
        total += value

    for k in range(3):
        add(s["x"] if s["flag"] else k)
    return {"x": -(total % 5)}


@functools.lru_cache
def doubled(value: Any) -> Any:
    return value * 2 % 7


def pay(job: str | None, bonus: int = 0) -> int:
    return PAY[job] + bonus


RULES: dict[str, Callable[..., Any]] = {
    "if": lambda s: {"x": 1 if s["x"] > 3 else 2 if s["flag"] else -3},
    "side not taken": lambda s: {"y": s["y"] / (s["x"] - 3) if s["x"] != 3 else 1.0},
    "and, or, not": lambda s: {"flag": (s["x"] > 3 and s["y"] > 3) or not s["flag"]},
    "value of `or`": lambda s: {"x": (s["x"] - 5 or s["n"]) % 4},
    "chain": lambda s: {"flag": 1 < s["x"] <= 5 != s["n"]},
    "in a tuple": lambda s: {"flag": s["x"] in (1, 2, 5)},
    "in a set": lambda s: {"flag": s["x"] in {1, 2, 5} or s["job"] in {"boss", None}},
    "in a dict": lambda s: {"flag": s["x"] in PRICES},
    "not in a list": lambda s: {"flag": s["job"] not in ["clerk"]},
    "in a range": lambda s: {"flag": s["x"] in range(2, 8, 3)},
    "is None": lambda s: {"x": 1 if s["job"] is None else -1},
    "is not None": lambda s: {"job": "clerk" if s["job"] is not None else "boss"},
    "is True": lambda s: {"x": 1 if s["flag"] is True else 2},
    "is False": lambda s: {"x": 1 if (s["x"] > 4) is False else -2},
    "is an enum": lambda s: {"x": 1 if s["job"] and Job(s["job"]) is Job.BOSS else -1},
    "min": lambda s: {"x": min(s["x"], s["y"], 7) - max([s["x"], 2])},
    "min of bools": lambda s: {"flag": min(s["flag"], s["x"] > 3)},
    "max with a key": lambda s: {"x": max((1, 5, 3), key=lambda v: abs(v - s["x"])) - 3},
    "max with a default": lambda s: {"x": max([k for k in (1, 4) if k < s["x"]], default=-2)},
    "sorted": lambda s: {"x": sorted([s["x"], s["n"], 4])[1] % 5 - 2},
    "sum": lambda s: {"x": sum(s[name] for name in ("x", "flag")) % 3 - 1},
    "any": lambda s: {"flag": any(s["x"] == k for k in range(3))},
    "all": lambda s: {"flag": all([s["x"] > 3, s["flag"]])},
    "abs": lambda s: {"x": abs(s["x"] - 7) - 3},
    "round": lambda s: {"x": round(s["y"]) - round(s["x"]) + round(s["y"] - 5)},
    "int": lambda s: {"x": int(s["y"]) + int(-s["y"] / 2) - int(s["flag"])},
    "float": lambda s: {"y": float(s["x"]) - 4},
    "bool": lambda s: {"flag": bool(s["x"] - 3)},
    "divmod": lambda s: {"x": divmod(s["x"], 3)[1] - divmod(7, 4)[0]},
    "math": lambda s: {"x": math.ceil(s["y"]) - math.trunc(s["y"]) - math.floor(s["y"])},
    "imported by name": lambda s: {"x": rounded_down(s["y"]) - 2},
    "fabs": lambda s: {"y": math.fabs(s["x"] - 6) - 2},
    "isclose": lambda s: {"flag": math.isclose(s["y"], 2.5) or math.isclose(s["x"], 3)},
    "power": lambda s: {"x": s["x"] ** 2 % 5 - 2},
    "dict": lambda s: {"x": PRICES.get(s["x"], -1)},
    "list": lambda s: {"x": LEVELS[s["x"]] - s["x"] - 2},
    "negative index": lambda s: {"x": LEVELS[-s["x"] - 1] - 6},
    "a choice as a key": lambda s: {"x": PAY[s["job"]] - 4},
    "rows of tuples": lambda s: {"x": ROWS[s["job"]].pay, "y": ROWS[s["job"]].fun},
    "rows of dataclasses": lambda s: {"x": COSTS[s["x"] % 3].price(s["x"])},
    "f-string": lambda s: {"x": {"clerk_pay": 3}.get(f"{s['job']}_pay", -1)},
    "str": lambda s: {"x": len(str(s["x"])) - len(repr(s["flag"])) + 3},
    "startswith": lambda s: {"x": 1} if s["job"] and s["job"].startswith("c") else {"n": 4},
    "compare strings": lambda s: {"flag": (s["job"] or "") < "m"},
    "range": lambda s: {"x": sum(range(s["x"])) % 7 - 3},
    "slice": lambda s: {"x": sum(LEVELS[: s["x"]]) % 5 - 2},
    "repeat": lambda s: {"x": len([0] * s["x"]) - 5},
    "isinstance": lambda s: {"x": 1 if isinstance(s["x"], int) else 2},
    "isinstance of no number": lambda s: {"x": 1 if isinstance(s["x"], Sized | Iterable) else 2},
    "hasattr": lambda s: {"x": 1 if hasattr(s["y"], "__index__") else 2},
    "type": lambda s: {"y": 1.0 if type(s["y"]) is float else 2.0},
    "cooldown is None": lambda s: {"x": 1} if s["cooldowns"].get("flu") is None else {"x": -1},
    "in cooldowns": lambda s: {"flag": "flu" in s["cooldowns"]},
    "entry of cooldowns": lambda s: (
        {"x": s["cooldowns"]["flu"] - s["tick"]} if s["cooldowns"] else {"x": len(s["cooldowns"])}
    ),
    "a key that is computed": lambda s: {("x" if s["flag"] else "y"): -1},
    "walrus": lambda s: {"x": -k} if (k := s["x"] - 2) > 2 else {},
    "comprehension": lambda s: {k: v for k, v in (("x", -1), ("y", 1.0)) if s[k] > 3},
    "partial": functools.partial(lambda k, s: {"x": -k if s["flag"] else k}, 2),
    "helper": lambda s: {"x": pay(s["job"], bonus=-4)},
    "cached helper": lambda s: {"x": doubled(s["x"]) - 3},
    "unchanged": lambda s: {"x": 0 if s["flag"] else 1, "y": s["y"] * 0},
    "early returns": early_returns,
    "loops": loops,
    "try": catches,
    "try a lookup": catches_lookup,
    "match": patterns,
    "match a sequence": sequence_pattern,
    "closure": closure,
}


@pytest.mark.parametrize("name", RULES)
def test_effect__plays_like_the_interpreter(parity: ModuleType, name: str) -> None:
    pair = parity.play(config(RULES[name]), IDLE, ACTIONS)  # raises if the two differ
    assert set(pair.codes) == {RUNNING}


CONDITIONS: dict[str, Callable[..., Any]] = {
    "if": lambda s: True if s["x"] > 3 else s["flag"],
    "in": lambda s: s["job"] in ("clerk", None),
    "is None": lambda s: s["job"] is None and s["x"] < 9,
    "a number": lambda s: s["x"] - 3,
    "a string": lambda s: s["job"],
    "a list": lambda s: [k for k in (1, 4) if k > s["x"]] or s["flag"],
    "None": lambda s: None if s["x"] > 4 else 1,
    "guarded": lambda s: s["x"] != 3 and 6 / (s["x"] - 3) > 1,
}


@pytest.mark.parametrize("name", CONDITIONS)
def test_condition__plays_like_the_interpreter(parity: ModuleType, name: str) -> None:
    condition = CONDITIONS[name]
    game = config(
        lambda s: {"x": 1},
        passive_modifiers=[PassiveModifier("rule", {"y": 0.5}, condition)],
        probability_modifiers=[lambda s, p, event: p if condition(s) else p / 2],
        restrictions=[lambda s: s["y"] > 9 and condition(s)],
    )
    task = Task(
        reward=lambda before, after: 1 if condition(after) else -0.5,
        terminated=lambda s: s["tick"] > 90 and condition(s),
        score=lambda s: s["x"] if condition(s) else s["y"],
    )
    parity.play(game, task, ACTIONS)  # raises if the two differ


def test_phase__plays_like_the_interpreter(parity: ModuleType) -> None:
    def phase(s: Any, config: Any, tick: Any) -> PhaseResult:
        if s["job"] is None:
            return PhaseResult({**s, "job": "clerk"})
        if tick % 3 == 0:
            return PhaseResult({**s, "x": LEVELS[min(s["x"], 10) % 11] % 10, "flag": not s["flag"]})
        return PhaseResult(s)

    parts: dict[str, Any] = {"custom_phases": {"own": phase}, "tick_order": ["own"]}
    parity.play(config(lambda s: {"x": -1}, **parts), IDLE, ACTIONS)  # raises if the two differ


# Faults


def refuse(s: Any) -> Any:
    if s["x"] == 6:
        raise ValueError("six is not allowed")
    return {"x": 1}


FAULTS: dict[str, tuple[Callable[..., Any], str]] = {
    "key": (lambda s: {"x": {5: 1, 7: 1}[s["x"]]}, "KeyError: s['x']"),
    "index": (lambda s: {"x": [0, 1, 1, 1, 1, 1][s["x"]]}, "IndexError: list index out of range"),
    "division": (lambda s: {"x": 1, "y": 2 / (s["x"] - 6)}, "division by zero"),
    "own error": (refuse, "ValueError: six is not allowed"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_exception__on_one_path_is_a_fault_of_that_path(parity: ModuleType, name: str) -> None:
    rule, problem = FAULTS[name]
    pair = parity.play(config(rule), IDLE, (0, 0))
    assert pair.codes == [RUNNING, FAULT]
    assert any(problem in fault for fault in pair.faults)


def test_fault__of_a_side_that_is_not_taken_does_not_occur(parity: ModuleType) -> None:
    def rule(s: Any) -> Any:
        return {"y": 1 / s["n"], "x": 1} if s["n"] else {"y": -1.0}

    pair = parity.play(config(rule), IDLE, (4, 0, 4, 0))
    assert pair.codes == [RUNNING] * 4
    assert not any("zero" in fault for fault in pair.faults)


# The source


def source(rule: Callable[..., Any]) -> str:
    return CompiledConfig(config(rule), IDLE).source.text


def test_source__computes_only_the_side_that_is_taken() -> None:
    def rule(s: Any) -> Any:
        if s["x"] > 7:
            return {"x": -3}
        return {"y": 1.5}

    text = source(rule)
    assert "        if s_x > 7:\n" in text
    assert text.index("if s_x > 7:") < text.index("        else:\n") < text.index("+ 1.5")


def test_source__joins_sides_that_change_the_same_fields() -> None:
    def rule(s: Any) -> Any:
        parts = [1 if s["n"] == k else 0 for k in range(8)]  # 2**8 paths without ranges
        return {"x": 3 if s["flag"] else 2, "y": float(sum(parts))}

    assert len(source(rule)) < 12_000


def test_source__has_no_branch_that_is_decided() -> None:
    def rule(s: Any) -> Any:
        if s["x"] > 5:
            return {"n": 1} if s["x"] > 4 else {"n": 777}
        return {"n": 888} if s["x"] == 6 else {"n": 2}

    text = source(rule)
    assert "777" not in text
    assert "888" not in text
