"""Distances in feet between the nearest squares of two spaces."""

from __future__ import annotations

from axiom_envs.dnd.constants import SQUARE


def distance_between(
    a: tuple[int, int], a_size: int, b: tuple[int, int], b_size: int, diagonals: str
) -> int:
    """Return the distance between two spaces in feet, 0 if they overlap.

    Args:
        a, b: their squares of lowest x and y.
        a_size, b_size: their sides in squares.
        diagonals: one of `DIAGONALS`.
    """
    dx, dy = _gap(a[0], a_size, b[0], b_size), _gap(a[1], a_size, b[1], b_size)
    if diagonals == "5":
        return SQUARE * max(dx, dy)
    return SQUARE * (max(dx, dy) + min(dx, dy) // 2)


def _gap(a: int, a_size: int, b: int, b_size: int) -> int:
    """Return the number of steps between two spaces along one axis."""
    return max(0, b - (a + a_size - 1), a - (b + b_size - 1))
