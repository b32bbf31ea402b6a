"""Mulberry32 for object-level code; nothing here imports Numba.

The arithmetic stands here once, and `axiom_gym.rng` compiles the same functions for kernels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

INCREMENT = 0x6D2B79F5
MASK = 0xFFFFFFFF


def scramble(state: int) -> int:
    """The output for a state that was advanced already.

    All values are int64 that wrap; the mask keeps the low 32 bits.
    """
    t = ((state ^ (state >> 15)) * (state | 1)) & MASK
    t = ((t + (((t ^ (t >> 7)) * (t | 61)) & MASK)) ^ t) & MASK
    return (t ^ (t >> 14)) & MASK


def mix_seed(seed: int, salt: int) -> int:
    """A seed for a stream that is independent of that of `seed`, and another for each salt."""
    return scramble((scramble((seed + INCREMENT) & MASK) + salt * 0x9E3779B1) & MASK)


class SeededRNG:
    """Mulberry32 for object-level code: the same numbers for the same seed in every language.

    Two generators with equal `state` continue identically; assign `state` to rewind.
    """

    __slots__ = ("state",)

    def __init__(self, seed: int) -> None:
        """Starts the stream of `seed`; only its low 32 bits count."""
        self.state = int(seed) & MASK

    def next_uint32(self) -> int:
        """The next number as an integer in 0..2**32-1."""
        self.state = (self.state + INCREMENT) & MASK
        return scramble(self.state)

    def next(self) -> float:
        """The next number in [0, 1)."""
        return self.next_uint32() / 4294967296.0

    def below(self, n: int) -> int:
        """An integer in 0..n-1."""
        return (self.next_uint32() * n) >> 32

    def range(self, low: int, high: int) -> int:
        """An integer from `low` to `high`, both included."""
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
