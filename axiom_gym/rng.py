"""Mulberry32, a random generator whose whole state is one uint32, compiled for kernels.

The state is also the seed: a generator that is seeded with the state of another one continues
exactly as that one would. Therefore the seed of any episode, even in the middle of a long run, is
the state of the generator when the episode begins.

Compiled code keeps the state in the field `rng` of a record (a game's state, or a bot's own stream)
and draws with `next_uint32(record)`, `next_float(record)` and `next_below(record, n)`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.extending import register_jitable

from axiom_gym.kernel import kernel, record_dtype
from axiom_gym.seeded_rng import INCREMENT, MASK, SeededRNG, mix_seed, scramble

__all__ = [
    "STREAM",
    "SeededRNG",
    "mix_seed",
    "next_below",
    "next_float",
    "next_uint32",
    "scramble",
]

STREAM = record_dtype([("rng", np.uint32)])
"""The dtype of a separate generator, such as the one that a bot draws from."""

# Makes them callable from kernels; the functions themselves do not change.
register_jitable(scramble)
register_jitable(mix_seed)


@kernel
def next_uint32(record: Any) -> int:
    """Advance `record.rng` and return an integer in 0..2**32-1."""
    # First to int64, because compiled uint32 arithmetic with a constant gives float64; then to int,
    # because NumPy's int64 overflows in Python.
    state = (int(np.int64(record.rng)) + INCREMENT) & MASK
    record.rng = np.uint32(state)
    return scramble(state)


@kernel
def next_float(record: Any) -> float:
    """Advance `record.rng` and return a number in [0, 1), a multiple of 2**-32."""
    return next_uint32(record) / 4294967296.0


@kernel
def next_below(record: Any, n: int) -> int:
    """Advance `record.rng` and return an integer in 0..n-1, for n from 1 to 2**20.

    The integer is floor(x * n), where x is the number that `next_float` would return.
    """
    return (next_uint32(record) * n) >> 32
