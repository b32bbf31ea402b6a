"""The writer of observations for one session; see `layout` for their layout."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from axiom_envs.dnd.constants import DIFFICULT, MOST_DECISIONS, OBSCURED, OBSTACLE, WALL, WATER
from axiom_envs.dnd.engine.encounter.frames import AttackFrame, MoveFrame
from axiom_envs.dnd.engine.rules.movement import can_pass, drag_factor, is_crawling
from axiom_envs.dnd.engine.rules.perception import sees
from axiom_envs.dnd.engine.rules.space import Position
from axiom_envs.skirmish.observe.layout import (
    LINKS,
    PLANE_COUNT,
    Floats,
    entity_index,
    place_of,
    split,
)
from axiom_envs.skirmish.observe.planes import (
    ALLY,
    BODY_COLUMNS,
    DEAD,
    DOWN,
    ENEMY,
    LOST,
    MOVING,
    SELF,
    UP,
    Scratch,
    clear_shots,
    cover_of_map,
    write_cover,
    write_planes,
    write_sight,
)
from axiom_envs.skirmish.observe.rows import Row
from axiom_envs.skirmish.observe.slots import Slots

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.creature.entity import Entity
    from axiom_envs.dnd.engine.encounter.encounter import Encounter
    from axiom_envs.dnd.grid import Grid
    from axiom_envs.skirmish.rules import Session

_SHOWN = (WALL, WATER, DIFFICULT, OBSTACLE, OBSCURED)
"""Terrain codes, in the order of their planes."""

_ALIVE, _SIDE, _ACTING = entity_index("alive"), entity_index("side"), entity_index("acting")
_GRAPPLED_BY = place_of(LINKS).start
_X, _Y = entity_index("x"), entity_index("y")


class View:
    """A writer of observations for one session, which caches what does not change between them.

    Attributes:
        units: N.
        width, height: W and H, of the board.
    """

    __slots__ = (
        "_ground",
        "_ground_key",
        "_planes",
        "_rows",
        "_scratch",
        "height",
        "units",
        "width",
    )

    def __init__(self, session: Session) -> None:
        """Create the view of a session whose initiative has been rolled."""
        self.units, self.width, self.height = session.units, session.width, session.height
        encounter = session.encounter
        count = len(encounter.order)
        self._rows = {
            one.number: Row(one, rank / count, self.width, self.height)
            for rank, one in enumerate(encounter.order)
        }
        grid = encounter.world.grid
        assert grid is not None  # scenarios have maps
        self._scratch = Scratch.of(*grid.terrain.shape)
        self._ground: Floats = np.zeros(0, np.float32)
        self._ground_key: Any = None
        self._planes = {name: _MovingPlanes(self.height, self.width) for name in encounter.sides}

    def write(self, session: Session, side: str, out: Floats) -> None:
        """Write the observation of a side. out: (F,) float32, all entries are written."""
        encounter = session.encounter
        slots = Slots(session, side)
        planes, table, tail = split(out, self.units, self.width, self.height)
        out[planes.size :] = 0.0
        for one in slots.shown:
            self._rows[one.number].refresh()
        self._write_table(encounter, slots, table)
        self._write_globals(encounter, slots, tail)
        grid = encounter.world.grid
        assert grid is not None
        self._write_planes(session, grid, slots, planes)

    # -- entities ----------------------------------------------------------------------------------

    def _write_table(self, encounter: Encounter, slots: Slots, table: Floats) -> None:
        """Write the entities. table: (2N, 107), zeros on entry."""
        known, links = slots.known, slots.numbers
        for slot, one in slots.entities:
            if one.number not in known:
                table[slot, _ALIVE] = not one.health.dead
                continue
            table[slot] = self._rows[one.number].values
            held = one.conditions.get("grappled")
            if held and held[0].source is not None and held[0].source.number in known:
                table[slot, _GRAPPLED_BY] = (links[held[0].source.number] + 1) / (2 * self.units)
        table[: slots.own, _SIDE] = 1.0
        table[self.units : self.units + slots.others, _SIDE] = -1.0
        if encounter.actor.number in known:
            table[links[encounter.actor.number], _ACTING] = 1.0

    # -- globals -----------------------------------------------------------------------------------

    def _write_globals(self, encounter: Encounter, slots: Slots, tail: Floats) -> None:
        """Write the globals. tail: (16,), in the order of `layout.GLOBALS`."""
        actor, decider = encounter.actor, encounter.decider
        decides = decider is not None and decider.side == slots.side
        frame = encounter.stack[-1] if decides and encounter.stack else None
        main = decides and frame is None
        trigger, square = _trigger_of(frame)
        slot = slots.slot_of(trigger)
        x, y = square if slot else (0, 0)
        units, whole = self.units, 2 * self.units
        tail[:] = (
            min(1.0, encounter.round / encounter.round_limit),
            slots.slot_of(actor) / whole,
            encounter.turn / len(encounter.order),
            decides,
            main,
            frame is not None and not isinstance(frame, AttackFrame),
            isinstance(frame, AttackFrame),
            slot / whole,
            x / self.width,
            y / self.height,
            max(0.0, 1.0 - encounter.decisions / MOST_DECISIONS) if main else 0.0,
            sum(not one.health.dead for one in slots.allies) / units,
            sum(not one.health.dead for one in slots.enemies) / units,
            len(slots.seen) / units,
            self._share_of(slots.allies),
            self._share_of(slots.seen),
        )

    def _share_of(self, entities: Sequence[Entity]) -> float:
        """Return hit points as a share of their maxima, 0 to 1; 0 without entities."""
        whole = left = 0
        for one in entities:
            whole += self._rows[one.number].maximum
            left += one.health.current
        return min(1.0, left / whole) if whole else 0.0

    # -- planes ------------------------------------------------------------------------------------

    def _write_planes(self, session: Session, grid: Grid, slots: Slots, planes: Floats) -> None:
        """Write the planes. planes: (20, H, W)."""
        still = PLANE_COUNT - MOVING
        ground_key = (grid.terrain.tobytes(), grid.light.tobytes())
        if ground_key != self._ground_key:
            self._ground_key = ground_key
            self._ground = _draw_ground(grid, np.zeros_like(planes[:still]))
        planes[:still] = self._ground
        moving = self._planes[slots.side]
        moving.refresh(
            ground_key[0],
            grid,
            self._list_bodies(session, slots),
            self._list_walker(session.encounter, slots.first),
            self._scratch,
        )
        planes[still:] = moving.planes

    def _list_bodies(self, session: Session, slots: Slots) -> list[tuple[int, ...]]:
        """Return the rows of `planes` for all creatures the side knows of; slot 0 comes first."""
        first = slots.first
        found: list[tuple[int, ...]] = []
        for one in slots.shown:
            if one.senses.position is None:
                continue
            row, state = self._rows[one.number], _state_of(one)
            own = one.side == slots.side
            threat = row.threat if state == UP and one is not first else 0
            found.append(
                (
                    *one.senses.position,
                    row.squares,
                    SELF if one is first else ALLY if own else ENEMY,
                    state,
                    threat if threat and (own or sees(one, first)) else 0,
                    own or can_pass(first, one),
                    round(1000 * row.share),
                )
            )
        for one in slots.enemies:
            square = session.last_seen.get((slots.side, one.number))
            if one.number not in slots.known and square is not None and not one.health.dead:
                size = self._rows[one.number].squares
                found.append((*square, size, LOST, UP, 0, 1, 0))
        return found

    def _list_walker(self, encounter: Encounter, first: Entity) -> tuple[int, ...]:
        """Return the `walker` numbers of `planes` for slot 0."""
        budget = dash = -1
        speed = self._rows[first.number].speed
        if encounter.decider is first and not encounter.stack:
            budget = first.economy.movement_left - first.economy.toward
            dash = budget + speed
        second = encounter.world.options.diagonals != "5"
        return (speed, budget, dash, is_crawling(first), drag_factor(first), second, self.units)


class _MovingPlanes:
    """The planes of one side that change as creatures move."""

    __slots__ = ("_key", "_shot_key", "planes")

    def __init__(self, height: int, width: int) -> None:
        self.planes: Floats = np.zeros((MOVING, height, width), np.float32)
        self._key: Any = None
        self._shot_key: Any = None

    def refresh(
        self,
        ground: bytes,
        grid: Grid,
        listed: Sequence[tuple[int, ...]],
        walker: tuple[int, ...],
        scratch: Scratch,
    ) -> None:
        """Write the planes again if their inputs have changed."""
        key = (ground, listed, walker)
        if key == self._key:
            return
        self._key = key
        bodies = np.array(listed, np.int32).reshape(-1, BODY_COLUMNS)
        numbers = np.array(walker, np.int32)
        write_planes(grid.terrain, bodies, numbers, *scratch, self.planes)
        # If no creature has moved, lines of sight and cover are unchanged.
        shot_key = (ground, [row[:5] for row in listed])
        if shot_key != self._shot_key:
            self._shot_key = shot_key
            self._refresh_shots(ground, grid, listed, bodies)

    def _refresh_shots(
        self, ground: bytes, grid: Grid, listed: Sequence[tuple[int, ...]], bodies: Any
    ) -> None:
        """Write lines of sight and cover. bodies: (M, 8) int32."""
        if not listed or listed[0][3] != SELF or listed[0][4] == DEAD:
            clear_shots(self.planes)
            return
        x, y, size = listed[0][:3]
        squares = [(x + i, y + j) for j in range(size) for i in range(size)]
        write_sight([grid.field_of_view(*square) for square in squares], self.planes)
        shape = grid.terrain.shape
        for k, square in enumerate(squares):
            grades = cover_of_map(ground, *shape, *square)
            write_cover(grades, bodies, *square, int(k > 0), self.planes)


def _draw_ground(grid: Grid, planes: Floats) -> Floats:
    """Write the planes of the map itself. planes: (7, H, W), zeros on entry."""
    height, width = grid.terrain.shape
    planes[0, :height, :width] = 1.0
    for k, code in enumerate(_SHOWN, 1):
        planes[k, :height, :width] = grid.terrain == code
    planes[-1, :height, :width] = grid.light / 2
    return planes


def _state_of(one: Entity) -> int:
    return DEAD if one.health.dead else UP if one.health.current > 0 else DOWN


def _trigger_of(frame: Any) -> tuple[Entity | None, Position]:
    """Return the creature that caused a question, and its destination or position."""
    if isinstance(frame, MoveFrame):
        stands = frame.mover.senses.position or (0, 0)
        return frame.mover, stands if frame.stepped else frame.path[0]
    if isinstance(frame, AttackFrame) and frame.event.source is not None:
        return frame.event.source, frame.event.source.senses.position or (0, 0)
    return None, (0, 0)
