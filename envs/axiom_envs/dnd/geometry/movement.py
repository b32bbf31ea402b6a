"""The ways of a body, as `paths.movement_field` finds them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from axiom_envs.dnd.constants import DIRECTIONS
from axiom_envs.dnd.geometry.paths import CHOSEN, UNREACHED, path_to
from axiom_gym.errors import ConfigError, check_range

Square = tuple[int, int]


class MovementField:
    """Where a body can go, by the cheapest ways.

    Attributes:
        feet: (H, W) int16, feet to each square; -1 where it cannot go.
        exposures: (H, W) int16, opportunity attacks provoked on the way.
        previous: (2, H, W) int8, as of `geometry.paths.movement_field`.
        free: (H, W) bool, where no other body stands in the space that it would take.
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
        """Holds the arrays, read-only from here on."""
        self.feet, self.exposures, self.previous, self.free = feet, exposures, previous, free
        self._diagonals = diagonals
        self._neighbours: list[tuple[int, int]] | None = None
        for array in (feet, exposures, previous, free):
            array.flags.writeable = False

    def path(self, x: int, y: int) -> list[Square]:
        """The squares of the way to (x, y), without the start and with the end.

        Raises:
            ConfigError: for a square off the map, or one that cannot be reached.
        """
        height, width = self.feet.shape
        x, y = check_range("x", x, 0, width - 1), check_range("y", y, 0, height - 1)
        out = np.empty(self.previous.size, np.int8)
        length = path_to(self.previous, x, y, out, self._diagonals)
        if length < 0:
            raise ConfigError(f"there is no way to ({x}, {y}); `feet` is -1 where there is none.")
        squares = [(x, y)]
        for direction in out[length - 1 : 0 : -1].tolist():
            dx, dy = DIRECTIONS[direction]
            squares.append((squares[-1][0] - dx, squares[-1][1] - dy))
        return squares[::-1] if length else []

    def neighbours(self, x: int, y: int) -> list[tuple[int, int]]:
        """The squares around the body's own, (x, y), where it can end with one step.

        Returns:
            (direction, feet) of each, directions as indices of `DIRECTIONS`.
        """
        if self._neighbours is None:
            self._neighbours = [
                (direction, int(self.feet[j, i]))
                for direction, i, j in self._around(x, y)
                # Where the last step of the cheapest way comes from here, that is all of the way:
                # entering costs the same from anywhere, so no longer one is as cheap.
                if self.free[j, i] and (self.previous[:, j, i] % CHOSEN == direction).any()
            ]
        return self._neighbours

    def _around(self, x: int, y: int) -> list[tuple[int, int, int]]:
        """(direction, x, y) of the squares around one that are on the map."""
        height, width = self.feet.shape
        around = [(k, x + dx, y + dy) for k, (dx, dy) in enumerate(DIRECTIONS)]
        return [(k, i, j) for k, i, j in around if 0 <= i < width and 0 <= j < height]

    def reachable(self, budget: int) -> npt.NDArray[np.bool_]:
        """(H, W) bool: where the body can end its way within so many feet, its own place too."""
        within: npt.NDArray[np.bool_] = (self.feet != UNREACHED) & (self.feet <= budget)
        return within & self.free
