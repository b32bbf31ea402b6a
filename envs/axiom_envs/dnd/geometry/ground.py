"""Terrain with bodies on it: positions, and the squares where a body can stand and step."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from axiom_envs.dnd.constants import BRIGHT, DIAGONALS, OBSTACLE, TERRAINS, WALL
from axiom_envs.dnd.geometry.terrain import ENTER_COST, OPAQUE
from axiom_gym.errors import ConfigError, check_choice, check_range

Square = tuple[int, int]

MAX_BODIES = 64
MAX_SIDE = 64
"""Maximum number of columns and of rows."""


class Ground:
    """A map with bodies on it, the base class of `Grid`.

    Attributes:
        terrain: (H, W) uint8, codes of `geometry.terrain`, read-only.
        light: (H, W) uint8, 0 dark, 1 dim, 2 bright, read-only.
        diagonals: "5" if each diagonal step is 5 feet, "5-10-5" if every second one is 10.
    """

    def __init__(
        self,
        terrain: npt.ArrayLike,
        light: npt.ArrayLike | None = None,
        *,
        diagonals: str = "5",
    ) -> None:
        """Create a grid without bodies.

        Args:
            terrain: (H, W) codes 0 to 5, at most 64 by 64.
            light: (H, W) 0 to 2; by default all bright.
            diagonals: "5" or "5-10-5".

        Raises:
            ConfigError: if an array has another shape or other values.
        """
        self.terrain = _checked_map("terrain", terrain, len(TERRAINS) - 1)
        self.height, self.width = self.terrain.shape
        lit = np.full(self.terrain.shape, BRIGHT, np.uint8) if light is None else light
        self.light = _checked_map("light", lit, BRIGHT)
        if self.light.shape != self.terrain.shape:
            raise ConfigError(
                f"light must have the shape of the terrain, {self.terrain.shape}, got "
                f"{self.light.shape}."
            )
        self.diagonals = check_choice("diagonals", diagonals, DIAGONALS)
        self._bodies: dict[int, tuple[int, int, int]] = {}
        self._occupants = np.zeros(self.terrain.shape, np.uint64)
        self._read_terrain()

    def _read_terrain(self) -> None:
        self._opaque = OPAQUE[self.terrain]
        self._blocking = (self.terrain == WALL).astype(np.uint8)
        self._low = (self.terrain == OBSTACLE).astype(np.uint8)
        self._enter_cost = ENTER_COST[self.terrain]
        self.terrain.flags.writeable = self.light.flags.writeable = False

    def _check(self, x: int, y: int) -> Square:
        return check_range("x", x, 0, self.width - 1), check_range("y", y, 0, self.height - 1)

    # -- bodies ------------------------------------------------------------------------------------

    def free_body(self) -> int:
        """Return the lowest unused body number.

        Raises:
            ConfigError: if there are 64 bodies already.
        """
        for body in range(MAX_BODIES):
            if body not in self._bodies:
                return body
        raise ConfigError(f"a grid holds at most {MAX_BODIES} bodies; remove one first.")

    def place(self, body: int, x: int, y: int, size: int = 1) -> None:
        """Put a new body on free ground.

        Raises:
            ConfigError: if the number is in use, the size is not 1 or 2, or the space is off the
                map, occupied, or cannot be entered.
        """
        body = check_range("body", body, 0, MAX_BODIES - 1)
        size = check_range("size", size, 1, 2)
        if body in self._bodies:
            raise ConfigError(f"body {body} is already on the grid; use move.")
        x, y = self._check(x, y)
        reason = self._why_not_stand(x, y, size)
        taken = 0 if reason else self._bodies_in(x, y, size)
        if reason or taken:
            reason = reason or f"body {_lowest(taken)} is there"
            raise ConfigError(f"body {body} cannot be placed on ({x}, {y}): {reason}.")
        self._put(body, x, y, size)

    def move(self, body: int, x: int, y: int) -> None:
        """Move a body to any place where it can stand; it may share squares with others in passing.

        Raises:
            ConfigError: if the body is unknown, or the space is off the map or cannot be entered.
        """
        x0, y0, size = self._find(body)
        x, y = self._check(x, y)
        reason = self._why_not_stand(x, y, size)
        if reason:
            raise ConfigError(f"body {body} cannot move to ({x}, {y}): {reason}.")
        self._occupants[y0 : y0 + size, x0 : x0 + size] &= ~np.uint64(1 << body)
        self._put(body, x, y, size)

    def remove(self, body: int) -> None:
        """Remove a body from the grid.

        Raises:
            ConfigError: if the body is unknown.
        """
        x, y, size = self._find(body)
        self._occupants[y : y + size, x : x + size] &= ~np.uint64(1 << body)
        del self._bodies[body]
        self._forget_bodies()

    def _put(self, body: int, x: int, y: int, size: int) -> None:
        self._bodies[body] = (x, y, size)
        self._occupants[y : y + size, x : x + size] |= np.uint64(1 << body)
        self._forget_bodies()

    def _forget_bodies(self) -> None:
        """Drop facts derived from bodies, after a body was added, removed or moved."""

    def _find(self, body: int) -> tuple[int, int, int]:
        if body not in self._bodies:
            known = ", ".join(map(str, sorted(self._bodies))) or "none"
            raise ConfigError(f"no body {body!r} is on the grid; there are: {known}.")
        return self._bodies[body]

    def position(self, body: int) -> Square:
        """Return (x, y) of a body.

        Raises:
            ConfigError: if the body is unknown; so do all methods that take a body.
        """
        return self._find(body)[:2]

    def squares(self, body: int) -> list[Square]:
        """Return all squares that a body covers, row by row."""
        return _space(*self._find(body))

    def occupants(self, x: int, y: int) -> int:
        """Return the bodies on a square as a bit mask: bit b is set for body b."""
        x, y = self._check(x, y)
        return int(self._occupants[y, x])

    def body_at(self, x: int, y: int) -> int:
        """Return the body of lowest number on a square, or -1."""
        return _lowest(self.occupants(x, y))

    def others_in(self, body: int, x: int, y: int) -> int:
        """Return the other bodies in the space a body would cover at (x, y), as a bit mask."""
        return self._bodies_in(x, y, self._find(body)[2]) & ~(1 << body)

    def _bodies_in(self, x: int, y: int, size: int) -> int:
        if size == 1:
            return int(self._occupants[y, x])
        space = self._occupants[y : y + size, x : x + size]
        return int(np.bitwise_or.reduce(space, axis=None))

    # -- standing and stepping ---------------------------------------------------------------------

    def can_stand(self, body: int, x: int, y: int) -> bool:
        """Return True if the ground at (x, y), on or off the map, allows a body; ignores bodies."""
        return not self._why_not_stand(x, y, self._find(body)[2])

    def _why_not_stand(self, x: int, y: int, size: int) -> str:
        """Return the reason that a body of this size cannot stand at (x, y), or an empty string."""
        if not (0 <= x <= self.width - size and 0 <= y <= self.height - size):
            return "the map ends there"
        for i, j in ((x, y),) if size == 1 else _space(x, y, size):
            if self._enter_cost[j, i] == 0:
                code = int(self.terrain[j, i])
                return f"{'a wall' if code == WALL else TERRAINS[code]} is there"
        return ""

    def why_not_step(self, body: int, x: int, y: int) -> str | None:
        """Return the reason that the ground prevents a step to (x, y), or None.

        Bodies in the way are ignored: the caller decides which bodies can be passed.
        """
        x0, y0, size = self._find(body)
        if max(abs(x - x0), abs(y - y0)) != 1:
            return f"({x}, {y}) is not adjacent to ({x0}, {y0})"
        reason = self._why_not_stand(x, y, size)
        if reason:
            return reason
        if x != x0 and y != y0:
            if self._why_not_stand(x, y0, size) and self._why_not_stand(x0, y, size):
                return "there is no room between two corners"
        return None


def _checked_map(kind: str, given: npt.ArrayLike, most: int) -> npt.NDArray[np.uint8]:
    array = np.asarray(given)
    if array.ndim != 2 or not all(1 <= side <= MAX_SIDE for side in array.shape):
        raise ConfigError(
            f"{kind} must be rows and columns, 1 to {MAX_SIDE} of each, got shape {array.shape}."
        )
    if array.dtype.kind not in "iu" or array.min() < 0 or array.max() > most:
        raise ConfigError(f"{kind} must be integers from 0 to {most}, got {array!r}.")
    return np.array(array, np.uint8, order="C")


def _space(x: int, y: int, size: int) -> list[Square]:
    return [(i, j) for j in range(y, y + size) for i in range(x, x + size)]


def _lowest(bodies: int) -> int:
    """Return the index of the lowest bit that is set, or -1."""
    return (bodies & -bodies).bit_length() - 1
