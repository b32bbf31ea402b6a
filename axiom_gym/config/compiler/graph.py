"""The graph of expressions that tracing builds; equal expressions share one node.

A node has a kind and a range of numbers; see `axiom_gym.config.compiler.nodes`. With these, the
graph folds constants, decides comparisons whose result is always the same, and adds a check (of a
divisor, for example) only if it can fail.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from axiom_gym.config.compiler.nodes import (
    BIGGEST,
    COMPARISONS,
    EXACT,
    FIELD_LIMIT,
    WIDEST,
    Check,
    Node,
    Number,
    compute,
    is_bounded,
    is_constant,
    result_bounds,
    show,
    show_binary,
)
from axiom_gym.errors import TraceError


def _may_be_int(node: Node) -> bool:
    """Return True if the interpreter may hold an int or a bool."""
    return node.kind != "float" or node.mixed


class Graph:
    """The nodes of one trace, and their checks in the order of creation."""

    def __init__(self) -> None:
        self._nodes: dict[Any, Node] = {}
        self.checks: list[Check] = []
        self.refusal: TraceError | None = None
        """The first error of a callable, kept because the callable may catch it."""
        self.failing = 0
        """The number of the check that raises its error, from 1 on; 0 for none."""

    # -- leaves ------------------------------------------------------------------------------------

    def constant(self, value: Any) -> Node:
        """Return the node of a number, bool, string or None.

        Raises:
            TraceError: for a value of another type.
        """
        if isinstance(value, np.generic):
            value = value.item()
        if value is None or isinstance(value, str):
            return self._make("const", (), value, "choice", 0, 0, frozenset([value]))
        if isinstance(value, bool):
            return self._make("const", (), value, "bool", int(value), int(value))
        if isinstance(value, int):
            value = int(value)  # a plain int also for members of an IntEnum
            self._check_width(value, value)
            return self._make("const", (), value, "int", value, value)
        if isinstance(value, float):
            value = float(value) + 0.0
            low, high = (-math.inf, math.inf) if math.isnan(value) else (value, value)
            return self._make("const", (), value, "float", low, high)
        raise self.refuse(
            f"uses {value!r}, a {type(value).__name__}: compiled values are numbers, bools, "
            "strings and None."
        )

    def read(
        self,
        field: str,
        version: int,
        kind: str,
        low: Number,
        high: Number,
        options: frozenset[str | None] = frozenset(),
        mixed: bool = False,
    ) -> Node:
        """Return the node of a field's value in a version; version 0 is the stored value."""
        return self._make("read", (), (field, version), kind, low, high, options, mixed)

    # -- operations --------------------------------------------------------------------------------

    def apply(self, op: str, *args: Node) -> Node:
        """Return the node of an operation, simplified as far as possible.

        Raises:
            TraceError: for kinds that cannot be combined, or integers that may become too large.
        """
        if op in ("==", "!="):
            return self._equality(op, *args)
        if op == "where":
            return self._where(*args)
        if op in ("and", "or", "not"):
            return self._logic(op, *args)
        for arg in args:
            if arg.kind == "choice":
                raise self.refuse(
                    f"{show(arg)} is not a number, and {op!r} needs numbers; compare it with == or "
                    "look it up with table()."
                )
        numbers = [self.as_number(arg) for arg in args]
        if op in COMPARISONS:
            return self._comparison(op, *numbers)
        if op in ("min", "max"):
            return self._extreme(op, *numbers)
        if op == "floor":
            return self._floor(*numbers)
        return self._arithmetic(op, *numbers)

    def truth(self, node: Node) -> Node:
        """Convert a node to a bool: numbers are true unless they are 0."""
        if node.kind == "bool":
            return node
        if node.kind == "choice":
            raise self.refuse(f"{show(node)} is used as a condition; compare it with == or !=.")
        return self.apply("!=", node, self.constant(0))

    def as_float(self, node: Node) -> Node:
        """Convert a number to float64."""
        if node.kind == "float":
            return node
        if node.op == "const":
            if float(node.payload) != node.payload:
                self._check_exact(node)
            return self.constant(float(node.payload))
        self._check_exact(node)
        return self._make("to_float", (node,), None, "float", float(node.low), float(node.high))

    def check(self, fails: Node, problem: str, error: type[Exception] | None = None) -> None:
        """Add a check that `fails` does not hold, unless it never can.

        Raises:
            Exception: `error`, if this is check number `failing`. In this way the tracer tests that
                the callable does not catch it.
        """
        if fails.op == "const" and not fails.payload:
            return
        self.checks.append(Check(fails, problem, error))
        if error is not None and len(self.checks) == self.failing:
            raise error(problem)

    def check_inside(self, node: Node, bound: float, problem: str) -> None:
        """Add a check that a number is within -bound..bound and not NaN, unless it always is."""
        if node.kind == "float" and not (-bound <= node.low and node.high <= bound):
            self.check(self.apply("not", self._inside(node, bound)), problem)

    def check_finite(self, node: Node, problem: str) -> None:
        """Add a check that a number is neither infinite nor NaN, unless it never can be."""
        self.check_inside(node, BIGGEST, problem)

    def limit(self, node: Node, bound: int, problem: str) -> Node:
        """Add a check that a number is within -bound..bound; return it with this range."""
        if -bound <= node.low and node.high <= bound:
            return node
        self.check(self.apply("not", self._inside(node, bound)), problem)
        low, high = max(node.low, -bound), min(node.high, bound)
        return self._make("known", (node,), (low, high), node.kind, low, high, mixed=node.mixed)

    def table(self, key: Node, entries: dict[Any, Node], default: Node | None) -> Node:
        """Return the node of a lookup in a table.

        Args:
            key: the key.
            entries: the entries by key.
            default: the result for other keys; None to check that the key has an entry.
        """
        found = [(self.apply("==", key, self.constant(k)), value) for k, value in entries.items()]
        found = [(test, value) for test, value in found if not is_constant(test, False)]
        if default is None:
            missing = self.constant(True)
            for test, _ in found:
                missing = self.apply("and", missing, self.apply("not", test))
            if found and self._covers(key, entries):
                missing = self.constant(False)
            self.check(missing, f"{show(key)} is not in the table", KeyError)
            if not found:
                raise self.refuse(f"{show(key)} is never in the table {list(entries)}.")
            default = found.pop()[1]
        for test, value in reversed(found):
            default = self.apply("where", test, value, default)
        return default

    @staticmethod
    def _covers(key: Node, entries: dict[Any, Node]) -> bool:
        """Return True if every value that the key can have is an entry."""
        if key.kind == "choice":
            return key.options <= set(entries)
        if key.kind == "float" or key.high - key.low > len(entries):
            return False
        return all(k in entries for k in range(int(key.low), int(key.high) + 1))

    # -- the rules of each operation ---------------------------------------------------------------

    def as_number(self, node: Node) -> Node:
        """Convert a bool to 1 or 0; return any other node unchanged."""
        if node.kind != "bool":
            return node
        if node.op == "const":
            return self.constant(int(node.payload))
        return self._make("to_int", (node,), None, "int", node.low, node.high)

    def _alike(self, nodes: Iterable[Node]) -> list[Node]:
        """Convert all numbers to float64 if one of them is."""
        listed = list(nodes)
        if any(node.kind == "float" for node in listed):
            return [self.as_float(node) for node in listed]
        return listed

    def _comparison(self, op: str, a: Node, b: Node) -> Node:
        a, b = self._alike((a, b))
        sure = (a.high < b.low, a.high <= b.low, a.low > b.high, a.low >= b.high)
        decided = {
            "<": (sure[0], sure[3]),
            "<=": (sure[1], sure[2]),
            ">": (sure[2], sure[1]),
            ">=": (sure[3], sure[0]),
        }[op]
        if is_bounded(a, b) and any(decided):
            return self.constant(decided[0])
        return self._fold(op, (a, b), "bool", 0, 1)

    def _equality(self, op: str, a: Node, b: Node) -> Node:
        if (a.kind == "choice") != (b.kind == "choice"):
            return self.constant(op == "!=")
        if a.kind == "choice":
            if not a.options & b.options:
                return self.constant(op == "!=")
            return self._fold(op, (a, b), "bool", 0, 1)
        a, b = self._alike((self.as_number(a), self.as_number(b)))
        if is_bounded(a, b) and (a.high < b.low or a.low > b.high):
            return self.constant(op == "!=")
        return self._fold(op, (a, b), "bool", 0, 1)

    def _logic(self, op: str, *args: Node) -> Node:
        nodes = [self.truth(arg) for arg in args]
        if op == "not":
            (node,) = nodes
            if node.op == "not":
                return node.args[0]
            return self._fold("not", (node,), "bool", 0, 1)
        a, b = nodes
        neutral = op == "and"
        for one, other in ((a, b), (b, a)):
            if one.op == "const":
                return other if one.payload is neutral else self.constant(not neutral)
        return a if a is b else self._fold(op, (a, b), "bool", 0, 1)

    def _where(self, condition: Node, yes: Node, no: Node) -> Node:
        condition = self.truth(condition)
        given = (yes, no)
        kinds = {yes.kind, no.kind}
        if "choice" in kinds and len(kinds) > 1:
            raise self.refuse(
                f"one value is a number in one case and a string or None in the other: "
                f"{show(yes)} and {show(no)}."
            )
        if kinds != {"bool"} and "choice" not in kinds:
            yes, no = self._alike((self.as_number(yes), self.as_number(no)))
        if condition.op == "const":
            return given[0] if condition.payload else given[1]
        if given[0] is given[1]:
            return given[0]
        low, high = min(yes.low, no.low), max(yes.high, no.high)
        options = yes.options | no.options
        mixed = yes.kind == "float" and any(map(_may_be_int, given))
        return self._make("where", (condition, yes, no), None, yes.kind, low, high, options, mixed)

    def _extreme(self, op: str, *given: Node) -> Node:
        a, b = self._alike(given)
        if is_bounded(a, b):
            if (a.high <= b.low) if op == "min" else (a.low >= b.high):
                return given[0]
            if (b.high < a.low) if op == "min" else (b.low > a.high):
                return given[1]
        choose = min if op == "min" else max
        low, high = choose(a.low, b.low), choose(a.high, b.high)
        if not is_bounded(a, b) and a.kind == "float":
            # The result may be a NaN of either side, which no range contains.
            low, high = -math.inf, math.inf
        return self._fold(op, (a, b), a.kind, low, high, any(map(_may_be_int, given)))

    def _floor(self, a: Node) -> Node:
        if a.kind == "int":
            return a
        if not (a.low >= -EXACT and a.high <= EXACT):
            self.check_inside(a, BIGGEST, f"floor of {show(a)}, which is not finite")
            inside = self._inside(a, float(FIELD_LIMIT))
            self.check(self.apply("not", inside), f"floor of {show(a)}, which is beyond 2**48")
            return self._fold("floor", (a,), "int", -FIELD_LIMIT, FIELD_LIMIT)
        return self._fold("floor", (a,), "int", math.floor(a.low), math.floor(a.high))

    def _arithmetic(self, op: str, *args: Node) -> Node:
        if op in ("negate", "abs"):
            (a,) = args
            low, high = -a.high, -a.low
            if op == "abs":
                inside = a.low <= 0 <= a.high
                low, high = (0 if inside else min(abs(a.low), abs(a.high))), max(high, a.high)
            return self._fold(op, args, a.kind, low, high, a.mixed)
        a, b = self._alike(args)
        if op in ("/", "//", "%"):
            zero = self.constant(0.0 if b.kind == "float" else 0)
            problem = f"division by zero in {show_binary(op, a, b)}"
            self.check(self.apply("==", b, zero), problem, ZeroDivisionError)
        if op == "/" and a.kind == "int":
            self._check_exact(a)
            self._check_exact(b)
        kind = "float" if op == "/" else a.kind
        low, high = result_bounds(op, a, b)
        if kind == "int":
            self._check_width(low, high, op, a, b)
        if a.kind == "float" and op != "/" and all(map(_may_be_int, args)):
            result = self._fold(op, (a, b), kind, low, high, mixed=True)
            problem = (
                f"{show(result)} is beyond 2**53, where integers and floats differ; if such "
                "values are intended, start with a float such as 0.0"
            )
            return self.limit(result, EXACT - 1, problem)
        return self._fold(op, (a, b), kind, low, high)

    # -- making ------------------------------------------------------------------------------------

    def _fold(
        self,
        op: str,
        args: tuple[Node, ...],
        kind: str,
        low: Number,
        high: Number,
        mixed: bool = False,
    ) -> Node:
        """Return a constant if all arguments are constants, else a node."""
        if all(arg.op == "const" for arg in args):
            try:
                return self.constant(compute(op, [arg.payload for arg in args]))
            except ArithmeticError:
                pass  # an earlier check always fails, so the value is never used
        return self._make(op, args, None, kind, low, high, mixed=mixed and kind == "float")

    def _make(
        self,
        op: str,
        args: tuple[Node, ...],
        payload: Any,
        kind: str,
        low: Number,
        high: Number,
        options: frozenset[str | None] = frozenset(),
        mixed: bool = False,
    ) -> Node:
        # `kind` is part of the key: 1, 1.0 and True are equal, but different constants.
        key = (op, tuple(map(id, args)), payload, kind, low, high, mixed)
        node = self._nodes.get(key)
        if node is None:
            node = self._nodes[key] = Node(op, args, payload, kind, low, high, options, mixed)
        return node

    def _inside(self, node: Node, bound: Number) -> Node:
        """Return the node of -bound <= number <= bound, which is false for NaN."""
        # Built without `apply`, which would decide it by the range and ignore NaN.
        limits = [self.constant(type(bound)(sign * bound)) for sign in (-1, 1)]
        if node.kind == "float":
            limits = [self.as_float(limit) for limit in limits]
        above = self._make(">=", (node, limits[0]), None, "bool", 0, 1)
        below = self._make("<=", (node, limits[1]), None, "bool", 0, 1)
        return self._make("and", (above, below), None, "bool", 0, 1)

    def refuse(self, message: str) -> TraceError:
        """Return the error for something that cannot be compiled; the caller raises it."""
        error = TraceError(message)
        if self.refusal is None:
            self.refusal = error
        return error

    def _check_width(self, low: Number, high: Number, op: str = "", *args: Node) -> None:
        if not (low >= -WIDEST and high <= WIDEST):
            what = f"the integer {show_binary(op, *args)}" if args else f"{low}"
            raise self.refuse(
                f"{what} may exceed the 64 bits of a compiled integer; bound its parts "
                "with clip(), or compute with floats."
            )

    def _check_exact(self, node: Node) -> None:
        if not (node.low >= -EXACT and node.high <= EXACT):
            raise self.refuse(
                f"the integer {show(node)} may exceed 2**53, where float64 becomes inexact; "
                "bound it with clip()."
            )
