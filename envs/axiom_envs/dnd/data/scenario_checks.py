"""Consistency checks between a scenario's map and the bodies on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from axiom_envs.dnd.constants import MAX_SIDE, MIN_SIDE, SIZE_SQUARES, SYMBOLS, WALL, WATER
from axiom_envs.dnd.data.checks import Found

if TYPE_CHECKING:
    from axiom_envs.dnd.data.models import BodySpec, ClassSpec, CreatureSpec, ScenarioSpec

IMPASSABLE = SYMBOLS[WALL] + SYMBOLS[WATER]
LIGHTS = "012"


def scenario_mistakes(
    scenario: ScenarioSpec,
    creatures: Mapping[str, CreatureSpec | None],
    classes: Mapping[str, ClassSpec | None],
) -> Found:
    """Yield mistakes of a map and of the bodies on it, as (place, message).

    Args:
        scenario: the scenario.
        creatures, classes: all known ones by name; None for those that have mistakes themselves.
    """
    if (scenario.map is None) == (scenario.generate is None):
        yield "map", "give either a map or generate"
    rows = scenario.map
    if rows is not None:
        yield from _map_mistakes("map", rows, SYMBOLS)
    if scenario.light is not None:
        yield from _light_mistakes(scenario.light, rows)
    yield from _body_mistakes(scenario, creatures, classes)
    if rows is not None:
        yield from _place_mistakes(scenario, rows, creatures)


def _body_mistakes(
    scenario: ScenarioSpec,
    creatures: Mapping[str, CreatureSpec | None],
    classes: Mapping[str, ClassSpec | None],
) -> Found:
    names = [body.name for _, body in _bodies(scenario) if body.name is not None]
    for place, body in _bodies(scenario):
        character = classes.get(body.creature)
        if body.creature not in {*creatures, *classes}:
            listed = ", ".join((*creatures, *classes))
            yield f"{place}.creature", f"no creature {body.creature!r}; there are {listed}"
        elif (
            character is not None
            and str(1 if body.level is None else body.level) not in character.levels
        ):
            listed = ", ".join(character.levels)
            yield f"{place}.level", f"{body.level}, but {body.creature} has the levels {listed}"
        elif body.creature in creatures and body.level is not None:
            yield f"{place}.level", f"{body.level}, but {body.creature!r} is not a class"
        if body.name is not None and names.count(body.name) > 1:
            yield f"{place}.name", f"{body.name!r} twice; names tell bodies apart"
        if scenario.map is None and body.position is not None:
            yield f"{place}.position", "there is no map; a generated map places the bodies itself"
        if scenario.map is not None and body.position is None:
            yield f"{place}.position", "missing; on a map every body has its [x, y]"


def _bodies(scenario: ScenarioSpec) -> Iterator[tuple[str, BodySpec]]:
    for side, bodies in scenario.sides.items():
        for i, body in enumerate(bodies):
            yield f"sides.{side}[{i}]", body


def _map_mistakes(field: str, rows: tuple[str, ...], symbols: str) -> Found:
    widths = {len(row) for row in rows}
    if len(widths) != 1 or not all(MIN_SIDE <= n <= MAX_SIDE for n in (len(rows), *widths)):
        yield (
            field,
            (
                f"{len(rows)} rows of {sorted(widths)} squares, but all have one length, and a map "
                f"has {MIN_SIDE} to {MAX_SIDE} of each"
            ),
        )
    for y, row in enumerate(rows):
        for x, symbol in enumerate(row):
            if symbol not in symbols:
                yield f"{field}[{y}][{x}]", f"{symbol!r} is none of {' '.join(symbols)}"


def _light_mistakes(light: tuple[str, ...], rows: tuple[str, ...] | None) -> Found:
    yield from _map_mistakes("light", light, LIGHTS)
    if rows is None:
        yield "light", "there is no map to light"
    elif [len(row) for row in light] != [len(row) for row in rows]:
        yield "light", "not of the map's width and height"


def _place_mistakes(
    scenario: ScenarioSpec, rows: tuple[str, ...], creatures: Mapping[str, CreatureSpec | None]
) -> Found:
    taken: dict[tuple[int, int], str] = {}
    for place, body in _bodies(scenario):
        monster = creatures.get(body.creature)
        # Characters take one square, and unknown creatures at least one.
        size = 1 if monster is None else SIZE_SQUARES[monster.size]
        for square in footprint(body.position, size) if body.position is not None else ():
            message = _square_mistake(rows, square)
            if message or square in taken:
                yield f"{place}.position", message or f"{square} is taken by {taken[square]}"
                break
            taken[square] = place
    first = next(iter(taken), (0, 0))
    reached = _walkable_from(rows, first)
    cut_off = {place: square for square, place in taken.items() if square not in reached}
    for place, square in cut_off.items():
        yield f"{place}.position", f"there is no path from {first} to {square}"


def footprint(position: tuple[int, int], size: int) -> list[tuple[int, int]]:
    """Return the squares (x, y) of a body of `size` x `size` squares from its lowest x and y."""
    x, y = position
    return [(x + dx, y + dy) for dy in range(size) for dx in range(size)]


def _square_mistake(rows: tuple[str, ...], square: tuple[int, int]) -> str:
    x, y = square
    if not (y < len(rows) and x < len(rows[y])):
        width = max(map(len, rows), default=0)
        return f"{square} is outside of the map of {width} x {len(rows)} squares"
    if rows[y][x] in IMPASSABLE:
        return f"{square} is {rows[y][x]!r}, where no creature can stand"
    return ""


def _walkable_from(rows: tuple[str, ...], start: tuple[int, int]) -> set[tuple[int, int]]:
    """Return the squares that a small body can reach."""
    reached, frontier = {start}, [start]
    while frontier:
        x, y = frontier.pop()
        # No diagonal leads between two blocking squares. If one of the two is free, two
        # orthogonal steps lead to the same square, so diagonals need no check.
        for square in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if min(square) < 0 or square in reached or _square_mistake(rows, square):
                continue
            reached.add(square)
            frontier.append(square)
    return reached
