"""Symbolic forms of the built-in functions that Python does not let a class define.

`abs(x)` and `round(x)` ask the symbol, but `int(x)`, `float(x)` and `math.sqrt(x)` want a plain
number, and `min(a, b)` would follow two paths where one operation is enough. While a callable is
traced, the modules of the functions that run see these forms in place of their own names. On plain
values they do what the built-in does.
"""

from __future__ import annotations

import builtins
import functools
import math
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from axiom_gym.config.compiler import functions
from axiom_gym.config.compiler.nodes import BIGGEST, show
from axiom_gym.config.compiler.symbols import Symbol, as_node, make, symbol, truncated

_MISSING = object()


def _is_symbol(value: Any) -> bool:
    return type(value) is Symbol


def _is_number(value: Any) -> bool:
    """Return True for an int or a float, symbolic or plain; a bool would become 0 or 1."""
    if _is_symbol(value):
        return value.node.kind in ("int", "float")
    return isinstance(value, (int, float)) and not isinstance(value, bool)


class _Type(type):
    """The type of a substitute of a built-in type, which it equals in every test."""

    original: type

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, cls.original)

    def __subclasscheck__(cls, subclass: type) -> bool:
        return issubclass(subclass, cls.original)

    def __eq__(cls, other: object) -> bool:
        return other is cls or other is cls.original

    def __hash__(cls) -> int:
        return hash(cls.original)


class _IntType(_Type):
    original = int

    def __call__(cls, *args: Any, **named: Any) -> Any:
        if args and _is_symbol(args[0]) and len(args) == 1:
            return symbol(args[0].graph, truncated(args[0]))
        return int(*args, **named)


class _FloatType(_Type):
    original = float

    def __call__(cls, *args: Any) -> Any:
        return _as_float(*args) if args and _is_symbol(args[0]) else float(*args)


class _Int(int, metaclass=_IntType):
    """`int`, also of a symbol."""


class _Float(float, metaclass=_FloatType):
    """`float`, also of a symbol."""


_Int.__name__, _Float.__name__ = "int", "float"


def _as_float(value: Symbol) -> Any:
    graph, node = value.graph, value.node
    if node.kind == "choice":
        return float(str(value))
    node = graph.as_float(node)
    return symbol(graph, graph.unmixed(node))


def _extreme(op: str, original: Callable[..., Any]) -> Callable[..., Any]:
    """Return `min` or `max`: one operation where the values are numbers, else paths."""

    def choose(*args: Any, **named: Any) -> Any:
        values = list(args[0]) if len(args) == 1 and isinstance(args[0], Iterable) else list(args)
        if named or len(values) < 2 or not all(map(_is_number, values)):
            return original(*([values] if len(args) == 1 else args), **named)
        best, *others = values
        for value in others:
            if _is_symbol(best) or _is_symbol(value):
                best = make(op, best, value)
            else:
                best = original(best, value)
        return best

    return choose


def _type(value: Any, *args: Any) -> Any:
    if _is_symbol(value):
        value = value.__class__
        return _TYPES.get(value, value)
    found = type(value, *args)
    return _TYPES.get(found, found)


_TYPES: dict[type, type] = {int: _Int, float: _Float}


def _isinstance(value: Any, kinds: Any) -> bool:
    return issubclass(value.__class__, kinds) if _is_symbol(value) else isinstance(value, kinds)


def _hasattr(value: Any, name: str) -> bool:
    return hasattr(value.__class__ if _is_symbol(value) else value, name)


def _sum(values: Iterable[Any], /, start: Any = 0) -> Any:
    """Return the sum; since Python 3.12, that of more than two floats is more exact than `+`."""
    values = list(values)
    parts = [value for value in (start, *values) if _is_symbol(value) or isinstance(value, float)]
    symbols = [part for part in parts if _is_symbol(part)]
    if len(parts) > 2 and symbols and sys.version_info >= (3, 12):
        if any(not _is_symbol(part) or part.node.kind == "float" for part in parts):
            raise symbols[0].graph.refuse(
                "calls sum() with several floats, which rounds differently from +; write a + b + c."
            )
    return sum(values, start)


_REMEDY = "use operators, or a table of results"


def _refusing(name: str, original: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of `math` that is compiled for plain values only."""

    def function(*args: Any, **named: Any) -> Any:
        for value in (*args, *named.values()):
            if _is_symbol(value):
                remedy = "write math.sqrt(x * x + y * y)" if name == "hypot" else _REMEDY
                raise value.graph.refuse(
                    f"calls math.{name} with {show(value.node)}, and it is not compiled; {remedy}."
                )
        return original(*args, **named)

    return function


def _fabs(value: Any) -> Any:
    return abs(_as_float(value)) if _is_symbol(value) else math.fabs(value)


def _isclose(a: Any, b: Any, *, rel_tol: float = 1e-09, abs_tol: float = 0.0) -> Any:
    if not (_is_symbol(a) or _is_symbol(b)):
        return math.isclose(a, b, rel_tol=rel_tol, abs_tol=abs_tol)
    if a == b:
        return True
    if _fabs(a) == math.inf or _fabs(b) == math.inf:
        return False
    difference = _fabs(b - a)
    return (
        difference <= _fabs(rel_tol * b)
        or difference <= _fabs(rel_tol * a)
        or difference <= abs_tol
    )


def _real(name: str) -> Callable[..., Any]:
    """Return a function of `math` of one argument."""
    original = getattr(math, name)

    def function(value: Any, *rest: Any) -> Any:
        if not _is_symbol(value):
            return original(value, *rest)
        graph, node = value.graph, as_node(value.graph, value)
        if node.kind == "choice":
            raise TypeError("must be real number, not str")
        return symbol(graph, functions.function(graph, name, node))

    return function


_natural = _real("log")


def _log(value: Any, *base: Any) -> Any:
    if not base or not any(map(_is_symbol, (value, *base))):
        return _natural(value, *base)
    return _natural(value) / _natural(*base)


def _pow(base: Any, exponent: Any) -> Any:
    graph = next((side.graph for side in (base, exponent) if _is_symbol(side)), None)
    if graph is None:
        return math.pow(base, exponent)
    nodes = [as_node(graph, side) for side in (base, exponent)]
    if "choice" in (node.kind for node in nodes):
        raise TypeError("must be real number, not str")
    return symbol(graph, functions.power(graph, nodes[0], nodes[1], operator=False))


def _isfinite(value: Any) -> Any:
    if not _is_symbol(value):
        return math.isfinite(value)
    graph, node = value.graph, value.graph.as_float(as_node(value.graph, value))
    bounded = graph.facts.span(node).is_bounded
    return True if bounded else symbol(graph, graph.inside(node, BIGGEST))


def _isnan(value: Any) -> Any:
    if not _is_symbol(value):
        return math.isnan(value)
    graph, node = value.graph, value.graph.as_float(as_node(value.graph, value))
    return symbol(graph, graph.apply("not", graph.is_number(node)))


def _isinf(value: Any) -> Any:
    if not _is_symbol(value):
        return math.isinf(value)
    return not (_isfinite(value) or _isnan(value))


def _copysign(value: Any, sign: Any) -> Any:
    if not (_is_symbol(value) or _is_symbol(sign)):
        return math.copysign(value, sign)
    if not _is_symbol(sign):
        return _fabs(value) if math.copysign(1.0, sign) > 0 else -_fabs(value)
    graph, node = sign.graph, as_node(sign.graph, sign)
    if node.kind == "float":
        is_zero = graph.facts.truth(graph.apply("==", node, graph.constant(0)))
        if is_zero is not False or not graph.facts.span(node).is_bounded:
            raise graph.refuse(
                f"math.copysign needs the sign of {show(node)}, which can be -0.0 or NaN; write "
                "abs(x) if y >= 0 else -abs(x)."
            )
    return _fabs(value) if sign >= 0 else -_fabs(value)


_REAL = ("sqrt", "exp", "log2", "log10", "sin", "cos", "tan")
_OWN = ("floor", "ceil", "trunc")
"""The functions of `math` that ask the symbol."""


def _math() -> ModuleType:
    module = ModuleType("math")
    for name, value in vars(math).items():
        is_function = callable(value) and name not in _OWN
        setattr(module, name, _refusing(name, value) if is_function else value)
    for function in (_fabs, _isclose, _log, _pow, _isfinite, _isnan, _isinf, _copysign):
        setattr(module, function.__name__[1:], function)
    for name in _REAL:
        setattr(module, name, _real(name))
    return module


MATH = _math()

SUBSTITUTES: dict[int, Any] = {
    id(int): _Int,
    id(float): _Float,
    id(type): _type,
    id(isinstance): _isinstance,
    id(hasattr): _hasattr,
    id(sum): _sum,
    id(min): _extreme("min", min),
    id(max): _extreme("max", max),
    id(math): MATH,
    **{
        id(value): getattr(MATH, name)
        for name, value in vars(math).items()
        if getattr(MATH, name) is not value and callable(value)
    },
}
"""The substitutes, by the identity of what they replace."""


@contextmanager
def replacing() -> Iterator[Callable[[dict[str, Any], Iterable[str]], None]]:
    """Provide a function that puts substitutes into a module's variables; undo it at the end."""
    changed: list[tuple[dict[str, Any], str, Any]] = []

    def replace(variables: dict[str, Any], names: Iterable[str]) -> None:
        for name in names:
            value = variables.get(name, _MISSING)
            known = value if value is not _MISSING else getattr(builtins, name, _MISSING)
            new = SUBSTITUTES.get(id(known))
            if isinstance(known, functools._lru_cache_wrapper):
                new = known.__wrapped__  # a cache would keep symbols
            if new is not None:
                changed.append((variables, name, value))
                variables[name] = new

    try:
        yield replace
    finally:
        for variables, name, value in reversed(changed):
            if value is _MISSING:
                del variables[name]
            else:
                variables[name] = value
