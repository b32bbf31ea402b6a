"""Mulberry32: a generator whose whole state is one uint32, scalar here and compiled for kernels.

The state is also the seed: a generator seeded with the state of another continues exactly as the
other would. That is why an episode's seed, wherever it comes from in a long run, is simply the
state of the generator at the episode's start.

Compiled code keeps the state in the field `rng` of a record (a game's state, or a bot's own stream)
and draws with `next_uint32(record)`, `next_float(record)` and `next_below(record, n)`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
from numba.extending import register_jitable

from axiom_gym.kernel import kernel, record_dtype

T = TypeVar("T")

STREAM = record_dtype([("rng", np.uint32)])
"""dtype of a generator that stands alone, such as the one a bot draws from."""

_INCREMENT = 0x6D2B79F5
_MASK = 0xFFFFFFFF


@register_jitable
def _scramble(state: int) -> int:
    """The output for a state that was advanced already.

    All values are int64 that wrap; the mask keeps the low 32 bits.
    """
    t = ((state ^ (state >> 15)) * (state | 1)) & _MASK
    t = ((t + (((t ^ (t >> 7)) * (t | 61)) & _MASK)) ^ t) & _MASK
    return (t ^ (t >> 14)) & _MASK


@kernel
def next_uint32(record: Any) -> int:
    """Advances `record.rng` and returns a number in 0..2**32-1."""
    # By way of int64, because uint32 with a constant becomes float64 compiled; then int, because
    # int64 overflows in Python.
    state = (int(np.int64(record.rng)) + _INCREMENT) & _MASK
    record.rng = np.uint32(state)
    return _scramble(state)


@kernel
def next_float(record: Any) -> float:
    """Advances `record.rng` and returns a number in [0, 1), a multiple of 2**-32."""
    return next_uint32(record) / 4294967296.0


@kernel
def next_below(record: Any, n: int) -> int:
    """Advances `record.rng` and returns a whole number in 0..n-1, for n of 1 to 2**20.

    It is floor(next * n), where `next` is what `next_float` would have returned.
    """
    return (next_uint32(record) * n) >> 32


@register_jitable
def mix_seed(seed: int, salt: int) -> int:
    """A seed for a stream that is independent of that of `seed`, and another for each salt."""
    return _scramble((_scramble((seed + _INCREMENT) & _MASK) + salt * 0x9E3779B1) & _MASK)


class SeededRNG:
    """Mulberry32 for object-level code: the same numbers for the same seed in every language.

    Two generators with equal `state` continue identically; assign `state` to rewind.
    """

    __slots__ = ("state",)

    def __init__(self, seed: int) -> None:
        """Starts the stream of `seed`; only its low 32 bits count."""
        self.state = int(seed) & _MASK

    def next_uint32(self) -> int:
        """The next number as a whole number in 0..2**32-1."""
        self.state = (self.state + _INCREMENT) & _MASK
        return _scramble(self.state)

    def next(self) -> float:
        """The next number in [0, 1)."""
        return self.next_uint32() / 4294967296.0

    def below(self, n: int) -> int:
        """A whole number in 0..n-1."""
        return (self.next_uint32() * n) >> 32

    def range(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`, both included."""
        return low + self.below(high - low + 1)

    def pick(self, items: Sequence[T]) -> T:
        """One of `items`."""
        return items[self.below(len(items))]

    def chance(self, probability: float) -> bool:
        """True with this probability; always consumes one number."""
        return self.next() < probability

    def shuffle(self, items: Sequence[T]) -> list[T]:
        """A new list in random order (Fisher-Yates from the back)."""
        result = list(items)
        for i in range(len(result) - 1, 0, -1):
            j = self.below(i + 1)
            result[i], result[j] = result[j], result[i]
        return result

    def fork(self, salt: int = 0) -> SeededRNG:
        """A generator of an independent stream, without advancing this one."""
        return SeededRNG(mix_seed(self.state, salt))
