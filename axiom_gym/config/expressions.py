"""Replacements for `if`, `min`, `int` and others, for interpreted and compiled configs.

On plain values these functions return their result. On the symbolic values of the compiler they
become part of the compiled expression. In both cases all arguments are evaluated:
`where(n > 0, a / n, 0)` divides by zero if `n` is 0; write `a / max_(n, 1)`.

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
    """Return `yes` if the condition holds, else `no`; both are evaluated."""
    if _is_symbolic(condition, yes, no):
        return make("where", condition, yes, no)
    return yes if condition else no


def min_(*values: Any) -> Any:
    """Return the smallest of two or more values; if several are equal, the first of them."""
    return functools.reduce(_lesser, _several("min_", values))


def max_(*values: Any) -> Any:
    """Return the greatest of two or more values; if several are equal, the first of them."""
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
    """Return the value limited to the bounds; if they cross, the result is `high`."""
    return min_(high, max_(low, value))


def floor(value: Any) -> Any:
    """Return the greatest integer that is at most the value."""
    if isinstance(value, Symbol):
        return make("floor", value)
    return math.floor(value)


def abs_(value: Any) -> Any:
    """Return the absolute value."""
    return abs(value)


def not_(condition: Any) -> Any:
    """Return True if the condition does not hold."""
    if isinstance(condition, Symbol):
        return make("not", condition)
    return not condition


def any_(*conditions: Any) -> Any:
    """Return True if at least one condition holds; takes arguments, or one iterable."""
    return functools.reduce(_either, _listed(conditions), False)


def all_(*conditions: Any) -> Any:
    """Return True if all conditions hold; takes arguments, or one iterable."""
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
    """Look up a key in a sequence or mapping.

    Args:
        key: an integer from 0 on for a sequence, one of its keys for a mapping.
        values: the entries; all of them are evaluated.
        default: the result for a key without an entry, if given.

    Raises:
        KeyError: for a key without an entry, if there is no default.
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
