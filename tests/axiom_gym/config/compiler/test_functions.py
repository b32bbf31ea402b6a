"""The functions of `math` and powers in rules: the bits of Python, or a fault."""

from __future__ import annotations

import math
import random
import struct
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from axiom_gym.config import Action, Attribute, GameConfig, Task, c_functions, c_library
from axiom_gym.config.c_library import ARITIES, FUNCTIONS, is_exact
from axiom_gym.config.compiled import CompiledConfig
from axiom_gym.config.compiler.ranges import Span, result_span
from axiom_gym.errors import TraceError
from axiom_gym.kernel import FAULT, RUNNING, entry

IDLE = Task(reward=lambda before, after: 0)
ACTIONS = (0, 1, 0, 2, 0, 0, 3, 0, 2, 2, 0, 1, 1, 0, 3, 3, 0)


def config(rule: Callable[..., Any]) -> GameConfig:
    """Return a game whose first action writes what the rule gives to `z`."""
    return GameConfig(
        initial_state=lambda: {"z": 0.0},
        attributes={
            "x": Attribute(0, 10, default=5),
            "y": Attribute(-10.0, 10.0, default=2.5),
            "k": Attribute(0, 9.0, default=2),
            "p": Attribute(0.25, 20.0, default=1.5),
        },
        actions=[
            Action("rule", effects=[lambda s: {"z": rule(s)}]),
            Action("lower", effects=[{"x": -1, "y": -1.7, "p": -0.3}]),
            Action("rise", effects=[{"x": 2, "y": 0.9, "p": 1.37}]),
            Action("more", effects=[{"k": 1.5}]),
        ],
        restrictions=[lambda s: s["z"] == 0.123456],
    )


RULES: dict[str, Callable[[Any], Any]] = {
    "sqrt": lambda s: math.sqrt(s["p"]) + math.sqrt(s["x"]),
    "exp": lambda s: math.exp(s["y"]) + math.exp(-s["x"] / 7),
    "log": lambda s: math.log(s["p"]) + math.log(s["x"] + 1),
    "log to a base": lambda s: math.log(s["p"], 3) + math.log(7, s["x"] + 2),
    "log2": lambda s: math.log2(s["p"]),
    "log10": lambda s: math.log10(s["p"]),
    "sin": lambda s: math.sin(s["y"]) + math.sin(s["x"]),
    "cos": lambda s: math.cos(s["y"]),
    "tan": lambda s: math.tan(s["y"]),
    "pow": lambda s: math.pow(s["p"], s["y"]) + math.pow(2, s["x"]),
    "copysign": lambda s: math.copysign(s["y"], -0.0) + math.copysign(2, s["x"] - 4),
    "copysign of a divisor": lambda s: math.copysign(3, s["y"]) if s["y"] else 1.5,
    "isfinite": lambda s: 1.0 if math.isfinite(s["y"]) and not math.isnan(s["z"]) else 2.0,
    "isinf": lambda s: 1.0 if math.isinf(s["z"]) else 2.5,
    "a square": lambda s: s["y"] ** 2,
    "a cube": lambda s: s["y"] ** 3,
    "a root": lambda s: s["p"] ** 0.5 + s["x"] ** 0.5,
    "a float power": lambda s: s["p"] ** s["y"] + 1.07 ** s["x"],
    "a power of 2": lambda s: 2 ** s["x"],
    "a sign": lambda s: (-1) ** s["x"],
    "a negative power": lambda s: s["p"] ** -2 + (s["x"] + 1) ** -2,
    "either power": lambda s: 3 ** (s["x"] - 5),
    "of a mixed number": lambda s: s["k"] ** 2 + math.sqrt(s["k"]) + s["k"] ** 0.5,
    "pow()": lambda s: pow(s["x"], 2) + pow(s["p"], 1.5),
    "round": lambda s: round(s["y"] / 3, 2) + round(s["p"], 1) + round(s["x"], 3),
    "round mixed": lambda s: round(s["k"], 1) + round(s["y"], 0),
    "the side taken": lambda s: math.log(s["y"]) if s["y"] > 0 else math.sqrt(-s["y"]),
}


@pytest.mark.parametrize("name", RULES)
def test_function__plays_like_the_interpreter(parity: ModuleType, name: str) -> None:
    pair = parity.play(config(RULES[name]), IDLE, ACTIONS)  # raises if the two differ
    assert set(pair.codes) == {RUNNING}


FAULTS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "sqrt": (lambda s: math.sqrt(s["y"] - 3), "of a negative number"),
    "log": (lambda s: math.log(s["x"] - 5), "of a number that is not positive"),
    "base": (lambda s: math.log(3, s["x"] - 4), "division by zero"),
    "exp": (lambda s: math.exp(s["x"] * 200), "too large for a float"),
    "pow": (lambda s: math.pow(s["y"] - 2.5, -1), "0 to a negative power"),
    "0 ** -1": (lambda s: (s["x"] - 5) ** -1, "0 to a negative power"),
    "too large": (lambda s: (s["y"] * 1e200) ** 2, "too large for a float"),
    "complex": (lambda s: (s["y"] - 3) ** 0.5, "to a power that is not whole"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_function__without_a_result_is_a_fault(name: str, parity: ModuleType) -> None:
    rule, problem = FAULTS[name]
    if name == "complex":  # the interpreter computes a complex number
        assert any(problem in fault for fault in CompiledConfig(config(rule), IDLE).source.faults)
        return
    pair = parity.play(config(rule), IDLE, (0,))
    assert pair.codes == [FAULT]
    assert any(problem in fault for fault in pair.faults)


def test_error__that_the_rule_catches_is_a_path(parity: ModuleType) -> None:
    def rule(s: Any) -> Any:
        try:
            return math.log(s["y"])
        except ValueError:
            return -1.5

    assert set(parity.play(config(rule), IDLE, ACTIONS).codes) == {RUNNING}


REFUSED: dict[str, tuple[Callable[[Any], Any], str]] = {
    "hypot": (lambda s: math.hypot(s["y"], 1), "write math.sqrt(x * x + y * y)"),
    "copysign": (lambda s: math.copysign(1, s["y"]), "abs(x) if y >= 0 else -abs(x)"),
    "atan": (lambda s: math.atan(s["y"]), "table of results"),
    "width": (lambda s: 10 ** (s["x"] * 2), "64 bits"),
    "digits": (lambda s: round(s["y"], -1), "digits must be 0 to 15"),
    "modulus": (lambda s: pow(s["x"], 2, 3), "x ** y % z"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_function__that_is_not_compiled_names_the_remedy(name: str) -> None:
    rule, remedy = REFUSED[name]
    with pytest.raises(TraceError) as caught:
        CompiledConfig(config(rule), IDLE)
    assert remedy in str(caught.value)


def test_library__that_differs_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def different(value: float) -> float:
        return math.nextafter(math.exp(value), 0) if value == 2.0 else math.exp(value)

    monkeypatch.setattr(c_library, "find", lambda name: different)
    is_exact.cache_clear()
    try:
        with pytest.raises(TraceError, match="differs from Python's"):
            CompiledConfig(config(lambda s: math.exp(s["y"])), IDLE)
    finally:
        is_exact.cache_clear()


@pytest.mark.parametrize("name", ARITIES)
def test_library__agrees_with_python(name: str) -> None:
    assert is_exact(name)


def test_range__contains_the_results() -> None:
    draws = random.Random(5)
    for op in set(FUNCTIONS) - {"rounded_to"}:
        arity = 2 if op == "c_pow" else 1
        for _ in range(300):
            spans = [Span(*sorted(_draw(draws) for _ in range(2))) for _ in range(arity)]
            found = result_span(op, (), spans)
            for _ in range(20):
                args = [min(max(draws.uniform(*span), span.low), span.high) for span in spans]
                value = FUNCTIONS[op](*args)
                if math.isfinite(value):
                    assert found.low <= value <= found.high, (op, spans, args)


def _draw(draws: random.Random) -> float:
    number = draws.choice((draws.uniform(-5, 5), draws.uniform(-800, 800), 0.0, 1.0))
    return number if draws.random() < 0.7 else float(round(number))


def test_round__equals_python_near_ties() -> None:
    draws = random.Random(8)
    for digits in range(16):
        scale = 10.0**digits
        for _ in range(1500):
            number = (draws.randrange(10 ** draws.randrange(1, 18)) + 0.5) / scale
            number = draws.choice((number, -number, draws.uniform(-99, 99)))
            for near in (number, math.nextafter(number, 0), math.nextafter(number, math.inf)):
                found = c_library.rounded_to(near, scale)
                assert (found, math.copysign(1, found)) == (
                    round(near, digits),
                    math.copysign(1, round(near, digits)),
                )


POINTS = 20_000


def _inputs(draws: random.Random, name: str) -> float:
    if draws.random() < 0.1:  # any bits
        return float(struct.unpack("<d", struct.pack("<Q", draws.getrandbits(64)))[0])
    return draws.uniform(-40.0 if name in ("sin", "cos", "tan", "exp") else 0.0, 40.0)


@entry(cache=False)
def fill(x: Any, y: Any, out: Any) -> None:
    for k in range(len(x)):
        out[0, k] = c_functions.c_exp(x[k])
        out[1, k] = c_functions.c_log(x[k])
        out[2, k] = c_functions.c_log2(x[k])
        out[3, k] = c_functions.c_log10(x[k])
        out[4, k] = c_functions.c_sin(x[k])
        out[5, k] = c_functions.c_cos(x[k])
        out[6, k] = c_functions.c_tan(x[k])
        out[7, k] = c_functions.c_pow(x[k], y[k])
        out[8, k] = c_functions.c_pow(x[k], 2.0)  # LLVM would make it x * x


@pytest.mark.slow
@pytest.mark.compiled_only
def test_compiled_function__has_the_bits_of_python() -> None:
    draws = random.Random(3)
    x = np.array([_inputs(draws, name) for name in ("exp", "log") for _ in range(POINTS)])
    y = np.array([draws.choice((2.0, 0.5, -1.0, draws.uniform(-9, 9))) for _ in x])
    out = np.zeros((9, len(x)))
    fill(x, y, out)
    for row, name in enumerate([*ARITIES, "pow"]):
        function = getattr(c_functions, f"c_{name}")
        others = [] if row < 7 else [y if row == 7 else np.full(len(x), 2.0)]
        given = zip(x.tolist(), *others, strict=True)
        expected = np.array([function(*map(float, numbers)) for numbers in given])
        defined = np.isfinite(expected)
        assert (out[row][defined] == expected[defined]).all(), name
        assert not np.isfinite(out[row][~defined]).any(), name
