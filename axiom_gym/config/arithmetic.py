"""The operations of compiled configs for which Python has no operator.

Generated kernels call them, compiled or as plain Python.
"""

from __future__ import annotations

import math
from typing import Any

from axiom_gym.config import c_library
from axiom_gym.kernel import inner_kernel
from axiom_gym.rng import scramble
from axiom_gym.seeded_rng import INCREMENT, MASK


@inner_kernel
def lesser(a: Any, b: Any) -> Any:
    """Return the smaller of two numbers, or `a` if they are equal, like Python's min."""
    return b if b < a else a


@inner_kernel
def greater(a: Any, b: Any) -> Any:
    """Return the greater of two numbers, or `a` if they are equal, like Python's max."""
    return b if b > a else a


@inner_kernel
def floor_int(value: Any) -> int:
    """Return the greatest integer that is at most `value`, a number within -2**53..2**53."""
    result: int = math.floor(value)
    return result


@inner_kernel
def square_root(value: float) -> float:
    """Return the square root, or NaN for a negative number."""
    return math.sqrt(value) if value >= 0.0 else math.nan


rounded_to = inner_kernel(c_library.rounded_to)


@inner_kernel
def advance(rng: int) -> int:
    """Return the generator's state after `rng`; both are in 0..2**32-1. See `axiom_gym.rng`."""
    return (rng + INCREMENT) & MASK


@inner_kernel
def drawn(rng: int) -> int:
    """Return the random number of a generator's state; both are in 0..2**32-1."""
    return int(scramble(rng))


@inner_kernel
def scaled(value: Any, low: float, factor: float) -> float:
    """Return `(value - low) * factor`, clipped to 0..1."""
    share: float = (value - low) * factor
    return min(max(share, 0.0), 1.0)


@inner_kernel
def squashed(value: Any) -> float:
    """Map an unbounded number to -1..1, as `value / (1 + |value|)`."""
    share: float = value / (1.0 + abs(value))
    return share
