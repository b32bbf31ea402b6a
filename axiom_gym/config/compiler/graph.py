"""The graph of expressions that tracing builds; equal expressions share one node.

A node has a kind and a range of numbers; see `axiom_gym.config.compiler.nodes`. With these, the
graph folds constants, decides comparisons whose result is always the same, and adds a check (of a
divisor, for example) only if it can fail. While a path through a callable is followed, the facts
of the path hold as well.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from functools import partial
from typing import Any

from axiom_gym.config.compiler.facts import Facts
from axiom_gym.config.compiler.making import Nodes
from axiom_gym.config.compiler.nodes import (
    BIGGEST,
    COMPARISONS,
    EXACT,
    FIELD_LIMIT,
    Check,
    Node,
    Number,
    is_constant,
    show,
    show_binary,
)
from axiom_gym.config.compiler.paths import Path
from axiom_gym.config.compiler.ranges import Span, own_span, result_span


def may_be_int(node: Node) -> bool:
    """Return True if the interpreter may hold an int or a bool."""
    return node.kind != "float" or node.mixed


class Graph(Nodes):
    """The nodes of one trace, and their checks in the order of creation."""

    def __init__(self) -> None:
        super().__init__()
        self.checks: list[Check] = []
        self.path: Path | None = None
        """The path that is followed; None while no callable is traced."""
        self.identities: set[str] = set()
        """The values that the callable compares with `is`: "None", and "bools"."""
        self.raising = False
        """True if a failed check raises its error in the callable, which may catch it."""

    # -- paths -------------------------------------------------------------------------------------

    def begin(self, path: Path | None) -> None:
        """Start to follow a path, or none."""
        self.path, self.facts, self.checks = path, Facts(), []

    def decide(self, node: Node, first: bool = True) -> bool:
        """Return the value of a condition on this path.

        Args:
            node: the condition.
            first: the side that is followed first, if the facts leave it open.
        """
        known = self.facts.truth(node)
        if known is not None:
            return known
        if node.op == "not":
            return not self.decide(node.args[0], not first)
        if self.path is None:
            raise self.refuse("uses a value that an earlier call stored.")
        value = self.path.choose(node, first, len(self.checks))
        self.facts.assume(node, value)
        return value

    # -- operations --------------------------------------------------------------------------------

    def apply(self, op: str, *args: Node) -> Node:
        """Return the node of an operation, simplified as far as possible.

        Raises:
            TraceError: for kinds that cannot be combined, or integers that may become too large.
        """
        if self.path is not None:
            self.path.count()
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

    def function(self, op: str, *args: Node, mixed: bool = False) -> Node:
        """Return the node of a function of floats, whose errors the caller has checked."""
        return self._fold(op, args, "float", mixed)

    def is_number(self, node: Node) -> Node:
        """Return the node that is false for NaN."""
        if node.kind != "float" or self.facts.span(node).is_bounded:
            return self.constant(True)
        # Built without `apply`, which would decide that a node equals itself.
        return self._add("==", (node, node), None, "bool", Span(0, 1))

    def truth(self, node: Node) -> Node:
        """Convert a node to a bool: numbers are true unless they are 0."""
        if node.kind == "bool":
            return node
        if node.kind == "choice":  # strings are true unless they are empty; None is not
            empty = [option for option in (None, "") if option in node.options]
            tests = [self.apply("!=", node, self.constant(option)) for option in empty]
            return functools.reduce(partial(self.apply, "and"), tests, self.constant(True))
        return self.apply("!=", node, self.constant(0))

    def as_float(self, node: Node) -> Node:
        """Convert a number to float64."""
        node = self.as_number(node)
        if node.kind == "float":
            return node
        if node.op == "const":
            if float(node.payload) != node.payload:
                self._check_exact(node)
            return self.constant(float(node.payload))
        self._check_exact(node)
        return self._make("to_float", (node,), "float")

    def check(self, fails: Node, problem: str, error: type[Exception] | None = None) -> None:
        """Add a check that `fails` does not hold, unless it never can.

        Raises:
            Exception: `error`, on the path on which it fails, if the callable may catch it.
        """
        if self.facts.truth(fails) is False:
            return
        if self.raising and error is not None:
            if self.decide(fails, first=False):
                raise error(problem)
            return
        self.checks.append(Check(fails, problem, error))
        if self.path is not None:
            self.facts.assume(fails, False)

    def check_inside(self, node: Node, bound: float, problem: str) -> None:
        """Add a check that a number is within -bound..bound and not NaN, unless it always is."""
        low, high = self.facts.span(node)
        if node.kind == "float" and not (-bound <= low and high <= bound):
            self.check(self.apply("not", self.inside(node, bound)), problem)

    def check_finite(self, node: Node, problem: str) -> None:
        """Add a check that a number is neither infinite nor NaN, unless it never can be."""
        self.check_inside(node, BIGGEST, problem)

    def limit(self, node: Node, bound: int, problem: str) -> Node:
        """Add a check that a number is within -bound..bound; return it with this range."""
        low, high = self.facts.span(node)
        if -bound <= low and high <= bound:
            return node
        self.check(self.apply("not", self.inside(node, bound)), problem)
        return self.known(node, Span(max(low, -bound), min(high, bound)))

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

    def _covers(self, key: Node, entries: dict[Any, Node]) -> bool:
        """Return True if every value that the key can have is an entry."""
        if key.kind == "choice":
            return self.facts.options(key) <= set(entries)
        low, high = self.facts.span(key)
        if key.kind == "float" or high - low > len(entries):
            return False
        return all(k in entries for k in range(int(low), int(high) + 1))

    # -- the rules of each operation ---------------------------------------------------------------

    def _alike(self, nodes: Iterable[Node]) -> list[Node]:
        """Convert all numbers to float64 if one of them is."""
        listed = list(nodes)
        if any(node.kind == "float" for node in listed):
            return [self.as_float(node) for node in listed]
        return listed

    def _comparison(self, op: str, a: Node, b: Node) -> Node:
        a, b = self._alike((a, b))
        decided = self.facts.compare(op, a, b)
        return self._test(op, a, b) if decided is None else self.constant(decided)

    def _equality(self, op: str, a: Node, b: Node) -> Node:
        if (a.kind == "choice") != (b.kind == "choice"):
            return self.constant(op == "!=")
        if a.kind == "choice":
            decided = self.facts.compare(op, a, b)
            return self._test(op, a, b) if decided is None else self.constant(decided)
        return self._comparison(op, self.as_number(a), self.as_number(b))

    def _logic(self, op: str, *args: Node) -> Node:
        nodes = [self.truth(arg) for arg in args]
        if op == "not":
            (node,) = nodes
            return node.args[0] if node.op == "not" else self._test("not", node)
        a, b = nodes
        neutral = op == "and"
        for one, other in ((a, b), (b, a)):
            if one.op == "const":
                return other if one.payload is neutral else self.constant(not neutral)
        return a if a is b else self._test(op, a, b)

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
        options = yes.options | no.options
        mixed = yes.kind == "float" and any(map(may_be_int, given))
        if yes.kind in ("int", "float"):
            return self._make("where", (condition, yes, no), yes.kind, mixed=mixed)
        span = result_span("where", (), (Span(0, 1), own_span(yes), own_span(no)))
        return self._add("where", (condition, yes, no), None, yes.kind, span, options)

    def _extreme(self, op: str, *given: Node) -> Node:
        a, b = self._alike(given)
        first = "<=" if op == "min" else ">="
        if self.facts.compare(first, a, b):
            return given[0]
        if self.facts.compare(first, a, b) is False:
            return given[1]
        return self._fold(op, (a, b), a.kind, any(map(may_be_int, given)))

    def _floor(self, a: Node) -> Node:
        if a.kind == "int":
            return a
        low, high = self.facts.span(a)
        if not (low >= -EXACT and high <= EXACT):
            self.check_inside(a, BIGGEST, f"floor of {show(a)}, which is not finite")
            inside = self.inside(a, float(FIELD_LIMIT))
            self.check(self.apply("not", inside), f"floor of {show(a)}, which is beyond 2**48")
        return self._fold("floor", (a,), "int")

    def _arithmetic(self, op: str, *args: Node) -> Node:
        if op in ("negate", "abs"):
            return self._fold(op, args, args[0].kind, args[0].mixed)
        a, b = self._alike(args)
        if op in ("/", "//", "%"):
            zero = self.constant(0.0 if b.kind == "float" else 0)
            problem = f"division by zero in {show_binary(op, a, b)}"
            self.check(self.apply("==", b, zero), problem, ZeroDivisionError)
        if op == "/" and a.kind == "int":
            self._check_exact(a)
            self._check_exact(b)
        kind = "float" if op == "/" else a.kind
        if kind == "int":
            span = result_span(op, (a, b), (self.facts.span(a), self.facts.span(b)))
            self._check_width(span, op, a, b)
        if a.kind == "float" and op != "/" and all(map(may_be_int, args)):
            result = self._fold(op, (a, b), kind, mixed=True)
            problem = (
                f"{show(result)} is beyond 2**53, where integers and floats differ; if such "
                "values are intended, start with a float such as 0.0"
            )
            return self.limit(result, EXACT - 1, problem)
        return self._fold(op, (a, b), kind)

    def inside(self, node: Node, bound: Number) -> Node:
        """Return the node of -bound <= number <= bound, which is false for NaN."""
        # Built without `apply`, which would decide it by the range and ignore NaN.
        limits = [self.constant(type(bound)(sign * bound)) for sign in (-1, 1)]
        if node.kind == "float":
            limits = [self.as_float(limit) for limit in limits]
        above = self._add(">=", (node, limits[0]), None, "bool", Span(0, 1))
        below = self._add("<=", (node, limits[1]), None, "bool", Span(0, 1))
        return self._add("and", (above, below), None, "bool", Span(0, 1))
