"""Facts about values on one path through a callable: ranges, options, and truths.

A path follows one side of each `if`. On the side where `s["n"] > 0` holds, `s["n"]` is at least 1,
so that a later `s["n"] == 0` needs no branch, and a division by `s["n"]` no check.
"""

from __future__ import annotations

import math

from axiom_gym.config.compiler.nodes import COMPARISONS, Node, Number
from axiom_gym.config.compiler.ranges import Span

_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


class Facts:
    """The facts of one path. Where none is known, a node's own range and options hold."""

    def __init__(self) -> None:
        self._spans: dict[Node, Span] = {}
        self._options: dict[Node, frozenset[str | None]] = {}
        self._truths: dict[Node, bool] = {}
        self._equal: dict[frozenset[Node], bool] = {}
        """For pairs of nodes, True if they are equal and False if not."""

    def span(self, node: Node) -> Span:
        """Return the range of a number."""
        return self._spans.get(node) or Span(node.low, node.high)

    def options(self, node: Node) -> frozenset[str | None]:
        """Return the possible values of a choice."""
        return self._options.get(node, node.options)

    def narrow(self, node: Node, low: Number, high: Number) -> None:
        """Note that a number is within `low`..`high`, and what follows for its parts."""
        old = self.span(node)
        new = Span(max(old.low, low), min(old.high, high))
        if new == old or node.op == "const" or not new.low <= new.high:
            return
        self._spans[node] = new
        self._narrow_parts(node, *new)

    def _narrow_parts(self, node: Node, low: Number, high: Number) -> None:
        match node.op:
            case "known":
                self.narrow(node.args[0], low, high)
            case "to_float" if math.isfinite(low) and math.isfinite(high):
                self.narrow(node.args[0], math.ceil(low), math.floor(high))
            case "negate":
                self.narrow(node.args[0], -high, -low)
            case "to_int" if low == high:
                self.assume(node.args[0], bool(low))
            case "+" | "-" if node.kind == "int":
                part, other = node.args
                if other.op == "const":
                    change = other.payload if node.op == "+" else -other.payload
                    self.narrow(part, low - change, high - change)

    def assume(self, node: Node, value: bool) -> None:
        """Note that a condition has this value, and what follows from it."""
        self._truths[node] = value
        if node.op == "not":
            self.assume(node.args[0], not value)
        elif node.op == ("and" if value else "or"):
            for part in node.args:
                self.assume(part, value)
        elif node.op in COMPARISONS:
            a, b = node.args
            if node.op in ("==", "!="):
                self._equal[frozenset(node.args)] = value == (node.op == "==")
            if value or node.op in ("==", "!=") or self._are_numbers(a, b):
                op = node.op if value else _OPPOSITE[node.op]
                self._compare(op, a, b)
                self._compare(_MIRRORED[op], b, a)

    def _are_numbers(self, *nodes: Node) -> bool:
        """Return True if no node can be NaN, for which `not a < b` does not mean `a >= b`."""
        return all(self.span(node).is_bounded for node in nodes)

    def _compare(self, op: str, a: Node, b: Node) -> None:
        """Note what `a op b` says about `a`."""
        if a.kind == "choice":
            self._choose(op, a, b)
            return
        low, high = self.span(b)
        match op:
            case "<":
                self.narrow(a, -math.inf, _below(a, high))
            case "<=":
                self.narrow(a, -math.inf, high)
            case ">":
                self.narrow(a, _above(a, low), math.inf)
            case ">=":
                self.narrow(a, low, math.inf)
            case "==":
                self.narrow(a, low, high)
            case "!=" if low == high:
                ends = self.span(a)
                if ends.high == high:
                    self.narrow(a, -math.inf, _below(a, high))
                elif ends.low == low:
                    self.narrow(a, _above(a, low), math.inf)

    def _choose(self, op: str, a: Node, b: Node) -> None:
        other = self.options(b)
        if op == "==":
            self._options[a] = self.options(a) & other
        elif len(other) == 1:
            self._options[a] = self.options(a) - other

    def truth(self, node: Node) -> bool | None:
        """Return the value of a condition, or None if it is not known."""
        if node.op == "const":
            return bool(node.payload)
        if node in self._truths:
            return self._truths[node]
        if node.op == "not":
            inner = self.truth(node.args[0])
            return None if inner is None else not inner
        if node.op in ("and", "or"):
            return self._joint(node)
        return self.compare(node.op, *node.args) if node.op in COMPARISONS else None

    def _joint(self, node: Node) -> bool | None:
        decisive = node.op == "or"
        parts = [self.truth(part) for part in node.args]
        if decisive in parts:
            return decisive
        return None if None in parts else not decisive

    def compare(self, op: str, a: Node, b: Node) -> bool | None:
        """Return the result of a comparison of two nodes of one kind, or None if it is open."""
        if a.kind == "choice":
            ours, theirs = self.options(a), self.options(b)
            if not ours & theirs:
                return op == "!="
            return op == "==" if len(ours | theirs) == 1 else None
        if op in ("==", "!=") and frozenset((a, b)) in self._equal:
            return self._equal[frozenset((a, b))] == (op == "==")
        x, y = self.span(a), self.span(b)
        if not (x.is_bounded and y.is_bounded):
            return None
        match op:
            case "<":
                return _either(x.high < y.low, x.low >= y.high)
            case "<=":
                return _either(x.high <= y.low, x.low > y.high)
            case ">":
                return _either(x.low > y.high, x.high <= y.low)
            case ">=":
                return _either(x.low >= y.high, x.high < y.low)
        is_point = x.low == x.high == y.low == y.high
        equal = _either(is_point, x.high < y.low or x.low > y.high)
        return equal if equal is None or op == "==" else not equal


def _either(sure: bool, never: bool) -> bool | None:
    return True if sure else False if never else None


def _below(node: Node, bound: Number) -> Number:
    """Return the greatest number of the node's kind that is below `bound`."""
    if node.kind == "float":
        return math.nextafter(bound, -math.inf)
    return bound if math.isinf(bound) else math.ceil(bound) - 1


def _above(node: Node, bound: Number) -> Number:
    """Return the smallest number of the node's kind that is above `bound`."""
    if node.kind == "float":
        return math.nextafter(bound, math.inf)
    return bound if math.isinf(bound) else math.floor(bound) + 1
