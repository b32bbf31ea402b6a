"""Symbolic values, which a config's callables get instead of plain values while they are traced.

A `Symbol` stands for a value that is known only at run time. Its operators add nodes to the graph.
Where Python needs the value itself, the path that is followed decides: an `if` takes one of its two
sides, and a dict key or an index takes one of the few values that the symbol can have. What no path
can decide raises a `TraceError` that names the replacement.
"""

from __future__ import annotations

import functools
import numbers
import operator
from collections.abc import Callable, Iterable
from typing import Any, NoReturn

import numpy as np

from axiom_gym.config.compiler import functions
from axiom_gym.config.compiler.graph import Graph
from axiom_gym.config.compiler.nodes import ARITHMETIC, COMPARISONS, Node, show, show_binary

MOST_VALUES = 256
"""The number of values of an integer that paths follow one by one."""

_TYPES = {"bool": bool, "int": int, "float": float}


class Symbol:
    """A symbolic value."""

    __slots__ = ("graph", "node", "path")
    __array_ufunc__ = None  # so that NumPy's operators defer to ours

    def __init__(self, graph: Graph, node: Node) -> None:
        self.graph = graph
        self.node = node
        self.path = graph.path

    def __bool__(self) -> bool:
        return self.graph.decide(self.graph.truth(self.node))

    def __hash__(self) -> int:
        if self.graph.path is None:  # a callable kept it, for example in a cache
            return id(self)
        return hash(value_of(self, "a dict or set lookup"))

    def __index__(self) -> int:
        value = value_of(self, "an index or range()")
        if isinstance(value, str) or value is None:
            raise TypeError(f"{value!r} is not an integer")
        return int(value)

    def __int__(self) -> int:
        return int(value_of(symbol(self.graph, truncated(self)), "int() under another name"))

    def __float__(self) -> float:
        raise self.graph.refuse(
            f"a function that is not compiled needs the value of {show(self.node)}; use operators, "
            "the functions of `math` by their own names, or a lookup in a table of results."
        )

    __complex__ = __float__

    def __str__(self) -> str:
        return str(value_of(self, "a text"))

    def __repr__(self) -> str:
        if self.graph.path is None:
            return show(self.node)
        return repr(value_of(self, "a text"))

    def __format__(self, spec: str) -> str:
        return format(value_of(self, "a text"), spec)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if self.node.kind == "choice":
            return getattr(value_of(self, f".{name}"), name)
        raise self.graph.refuse(f"uses .{name} of {show(self.node)}, which is not compiled.")

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """The type of the value, for isinstance() and class patterns."""
        if self.graph.path is None:
            return Symbol
        if self.node.kind == "choice":
            options = self.graph.facts.options(self.node)
            return str if None not in options else type(value_of(self, "isinstance()"))
        if self.node.kind == "float" and self.node.mixed:
            raise self.graph.refuse(
                f"asks for the type of {show(self.node)}, which may be an int or a float; write "
                "float(x) first."
            )
        return _TYPES[self.node.kind]

    def __copy__(self) -> Symbol:
        return self

    def __deepcopy__(self, memo: Any) -> Symbol:
        return self

    def __round__(self, digits: Any = None) -> Any:
        return rounded(self, digits)

    def __trunc__(self) -> Any:
        return symbol(self.graph, truncated(self))

    def __ceil__(self) -> Any:
        return make("-", 0, make("floor", make("-", 0, self)))

    def __divmod__(self, other: Any) -> tuple[Any, Any]:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> tuple[Any, Any]:
        return other // self, other % self


def symbol(graph: Graph, node: Node) -> Any:
    """Return the value of a node for a callable: a symbol, or a plain value if it is known."""
    if node.op == "const":
        return node.payload
    if graph.path is not None:
        if node.kind == "bool" and "bools" in graph.identities:
            return graph.decide(node)
        if node.kind == "choice" and "None" in graph.identities:
            none = graph.apply("==", node, graph.constant(None))
            if graph.decide(none, first=False):
                return None
    return Symbol(graph, node)


def value_of(value: Any, what: str) -> Any:
    """Return the plain value that a symbol has on this path; each of its values is followed.

    Args:
        value: a symbol or a plain value.
        what: what needs the value, for the message.

    Raises:
        TraceError: if it can be a float, or has more than `MOST_VALUES` values.
    """
    if type(value) is not Symbol:
        return value
    graph, node = value.graph, as_node(value.graph, value)
    if node.kind == "bool":
        return graph.decide(node)
    if node.kind == "choice":
        *others, last = sorted(graph.facts.options(node), key=repr)
        for option in others:
            if graph.decide(graph.apply("==", node, graph.constant(option)), first=False):
                return option
        return last
    low, high = graph.facts.span(node)
    if node.kind == "float":
        raise graph.refuse(
            f"{what} needs an integer, and {show(node)} can be a float; write int(x)."
        )
    if high - low >= MOST_VALUES:
        raise graph.refuse(
            f"{what} needs the value of {show(node)}, which has too many to follow ({low}..{high}, "
            f"at most {MOST_VALUES}); bound it: Attribute(low, high), or min() and max()."
        )
    while low < high:
        middle = (low + high) // 2
        if graph.decide(graph.apply("<=", node, graph.constant(middle))):
            high = middle
        else:
            low = middle + 1
    return low


def as_node(graph: Graph, value: Any) -> Node:
    """Return the node of a symbol or of a plain value.

    Raises:
        TraceError: for a value that cannot be compiled.
    """
    if type(value) is not Symbol:
        return graph.constant(value)
    if value.graph is not graph or (graph.path is not None and value.path is not graph.path):
        raise graph.refuse("uses a value that an earlier call stored.")
    return value.node


def make(op: str, *args: Any) -> Any:
    """Build the value of an operation of `axiom_gym.config.expressions` or of an operator.

    At least one of the arguments is a symbol.
    """
    graph = next(arg.graph for arg in args if type(arg) is Symbol)
    if op == "table":
        key, entries, *default = args
        _refuse_numpy(graph, [*entries.values(), *default])
        nodes = {name: as_node(graph, value) for name, value in entries.items()}
        rest = as_node(graph, default[0]) if default else None
        return symbol(graph, graph.table(as_node(graph, key), nodes, rest))
    _refuse_numpy(graph, args)
    return symbol(graph, graph.apply(op, *(as_node(graph, arg) for arg in args)))


def truncated(value: Symbol) -> Node:
    """Return the integer part of a number, as `int` computes it."""
    graph, node = value.graph, as_node(value.graph, value)
    if node.kind == "choice":
        return graph.constant(int(value_of(value, "int()")))
    node = graph.as_number(node)
    if node.kind == "int":
        return node
    if graph.facts.span(node).low >= 0:
        return graph.apply("floor", node)
    size = graph.apply("floor", graph.apply("abs", node))
    negative = graph.apply("<", node, graph.constant(0))
    return graph.apply("where", negative, graph.apply("negate", size), size)


def rounded(value: Symbol, digits: Any) -> Any:
    """Return a number rounded to the nearest integer, halves to the even one, as `round` does."""
    if digits is not None:
        return _rounded_to(value, value_of(digits, "the digits of round()"))
    if value.node.kind in ("int", "bool"):
        return make("+", value, 0)
    whole = make("floor", value)
    rest = make("-", value, whole)
    up = make("or", rest > 0.5, make("and", rest == 0.5, whole % 2 == 1))
    return make("where", up, whole + 1, whole) if type(up) is Symbol else whole + up


def _rounded_to(value: Symbol, digits: Any) -> Any:
    """Return a number rounded to decimal digits, as `round` does."""
    graph, node = value.graph, value.graph.as_number(value.node)
    if not (isinstance(digits, int) and 0 <= digits <= 15) or node.kind == "choice":
        raise graph.refuse(
            f"round({show(value.node)}, {digits!r}) is not compiled; digits must be 0 to 15."
        )
    if node.kind == "int":
        return symbol(graph, node)
    scale = graph.constant(10.0**digits)
    return symbol(graph, graph.function("rounded_to", node, scale, mixed=node.mixed))


def _refuse_numpy(graph: Graph, values: Iterable[Any]) -> None:
    """Refuse NumPy's numbers, which divide by zero, round and overflow differently."""
    for value in values:
        if type(value) is not Symbol and isinstance(value, np.generic):
            raise graph.refuse(
                f"computes with {value!r}, which follows NumPy's rules; write {value.item()!r}, or "
                "convert it with .item() or .tolist() where it is created."
            )


_PLAIN: dict[str, Callable[[Any, Any], Any]] = {**ARITHMETIC, **COMPARISONS}


def _binary(op: str, reflected: bool = False) -> Callable[[Symbol, Any], Any]:
    def operate(self: Symbol, other: Any) -> Any:
        if not (_is_comparable(self, other) if op in ("==", "!=") else _is_scalar(other)):
            return NotImplemented
        sides = (other, self) if reflected else (self, other)
        if op not in ("==", "!=") and "choice" in map(_kind, sides):
            return _PLAIN[op](*(value_of(side, f"{op!r}") for side in sides))
        return make(op, *sides)

    return operate


def _kind(value: Any) -> str:
    return value.node.kind if type(value) is Symbol else "choice" if isinstance(value, str) else ""


def _is_scalar(value: Any) -> bool:
    return type(value) is Symbol or isinstance(value, (int, float, str, np.generic))


def _is_comparable(value: Symbol, other: Any) -> bool:
    """Return False if `==` is decided by the other side, or by identity."""
    if value.graph.path is None:  # a callable kept it, for example in a cache
        return False
    if _is_scalar(other) or other is None:
        return True
    if isinstance(other, numbers.Number):
        raise value.graph.refuse(f"compares {show(value.node)} with {other!r}; use a plain number.")
    return False


def _unary(op: str) -> Callable[[Symbol], Any]:
    return lambda self: make(op, self)


def _logic(op: str, reflected: bool = False) -> Callable[[Symbol, Any], Any]:
    """Return the operator `&` or `|`, for conditions only, because it is bitwise on numbers."""

    def operate(self: Symbol, other: Any) -> Any:
        for side in (self.node, as_node(self.graph, other)):
            if side.kind != "bool":
                raise self.graph.refuse(
                    f"{show(side)} is an operand of & or |, but not a condition; compare it first, "
                    "with brackets: (s['x'] > 0) & (s['y'] > 0)."
                )
        return make(op, other, self) if reflected else make(op, self, other)

    return operate


def _power(base: Any, exponent: Any) -> Any:
    """Compute a power: exact for integers, else as the C library does, which Python calls."""
    graph = next(side.graph for side in (base, exponent) if type(side) is Symbol)
    _refuse_numpy(graph, (base, exponent))
    nodes = [as_node(graph, side) for side in (base, exponent)]
    if "choice" in (node.kind for node in nodes):
        raise graph.refuse(f"{show_binary('**', *nodes)}: a string or None has no power.")
    whole = [node.kind in ("int", "bool") for node in nodes]
    if all(whole):
        exponent = int(value_of(exponent, "the exponent of **"))
        if exponent >= 0:
            return functools.reduce(operator.mul, [base] * exponent, 1)
        nodes[1] = graph.constant(exponent)
    return symbol(graph, functions.power(graph, nodes[0], nodes[1], operator=True))


def _operate_power(self: Symbol, other: Any, modulus: Any = None) -> Any:
    if modulus is not None:
        raise self.graph.refuse("uses pow() with three arguments; write x ** y % z.")
    return _power(self, other) if _is_scalar(other) else NotImplemented


def _of_strings(name: str, what: str) -> Callable[..., Any]:
    """Return a method that only strings have, on the string that a choice has on this path."""

    def method(self: Symbol, *args: Any) -> Any:
        if self.node.kind == "choice":
            return getattr(operator, name)(value_of(self, what), *args)
        raise self.graph.refuse(f"uses {what} of {show(self.node)}, which is a number.")

    return method


def _forbid(what: str, remedy: str) -> Callable[..., NoReturn]:
    def refuse(self: Symbol, *_: Any) -> NoReturn:
        raise self.graph.refuse(f"uses {what} on {show(self.node)}; {remedy}.")

    return refuse


for _name, _op in {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "truediv": "/",
    "floordiv": "//",
    "mod": "%",
}.items():
    setattr(Symbol, f"__{_name}__", _binary(_op))
    setattr(Symbol, f"__r{_name}__", _binary(_op, reflected=True))
for _name, _op in {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}.items():
    setattr(Symbol, f"__{_name}__", _binary(_op))
for _name in ("and", "or"):
    setattr(Symbol, f"__{_name}__", _logic(_name))
    setattr(Symbol, f"__r{_name}__", _logic(_name, reflected=True))
for _name, _op in {"neg": "negate", "abs": "abs", "floor": "floor"}.items():
    setattr(Symbol, f"__{_name}__", _unary(_op))
setattr(Symbol, "__pos__", lambda self: make("+", self, 0))  # noqa: B010
setattr(Symbol, "__pow__", _operate_power)  # noqa: B010
setattr(Symbol, "__iter__", lambda self: iter(value_of(self, "a loop")))  # noqa: B010
setattr(Symbol, "__len__", lambda self: len(value_of(self, "len()")))  # noqa: B010
setattr(Symbol, "__getitem__", _of_strings("getitem", "an index into it"))  # noqa: B010
setattr(Symbol, "__contains__", _of_strings("contains", "`in`"))  # noqa: B010
setattr(Symbol, "__rpow__", lambda self, other: _power(other, self))  # noqa: B010
for _name, _what, _remedy in (
    ("invert", "~", "write `not`; in Python, ~True is -2"),
    ("rshift", ">>", "write x // 2"),
    ("lshift", "<<", "write x * 2"),
    ("xor", "^", "write a != b"),
):
    setattr(Symbol, f"__{_name}__", _forbid(_what, _remedy))
    setattr(Symbol, f"__r{_name}__", _forbid(_what, _remedy))
