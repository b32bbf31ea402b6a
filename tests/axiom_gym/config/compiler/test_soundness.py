"""Rules that do not depend on the state alone: none of them compiles into another game."""

from __future__ import annotations

import datetime
import itertools
import os
import random
import secrets
import time
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


UNSEEN: dict[str, tuple[Callable[..., Any], str]] = {
    "is a string": (lambda s: {"x": 1 if s["job"] is CLERK else 2}, "write =="),
    "is a number": (lambda s: {"x": 1 if s["x"] is s["n"] else 2}, "write =="),
    "except Exception": (catches_all, "catches Exception"),
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
