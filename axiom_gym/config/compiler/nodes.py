"""Nodes of expressions: their operations, ranges and texts.

The kinds of nodes:

- "int": a Python integer, as int64. The compiler proves that every value is within 2**62, and
  within 2**53 where it becomes a float64.
- "float": a float64. A field has this kind if any float can reach it. The node is `mixed` if the
  interpreter may hold an int of the same value. If a result is computed only from mixed nodes and
  ints, a check ensures that it is below 2**53, because ints and floats differ beyond it.
- "bool": True or False; 1 or 0 in arithmetic.
- "choice": one of the strings, or None, that the config declares.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from axiom_gym.config.c_library import FUNCTIONS

WIDEST = 2**62
"""The bound of every integer in an expression."""
EXACT = 2**53
"""The bound of integers that become float64 without loss."""
FIELD_LIMIT = 2**48
"""The bound of integers in fields that are no attributes; exceeding it is a fault."""
BIGGEST = 1.7976931348623157e308
"""The greatest finite float64."""

Number = int | float


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A value. Only `Graph` creates nodes, so that equal nodes are the same object."""

    op: str
    args: tuple[Node, ...]
    payload: Any
    """The value of a constant, or the field and the version of a "read"."""
    kind: str
    low: Number
    high: Number
    options: frozenset[str | None] = frozenset()
    """The possible values of a choice."""
    mixed: bool = False
    """True for a float that the interpreter may hold as an int."""
    total: bool = True
    """False if it can only be computed where a check or a condition before it allows it, such as a
    quotient whose divisor may be 0."""


@dataclass(frozen=True, slots=True)
class Check:
    """A check of an operation: if `fails` holds, the operation is a fault."""

    fails: Node
    problem: str
    error: type[Exception] | None = None
    """The exception that plain values raise; None if the interpreter has no such limit."""


COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
}


def compute(op: str, values: list[Any]) -> Any:
    """Return the result of an operation on plain values, as Python computes it."""
    if op in COMPARISONS:
        return COMPARISONS[op](*values)
    if op in FUNCTIONS:
        return FUNCTIONS[op](*values)
    if op in ARITHMETIC:
        return ARITHMETIC[op](*values)
    match op:
        case "and":
            return bool(values[0]) and bool(values[1])
        case "or":
            return bool(values[0]) or bool(values[1])
        case "not":
            return not values[0]
        case "where":
            return values[1] if values[0] else values[2]
        case "negate":
            return -values[0]
        case "abs":
            return abs(values[0])
        case "min":
            a, b = values
            return b if b < a else a
        case "max":
            a, b = values
            return b if b > a else a
        case "floor":
            return math.floor(values[0])
    raise AssertionError(op)


def bare(node: Node) -> Node:
    """Return a node without the range that was known about it on a path."""
    return node.args[0] if node.op == "known" else node


def is_constant(node: Node, value: bool) -> bool:
    """Return True if a node is the constant `value`."""
    return node.op == "const" and node.payload is value


# -- as text, for messages -------------------------------------------------------------------------

_WORDS = {"and": "&", "or": "|"}

_DEEPEST = 6


def show(node: Node, depth: int = 0) -> str:
    """Return an expression as Python, with "..." for deep parts."""
    if depth > _DEEPEST and node.args:
        return "..."
    deeper = depth + 1
    match node.op:
        case "const":
            return repr(node.payload)
        case "read":
            key = node.payload[0]
            is_parameter = key.startswith("<parameter ")
            return f"s.params[{key[11:-1]!r}]" if is_parameter else f"s[{key!r}]"
        case "to_int" | "to_float" | "known":
            return show(node.args[0], depth)
        case "negate":
            return f"-{show(node.args[0], deeper)}"
        case "where" | "min" | "max" | "abs" | "floor" | "not":
            name = {"min": "min_", "max": "max_", "abs": "abs_", "not": "not_"}.get(
                node.op, node.op
            )
            return f"{name}({', '.join(show(arg, deeper) for arg in node.args)})"
    if node.op == "rounded_to":
        return f"round({show(node.args[0], deeper)}, {len(str(int(node.args[1].payload))) - 1})"
    if node.op in FUNCTIONS:
        name = {"square_root": "sqrt"}.get(node.op, node.op.removeprefix("c_"))
        return f"math.{name}({', '.join(show(arg, deeper) for arg in node.args)})"
    return show_binary(node.op, *node.args, depth=deeper)


def show_binary(op: str, *args: Node, depth: int = 0) -> str:
    """Return an operation as Python, also if it is not a node yet."""
    return "(" + f" {_WORDS.get(op, op)} ".join(show(arg, depth) for arg in args) + ")"


def reads(roots: Iterable[Node]) -> set[str]:
    """Return the fields that expressions depend on."""
    return {node.payload[0] for node in walk(roots) if node.op == "read"}


def parts_first(root: Node) -> Iterator[Node]:
    """Yield the nodes of an expression once each, with parts before the nodes that use them."""
    waiting, seen = [root], set[Node]()
    while waiting:
        missing = [arg for arg in waiting[-1].args if arg not in seen]
        if missing:
            waiting += missing
        elif waiting[-1] in seen:
            waiting.pop()
        else:
            seen.add(waiting[-1])
            yield waiting.pop()


def walk(roots: Iterable[Node]) -> Iterator[Node]:
    """Yield the roots and all nodes below them, once each."""
    waiting, seen = list(roots), set[Node]()
    while waiting:
        node = waiting.pop()
        if node not in seen:
            seen.add(node)
            yield node
            waiting.extend(node.args)
