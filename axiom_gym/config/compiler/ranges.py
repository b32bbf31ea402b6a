"""The ranges of results, computed from the ranges of operands."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from axiom_gym.config.c_library import FUNCTIONS
from axiom_gym.config.compiler.nodes import (
    ARITHMETIC,
    BIGGEST,
    EXACT,
    FIELD_LIMIT,
    Node,
    Number,
)


class Span(NamedTuple):
    """A range of numbers, with its ends."""

    low: Number
    high: Number

    @property
    def is_bounded(self) -> bool:
        """True if both ends are finite, so that no number in it is NaN."""
        return math.isfinite(self.low) and math.isfinite(self.high)


EVERYTHING = Span(-math.inf, math.inf)


def own_span(node: Node) -> Span:
    """Return the range that a node has on every path."""
    return Span(node.low, node.high)


def result_span(op: str, args: Sequence[Node], spans: Sequence[Span]) -> Span:
    """Return the range of an operation's result.

    Args:
        op: the operation.
        args: the operands, whose kinds matter.
        spans: the ranges of the operands.
    """
    a = spans[0]
    match op:
        case "negate":
            return Span(-a.high, -a.low)
        case "abs":
            inside = a.low <= 0 <= a.high
            low = 0 if inside else min(abs(a.low), abs(a.high))
            return Span(low, max(-a.low, a.high))
        case "to_int" | "known":
            return a
        case "to_float":
            return Span(float(a.low), float(a.high))
        case "floor":
            if not (a.low >= -EXACT and a.high <= EXACT):
                return Span(-FIELD_LIMIT, FIELD_LIMIT)
            return Span(math.floor(a.low), math.floor(a.high))
        case "min" | "max":
            return _extreme(op, args[0].kind, a, spans[1])
        case "where":
            return Span(min(spans[1].low, spans[2].low), max(spans[1].high, spans[2].high))
        case "rounded_to" if a.is_bounded:
            low, high = (FUNCTIONS[op](float(end), float(spans[1].low)) for end in a)
            return Span(low, high)
        case "rounded_to":
            return EVERYTHING
        case "c_pow":
            return _power(a, spans[1])
    if op in FUNCTIONS:
        return _of_function(op, a)
    return _arithmetic(op, args, a, spans[1])


_SMALLEST = 5e-324


def _of_function(op: str, a: Span) -> Span:
    """Return the range of a function; a check excludes the arguments without a result."""
    if not a.is_bounded or (op in _POSITIVE and a.high <= 0):
        return EVERYTHING
    match op:
        case "square_root":
            return Span(math.sqrt(max(a.low, 0.0)), math.sqrt(a.high))
        case "c_exp":
            return _outward(math.exp(a.low), math.exp(a.high)) if a.high <= 709 else EVERYTHING
        case "c_sin" | "c_cos":
            return _outward(-1.0, 1.0)
        case "c_tan":
            return Span(-1e30, 1e30)  # no float is so close to a pole
    function = FUNCTIONS[op]
    return _outward(function(max(a.low, _SMALLEST)), function(a.high))


_POSITIVE = ("square_root", "c_log", "c_log2", "c_log10")


def _power(a: Span, b: Span) -> Span:
    """Return the range of a power, or everything if it may overflow or divide by zero."""
    if not (a.is_bounded and b.is_bounded) or (a.low <= 0 and b.low < 0):
        return EVERYTHING
    reach = max(abs(a.low), abs(a.high))
    bases = a if a.low > 0 else (reach,)
    results = [FUNCTIONS["c_pow"](float(x), float(y)) for x in bases for y in b]
    if max(results) > BIGGEST / 2:
        return EVERYTHING
    if a.low > 0:
        return _outward(min(results), max(results))
    is_even = b.low == b.high and b.low % 2 == 0
    low = 0.0 if a.low >= 0 or is_even else -max(results)
    return _outward(low, max(results))


def _outward(low: float, high: float) -> Span:
    """Return a range with room for the rounding of the C library; signs stay."""
    below, above = low - abs(low) * 1e-14, high + abs(high) * 1e-14
    if low != 0:
        below = math.nextafter(below, -math.inf)
    return Span(
        max(below, 0.0) if low >= 0 else below, min(math.nextafter(above, math.inf), BIGGEST)
    )


def _extreme(op: str, kind: str, a: Span, b: Span) -> Span:
    if kind == "float" and not (a.is_bounded and b.is_bounded):
        return EVERYTHING  # the result may be a NaN of either side, which no range contains
    choose = min if op == "min" else max
    return Span(choose(a.low, b.low), choose(a.high, b.high))


def _arithmetic(op: str, args: Sequence[Node], a: Span, b: Span) -> Span:
    if not (a.is_bounded and b.is_bounded):
        return EVERYTHING
    is_int = args[0].kind == "int"
    if op == "%":
        return _modulo(is_int, a, b)
    if op in ("/", "//") and b.low <= 0 <= b.high:
        return _quotient_across_zero(op, args, a)
    pairs = [(x, y) for x in a for y in b]
    if op == "+":
        pairs = [(a.low, b.low), (a.high, b.high)]
    elif op == "-":
        pairs = [(a.low, b.high), (a.high, b.low)]
    try:
        results = [ARITHMETIC[op](x, y) for x, y in pairs]
    except OverflowError:
        return EVERYTHING
    if any(result != result for result in results):
        return EVERYTHING
    return Span(min(results), max(results))


def _quotient_across_zero(op: str, args: Sequence[Node], a: Span) -> Span:
    """Return the range of a quotient whose divisor is not 0, but may have either sign."""
    dividend, divisor = args
    reach = max(abs(a.low), abs(a.high))
    if op == "/":
        is_integer = divisor.kind == "int" or divisor.op == "to_float"
        return Span(-float(reach), float(reach)) if is_integer else EVERYTHING
    if dividend.kind == "float":
        return EVERYTHING
    return Span(-reach - 1, reach + 1)


def _modulo(is_int: bool, a: Span, b: Span) -> Span:
    step = 1 if is_int else 0
    low, high = min(0, b.low + step), max(0, b.high - step)
    if b.low > 0 and a.low >= 0:
        high = min(high, a.high)
    return Span(low, high)
