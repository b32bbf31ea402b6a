"""What to write instead of `if`, `min`, `int` and the like, so that one config serves both roads.

On plain values these functions compute at once. On the symbolic values that the compiler hands out
they become part of the compiled expression. Arguments are always all evaluated, on both roads: in
`where(n > 0, a / n, 0)` a zero `n` divides; write `a / max_(n, 1)`.

For "and", "or" and "not" of conditions write `&`, `|` and `not_`, with brackets around comparisons:
`(s["age"] > 18) & (s["money"] >= 100)`.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from typing import Any

from axiom_gym.config.compiler.symbols import Symbol, make


def where(condition: Any, yes: Any, no: Any) -> Any:
    """`yes` if the condition holds, else `no`; both are evaluated."""
    if _is_symbolic(condition, yes, no):
        return make("where", condition, yes, no)
    return yes if condition else no


def min_(*values: Any) -> Any:
    """The smallest of two or more values; of equal ones the first."""
    return functools.reduce(_lesser, _several("min_", values))


def max_(*values: Any) -> Any:
    """The greatest of two or more values; of equal ones the first."""
    return functools.reduce(_greater, _several("max_", values))


def _several(name: str, values: tuple[Any, ...]) -> tuple[Any, ...]:
    if len(values) < 2:
        raise TypeError(f"{name} takes two or more values, got {len(values)}.")
    return values


def _lesser(a: Any, b: Any) -> Any:
    if _is_symbolic(a, b):
        return make("min", a, b)
    return b if b < a else a


def _greater(a: Any, b: Any) -> Any:
    if _is_symbolic(a, b):
        return make("max", a, b)
    return b if b > a else a


def clip(value: Any, low: Any, high: Any) -> Any:
    """The value within the bounds; the upper one wins where they cross."""
    return min_(high, max_(low, value))


def floor(value: Any) -> Any:
    """The greatest integer that is not above the value."""
    if isinstance(value, Symbol):
        return make("floor", value)
    return math.floor(value)


def abs_(value: Any) -> Any:
    """The value without its sign."""
    return abs(value)


def not_(condition: Any) -> Any:
    """Whether the condition does not hold."""
    if isinstance(condition, Symbol):
        return make("not", condition)
    return not condition


def any_(*conditions: Any) -> Any:
    """Whether at least one condition holds; takes them one by one, or as one iterable."""
    return functools.reduce(_either, _listed(conditions), False)


def all_(*conditions: Any) -> Any:
    """Whether all conditions hold; takes them one by one, or as one iterable."""
    return functools.reduce(_both, _listed(conditions), True)


def _listed(conditions: tuple[Any, ...]) -> Sequence[Any]:
    if len(conditions) == 1 and not isinstance(conditions[0], (Symbol, str, bool, int, float)):
        return tuple(conditions[0])
    return conditions


def _either(a: Any, b: Any) -> Any:
    if _is_symbolic(a, b):
        return make("or", a, b)
    return bool(a) or bool(b)


def _both(a: Any, b: Any) -> Any:
    if _is_symbolic(a, b):
        return make("and", a, b)
    return bool(a) and bool(b)


_NOTHING = object()


def table(key: Any, values: Sequence[Any] | Mapping[Any, Any], default: Any = _NOTHING) -> Any:
    """The entry for a key: an integer from 0 on for a sequence, one of its keys for a mapping.

    Args:
        key: what is looked up.
        values: the entries; all of them are evaluated.
        default: for a key that has no entry.

    Raises:
        KeyError: for a key without entry, where there is no default.
    """
    entries = dict(values) if isinstance(values, Mapping) else dict(enumerate(values))
    if _is_symbolic(key):
        return make("table", key, entries, *(() if default is _NOTHING else (default,)))
    if key in entries:
        return entries[key]
    if default is _NOTHING:
        raise KeyError(f"{key!r} is not in the table; it has {list(entries)}")
    return default


def _is_symbolic(*values: Any) -> bool:
    return any(isinstance(value, Symbol) for value in values)
