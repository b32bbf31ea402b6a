"""Movement, step by step.

    cost of a step         5 ft; 5 more for difficult ground or another creature's space, 5 more for
                           crawling; doubled when dragging a grappled creature
    passing                through the space of a creature that is not hostile, or that is two sizes
                           larger or smaller
    ending                 never in another creature's space
    leaving reach          may provoke: see `axiom_envs.dnd.engine.rules.opportunity`

A step is an event. Forced movement is another event, `FORCED_MOVEMENT`: it provokes nothing and
costs nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from axiom_envs.dnd.constants import DIRECTIONS, SQUARE
from axiom_envs.dnd.engine.creature.lifecycle import refuse
from axiom_envs.dnd.engine.rules.actions import Cost, pay, why_unable
from axiom_envs.dnd.engine.rules.perception import sees
from axiom_envs.dnd.engine.rules.space import Position, distance, distance_from
from axiom_envs.dnd.engine.values.types import CostType
from axiom_envs.dnd.engine.world.events import Event, EventPhase, EventType
from axiom_gym.errors import GameError

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.creature.entity import Entity
    from axiom_envs.dnd.grid import Grid


ODD_DIAGONAL = "odd diagonal"
"""A mark of the turn: the number of diagonal steps so far is odd."""


@dataclass(slots=True, kw_only=True, eq=False)
class Step(Event):
    """A step to an adjacent square.

    Attributes:
        origin, destination: squares.
        feet: cost of the step, in feet.
    """

    event_type: ClassVar[str] = EventType.STEP
    origin: Position
    destination: Position
    feet: int = 0

    def describe(self) -> str:
        who = self.source.name if self.source is not None else "nobody"
        return f"{who} moves from {self.origin} to {self.destination} ({self.feet} ft)"


@dataclass(slots=True, kw_only=True, eq=False)
class ForcedMovement(Event):
    """Movement of the target by the source; it provokes nothing."""

    event_type: ClassVar[str] = EventType.FORCED_MOVEMENT
    origin: Position
    destination: Position

    def describe(self) -> str:
        whom = self.target.name if self.target is not None else "nobody"
        return f"{whom} is moved from {self.origin} to {self.destination}"


def the_grid(entity: Entity) -> Grid:
    """Return the grid that an entity stands on.

    Raises:
        GameError: if the entity is not on a grid.
    """
    grid = entity.world.grid
    if grid is None or entity.body < 0 or entity.senses.position is None:
        raise GameError(
            f"{entity.name} is not on a grid: give the world one, World(grid=Grid(...)), and the "
            "entity a position."
        )
    return grid


def the_position(entity: Entity) -> Position:
    """Return the position of an entity.

    Raises:
        GameError: if the entity has no position.
    """
    position = entity.senses.position
    if position is None:
        raise GameError(f"{entity.name} has no position: give it one.")
    return position


# -- conditions of a step --------------------------------------------------------------------------


def can_pass(entity: Entity, other: Entity) -> bool:
    """Return True if an entity may enter another's space: not hostile, or two sizes apart."""
    if not entity.is_hostile_to(other):
        return True
    return abs(entity.size.rank - other.size.rank) >= 2


def blocking_bodies(entity: Entity) -> int:
    """Return the bodies that an entity cannot pass, as a bit mask of their numbers."""
    bits = 0
    for other in entity.world.entities:
        if other is not entity and other.body >= 0 and not can_pass(entity, other):
            bits |= 1 << other.body
    return bits


def grappled_by(entity: Entity) -> list[Entity]:
    """Return the creatures that an entity grapples."""
    return [
        other
        for other in entity.world.entities
        if "grappled" in other.conditions
        and any(one.source is entity for one in other.conditions["grappled"])
    ]


def drag_factor(entity: Entity) -> int:
    """Return 2 when dragging a creature less than two sizes smaller, else 1 (SRD: half speed)."""
    heavy = (entity.size.rank - other.size.rank < 2 for other in grappled_by(entity))
    return 2 if any(heavy) else 1


def is_crawling(entity: Entity) -> bool:
    """Return True if an entity can only crawl."""
    return "prone" in entity.conditions


def step_cost(entity: Entity, square: Position) -> int | None:
    """Return the cost of a step to an adjacent square in feet, or None if it cannot be entered."""
    crawling, parity = is_crawling(entity), diagonal_parity(entity)
    found = the_grid(entity).step_cost(entity.body, *square, crawling=crawling, parity=parity)
    return None if found is None else int(found) * drag_factor(entity)


def diagonal_parity(entity: Entity) -> int:
    """Return 1 if the next diagonal step is the second of two; only the option "5-10-5" uses it."""
    return int(ODD_DIAGONAL in entity.economy.marks)


def comes_closer(entity: Entity, square: Position) -> Entity | None:
    """Return a creature that the entity fears and would come closer to, seen or not, or None."""
    for fear in entity.conditions.get("frightened", ()):
        source = fear.source
        if source is None or source.health.dead:
            continue
        if distance_from(entity, square, source) < distance(entity, source):
            return source
    return None


def why_not_step(entity: Entity, square: Position, ends: bool = True) -> str | None:
    """Return the reason that an entity cannot step to an adjacent square, or None.

    Args:
        entity: the entity that would step.
        square: the entity's square of lowest x and y after the step.
        ends: if True, the entity stops there, and therefore needs the space for itself.
    """
    reason = why_unable(entity)
    if reason is not None:
        return reason
    if entity.economy.current_speed == 0:
        return f"{entity.name} has a speed of 0"
    grid = the_grid(entity)
    found = grid.why_not_step(entity.body, *square)
    if found is not None:
        return str(found)
    others = bodies_at(entity, square)
    for other in others:
        if ends:
            return f"{other.name} is there"
        if not can_pass(entity, other):
            return f"{other.name} is in the way"
    feared = comes_closer(entity, square)
    if feared is not None:
        return f"{entity.name} fears {feared.name}, and would come closer to it"
    feet = step_cost(entity, square)
    if feet is None:
        return "no creature can go there"
    left = entity.economy.movement_left
    if feet > left:
        return f"the step costs {feet} ft, and {left} ft are left"
    if feet > left - entity.economy.toward and not approaches(entity, square):
        return "the movement that is left may only be used to come closer to an enemy"
    return None


def approaches(entity: Entity, square: Position) -> bool:
    """Return True if a step comes closer to an enemy that the entity sees."""
    return any(
        distance_from(entity, square, other) < distance(entity, other)
        for other in entity.world.entities
        if other.is_up and other.is_hostile_to(entity) and sees(entity, other)
    )


def bodies_at(entity: Entity, square: Position) -> list[Entity]:
    """Return the other entities in the space that an entity would occupy at a square."""
    grid = the_grid(entity)
    if not grid.can_stand(entity.body, *square):
        return []
    bits = grid.others_in(entity.body, *square)
    if not bits:
        return []
    return [one for one in entity.world.entities if one.body >= 0 and bits >> one.body & 1]


# -- steps -----------------------------------------------------------------------------------------


def make_step(
    entity: Entity, square: Position, ends: bool = True, parent: Event | None = None
) -> Step:
    """Take a step, after everything that it provokes has been resolved.

    Args:
        entity: the entity that steps.
        square: the destination.
        ends: if False, the entity passes through and steps on at once, so the square may be
            another's space.
        parent: the event that the step is a part of.

    Returns:
        The event in its last phase. It is canceled if a handler cancels it or the step is not
        possible; its message gives the reason.
    """
    feet = step_cost(entity, square) or 0
    event = Step(
        source=entity,
        parent=parent,
        origin=the_position(entity),
        destination=square,
        feet=feet,
    ).declare()
    reason = None if event.canceled else why_not_step(entity, square, ends)
    if reason is not None:
        event = refuse(event, f"step: {reason}")
    event = event.phase_to(EventPhase.EXECUTION).phase_to(EventPhase.EFFECT)
    if event.canceled:
        return event
    if entity.economy.toward and approaches(entity, event.destination):
        entity.economy.toward = max(0, entity.economy.toward - event.feet)
    pay(entity, Cost(CostType.MOVEMENT, event.feet), event)
    (x, y), (new_x, new_y) = event.origin, event.destination
    if x != new_x and y != new_y:
        entity.economy.marks ^= {ODD_DIAGONAL}
    _relocate(entity, event.destination)
    if not entity.economy.path:
        entity.economy.path.append(event.origin)
    entity.economy.path.append(event.destination)
    _drag(entity, event)
    return event.phase_to(EventPhase.COMPLETION)


def _relocate(entity: Entity, square: Position) -> None:
    """Put an entity on a square, even in another's space."""
    the_grid(entity).move(entity.body, *square)
    entity.senses.position = square


def _drag(entity: Entity, event: Step) -> None:
    """Move the creatures that the entity grapples, each to the square that the entity left.

    If that square is not free, a creature takes the same step as the entity, or else the first of
    `DIRECTIONS` that leads to a square beside it. A creature without room is left behind, and the
    grapple ends when its distance is checked.
    """
    (x0, y0), (x1, y1) = event.origin, event.destination
    for held in grappled_by(entity):
        if distance(entity, held) <= SQUARE:
            continue
        x, y = the_position(held)
        around = [(x + dx, y + dy) for dx, dy in ((x1 - x0, y1 - y0), *DIRECTIONS)]
        near = (one for one in around if distance_from(held, one, entity) <= SQUARE)
        for square in (event.origin, *near):
            if the_grid(held).can_stand(held.body, *square) and not bodies_at(held, square):
                force(held, square, source=entity, parent=event)
                break


def force(
    target: Entity, square: Position, source: Entity | None = None, parent: Event | None = None
) -> ForcedMovement:
    """Move an entity against its will; this provokes nothing and costs nothing.

    Returns:
        The event in its last phase. It is canceled if the square is not free; its message gives the
        reason.
    """
    event = ForcedMovement(
        source=source,
        target=target,
        parent=parent,
        origin=the_position(target),
        destination=square,
    ).declare()
    taken = [] if event.canceled else bodies_at(target, square)
    if taken:
        event = refuse(event, f"{taken[0].name} is there")
    elif not event.canceled and not the_grid(target).can_stand(target.body, *square):
        event = refuse(event, "no creature can stand there")
    event = event.phase_to(EventPhase.EXECUTION).phase_to(EventPhase.EFFECT)
    if event.canceled:
        return event
    _relocate(target, event.destination)
    return event.phase_to(EventPhase.COMPLETION)


def push(target: Entity, source: Entity, feet: int = SQUARE, parent: Event | None = None) -> int:
    """Push an entity away from another, square by square, as far as there is room.

    Returns:
        The distance pushed in feet; 0 without a grid.
    """
    moved = 0
    while moved < feet and target.body >= 0 and source.body >= 0:
        x, y = the_position(target)
        dx, dy = (_away(axis, target, source) for axis in (0, 1))
        square = (x + dx, y + dy)
        if the_grid(target).why_not_step(target.body, *square) is not None:
            break
        if force(target, square, source, parent).canceled:
            break
        moved += SQUARE
    return moved


def _away(axis: int, target: Entity, source: Entity) -> int:
    """Return 1, 0 or -1: the direction along an axis that leads away from the source's space.

    It is 0 along an axis on which the two spaces overlap.
    """
    here, there = the_position(target)[axis], the_position(source)[axis]
    if here >= there + source.size.squares:
        return 1
    return -1 if there >= here + target.size.squares else 0


def nearest_squares(entity: Entity) -> list[Position]:
    """Return all squares of the grid, free or not, by distance and then row by row."""
    grid, (x, y) = the_grid(entity), the_position(entity)
    squares = [(i, j) for j in range(grid.height) for i in range(grid.width)]
    return sorted(squares, key=lambda one: max(abs(one[0] - x), abs(one[1] - y)))


def leave_grid(entity: Entity) -> None:
    """Remove an entity's body from the grid, which frees its space."""
    grid = entity.world.grid
    if grid is not None and entity.body >= 0:
        grid.remove(entity.body)
        entity.body = -1
