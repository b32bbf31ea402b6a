"""The operations of compiled configs that Python has no operator for, written out once.

The same functions fold constants, check traces, and run in kernels, compiled or as plain Python.
"""

from __future__ import annotations

import math
from typing import Any

from axiom_gym.kernel import inner_kernel
from axiom_gym.rng import scramble
from axiom_gym.seeded_rng import INCREMENT, MASK


@inner_kernel
def lesser(a: Any, b: Any) -> Any:
    """The smaller of two numbers; `a` where they are equal, as Python's min."""
    return b if b < a else a


@inner_kernel
def greater(a: Any, b: Any) -> Any:
    """The greater of two numbers; `a` where they are equal, as Python's max."""
    return b if b > a else a


@inner_kernel
def whole(value: Any) -> int:
    """The greatest integer that is not above a number of at most 2**53."""
    result: int = math.floor(value)
    return result


@inner_kernel
def advance(rng: int) -> int:
    """The next state of the generator whose state is `rng`, 0..2**32-1; see `axiom_gym.rng`."""
    return (rng + INCREMENT) & MASK


@inner_kernel
def drawn(rng: int) -> int:
    """The number that goes with a state of the generator, 0..2**32-1."""
    return int(scramble(rng))


@inner_kernel
def scaled(value: Any, low: float, factor: float) -> float:
    """`(value - low) * factor`, within 0..1."""
    share: float = (value - low) * factor
    return min(max(share, 0.0), 1.0)


@inner_kernel
def squashed(value: Any) -> float:
    """A number without bounds, within -1..1."""
    share: float = value / (1.0 + abs(value))
    return share
