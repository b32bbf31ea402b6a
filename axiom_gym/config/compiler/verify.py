"""Verification, which compares every trace with its callable on random states.

It is a second look: what a trace cannot see is refused already while it is made. The states hold
the bounds of fields, and the numbers of the callable's own code and their neighbors.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from types import CodeType
from typing import Any

from axiom_gym.config.compiler.build import Source
from axiom_gym.config.compiler.nodes import FIELD_LIMIT, Check, Node
from axiom_gym.config.compiler.paths import Leaf, Tree
from axiom_gym.config.compiler.scheme import ABSENT
from axiom_gym.config.compiler.states import Opaque, SymbolicMapping, View
from axiom_gym.config.compiler.symbols import Symbol
from axiom_gym.config.compiler.tracer import Traced
from axiom_gym.config.compiler.values import Values
from axiom_gym.config.history import History
from axiom_gym.errors import TraceError
from axiom_gym.seeded_rng import SeededRNG

SAMPLES = 24
"""The number of states that each callable is tried on."""

_NEAR = (0, 1, 2, 3, 5, 7, 10, 12, 20, 50, 100)
"""Numbers that rules often compare with."""


def verify(source: Source) -> None:
    """Compare every callable with its trace on random states.

    Raises:
        TraceError: for the first callable that differs from its trace.
    """
    draws = SeededRNG(1)
    # A function may be traced at several places of a tick. One comparison is enough for all.
    calls = {_question(traced): traced for traced in reversed(source.calls)}
    for traced in reversed(calls.values()):
        near = (*_NEAR, *_numbers_of(traced.function))
        for number in range(SAMPLES):
            _compare(traced, Values(partial(_draw, draws, number, near)))


def _numbers_of(function: Any) -> list[float]:
    """Return the finite numbers in a function's code, and these plus and minus one."""
    found: list[float] = []
    waiting: list[Any] = [getattr(function, "__code__", None)]
    while waiting:
        value = waiting.pop()
        if isinstance(value, CodeType):
            waiting += value.co_consts
        elif isinstance(value, (tuple, frozenset)):
            waiting += value
        elif isinstance(value, (int, float)) and abs(value) < FIELD_LIMIT:
            found += (value - 1, value, value + 1)
    return sorted(set(found))


def _question(traced: Traced) -> tuple[Any, ...]:
    """Return the identity of a call apart from the state: the function and its other arguments."""
    others = (arg for arg in traced.arguments if not isinstance(arg, (View, Symbol)))
    return (id(traced.function), *map(id, others))


def _compare(traced: Traced, sample: Values) -> None:
    arguments = [_plain(argument, sample) for argument in traced.arguments]
    try:
        actual, raised = traced.function(*arguments), None
    except Exception as error:
        actual, raised = None, error
    leaf, failing = _follow(traced.tree, sample)
    if failing is not None:
        if failing.error is None or raised is not None:
            return
    elif (raised is None) == (leaf.raised is None):
        if raised is not None or _same(leaf.result, actual, sample):
            return
    became = f"{type(raised).__name__}: {raised}" if raised else repr(actual)
    raise TraceError(
        f"{traced.place} differs from its trace: with {sample.fields()} it gives {became}, but its "
        f"trace gives {_text(leaf)}. Avoid what a trace cannot see: variables that change between "
        "calls, and random numbers of its own."
    )


def _follow(tree: Tree, sample: Values) -> tuple[Leaf, Check | None]:
    """Return the end of the path that a state takes, and the check that fails on it, if any."""
    failing: Check | None = None
    while True:
        failing = failing or next((check for check in tree.checks if sample[check.fails]), None)
        if isinstance(tree, Leaf):
            return tree, failing
        tree = tree.yes if sample[tree.condition] else tree.no


def _plain(argument: Any, sample: Values) -> Any:
    """Return an argument as the interpreter passes it."""
    if isinstance(argument, Symbol):
        return sample[argument.node]
    return _State(argument, sample) if isinstance(argument, View) else argument


class _State(Mapping[str, Any]):
    """A state as the interpreter passes it; fields are sampled when they are read."""

    def __init__(self, view: View, sample: Values) -> None:
        self._view = view
        self._sample = sample

    def __getitem__(self, key: str) -> Any:
        node = self._view.node(key)
        if node is not None:
            return self._sample[node]
        if key == "cooldowns":
            return {
                event: expiry
                for event, node in self._view.cooldowns().items()
                if (expiry := self._sample[node]) != ABSENT
            }
        if key == "history":
            return History()
        if key in self._view.names:
            return {} if key == "meta" else _Unread(key)
        raise KeyError(key)

    @property
    def params(self) -> dict[str, Any]:
        return {name: self._sample[node] for name, node in self._view.params.items()}

    def __iter__(self) -> Iterator[str]:
        return iter(self._view.names)

    def __len__(self) -> int:
        return len(self._view.names)

    def __or__(self, other: Mapping[str, Any]) -> dict[str, Any]:
        return {**self, **other}

    def __ror__(self, other: Mapping[str, Any]) -> dict[str, Any]:
        return {**other, **self}

    def copy(self) -> dict[str, Any]:
        return dict(self)


class _Unread:
    """A placeholder for a field that compiled code does not have and no trace has read."""

    def __init__(self, key: str) -> None:
        self.key = key


def _draw(draws: SeededRNG, number: int, near: Sequence[float], node: Node) -> Any:
    """Draw a value for a field: one of its bounds, one of `near`, or any number in its range."""
    if node.kind == "choice":
        options = sorted(node.options, key=repr)
        return options[(number + draws.below(2)) % len(options)]
    if node.kind == "bool":
        return draws.chance(0.5)
    low, high = max(node.low, -FIELD_LIMIT), min(node.high, FIELD_LIMIT)
    if node.payload[0].startswith("<cooldown"):
        return ABSENT if draws.chance(0.5) else draws.below(60)
    pick = draws.below(4)
    if pick == 0:
        value = (low, high)[draws.below(2)]
    elif pick == 1:
        value = draws.pick(near)
    elif pick == 2:
        value = low + (min(high, low + 1000) - low) * draws.next()
    else:
        value = low + (high - low) * draws.next()
    value = min(max(value, low), high)
    may_be_int = node.kind == "int" or (node.mixed and draws.chance(0.3))
    return int(value) if may_be_int else float(value)


def _same(traced: Any, actual: Any, sample: Values) -> bool:
    """Return True if a traced result represents the actual one."""
    if isinstance(traced, Symbol):
        value = sample[traced.node]
        return _equal(value, actual)
    if isinstance(traced, SymbolicMapping):
        return isinstance(actual, Mapping)
    if isinstance(traced, Opaque):
        return not isinstance(actual, (int, float, str))
    if isinstance(traced, Mapping) and isinstance(actual, Mapping):
        return set(traced) == set(actual) and all(
            _same(value, actual[key], sample) for key, value in traced.items()
        )
    if isinstance(traced, tuple) and isinstance(actual, tuple):
        return len(traced) == len(actual) and _same(traced[0], actual[0], sample)
    return _equal(traced, actual)


def _equal(a: Any, b: Any) -> bool:
    if isinstance(a, float) and isinstance(b, float) and math.isnan(a):
        return math.isnan(b)
    return bool(a == b)


def _text(leaf: Leaf) -> str:
    if leaf.raised is not None:
        return f"{type(leaf.raised).__name__}: {leaf.raised}"
    return repr(dict(leaf.result) if isinstance(leaf.result, Mapping) else leaf.result)
