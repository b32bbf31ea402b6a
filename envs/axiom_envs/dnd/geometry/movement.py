"""Paths of a body, from the results of `paths.movement_field`."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from axiom_envs.dnd.constants import DIRECTIONS
from axiom_envs.dnd.geometry.paths import CHOSEN, UNREACHED, path_to
from axiom_gym.errors import ConfigError, check_range

Square = tuple[int, int]


class MovementField:
    """The squares that a body can reach, with the cheapest path to each.

    Attributes:
        feet: (H, W) int16, feet to each square; -1 if it cannot be reached.
        exposures: (H, W) int16, number of opportunity attacks provoked on the path.
        previous: (2, H, W) int8, see `geometry.paths.movement_field`.
        free: (H, W) bool, True if no other body is in the space that the body would cover.
    """

    __slots__ = ("_diagonals", "_neighbours", "exposures", "feet", "free", "previous")

    def __init__(
        self,
        feet: npt.NDArray[np.int16],
        exposures: npt.NDArray[np.int16],
        previous: npt.NDArray[np.int8],
        free: npt.NDArray[np.bool_],
        diagonals: int,
    ) -> None:
        """Keep the arrays, and make them read-only."""
        self.feet, self.exposures, self.previous, self.free = feet, exposures, previous, free
        self._diagonals = diagonals
        self._neighbours: list[tuple[int, int]] | None = None
        for array in (feet, exposures, previous, free):
            array.flags.writeable = False

    def path(self, x: int, y: int) -> list[Square]:
        """Return the squares of the path to (x, y), without the start and with the end.

        Raises:
            ConfigError: if the square is off the map or cannot be reached.
        """
        height, width = self.feet.shape
        x, y = check_range("x", x, 0, width - 1), check_range("y", y, 0, height - 1)
        out = np.empty(self.previous.size, np.int8)
        length = path_to(self.previous, x, y, out, self._diagonals)
        if length < 0:
            raise ConfigError(f"there is no path to ({x}, {y}); `feet` is -1 for such squares.")
        squares = [(x, y)]
        for direction in out[length - 1 : 0 : -1].tolist():
            dx, dy = DIRECTIONS[direction]
            squares.append((squares[-1][0] - dx, squares[-1][1] - dy))
        return squares[::-1] if length else []

    def neighbours(self, x: int, y: int) -> list[tuple[int, int]]:
        """Return the squares adjacent to the body's own, (x, y), where it can end with one step.

        Returns:
            (direction, feet) of each; a direction is an index into `DIRECTIONS`.
        """
        if self._neighbours is None:
            self._neighbours = [
                (direction, int(self.feet[j, i]))
                for direction, i, j in self._around(x, y)
                # If the last step of the cheapest path comes from here, it is the only step:
                # a square costs the same from every side, so no longer path is as cheap.
                if self.free[j, i] and (self.previous[:, j, i] % CHOSEN == direction).any()
            ]
        return self._neighbours

    def _around(self, x: int, y: int) -> list[tuple[int, int, int]]:
        """Return (direction, x, y) of the adjacent squares that are on the map."""
        height, width = self.feet.shape
        around = [(k, x + dx, y + dy) for k, (dx, dy) in enumerate(DIRECTIONS)]
        return [(k, i, j) for k, i, j in around if 0 <= i < width and 0 <= j < height]

    def reachable(self, budget: int) -> npt.NDArray[np.bool_]:
        """Return (H, W) bool, True where the body can stop within `budget` feet; start included."""
        within: npt.NDArray[np.bool_] = (self.feet != UNREACHED) & (self.feet <= budget)
        return within & self.free
