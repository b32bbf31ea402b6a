"""The ranges that the compiler derives for values.

The compiler decides comparisons by them, so a range that is too narrow would compile a wrong rule
without an error.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from functools import partial
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from axiom_gym.config import Action, Attribute, GameConfig, PassiveModifier, Task, max_, min_
from axiom_gym.config.compiled import CompiledConfig
from axiom_gym.config.compiler.graph import Graph
from axiom_gym.config.compiler.nodes import ARITHMETIC, COMPARISONS, Node, walk
from axiom_gym.config.compiler.ranges import own_span
from axiom_gym.config.compiler.symbols import Symbol
from axiom_gym.config.compiler.tracer import Traced
from axiom_gym.config.compiler.values import Values
from axiom_gym.config.compiler.verify import _draw, _follow
from axiom_gym.errors import TraceError
from axiom_gym.kernel import ILLEGAL, RUNNING
from axiom_gym.seeded_rng import SeededRNG


def roots(result: Any) -> Iterator[Node]:
    if isinstance(result, Symbol):
        yield result.node
    elif isinstance(result, Mapping):
        for value in result.values():
            yield from roots(value)


def check_ranges(traced: Traced, values: Values) -> int:
    """Check the ranges of a call; return its number of expressions, 0 if a check of it fails."""
    leaf, failing = _follow(traced.tree, values)
    if failing is not None:
        return 0
    count = 0
    for node in walk(roots(leaf.result)):
        value = values[node]
        if node.kind == "choice":
            assert value in node.options
        elif value == value:
            assert node.low <= value <= node.high, node
        else:
            assert not own_span(node).is_bounded, node
        count += 1
    return count


def test_ranges__of_generated_expressions(generated: ModuleType) -> None:
    draws, counts = SeededRNG(1), []

    @settings(max_examples=60, derandomize=True, deadline=None, database=None,
              suppress_health_check=list(HealthCheck))  # fmt: skip
    @given(generated.cases())
    def check(case: Any) -> None:
        try:
            source = CompiledConfig(*case.build()).source
        except TraceError:
            return
        for traced, number in itertools.product(source.calls, range(8)):
            counts.append(check_ranges(traced, Values(partial(_draw, draws, number, (0, 1, 5)))))

    check()
    assert sum(counts) > 3_000


ENDS = [(0, 0), (1, 1), (-3, -2), (-2, 3), (0, 4), (-4, 0), (2, 5)]


@pytest.mark.parametrize("op", [*ARITHMETIC, "min", "max"])
@pytest.mark.parametrize("kinds", [("int", "int"), ("float", "float"), ("int", "float")])
def test_ranges__of_every_operation(op: str, kinds: tuple[str, str]) -> None:
    graph = Graph()
    for first, second in itertools.product(ENDS, ENDS):
        a = graph.read("a", 0, kinds[0], *first)
        b = graph.read("b", 0, kinds[1], *second)
        node = graph.apply(op, a, b)
        for x, y in itertools.product(numbers(kinds[0], first), numbers(kinds[1], second)):
            if op in ("/", "//", "%") and y == 0:
                continue
            value = Values(reader(x, y))[node]
            assert node.low <= value <= node.high, (op, first, second, x, y)


def reader(x: Any, y: Any) -> Any:
    return lambda node: {"a": x, "b": y}[node.payload[0]]


def numbers(kind: str, ends: tuple[int, int]) -> list[float]:
    integers = list(range(ends[0], ends[1] + 1))
    if kind == "int":
        return integers
    return (
        [float(n) for n in integers]
        + [n + 0.5 for n in integers[:-1]]
        + [n + 1e-9 for n in integers[:-1]]
    )


@pytest.mark.parametrize("op", ["<", "<=", ">", ">=", "==", "!="])
def test_comparisons__are_decided_correctly_and_if_possible(op: str) -> None:
    graph = Graph()
    for first, second in itertools.product(ENDS, ENDS):
        node = graph.apply(
            op, graph.read("a", 0, "int", *first), graph.read("b", 0, "int", *second)
        )
        pairs = itertools.product(numbers("int", first), numbers("int", second))
        results = {COMPARISONS[op](x, y) for x, y in pairs}
        if node.op == "const":
            assert results == {node.payload}
        elif op not in ("==", "!="):
            assert results == {True, False}


@pytest.mark.parametrize("inner", [min_, max_])
def test_nan__within_bounds_decides_nothing(parity: ModuleType, inner: Any) -> None:
    outer, limit = (max_, 0.0) if inner is min_ else (min_, 9.0)

    def is_small(s: Any) -> Any:
        infinite = s["f"] * 10
        return outer(inner(infinite - infinite, 5.0), limit) <= 70

    config = GameConfig(
        lambda: {"f": 1e308},
        {"f": Attribute(0.0, 1e308)},
        actions=[Action("act", conditions=[is_small])],
        passive_modifiers=[PassiveModifier("fall", {"f": -9.9e307})],
    )
    pair = parity.play(config, Task(reward=lambda before, after: 0), (0, 1, 0))
    assert pair.codes == [ILLEGAL, RUNNING, RUNNING]
