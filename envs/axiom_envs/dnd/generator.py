"""Random scenarios: two sides near a budget of experience points, on a generated map.

Order of draws of `generate`:

    1. the end of the map where the party starts, by the order of `maps.start_areas` (one draw)
    2. the pattern of the map (one draw)
    3. the party's roster: its size (one draw), then the kind of each creature (one draw each)
    4. the foes' roster likewise, unless mirrored
    5. the party's places (a shuffle of its start area), and the foes' places unless mirrored
    6. the terrain, as described in `axiom_envs.dnd.maps`

`lay_out` draws the same, except for the rosters.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from axiom_envs.dnd.constants import (
    DIFFICULT,
    MAX_SHARE,
    MAX_SIDE,
    MIN_SIDE,
    MOST_UNITS,
    OBSCURED,
    OBSTACLE,
    SIDES,
    SIZE_SQUARES,
    WALL,
    WATER,
    SideName,
)
from axiom_envs.dnd.data.load import Library, class_names, creature
from axiom_envs.dnd.data.models import BodySpec, GenerateSpec, ScenarioSpec
from axiom_envs.dnd.data.scenario_checks import footprint
from axiom_envs.dnd.geometry.terrain import format_map
from axiom_envs.dnd.maps import (
    HELD_OUT_PATTERNS,
    TRAINING_PATTERNS,
    Board,
    Square,
    draw_board,
    draw_places,
    make_terrain,
)
from axiom_gym.errors import ConfigError, check_range
from axiom_gym.seeded_rng import SeededRNG

TRAINING_CREATURES = (
    "bandit", "guard", "kobold", "goblin", "skeleton", "zombie", "wolf", "orc", "thug", "scout",
    "bugbear", "dire_wolf", "ogre", "bandit_captain", "veteran", "knight", "troll",
)  # fmt: skip
HELD_OUT_CREATURES = (
    "commoner", "gnoll", "hobgoblin", "worg", "ghoul", "giant_spider", "brown_bear", "berserker",
    "minotaur", "gladiator",
)  # fmt: skip
TRAINING_LEVELS = (1, 3)
HELD_OUT_LEVELS = (5,)
"""The levels of characters, for all classes."""

MIN_BUDGET, MAX_BUDGET = 10, 20_000
"""The worth of one commoner, and more than the worth of eight creatures of any kind."""
TOLERANCE = 0.2
"""The share of the budget by which a side may be worth more or less."""
OBSTACLES = 0.04
"""The default share of low obstacles."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of creature: a monster, or a character of a class at a level.

    Attributes:
        name: name of the creature or class.
        level: level of a character, None for a monster.
        xp: the worth in a budget.
        squares: the side of its space, in squares.
    """

    name: str
    level: int | None
    xp: int
    squares: int


@cache
def kinds(held_out: bool, classes: bool = True, large: bool = True) -> tuple[Kind, ...]:
    """Return all kinds for the generator; held-out and training kinds have none in common.

    Args:
        held_out: if True, return the kinds for evaluation.
        classes: if True, include characters.
        large: if True, include creatures of more than one square.
    """
    monsters = HELD_OUT_CREATURES if held_out else TRAINING_CREATURES
    levels = HELD_OUT_LEVELS if held_out else TRAINING_LEVELS
    wanted: list[tuple[str, int | None]] = [(name, None) for name in monsters]
    if classes:
        wanted += [(name, level) for name in class_names() for level in levels]
    found = []
    for name, level in wanted:
        spec = creature(name, level)
        found.append(Kind(name, level, spec.xp, SIZE_SQUARES[spec.size]))
    return tuple(one for one in found if large or one.squares == 1)


def generate(
    rng: SeededRNG,
    *,
    units: int,
    budget: int,
    mirrored: bool,
    width: int,
    height: int,
    walls: float = 0.0,
    water: float = 0.0,
    difficult: float = 0.0,
    obstacles: float = OBSTACLES,
    obscured: float = 0.0,
    classes: bool = True,
    held_out: bool = False,
) -> ScenarioSpec:
    """Generate a scenario with its map, its two sides and their places.

    A side is worth the budget within `TOLERANCE`, or as close to it as `units` creatures can come.
    The sides stand at opposite ends of the map. Large creatures are left out if a start area could
    not hold a whole side of them.

    Args:
        rng: the generator; the module describes the draws.
        units: maximum number of creatures on a side, 1 to 8.
        budget: experience points of a side, 10 to 20,000.
        mirrored: if True, both sides are the same, and the map looks the same from both.
        width: squares, 4 to 16.
        height: squares, 4 to 16.
        walls: share of the squares that are walls, 0 to 0.4. All shares are upper bounds: no
            terrain is laid where it would cut the map in two, or where no floor is left.
        water: share of water.
        difficult: share of difficult ground.
        obstacles: share of low obstacles.
        obscured: share of obscured ground.
        classes: if True, characters take part too.
        held_out: if True, generate for evaluation: from creatures, levels and map patterns that
            never occur otherwise; see `kinds` and `maps.HELD_OUT_PATTERNS`.

    Raises:
        ConfigError: if a value is not allowed.
    """
    check_range("units", units, 1, MOST_UNITS)
    check_range("budget", budget, MIN_BUDGET, MAX_BUDGET)
    check_range("width", width, MIN_SIDE, MAX_SIDE)
    check_range("height", height, MIN_SIDE, MAX_SIDE)
    shares = check_shares(
        walls=walls, water=water, difficult=difficult, obstacles=obstacles, obscured=obscured
    )
    board = draw_board(rng, width, height)
    pattern = _draw_pattern(rng, held_out)
    pool = kinds(held_out, classes, large=board.room(2) >= units)
    party = draw_roster(rng, pool, units, budget)
    foes = party if mirrored else draw_roster(rng, pool, units, budget)
    sides: dict[SideName, Sequence[Kind]] = {"party": party, "foes": foes}
    rows, places = _furnish(rng, board, pattern, shares, sides, mirrored)
    title = f"{len(party)} against {len(foes)}, {pattern}"
    bodies = {side: _seat(roster, places[side]) for side, roster in sides.items()}
    return ScenarioSpec(name="generated", title=title, map=rows, sides=bodies, held_out=held_out)


def _seat(roster: Sequence[Kind], places: Sequence[Square]) -> tuple[BodySpec, ...]:
    """Return the creatures of a side, each at its place."""
    return tuple(
        BodySpec(creature=one.name, level=one.level, position=place)
        for one, place in zip(roster, places, strict=True)
    )


def lay_out(rng: SeededRNG, scenario: ScenarioSpec, library: Library | None = None) -> ScenarioSpec:
    """Return a scenario with the map that it asks for; a scenario with a map stays unchanged.

    Args:
        rng: the generator; the module describes the draws. A given map draws nothing.
        scenario: a scenario without mistakes.
        library: the library of its creatures; by default the built-in one.

    Raises:
        ConfigError: if its sides have no room on a map of its size.
    """
    if scenario.generate is None:
        return scenario
    asked, books = scenario.generate, library or Library.builtin()
    board = draw_board(rng, asked.width, asked.height)
    pattern = _draw_pattern(rng, scenario.held_out)
    sides: dict[SideName, Sequence[Kind]] = {
        side: [_kind_of(body, books) for body in bodies] for side, bodies in scenario.sides.items()
    }
    rows, places = _furnish(rng, board, pattern, _shares_of(asked), sides, mirrored=False)
    placed = {
        side: tuple(
            body.model_copy(update={"position": place})
            for body, place in zip(bodies, places[side], strict=True)
        )
        for side, bodies in scenario.sides.items()
    }
    return scenario.model_copy(update={"map": rows, "generate": None, "sides": placed})


def check_shares(**shares: float) -> dict[int, float]:
    """Return the shares of terrain by code.

    Args:
        **shares: walls, water, difficult, obstacles, obscured: each 0 to 0.4.

    Raises:
        ConfigError: if a share is not allowed.
    """
    for name, share in shares.items():
        if not 0.0 <= share <= MAX_SHARE:
            raise ConfigError(
                f"{name} must be a share of the map's squares from 0 to {MAX_SHARE}, got {share!r}."
            )
    return {_CODES[name]: float(share) for name, share in shares.items()}


_CODES = {
    "walls": WALL,
    "water": WATER,
    "difficult": DIFFICULT,
    "obstacles": OBSTACLE,
    "obscured": OBSCURED,
}


def _shares_of(asked: GenerateSpec) -> dict[int, float]:
    return check_shares(**{name: getattr(asked, name) for name in _CODES})


def _kind_of(body: BodySpec, library: Library) -> Kind:
    spec = library.creature(body.creature, body.level)
    return Kind(body.creature, body.level, spec.xp, SIZE_SQUARES[spec.size])


def _draw_pattern(rng: SeededRNG, held_out: bool) -> str:
    return rng.pick(HELD_OUT_PATTERNS if held_out else TRAINING_PATTERNS)


def _furnish(
    rng: SeededRNG,
    board: Board,
    pattern: str,
    shares: Mapping[int, float],
    sides: Mapping[SideName, Sequence[Kind]],
    mirrored: bool,
) -> tuple[tuple[str, ...], dict[SideName, list[Square]]]:
    """Return the rows of a map, and each side's places on it."""
    party, foes = ([one.squares for one in sides[side]] for side in SIDES)
    places = [draw_places(rng, board.starts[0], party)]
    if mirrored:
        places.append(board.turn(places[0], party))
    else:
        places.append(draw_places(rng, board.starts[1], foes))
    sizes = [*party, *foes]
    taken = [
        square
        for place, size in zip([*places[0], *places[1]], sizes, strict=True)
        for square in footprint(place, size)
    ]
    terrain = make_terrain(
        rng,
        board.width,
        board.height,
        pattern=pattern,
        shares=shares,
        taken=taken,
        size=max(sizes),
        mirrored=mirrored,
    )
    return tuple(format_map(terrain)), dict(zip(SIDES, places, strict=True))


# -- rosters ---------------------------------------------------------------------------------------


def draw_roster(rng: SeededRNG, pool: Sequence[Kind], units: int, budget: int) -> tuple[Kind, ...]:
    """Draw up to `units` creatures of the pool that are worth the budget, or close to it.

    The first draw is the number of creatures, uniform over the possible numbers. Then the creatures
    are drawn one by one, each uniform over those with which the budget can still be reached.
    """
    low, high = _window(tuple(pool), units, budget)
    sums = _sums(tuple(sorted({one.xp for one in pool})), units)
    counts = [n for n in range(1, units + 1) if _holds(sums[n], low, high)]
    count = rng.pick(counts)
    roster: list[Kind] = []
    for left in range(count - 1, -1, -1):
        fitting = [one for one in pool if _holds(sums[left], low - one.xp, high - one.xp)]
        roster.append(rng.pick(fitting))
        low, high = low - roster[-1].xp, high - roster[-1].xp
    return tuple(roster)


@lru_cache(maxsize=256)
def _window(pool: tuple[Kind, ...], units: int, budget: int) -> tuple[int, int]:
    """Return the lowest and highest worth of a side."""
    sums = _sums(tuple(sorted({one.xp for one in pool})), units)
    low, high = round(budget * (1 - TOLERANCE)), round(budget * (1 + TOLERANCE))
    if any(_holds(some, low, high) for some in sums[1:]):
        return low, high
    every = sorted({worth for some in sums[1:] for worth in some})
    nearest = min(every, key=lambda worth: abs(worth - budget))
    return nearest, nearest


@cache
def _sums(worths: tuple[int, ...], units: int) -> tuple[tuple[int, ...], ...]:
    """Return, for 0 to `units` creatures, all possible sums of their worths in ascending order."""
    sums: list[tuple[int, ...]] = [(0,)]
    for _ in range(units):
        sums.append(tuple(sorted({before + worth for before in sums[-1] for worth in worths})))
    return tuple(sums)


def _holds(ascending: Sequence[int], low: int, high: int) -> bool:
    """Return True if a number lies between both bounds, inclusive."""
    first = bisect_left(ascending, low)
    return first < len(ascending) and ascending[first] <= high
