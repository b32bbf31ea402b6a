"""The making of nodes, so that equal expressions share one node."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from axiom_gym.config.c_library import FUNCTIONS
from axiom_gym.config.compiler.facts import Facts
from axiom_gym.config.compiler.nodes import (
    EXACT,
    WIDEST,
    Node,
    Number,
    compute,
    show,
    show_binary,
)
from axiom_gym.config.compiler.ranges import EVERYTHING, Span, own_span, result_span
from axiom_gym.errors import TraceError


class Nodes:
    """The nodes of one trace, and what is known about them on the path that is followed."""

    def __init__(self) -> None:
        self._nodes: dict[Any, Node] = {}
        self.facts = Facts()
        """The facts of the path."""
        self.refusal: TraceError | None = None
        """The first error of a callable, kept because the callable may catch it."""

    # -- leaves ------------------------------------------------------------------------------------

    def constant(self, value: Any) -> Node:
        """Return the node of a number, bool, string or None.

        Raises:
            TraceError: for a value of another type.
        """
        if isinstance(value, np.generic):
            value = value.item()
        if value is None or isinstance(value, str):
            return self._add("const", (), value, "choice", Span(0, 0), frozenset([value]))
        if isinstance(value, bool):
            return self._add("const", (), value, "bool", Span(int(value), int(value)))
        if isinstance(value, int):
            value = int(value)  # a plain int also for members of an IntEnum
            self._check_width(Span(value, value))
            return self._add("const", (), value, "int", Span(value, value))
        if isinstance(value, float):
            value = float(value) + 0.0
            span = EVERYTHING if math.isnan(value) else Span(value, value)
            return self._add("const", (), value, "float", span)
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
        return self._add("read", (), (field, version), kind, Span(low, high), options, mixed)

    def as_number(self, node: Node) -> Node:
        """Convert a bool to 1 or 0; return any other node unchanged."""
        if node.kind != "bool":
            return node
        if node.op == "const":
            return self.constant(int(node.payload))
        return self._make("to_int", (node,), "int")

    def known(self, node: Node, span: Span) -> Node:
        """Return a number with the narrower range that it has on this path."""
        if node.op == "known":
            node = node.args[0]
        if node.op == "const" or span == (node.low, node.high):
            return node
        return self._add("known", (node,), (span.low, span.high), node.kind, span, mixed=node.mixed)

    # -- making ------------------------------------------------------------------------------------

    def _test(self, op: str, *args: Node) -> Node:
        """Return the node of a condition."""
        return self._fold(op, args, "bool")

    def unmixed(self, node: Node) -> Node:
        """Return a float that the interpreter holds as a float, too."""
        if not node.mixed:
            return node
        span = self.facts.span(node)
        return self._add("known", (node,), tuple(span), "float", span)

    def _fold(self, op: str, args: tuple[Node, ...], kind: str, mixed: bool = False) -> Node:
        """Return a constant if all arguments are constants, else a node."""
        if all(arg.op == "const" for arg in args):
            try:
                return self.constant(compute(op, [arg.payload for arg in args]))
            except ArithmeticError:
                pass  # an earlier check always fails, so the value is never used
        if kind == "bool":
            return self._add(op, args, None, kind, Span(0, 1))
        return self._make(op, args, kind, mixed and kind == "float")

    def _make(self, op: str, args: tuple[Node, ...], kind: str, mixed: bool = False) -> Node:
        """Return the node of a number. On a path, note its range there."""
        span = result_span(op, args, [own_span(arg) for arg in args])
        node = self._add(op, args, None, kind, span, mixed=mixed)
        self.facts.narrow(node, *result_span(op, args, [self.facts.span(arg) for arg in args]))
        return node

    def _add(
        self,
        op: str,
        args: tuple[Node, ...],
        payload: Any,
        kind: str,
        span: Span,
        options: frozenset[str | None] = frozenset(),
        mixed: bool = False,
    ) -> Node:
        # `kind` is part of the key: 1, 1.0 and True are equal, but different constants.
        key = (op, tuple(map(id, args)), payload, kind, *span, mixed)
        node = self._nodes.get(key)
        if node is None:
            total = all(arg.total for arg in args) and not _is_partial(op, args)
            node = Node(op, args, payload, kind, *span, options, mixed, total)
            self._nodes[key] = node
        return node

    def refuse(self, message: str) -> TraceError:
        """Return the error for something that cannot be compiled; the caller raises it."""
        error = TraceError(message)
        if self.refusal is None:
            self.refusal = error
        return error

    def _check_width(self, span: Span, op: str = "", *args: Node) -> None:
        if not (span.low >= -WIDEST and span.high <= WIDEST):
            what = f"the integer {show_binary(op, *args)}" if args else f"{span.low}"
            raise self.refuse(
                f"{what} may exceed the 64 bits of a compiled integer; bound its parts "
                "with clip(), or compute with floats."
            )

    def _check_exact(self, node: Node) -> None:
        low, high = self.facts.span(node)
        if not (low >= -EXACT and high <= EXACT):
            raise self.refuse(
                f"the integer {show(node)} may exceed 2**53, where float64 becomes inexact; "
                "bound it with clip()."
            )


def _is_partial(op: str, args: tuple[Node, ...]) -> bool:
    """Return True if an operation can be impossible for some values of its operands."""
    if op in ("/", "//", "%"):
        return args[1].low <= 0 <= args[1].high
    if op in FUNCTIONS:
        return True  # expensive, so it is not computed where it is not needed
    if op == "floor":
        return not (args[0].low >= -EXACT and args[0].high <= EXACT)
    return False
