"""Feet between spaces; the nearest squares count."""

from __future__ import annotations

from axiom_envs.dnd.constants import SQUARE


def distance_between(
    a: tuple[int, int], a_size: int, b: tuple[int, int], b_size: int, diagonals: str
) -> int:
    """Return the feet between two spaces, 0 if they overlap.

    Args:
        a, b: their squares of the lowest x and y.
        a_size, b_size: their squares a side.
        diagonals: one of `DIAGONALS`.
    """
    dx, dy = _gap(a[0], a_size, b[0], b_size), _gap(a[1], a_size, b[1], b_size)
    if diagonals == "5":
        return SQUARE * max(dx, dy)
    return SQUARE * (max(dx, dy) + min(dx, dy) // 2)


def _gap(a: int, a_size: int, b: int, b_size: int) -> int:
    """Return the steps between two spaces along one axis."""
    return max(0, b - (a + a_size - 1), a - (b + b_size - 1))
