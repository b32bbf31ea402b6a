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


FUNCTIONS: dict[str, Callable[..., float]] = {
    "square_root": _provide("sqrt"),
    **{f"c_{name}": _provide(name) for name in ARITIES},
}
"""The functions in plain Python, by their names in generated kernels."""
