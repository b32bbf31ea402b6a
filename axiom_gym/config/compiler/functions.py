"""The functions of `math` as nodes, with checks where Python raises an exception."""

from __future__ import annotations

from axiom_gym.config.c_library import is_exact
from axiom_gym.config.compiler.graph import Graph, may_be_int
from axiom_gym.config.compiler.nodes import BIGGEST, EXACT, Node, show
from axiom_gym.config.compiler.ranges import Span

_LOGARITHMS = ("log", "log2", "log10")
_WAVES = ("sin", "cos", "tan")


def function(graph: Graph, name: str, given: Node) -> Node:
    """Return the node of sqrt, exp, log, log2, log10, sin, cos or tan.

    Raises:
        TraceError: if the C library's function may differ from Python's.
    """
    x = graph.as_float(given)
    text = f"math.{name}({show(x)})"
    if name == "sqrt":
        graph.check(
            graph.apply("<", x, graph.constant(0)), f"{text} of a negative number", ValueError
        )
        return graph.function("square_root", x)
    _need(graph, name, text)
    if name in _LOGARITHMS:
        fails = graph.apply("<=", x, graph.constant(0))
        graph.check(fails, f"{text} of a number that is not positive", ValueError)
    if name in _WAVES and not graph.facts.span(x).is_bounded:
        infinite = graph.apply("not", graph.inside(x, BIGGEST))
        fails = graph.apply("and", graph.is_number(x), infinite)
        graph.check(fails, f"{text} of infinity", ValueError)
    result = graph.function(f"c_{name}", x)
    if name == "exp" and not graph.facts.span(x).high <= 709:
        return _finite(graph, result, (x,), text)
    return result


def power(graph: Graph, base: Node, exponent: Node, *, operator: bool) -> Node:
    """Return the node of a float power.

    Args:
        graph: the graph.
        base: the base.
        exponent: the exponent.
        operator: True for `base ** exponent`, and False for `math.pow`, whose errors differ.
    """
    x, y = graph.as_float(base), graph.as_float(exponent)
    text = f"{show(x)} ** {show(y)}" if operator else f"math.pow({show(x)}, {show(y)})"
    _need(graph, "pow", text)
    zero = graph.constant(0)
    fails = graph.apply("and", graph.apply("==", x, zero), graph.apply("<", y, zero))
    if not graph.facts.span(y).is_bounded:
        fails = graph.apply("and", fails, graph.inside(y, BIGGEST))
    error = ZeroDivisionError if operator else ValueError
    graph.check(fails, f"{text}: 0 to a negative power", error)
    if y.op != "to_float":
        rest = graph.apply("%", y, graph.constant(1.0))
        fails = graph.apply("!=", rest, graph.constant(0.0))
        fails = graph.apply("and", graph.apply("<", x, zero), fails)
        problem = f"{text}: a negative number to a power that is not whole"
        graph.check(fails, problem, None if operator else ValueError)
    result = graph.function(
        "c_pow", x, y, mixed=operator and may_be_int(base) and may_be_int(exponent)
    )
    if not graph.facts.span(result).is_bounded:
        result = _finite(graph, result, (x, y), text)
    if result.mixed:
        return graph.limit(
            result, EXACT - 1, f"{text} is beyond 2**53, where ints and floats differ"
        )
    return result


def _need(graph: Graph, name: str, text: str) -> None:
    if not is_exact(name):
        raise graph.refuse(
            f"{text} is not compiled, because the C library's function {name} was not found or "
            "differs from Python's; use operators, or a table of results."
        )


def _finite(graph: Graph, result: Node, args: tuple[Node, ...], text: str) -> Node:
    """Add the check that finite arguments have a finite result, and return the result."""
    fails = graph.apply("not", graph.inside(result, BIGGEST))
    for arg in args:
        if not graph.facts.span(arg).is_bounded:
            fails = graph.apply("and", fails, graph.inside(arg, BIGGEST))
    graph.check(fails, f"{text} is too large for a float", OverflowError)
    if all(graph.facts.span(arg).is_bounded for arg in args):
        return graph.known(result, Span(-BIGGEST, BIGGEST))
    return result
