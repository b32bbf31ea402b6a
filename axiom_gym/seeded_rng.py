"""Mulberry32 for object-level code, without Numba.

The arithmetic is defined only here; `axiom_gym.rng` compiles the same functions for kernels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

INCREMENT = 0x6D2B79F5
MASK = 0xFFFFFFFF


def scramble(state: int) -> int:
    """Return the output for a state that is advanced already.

    Compiled values are int64 and wrap around; the mask keeps their low 32 bits.
    """
    t = ((state ^ (state >> 15)) * (state | 1)) & MASK
    t = ((t + (((t ^ (t >> 7)) * (t | 61)) & MASK)) ^ t) & MASK
    return (t ^ (t >> 14)) & MASK


def mix_seed(seed: int, salt: int) -> int:
    """Return the seed of another, independent stream; each salt gives a different one."""
    return scramble((scramble((seed + INCREMENT) & MASK) + salt * 0x9E3779B1) & MASK)


class SeededRNG:
    """Mulberry32 for object-level code; the same seed gives the same numbers in every language.

    Two generators with equal `state` continue identically. Assign `state` to rewind.
    """

    __slots__ = ("state",)

    def __init__(self, seed: int) -> None:
        """Start the stream of `seed`, of which only the low 32 bits are used."""
        self.state = int(seed) & MASK

    def next_uint32(self) -> int:
        """Return the next number as an integer in 0..2**32-1."""
        self.state = (self.state + INCREMENT) & MASK
        return scramble(self.state)

    def next(self) -> float:
        """Return the next number in [0, 1)."""
        return self.next_uint32() / 4294967296.0

    def below(self, n: int) -> int:
        """Return an integer in 0..n-1."""
        return (self.next_uint32() * n) >> 32

    def range(self, low: int, high: int) -> int:
        """Return an integer from `low` to `high`, both included."""
        return low + self.below(high - low + 1)

    def pick(self, items: Sequence[T]) -> T:
        """Return one of `items`."""
        return items[self.below(len(items))]

    def chance(self, probability: float) -> bool:
        """Return True with this probability. Every call draws one number."""
        return self.next() < probability

    def shuffle(self, items: Sequence[T]) -> list[T]:
        """Return a new list in random order (Fisher-Yates, starting from the end)."""
        result = list(items)
        for i in range(len(result) - 1, 0, -1):
            j = self.below(i + 1)
            result[i], result[j] = result[j], result[i]
        return result

    def fork(self, salt: int = 0) -> SeededRNG:
        """Return a generator of an independent stream, without advancing this one."""
        return SeededRNG(mix_seed(self.state, salt))
