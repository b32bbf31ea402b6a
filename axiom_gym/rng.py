"""Mulberry32: a generator whose whole state is one uint32, scalar here and compiled for kernels.

The state is also the seed: a generator seeded with the state of another continues exactly as the
other would. That is why an episode's seed, wherever it comes from in a long run, is simply the
state of the generator at the episode's start.

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
"""dtype of a generator that stands alone, such as the one a bot draws from."""

# From here on kernels can call them too; they stay the very same functions.
register_jitable(scramble)
register_jitable(mix_seed)


@kernel
def next_uint32(record: Any) -> int:
    """Advances `record.rng` and returns a number in 0..2**32-1."""
    # By way of int64, because uint32 with a constant becomes float64 compiled; then int, because
    # int64 overflows in Python.
    state = (int(np.int64(record.rng)) + INCREMENT) & MASK
    record.rng = np.uint32(state)
    return scramble(state)


@kernel
def next_float(record: Any) -> float:
    """Advances `record.rng` and returns a number in [0, 1), a multiple of 2**-32."""
    return next_uint32(record) / 4294967296.0


@kernel
def next_below(record: Any, n: int) -> int:
    """Advances `record.rng` and returns an integer in 0..n-1, for n of 1 to 2**20.

    It is floor(next * n), where `next` is what `next_float` would have returned.
    """
    return (next_uint32(record) * n) >> 32
