"""Rules that do not depend on the state alone: none of them compiles into another game."""

from __future__ import annotations

import array
import contextlib
import datetime
import enum
import itertools
import operator
import os
import random
import secrets
import sys
import time
import types
import uuid
from collections.abc import Callable
from pathlib import Path
from random import random as draw
from typing import Any

import numpy as np
import pytest

from axiom_gym.config import Action, Attribute, Choice, GameConfig, Task
from axiom_gym.config.compiled import CompiledConfig
from axiom_gym.errors import TraceError

IDLE = Task(reward=lambda before, after: 0)
NUMBERS = np.random.default_rng(1)
DICE = random.Random(1)
COUNTER = itertools.count()
LOG: list[int] = []
BOX = {"n": 0}
CLERK = "clerk"
CALLS = 0


def refusal(rule: Callable[..., Any]) -> str:
    game = GameConfig(
        initial_state=lambda: {"n": 3, "flag": True},
        attributes={"x": Attribute(0, 10, default=5), "y": Attribute(0.0, 10.0)},
        choices={"job": Choice("clerk", "boss", None)},
        actions=[Action("act", effects=[rule])],
    )
    with pytest.raises(TraceError, match=r"action 'act', actions\[0\]\.effects\[0\]: ") as caught:
        CompiledConfig(game, IDLE)
    return str(caught.value)


def critical() -> bool:
    return random.randint(1, 20) == 20


class Deck:
    drawn = 0

    def __init__(self) -> None:
        self.numbers = np.random.default_rng(1)
        self.count = 0

    def draw(self, s: Any) -> Any:
        return {"x": int(self.numbers.integers(3))}


class Shop:
    sold = 0

    def __init__(self) -> None:
        self.visits = 0

    def visit(self, s: Any) -> Any:
        self.visits += 1
        return {"x": self.visits % 3}

    def sell(self, s: Any) -> Any:
        Shop.sold += 1
        return {"x": Shop.sold % 2}


CHANCE: dict[str, Callable[..., Any]] = {
    "in a helper": lambda s: {"x": -3 if critical() else 1},
    "rare": lambda s: {"x": int(draw() < 1e-9)},
    "random": lambda s: {"x": int(random.random() < 1e-9)},
    "own generator": lambda s: {"x": DICE.choice([1, 2])},
    "numpy": lambda s: {"x": int(np.random.random() < 1e-9)},
    "numpy generator": lambda s: {"x": int(NUMBERS.integers(3))},
    "generator of an object": Deck().draw,
    "secrets": lambda s: {"x": secrets.randbelow(3)},
    "uuid": lambda s: {"x": uuid.uuid4().int % 3},
}


@pytest.mark.parametrize("name", CHANCE)
def test_chance__is_refused(name: str) -> None:
    assert "random numbers of its own; in a compiled game only events are random" in refusal(
        CHANCE[name]
    )


OUTSIDE: dict[str, tuple[Callable[..., Any], str]] = {
    "time": (lambda s: {"x": int(time.time()) % 3}, "time.time(), a clock"),
    "date": (lambda s: {"x": datetime.datetime.now().second}, "now(), a clock"),
    "urandom": (lambda s: {"x": os.urandom(1)[0] % 3}, "urandom()"),
    "process": (lambda s: {"x": os.getpid() % 3}, "getpid()"),
    "id": (lambda s: {"x": id(LOG) % 3}, "calls id()"),
    "hash": (lambda s: {"x": hash("a") % 3}, "calls hash()"),
    "print": (lambda s: print("hello") or {"x": 1}, "calls print()"),
}


@pytest.mark.parametrize("name", OUTSIDE)
def test_clock_and_machine__are_refused(name: str) -> None:
    rule, message = OUTSIDE[name]
    assert message in refusal(rule)


def count_globally(s: Any) -> Any:
    global CALLS
    CALLS += 1
    return {"x": CALLS % 3}


def counting() -> Callable[..., Any]:
    count = 0

    def rule(s: Any) -> Any:
        nonlocal count
        count += 1
        return {"x": count % 2}

    return rule


def remembers(s: Any, bag: list[int] = []) -> Any:  # noqa: B006 - the mistake is the point
    bag.append(1)
    return {"x": len(bag) % 3}


def first_time(s: Any, known: Any = {}) -> Any:  # noqa: B006 - the mistake is the point
    if not known:
        known["seen"] = True
        return {"x": 2}
    return {"x": 1}


MEMORY: dict[str, tuple[Callable[..., Any], str]] = {
    "global variable": (count_globally, "assigns the global variable 'CALLS'"),
    "closure": (counting(), "assigns 'count' of the function around it"),
    "list": (lambda s: {"x": [LOG.append(1), len(LOG)][1]}, "changes LOG, which lasts"),
    "dict": (lambda s: BOX.update(n=BOX["n"] + 1) or {"x": BOX["n"] % 2}, "changes BOX"),
    "default": (remembers, "changes a variable of its own"),
    "first time": (first_time, "changes a variable of its own"),
    "object": (Shop().visit, "changes a variable of its own"),
    "class": (Shop().sell, "changes"),
    "iterator": (lambda s: {"x": next(COUNTER) % 3}, "uses 'COUNTER', an iterator"),
}


class Box:
    __slots__ = "__private", "count"

    def __init__(self) -> None:
        self.count = self.__private = 0

    def visit(self, s: Any) -> Any:
        self.__private += 1
        return {"x": self.__private % 3}


class OneSlot:
    __slots__ = "count"

    def __init__(self) -> None:
        self.count = 0


class Bag(list[int]):
    count = 0


class Market:
    box = types.SimpleNamespace(n=0)
    days = (0,)

    def by_type(self, s: Any) -> Any:
        type(self).days = (self.days[0] + 1,)
        return {"x": self.days[0] % 3}

    @classmethod
    def by_class(cls, s: Any) -> Any:
        cls.box.n += 1
        return {"x": cls.box.n % 3}


class Clock:
    hours = itertools.count()


class Color(enum.Enum):
    RED = 1


BYTES, SHORTS, OBJECTS = bytearray(1), array.array("h", [0]), np.array([None], dtype=object)
SLOTS, ONE_SLOT, BAG, CLOCK = Box(), OneSlot(), Bag(), Clock()
OBJECTS[0] = LOG
SETTINGS = types.ModuleType("settings")
SETTINGS.count = 0  # type: ignore[attr-defined]


def adds_to(holder: Any, key: Any) -> Callable[..., Any]:
    """Return a rule that adds 1 to an entry, or to an attribute."""

    def entry(s: Any) -> Any:
        holder[key] += 1
        return {"x": 1}

    def attribute(s: Any) -> Any:
        setattr(holder, key, getattr(holder, key, 0) + 1)
        return {"x": 1}

    return attribute if isinstance(key, str) else entry


def counts_itself(s: Any) -> Any:
    counts_itself.count = getattr(counts_itself, "count", 0) + 1  # type: ignore[attr-defined]
    return {"x": counts_itself.count % 3}  # type: ignore[attr-defined]


def sets_in_module(s: Any) -> Any:
    SETTINGS.count += 1  # type: ignore[attr-defined]
    return {"x": SETTINGS.count % 3}  # type: ignore[attr-defined]


def sets_own_module(s: Any) -> Any:
    setattr(sys.modules[__name__], "CALLS", CALLS + 1)  # noqa: B010
    return {"x": CALLS % 3}


HOLDERS: dict[str, tuple[Callable[..., Any], str]] = {
    "bytearray": (adds_to(BYTES, 0), "changes"),
    "array": (adds_to(SHORTS, 0), "changes"),
    "array of objects": (lambda s: OBJECTS[0].append(1) or {"x": 1}, "changes OBJECTS"),
    "slot": (adds_to(SLOTS, "count"), "changes"),
    "private slot": (SLOTS.visit, "changes"),
    "one slot": (adds_to(ONE_SLOT, "count"), "changes"),
    "attribute of a list": (adds_to(BAG, "count"), "changes"),
    "attribute of an enum": (adds_to(Color.RED, "count"), "changes"),
    "attribute of a class": (Market().by_type, "changes"),
    "object of a class": (Market.by_class, "changes"),
    "iterator of a class": (lambda s: {"x": next(CLOCK.hours) % 3}, "an iterator"),
    "attribute of the rule": (counts_itself, "changes"),
    "variable of a module": (sets_in_module, "changes count"),
    "variable of its module": (sets_own_module, "changes CALLS"),
}


@pytest.mark.parametrize("name", HOLDERS)
def test_holder__that_changes_is_refused(name: str) -> None:
    rule, message = HOLDERS[name]
    assert message in refusal(rule)


@pytest.mark.parametrize("name", MEMORY)
def test_memory__is_refused(name: str) -> None:
    rule, message = MEMORY[name]
    assert message in refusal(rule)


def test_context__that_changes_is_refused() -> None:
    def rule(s: Any, context: Any) -> Any:
        context["seen"] = True
        return {"x": 1}

    game = GameConfig(
        initial_state=dict,
        attributes={"x": Attribute(0, 10)},
        actions=[Action("act", effects=[rule], contexts=[{"amount": 1}])],
    )
    with pytest.raises(TraceError, match="changes its argument"):
        CompiledConfig(game, IDLE)


def catches_all(s: Any) -> Any:
    try:
        return {"x": 6 // s["x"]}
    except Exception:
        return {"x": 1}


def catches_bare(s: Any) -> Any:
    try:
        return {"x": s["x"].quality}
    except:  # noqa: E722 - the mistake is the point
        return {"x": 1}


def catches_some(s: Any) -> Any:
    try:
        return {"x": 6 // s["x"]}
    except (ZeroDivisionError, TypeError):
        return {"x": 1}


def ignores(s: Any) -> Any:
    with contextlib.suppress(TypeError):
        return {"x": "abcdef".count(s["job"] or "")}
    return {"x": 2}


def returns_at_last(s: Any) -> Any:
    try:
        return {"x": "abcdef".count(s["job"] or "")}
    finally:
        return {"x": 2}  # noqa: B012, SIM107 - the mistake is the point


def breaks_at_last(s: Any) -> Any:
    for _ in range(3000):
        try:
            if s["y"] * 3 > 1:
                return {"x": "abcdef".count(s["job"] or "")}
        finally:
            break  # noqa: B012 - the mistake is the point
    return {"x": 2}


UNSEEN: dict[str, tuple[Callable[..., Any], str]] = {
    "special method": (
        lambda s: {"x": 1 if s["x"].__lt__(2.0) is NotImplemented else 2},
        "asks for __lt__; write the operator",
    ),
    "documentation": (lambda s: {"x": 1 if s["x"].__doc__ else 2}, "asks for __doc__"),
    "is a string": (lambda s: {"x": 1 if s["job"] is CLERK else 2}, "write =="),
    "is a number": (lambda s: {"x": 1 if s["x"] is s["n"] else 2}, "write =="),
    "except Exception": (catches_all, "catches Exception"),
    "operator.is_": (lambda s: {"x": int(operator.is_(s["job"], None))}, "calls operator.is_()"),
    "map of is_": (lambda s: {"x": sum(map(operator.is_, [s["job"]], [None]))}, "operator.is_()"),
    "map of a clock": (lambda s: {"x": next(map(time.sleep, [0])) or 1}, ", a clock"),
    "class": (lambda s: {"x": 1 if s["x"].__class__ is int else 2}, "write isinstance()"),
    "with": (ignores, "catches what its `with` statement ignores"),
    "return in finally": (returns_at_last, "catches BaseException"),
    "break in finally": (breaks_at_last, "catches BaseException"),
    "except": (catches_bare, "catches BaseException"),
    "except TypeError": (catches_some, "catches TypeError"),
}


@pytest.mark.parametrize("name", UNSEEN)
def test_operation__that_a_trace_cannot_see_is_refused(name: str) -> None:
    rule, message = UNSEEN[name]
    text = refusal(rule)
    assert message in text
    assert "(test_soundness.py, line " in text


def test_trace__leaves_modules_as_they_were() -> None:
    before = dict(globals())
    refusal(lambda s: {"x": max(int(s["y"]), draw())})
    assert dict(globals()) == before


def test_library__is_known_by_its_file_and_not_by_its_name(tmp_path: Path) -> None:
    """A game in a file that is named like a module of Python is watched all the same."""
    code = (
        "CALLS = 0\ndef rule(s):\n    global CALLS\n    CALLS += 1\n    return {'x': CALLS % 3}\n"
    )
    names: dict[str, Any] = {"__name__": "statistics"}
    exec(compile(code, str(tmp_path / "statistics.py"), "exec"), names)
    assert "assigns the global variable 'CALLS'" in refusal(names["rule"])
