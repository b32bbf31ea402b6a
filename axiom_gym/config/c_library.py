"""The functions of the C library that Python's `math` calls, and a test that they agree with it.

What raises in Python gives NaN or an infinity here; checks of the compiler make it a fault.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import functools
import itertools
import math
from collections.abc import Callable, Iterator
from typing import Any

ARITIES = {
    "exp": 1,
    "log": 1,
    "log2": 1,
    "log10": 1,
    "sin": 1,
    "cos": 1,
    "tan": 1,
    "pow": 2,
}
"""The functions, by their names in C and in `math`, with their numbers of arguments."""

_SAMPLES = (
    *(10.0**power for power in range(-300, 301, 12)),
    *(0.1 * number for number in range(-60, 60)),
    *(-2.0, 2.0, 0.5, 3.0, 7.0, 1e8, 88.7, 300.25, 700.5, -745.0),
)


@functools.cache
def find(name: str) -> Any:
    """Return the function of the C library that Python uses, or None."""
    for path in (None, ctypes.util.find_library("m")):
        try:
            function = getattr(ctypes.CDLL(path), name)
        except (OSError, AttributeError, TypeError):
            continue
        function.argtypes = [ctypes.c_double] * ARITIES[name]
        function.restype = ctypes.c_double
        return function
    return None


@functools.cache
def is_exact(name: str) -> bool:
    """Return True if the library's function was found and agrees with Python's on samples."""
    found = find(name)
    return found is not None and all(
        found(*arguments) == result for arguments, result in _results(name)
    )


def _results(name: str) -> Iterator[tuple[tuple[float, ...], float]]:
    """Yield arguments and Python's results, where Python gives a float."""
    samples = _SAMPLES if ARITIES[name] == 1 else _SAMPLES[::3]
    for arguments in itertools.product(samples, repeat=ARITIES[name]):
        try:
            yield arguments, getattr(math, name)(*arguments)
            if name == "pow" and not isinstance(power := arguments[0] ** arguments[1], complex):
                yield arguments, power
        except (ArithmeticError, ValueError):
            continue
    if name == "pow":  # integers that the interpreter may hold as ints
        for base, power in itertools.product(range(-12, 13), range(1, 14)):
            yield (float(base), float(power)), float(base**power)


def _provide(name: str) -> Callable[..., float]:
    """Return a function of `math` that does not raise."""
    original = getattr(math, name)

    def function(*values: float) -> float:
        try:
            return float(original(*values))
        except OverflowError:
            return math.inf
        except ValueError:
            return math.nan

    return function


def rounded_to(value: float, scale: float) -> float:
    """Return a float rounded to decimal digits as `round` does; scale: 10.0**digits, 1 to 1e15.

    The exact product of value and scale is `high + low` (Dekker, Veltkamp), which decides ties
    exactly. The quotient of two exact numbers is the float that is closest to the decimal number.
    Beyond 2**53 a step of the float is wider than the last digit, so that it is its own result.
    """
    size = abs(value)
    high = size * scale
    if not high <= 9007199254740992.0:
        return value
    if high < 0.25:
        return math.copysign(0.0, value)
    big = 134217729.0 * size
    a = big - (big - size)
    b = size - a
    big = 134217729.0 * scale
    c = big - (big - scale)
    d = scale - c
    low = ((a * c - high) + a * d + b * c) + b * d
    if high == 9007199254740992.0 and low > 0.0:
        return value
    whole = float(math.floor(high))
    rest = high - whole
    if rest > 0.5 or (rest == 0.5 and (low > 0.0 or (low == 0.0 and whole % 2.0 == 1.0))):
        whole += 1.0
    return math.copysign(whole / scale, value)


FUNCTIONS: dict[str, Callable[..., float]] = {
    "rounded_to": rounded_to,
    "square_root": _provide("sqrt"),
    **{f"c_{name}": _provide(name) for name in ARITIES},
}
"""The functions in plain Python, by their names in generated kernels."""
