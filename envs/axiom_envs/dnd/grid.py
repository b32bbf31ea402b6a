"""The squares of a fight, with facts derived from terrain and bodies, cached until those change.

A grid knows no rules of sides, creatures or conditions: callers say which bodies can be passed and
which threaten. Bodies are numbers from 0 to 63. A position (x, y) is the column and row of a body's
square, or of the one with the lowest x and y if it covers 2 by 2.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_envs.dnd.constants import NO_COVER, OBSTACLE, SQUARE, TERRAINS, TOTAL_COVER, WALL
from axiom_envs.dnd.geometry.cover import cover_grade
from axiom_envs.dnd.geometry.distance import distance_between
from axiom_envs.dnd.geometry.ground import MAX_BODIES, Ground, Square
from axiom_envs.dnd.geometry.movement import MovementField
from axiom_envs.dnd.geometry.paths import OCCUPIED, UNREACHED, movement_field
from axiom_envs.dnd.geometry.sight import SEEN, field_of_view
from axiom_envs.dnd.geometry.terrain import ENTER_COST, OPAQUE, format_map, parse_map
from axiom_gym.errors import ConfigError, check_range

__all__ = ["Grid", "MovementField", "Square"]

"""A side of a square."""


class Grid(Ground):
    """A map with bodies on it; `set_terrain` changes the map.

    Attributes and arguments are those of `Ground`.
    """

    def __init__(
        self,
        terrain: npt.ArrayLike,
        light: npt.ArrayLike | None = None,
        *,
        diagonals: str = "5",
    ) -> None:
        super().__init__(terrain, light, diagonals=diagonals)
        self._views: dict[Square, npt.NDArray[np.uint8]] = {}
        self._reaches: dict[tuple[int, int, int, int], npt.NDArray[np.bool_]] = {}
        self._covers: dict[tuple[int, int], int] = {}
        self._sights: dict[tuple[int, int], bool] = {}
        self._crowd: npt.NDArray[np.uint8] | None = None
        self._fields: dict[Any, MovementField] = {}

    def set_terrain(self, x: int, y: int, code: int) -> None:
        """Change a square; only facts that depend on the change are computed anew.

        Raises:
            ConfigError: if the square is off the map, or the code is not 0 to 5.
        """
        x, y = self._check(x, y)
        code = check_range("terrain", code, 0, len(TERRAINS) - 1)
        before, terrain = int(self.terrain[y, x]), self.terrain.copy()
        terrain[y, x] = code
        self.terrain = terrain
        self._read_terrain()
        if OPAQUE[before] != OPAQUE[code]:
            self._views.clear()
            self._sights.clear()
        if before != code and (before in (WALL, OBSTACLE) or code in (WALL, OBSTACLE)):
            self._covers.clear()
            self._crowd = None
        if ENTER_COST[before] != ENTER_COST[code]:
            self._fields.clear()

    def _forget_bodies(self) -> None:
        self._covers.clear()
        self._fields.clear()
        self._sights.clear()
        self._crowd = None

    # -- distance and sight ------------------------------------------------------------------------

    def distance(self, a: int, b: int) -> int:
        """Return the feet between the nearest squares of two bodies; 0 if they overlap."""
        x0, y0, own = self._find(a)
        x, y, size = self._find(b)
        return distance_between((x0, y0), own, (x, y), size, self.diagonals)

    def distance_to(self, body: int, x: int, y: int) -> int:
        """Return the distance in feet from a body's nearest square to a square."""
        x0, y0, own = self._find(body)
        return distance_between((x0, y0), own, self._check(x, y), 1, self.diagonals)

    def reach_squares(self, body: int, reach: int) -> npt.NDArray[np.bool_]:
        """Return (H, W) bool, read-only: squares within `reach` feet of a body; ignores walls."""
        key = (*self._find(body), reach)
        if key not in self._reaches:
            check_range("reach", reach, 0)
            x, y, size = key[:3]
            columns, rows = np.arange(self.width), np.arange(self.height)[:, None]
            dx = np.maximum(0, np.maximum(columns - (x + size - 1), x - columns))
            dy = np.maximum(0, np.maximum(rows - (y + size - 1), y - rows))
            second = np.minimum(dx, dy) // 2 if self.diagonals == "5-10-5" else 0
            within = SQUARE * (np.maximum(dx, dy) + second) <= reach
            within.flags.writeable = False
            self._reaches[key] = within
        return self._reaches[key]

    def field_of_view(self, x: int, y: int) -> npt.NDArray[np.uint8]:
        """Return (H, W) uint8, read-only: 1 if visible from a square, 2 if visible and opaque."""
        square = self._check(x, y)
        if square not in self._views:
            visible = np.empty(self.terrain.shape, np.uint8)
            field_of_view(self._opaque, *square, max(self.width, self.height), visible)
            visible.flags.writeable = False
            self._views[square] = visible
        return self._views[square]

    def line_of_sight(self, x0: int, y0: int, x1: int, y1: int) -> bool:
        """Return True if (x1, y1) is visible from (x0, y0), and the reverse."""
        x1, y1 = self._check(x1, y1)
        return bool(self.field_of_view(x0, y0)[y1, x1] == SEEN)

    def sees(self, a: int, b: int) -> bool:
        """Return True if any square of body a has a line of sight to any square of body b."""
        key = (a, b) if a < b else (b, a)  # visibility is mutual
        found = self._sights.get(key)
        if found is None:
            targets = self.squares(b)
            views = [self.field_of_view(x, y) for x, y in self.squares(a)]
            found = any(view[y, x] == SEEN for view in views for x, y in targets)
            self._sights[key] = found
        return found

    def cover(self, attacker: int, target: int) -> int:
        """Return the target's grade of cover, 0 to 3: the lowest over all pairs of squares.

        Other bodies and low obstacles give cover too.
        """
        key = (attacker, target)
        if key not in self._covers:
            starts, ends = self.squares(attacker), self.squares(target)
            bodies = self._between(attacker, target, len(starts) + len(ends) > 2)
            least = TOTAL_COVER
            for start in starts:
                for end in ends:
                    least = min(least, cover_grade(self._blocking, bodies, *start, *end))
                    if least == NO_COVER:
                        break
            self._covers[key] = least
        return self._covers[key]

    def _between(self, a: int, b: int, any_large: bool) -> npt.NDArray[np.uint8]:
        """Return obstacles and bodies, (H, W) uint8.

        Bodies a and b give no cover. `cover_grade` ignores the ends of a line; if one of the two
        bodies is large, both are left out here.
        """
        if any_large:
            others = self._occupants & ~np.uint64(1 << a | 1 << b)
            return np.where(others != 0, 1, self._low).astype(np.uint8)
        if self._crowd is None:
            self._crowd = np.where(self._occupants != 0, 1, self._low).astype(np.uint8)
        return self._crowd

    # -- movement ----------------------------------------------------------------------------------

    def step_cost(
        self, body: int, x: int, y: int, crawling: bool = False, parity: int = 0
    ) -> int | None:
        """Return the cost of a step to an adjacent square in feet; None if the ground prevents it.

        Args:
            body: the body that steps.
            x: column of its square after the step.
            y: row of its square after the step.
            crawling: if True, each square costs 5 feet more.
            parity: 1 if its next diagonal step is the second of two; used with the option "5-10-5".
        """
        if self.why_not_step(body, x, y) is not None:
            return None
        x0, y0, size = self._find(body)
        ground = self._enter_cost[y : y + size, x : x + size]
        others = self._bodies_in(x, y, size) & ~(1 << body)
        highest = (2 if others else int(ground.max())) + int(crawling)
        is_second = self.diagonals == "5-10-5" and parity == 1 and x != x0 and y != y0
        return SQUARE * (highest + int(is_second))

    def _costs(self, body: int, crawling: bool) -> npt.NDArray[np.uint8]:
        """Return steps of 5 feet to enter a square, 0 if the ground prevents it: (H, W) uint8."""
        others = self._occupants & ~np.uint64(1 << body)
        # Another creature's space is difficult ground; it does not add to difficult terrain.
        difficult = (self._enter_cost == 2) | (others != 0)
        costs = 1 + difficult.astype(np.uint8) + np.uint8(crawling)
        return np.where(self._enter_cost == 0, 0, costs).astype(np.uint8)

    def movement(
        self,
        body: int,
        blocked_bodies: int = 0,
        crawling: bool = False,
        threats: npt.NDArray[np.uint16] | None = None,
        parity: int = 0,
    ) -> MovementField:
        """Return the squares that a body can reach; cached until a body or the ground changes.

        Args:
            body: the body that moves.
            blocked_bodies: bit b is set for each body b that cannot be passed.
            crawling: if True, each square costs 5 feet more.
            threats: (H, W) uint16, bit e is set in the reach of enemy e; None without enemies.
            parity: see `step_cost`.
        """
        self._check_threats(threats)
        known = None if threats is None else threats.tobytes()
        key = (body, blocked_bodies, crawling, parity, known)
        if key not in self._fields:
            check_range("parity", parity, 0, 1)
            check_range("blocked_bodies", blocked_bodies, 0, 2**MAX_BODIES - 1)
            self._fields[key] = self._find_paths(body, blocked_bodies, crawling, threats, parity)
        return self._fields[key]

    def _check_threats(self, threats: npt.NDArray[np.uint16] | None) -> None:
        if threats is None:
            return
        shape = self.terrain.shape
        if threats.shape != shape or threats.dtype != np.uint16:
            raise ConfigError(
                f"threats must be uint16 of shape {shape}, got {threats.dtype} of {threats.shape}."
            )

    def _find_paths(
        self,
        body: int,
        blocked_bodies: int,
        crawling: bool,
        threats: npt.NDArray[np.uint16] | None,
        parity: int,
    ) -> MovementField:
        x, y, size = self._find(body)
        shape = self.terrain.shape
        if threats is None:
            threats = np.zeros(shape, np.uint16)
        others = self._occupants & ~np.uint64(1 << body)
        cost = self._costs(body, crawling)
        cost[(cost != 0) & (others & np.uint64(blocked_bodies) != 0)] = OCCUPIED
        steps, exposures = np.empty(shape, np.int16), np.empty(shape, np.int16)
        previous = np.empty((2, *shape), np.int8)
        second = int(self.diagonals == "5-10-5")
        threats = np.ascontiguousarray(threats)
        start = parity * second
        movement_field(cost, x, y, size, threats, second, steps, exposures, previous, parity=start)
        feet = np.where(steps == UNREACHED, UNREACHED, SQUARE * steps).astype(np.int16)
        return MovementField(feet, exposures, previous, _room(others == 0, size), second)

    def push(self, body: int, dx: int, dy: int) -> Square | None:
        """Move a body one square against its will, if that is free ground.

        Args:
            body: the body that is pushed.
            dx: -1, 0 or 1.
            dy: -1, 0 or 1; not 0 together with dx.

        Returns:
            Its new position; None if there is no room, and it stays.
        """
        dx, dy = check_range("dx", dx, -1, 1), check_range("dy", dy, -1, 1)
        x, y, size = self._find(body)
        x, y = x + dx, y + dy
        if self.why_not_step(body, x, y) is not None:
            return None
        if self._bodies_in(x, y, size) & ~(1 << body):
            return None
        self.move(body, x, y)
        return x, y

    # -- saving ------------------------------------------------------------------------------------

    def save(self) -> dict[str, Any]:
        """Return the grid as data for JSON, which `load` reads."""
        return {
            "terrain": format_map(self.terrain),
            "light": ["".join(map(str, row)) for row in self.light.tolist()],
            "diagonals": self.diagonals,
            "bodies": [[body, *space] for body, space in sorted(self._bodies.items())],
        }

    @classmethod
    def load(cls, saved: dict[str, Any]) -> Grid:
        """Return the grid that `save` wrote.

        Raises:
            ConfigError: if `save` cannot have written the data.
        """
        try:
            light = np.array([[int(symbol) for symbol in row] for row in saved["light"]])
            grid = cls(parse_map(saved["terrain"]), light, diagonals=saved["diagonals"])
            for body, x, y, size in saved["bodies"]:
                grid._load_body(body, x, y, size)
        except (KeyError, TypeError, ValueError) as error:
            if isinstance(error, ConfigError):
                raise
            raise ConfigError(f"not a saved grid: {error!r}; use the result of `save`.") from error
        return grid

    def _load_body(self, body: int, x: int, y: int, size: int) -> None:
        """Restore a body, which may share its squares with others."""
        body = check_range("body", body, 0, MAX_BODIES - 1)
        x, y, size = *self._check(x, y), check_range("size", size, 1, 2)
        reason = self._why_not_stand(x, y, size)
        if reason or body in self._bodies:
            reason = reason or "it is already on the grid"
            raise ConfigError(f"body {body} cannot be loaded on ({x}, {y}): {reason}.")
        self._put(body, x, y, size)


def _room(free: npt.NDArray[np.bool_], size: int) -> npt.NDArray[np.bool_]:
    """Return the anchors at which all squares of a space are free: (H, W) bool."""
    room = free.copy()
    if size == 2:
        room[:, :-1] &= free[:, 1:]
        room[:-1] &= room[1:].copy()
    return room
