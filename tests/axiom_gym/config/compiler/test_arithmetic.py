"""Arithmetic, with the same bits interpreted, as plain Python, and compiled by Numba."""

from __future__ import annotations

import itertools
import math
from types import ModuleType
from typing import Any

import pytest

from axiom_gym.config import (
    Action,
    Attribute,
    GameConfig,
    PassiveModifier,
    Task,
    abs_,
    clip,
    floor,
    max_,
    min_,
    where,
)
from axiom_gym.config.compiled import CompiledConfig
from axiom_gym.kernel import RUNNING

FLOATS = (0.0, 0.1, -0.1, 1.0, -1.0, 2.5, -2.5, 7.0, -7.0, 1e-300, -1e-300, 5e-324, 1e16, -1e16,
          1e300, -1e300, 1.7e308, -1.7e308, 1 / 3, 4503599627370497.5)  # fmt: skip
INTS = (0, 1, -1, 2, 3, -3, 7, -7, 10, 2**31, -(2**31), 2**47, -(2**47))
QUOTIENTS = {"floordiv": lambda a, b: a // b, "mod": lambda a, b: a % b}
OTHERS = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "less": lambda a, b: (a < b) * 1,
    "least": lambda a, b: (a <= b) * 1,
    "same": lambda a, b: (a == b) * 1,
    "min": min_,
    "max": max_,
    "abs": lambda a, b: abs_(a) - b,
    "negate": lambda a, b: -a + b,
    "clip": lambda a, b: clip(a, -2.5, b),
    "where": lambda a, b: where(a > b, a, b),
}


def laboratory(numbers: tuple[Any, ...], operations: dict[str, Any]) -> GameConfig:
    """Return a game with two fields to set, and a field for the result of each operation."""
    zero = numbers[0]
    contexts = [{"number": number} for number in numbers]

    return GameConfig(
        name="laboratory",
        initial_state=lambda: {"a": zero, "b": zero, **dict.fromkeys(operations, zero)},
        actions=[
            Action("a", effects=[lambda s, ctx: {"a": ctx["number"]}], contexts=contexts),
            Action("b", effects=[lambda s, ctx: {"b": ctx["number"]}], contexts=contexts),
        ],
        passive_modifiers=[
            PassiveModifier(name, lambda s, name=name, f=function: {name: f(s["a"], s["b"])})
            for name, function in operations.items()
        ],
        restrictions=[lambda s: sum((s[name] == 0.25) * 1 for name in operations) > 99],
    )


def float_operations() -> dict[str, Any]:
    """Return all operations, with divisors other than 0 and results clipped to ±1e307."""

    def finite(function: Any) -> Any:
        def compute(a: Any, b: Any) -> Any:
            result = function(a, b)
            small = (result >= -1e307) & (result <= 1e307)
            return where(small, result, where(result > 0, 1e307, -1e307))

        return compute

    def divided(function: Any) -> Any:
        return lambda a, b: function(a, where(b == 0, 0.5, b))

    quotients = {**QUOTIENTS, "truediv": lambda a, b: a / b}
    found = {name: finite(divided(function)) for name, function in quotients.items()}
    found |= {name: finite(function) for name, function in OTHERS.items()}
    found["mul"] = finite(lambda a, b: a * b)
    found["floor"] = lambda a, b: floor(clip(a, -1e15, 1e15)) + 0.0
    return found


def int_operations() -> dict[str, Any]:
    def divided(function: Any) -> Any:
        return lambda a, b: function(a, where(b == 0, 5, b))

    found = {name: divided(function) for name, function in QUOTIENTS.items()}
    found |= {name: function for name, function in OTHERS.items() if name != "clip"}
    found["truediv"] = divided(lambda a, b: a / b)
    found["mul"] = lambda a, b: a * clip(b, -1, 1)
    found["power"] = lambda a, b: clip(b, -200, 200) ** 3
    found["floor"] = lambda a, b: floor(a) + floor(b * 0.5)
    return found


def walk(count: int) -> list[int]:
    """Return actions that combine every number with every other one."""
    pairs = itertools.product(range(count), range(count))
    return [action for one, other in pairs for action in (one, count + other)]


IDLE = Task(reward=lambda before, after: 0)


@pytest.mark.parametrize("kind", ["float", "int"])
def test_operations__on_odd_numbers(parity: ModuleType, kind: str) -> None:
    numbers, operations = (
        (FLOATS, float_operations()) if kind == "float" else (INTS, int_operations())
    )
    pair = parity.play(laboratory(numbers, operations), IDLE, walk(len(numbers)))
    assert set(pair.codes) == {RUNNING}


@pytest.mark.slow
@pytest.mark.compiled_only
@pytest.mark.parametrize("kind", ["float", "int"])
def test_operations__on_odd_numbers_compiled(parity: ModuleType, kind: str) -> None:
    numbers, operations = (
        (FLOATS, float_operations()) if kind == "float" else (INTS, int_operations())
    )
    compiled = CompiledConfig(laboratory(numbers, operations), IDLE)
    pair = parity.Pair(compiled, kernel=compiled.kernel)
    for action in walk(len(numbers)):
        assert pair.step(action) == RUNNING


def test_division__of_negative_numbers_rounds_down(parity: ModuleType) -> None:
    found = []
    for kind in (int, float):
        game = GameConfig(
            lambda kind=kind: {"a": kind(-7), "b": kind(2), "q": kind(0), "r": kind(0)},
            passive_modifiers=[
                PassiveModifier("divide", lambda s: {"q": s["a"] // s["b"], "r": s["a"] % s["b"]})
            ],
            restrictions=[lambda s: s["q"] + s["r"] > 99],
            actions=[Action("act")],
        )
        state = parity.play(
            GameConfig(
                game.initial_state,
                {"a": Attribute(kind(-9), kind(9)), "b": Attribute(kind(1), kind(9), kind(1))},
                passive_modifiers=game.passive_modifiers,
                restrictions=game.restrictions,
                actions=game.actions,
            ),
            IDLE,
        ).state
        found.append((state["q"], state["r"], type(state["q"])))
    assert found == [(-4, 1, int), (-4.0, 1.0, float)]


def test_probability__is_compared_exactly(parity: ModuleType) -> None:
    from axiom_gym.config import Event
    from axiom_gym.rng import SeededRNG

    draw = SeededRNG(5).next()
    chances = [draw, math.nextafter(draw, 1), math.nextafter(draw, 0), 0.0, 1.0, 5e-324]
    for computed in (False, True):
        for chance, fires in zip(chances, (0, 1, 0, 0, 1, 0), strict=True):
            modifiers = [lambda s, p, e: p * s["one"]] if computed else []
            game = GameConfig(
                lambda: {"n": 0, "one": 1.0},
                {"n": Attribute(0, 9), "one": Attribute(0.5, 1.0, default=1.0)},
                events=[Event("luck", base_probability=chance, effects=[{"n": 1}])],
                probability_modifiers=modifiers,
            )
            assert parity.play(game, IDLE, seed=5).state["n"] == fires
