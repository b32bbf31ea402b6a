"""Loops over small arrays in the driver. Plain rules replace each by one operation of NumPy."""

from __future__ import annotations

from typing import Any

from axiom_gym.kernel import inline_kernel


@inline_kernel
def clear(values: Any) -> None:
    """Set every entry of an array to 0.

    Compiled as stores in the caller; the array's own method `fill` would be a call per turn.
    """
    values[:] = 0


@inline_kernel
def add_rewards(total: Any, rewards: Any) -> None:
    """Add rewards to a total, player by player; both (P,)."""
    for p in range(total.shape[0]):
        total[p] += rewards[p]
