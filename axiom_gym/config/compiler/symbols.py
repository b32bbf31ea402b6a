"""Symbolic values, which a config's callables get instead of plain values while they are traced.

A `Symbol` stands for a value that is known only at run time. Its operators add nodes to the graph.
An operation that needs the value itself (an `if`, `int()`, a loop) raises a `TraceError` that names
the replacement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NoReturn

import numpy as np

from axiom_gym.config.compiler.graph import Graph
from axiom_gym.config.compiler.nodes import Node, show


class Symbol:
    """A symbolic value."""

    __slots__ = ("graph", "node")
    __array_ufunc__ = None  # so that NumPy's operators defer to ours
    __hash__: Any  # defined below to raise; `__eq__` alone would make it None

    def __init__(self, graph: Graph, node: Node) -> None:
        self.graph = graph
        self.node = node

    def __repr__(self) -> str:
        return show(self.node)


def as_node(graph: Graph, value: Any) -> Node:
    """Return the node of a symbol or of a plain value.

    Raises:
        TraceError: for a value that cannot be compiled.
    """
    if isinstance(value, Symbol):
        if value.graph is not graph:
            raise graph.refuse("uses a value that an earlier call stored.")
        return value.node
    return graph.constant(value)


def make(op: str, *args: Any) -> Any:
    """Build the symbol of an operation of `axiom_gym.config.expressions` or of an operator.

    At least one of the arguments is a symbol.
    """
    graph = next(arg.graph for arg in args if isinstance(arg, Symbol))
    if op == "table":
        key, entries, *default = args
        _refuse_numpy(graph, [*entries.values(), *default])
        nodes = {name: as_node(graph, value) for name, value in entries.items()}
        rest = as_node(graph, default[0]) if default else None
        return Symbol(graph, graph.table(as_node(graph, key), nodes, rest))
    _refuse_numpy(graph, args)
    return Symbol(graph, graph.apply(op, *(as_node(graph, arg) for arg in args)))


def _refuse_numpy(graph: Graph, values: Iterable[Any]) -> None:
    """Refuse NumPy's numbers, which divide by zero, round and overflow differently."""
    for value in values:
        if isinstance(value, np.generic):
            raise graph.refuse(
                f"computes with {value!r}, which follows NumPy's rules; write {value.item()!r}, or "
                "convert it with .item() or .tolist() where it is created."
            )


def _binary(op: str, reflected: bool = False) -> Callable[[Symbol, Any], Any]:
    def operate(self: Symbol, other: Any) -> Any:
        return make(op, other, self) if reflected else make(op, self, other)

    return operate


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


def _power(self: Symbol, exponent: Any) -> Any:
    """Compute an integer to a constant power of 0 to 8, as an exact product."""
    small = isinstance(exponent, int) and not isinstance(exponent, bool) and 0 <= exponent <= 8
    if not small or self.node.kind not in ("int", "bool"):
        raise self.graph.refuse(
            f"{self!r} ** {exponent!r}: only integers to a constant power of 0 to 8 can be "
            "compiled; write a product, x * x."
        )
    result: Any = 1
    for _ in range(exponent):
        result = self * result
    return result


def _forbid(what: str, remedy: str) -> Callable[..., NoReturn]:
    def refuse(self: Symbol, *_: Any) -> NoReturn:
        shown = f"a test (always {self!r})" if self.node.op == "const" else repr(self)
        raise self.graph.refuse(
            f"{what} needs the value of {shown}, which is known only at run time; {remedy}."
        )

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
setattr(Symbol, "__pow__", _power)  # noqa: B010

_IF = "an `if`, `and`, `or`, `not`, `while`, min(), max(), `in` or a chained comparison"
for _name, _what, _remedy in (
    (
        "bool",
        _IF,
        "write where(condition, yes, no), min_, max_, any_, all_, not_, or & and | between "
        "conditions in brackets",
    ),
    ("int", "int()", "write floor(x)"),
    ("index", "an index, range() or slice", "write table(key, values)"),
    ("float", "float() or a function of math", "write x * 1.0 for a float"),
    ("complex", "complex()", "use real numbers"),
    ("round", "round()", "write floor(x + 0.5)"),
    ("trunc", "trunc()", "write floor(x)"),
    ("ceil", "ceil()", "write -floor(-x)"),
    ("hash", "a dict or set lookup", "write table(key, values)"),
    ("len", "len()", "keep the length in a field of the state"),
    ("iter", "a loop", "loop over names or constants, not over a value of the state"),
    ("getitem", "an index into it", "keep its entries in separate fields"),
    ("contains", "`in`", "write any_(x == a, x == b)"),
    ("str", "a text", "make texts in `text=`, which is not compiled"),
    ("format", "a text", "make texts in `text=`, which is not compiled"),
    ("divmod", "divmod()", "write x // y and x % y"),
    ("rpow", "a power", "write a product, x * x"),
    ("invert", "~", "write not_(condition); in Python, ~True is -2"),
    ("rshift", ">>", "write x // 2"),
    ("lshift", "<<", "write x * 2"),
    ("xor", "^", "write a != b"),
):
    setattr(Symbol, f"__{_name}__", _forbid(_what, _remedy))


class Opaque:
    """A part of the state that compiled rules cannot read, but may return unchanged."""

    __slots__ = ("graph", "message")

    def __init__(self, graph: Graph, message: str) -> None:
        self.graph = graph
        self.message = message

    def _refuse(self, *_: Any) -> NoReturn:
        raise self.graph.refuse(self.message)

    __bool__ = __len__ = __iter__ = __getitem__ = __contains__ = __eq__ = __hash__ = _refuse
    __add__ = __radd__ = __or__ = __ror__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse
    __str__ = __format__ = __call__ = __sub__ = __mul__ = __truediv__ = _refuse

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        self._refuse()


class SymbolicMapping(Mapping[str, Any]):
    """A read-only mapping of symbols, in place of the interpreter's mapping of values.

    Args:
        graph: the graph of the symbols.
        names: the keys that always exist.
        find: a function name -> value, which raises KeyError or TraceError.
    """

    def __init__(self, graph: Graph, names: list[str], find: Callable[[str], Any]) -> None:
        self._graph = graph
        self._names = names
        self._find = find

    def __getitem__(self, name: str) -> Any:
        return self._find(name)

    def get(self, name: str, default: Any = None) -> Any:
        try:
            return self._find(name)
        except KeyError:
            return default

    def __contains__(self, name: object) -> bool:
        try:
            self._find(str(name))
        except KeyError:
            return False
        return True

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __bool__(self) -> bool:
        return len(self) > 0

    def __or__(self, other: Mapping[str, Any]) -> dict[str, Any]:
        return {**self, **other}

    def __ror__(self, other: Mapping[str, Any]) -> dict[str, Any]:
        return {**other, **self}

    def copy(self) -> dict[str, Any]:
        return dict(self)

    def __setitem__(self, name: str, value: Any) -> NoReturn:
        raise self._graph.refuse(
            f"writes to s[{name!r}]; return the change instead, {{{name!r}: ...}}."
        )

    def __eq__(self, other: object) -> bool:
        raise self._graph.refuse(
            "compares a complete state or its cooldowns; compare the fields that matter."
        )

    __hash__ = None  # type: ignore[assignment]
