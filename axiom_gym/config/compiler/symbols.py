"""What a config's callables get in place of values while they are traced.

A `Symbol` stands for a value that is known only in play. Its operators add to the graph; whatever
needs the value itself (an `if`, `int()`, a loop) raises `TraceError` with what to write instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NoReturn

import numpy as np

from axiom_gym.config.compiler.graph import Graph
from axiom_gym.config.compiler.nodes import Node, show


class Symbol:
    """A value of a trace."""

    __slots__ = ("graph", "node")
    __array_ufunc__ = None  # NumPy leaves us alone
    __hash__: Any  # defined below, as an error; `__eq__` alone would make it None

    def __init__(self, graph: Graph, node: Node) -> None:
        self.graph = graph
        self.node = node

    def __repr__(self) -> str:
        return show(self.node)


def as_node(graph: Graph, value: Any) -> Node:
    """The node of a symbol or of a plain value.

    Raises:
        TraceError: for a value that cannot be compiled.
    """
    if isinstance(value, Symbol):
        if value.graph is not graph:
            raise graph.refuse("uses a value that an earlier call kept.")
        return value.node
    return graph.constant(value)


def make(op: str, *args: Any) -> Any:
    """What the functions of `axiom_gym.config.expressions` do with symbols among their arguments.

    Returns:
        A Symbol, or the plain value where the result is known already.
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
    """NumPy's numbers divide by zero without an error, and round and overflow in their own way."""
    for value in values:
        if isinstance(value, np.generic):
            raise graph.refuse(
                f"computes with {value!r}, whose rules are NumPy's; write {value.item()!r}, or "
                ".item() or .tolist() where it comes from."
            )


def _binary(op: str, reflected: bool = False) -> Callable[[Symbol, Any], Any]:
    def operate(self: Symbol, other: Any) -> Any:
        return make(op, other, self) if reflected else make(op, self, other)

    return operate


def _unary(op: str) -> Callable[[Symbol], Any]:
    return lambda self: make(op, self)


def _logic(op: str, reflected: bool = False) -> Callable[[Symbol, Any], Any]:
    """`&` and `|`, which in Python are bitwise on numbers and logic on bools alone."""

    def operate(self: Symbol, other: Any) -> Any:
        for side in (self.node, as_node(self.graph, other)):
            if side.kind != "bool":
                raise self.graph.refuse(
                    f"{show(side)} stands beside & or | and is no condition; compare it first, "
                    "with brackets: (s['x'] > 0) & (s['y'] > 0)."
                )
        return make(op, other, self) if reflected else make(op, self, other)

    return operate


def _power(self: Symbol, exponent: Any) -> Any:
    """An integer to a small whole power, which is exact."""
    small = isinstance(exponent, int) and not isinstance(exponent, bool) and 0 <= exponent <= 8
    if not small or self.node.kind not in ("int", "bool"):
        raise self.graph.refuse(
            f"{self!r} ** {exponent!r}: only integers to a constant power of 0 to 8 are "
            "compiled; write the product out, x * x."
        )
    result: Any = 1
    for _ in range(exponent):
        result = self * result
    return result


def _forbid(what: str, remedy: str) -> Callable[..., NoReturn]:
    def refuse(self: Symbol, *_: Any) -> NoReturn:
        shown = f"a test (always {self!r})" if self.node.op == "const" else repr(self)
        raise self.graph.refuse(
            f"{what} needs the value of {shown}, which is known only in play; {remedy}."
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
        "write where(condition, yes, no), min_, max_, any_, all_, not_, and & and | between "
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
    ("len", "len()", "state it as a number in the state"),
    ("iter", "a loop", "loop over names or constants, not over a value of the state"),
    ("getitem", "an index into it", "keep what it holds in fields of their own"),
    ("contains", "`in`", "write any_(x == a, x == b)"),
    ("str", "a text", "texts are made in `text=`, which is not compiled"),
    ("format", "a text", "texts are made in `text=`, which is not compiled"),
    ("divmod", "divmod()", "write x // y and x % y"),
    ("rpow", "a power", "write the product out, x * x"),
    ("invert", "~", "write not_(condition); in Python, ~True is -2"),
    ("rshift", ">>", "write x // 2"),
    ("lshift", "<<", "write x * 2"),
    ("xor", "^", "write a != b"),
):
    setattr(Symbol, f"__{_name}__", _forbid(_what, _remedy))


class Opaque:
    """A part of the state that compiled rules cannot read, but may hand on unchanged."""

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
    """A mapping of symbols, as the interpreter's read-only state is one of values.

    Args:
        names: the keys that are there for certain.
        find: name -> value, or raises KeyError or TraceError.
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
            f"writes s[{name!r}] itself; return the change, {{{name!r}: ...}}."
        )

    def __eq__(self, other: object) -> bool:
        raise self._graph.refuse(
            "compares a whole state, or its cooldowns; compare the fields that matter."
        )

    __hash__ = None  # type: ignore[assignment]
