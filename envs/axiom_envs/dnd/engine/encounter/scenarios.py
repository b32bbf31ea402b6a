"""Encounters from the scenarios of the data files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from axiom_envs.dnd.data.load import Library
from axiom_envs.dnd.engine.encounter.creation import create
from axiom_envs.dnd.engine.encounter.encounter import Encounter
from axiom_envs.dnd.engine.world.options import Options
from axiom_envs.dnd.engine.world.world import World
from axiom_envs.dnd.generator import lay_out
from axiom_envs.dnd.geometry.terrain import parse_map
from axiom_envs.dnd.grid import Grid
from axiom_gym.seeded_rng import SeededRNG

if TYPE_CHECKING:
    from axiom_envs.dnd.data.models import ScenarioSpec


def build_encounter(
    scenario: str | ScenarioSpec,
    seed: int = 0,
    *,
    library: Library | None = None,
    options: Options | None = None,
    log: str = "bounded",
    log_size: int = 1000,
    start: bool = True,
    **settings: Any,
) -> Encounter:
    """Create an encounter with its map and its creatures.

    Order of draws: the map, if the scenario generates one; initiative.

    Args:
        scenario: the scenario or its name.
        seed: the seed of its world.
        library: the library for names; by default the built-in one.
        options: the optional rules.
        log, log_size: see `World`.
        start: if True, initiative is rolled and the first turn starts.
        **settings: arguments of `Encounter`, which override those of the scenario.

    Raises:
        UnknownNameError: if a name is not known.
        ConfigError: if the map has no room for the sides of the scenario.
    """
    books = library or Library.builtin()
    spec = books.scenario(scenario) if isinstance(scenario, str) else scenario
    rng = SeededRNG(seed)
    spec = lay_out(rng, spec, books)
    world = World(seed, log=log, log_size=log_size, options=options, grid=make_grid(spec, options))
    world.rng.state = rng.state
    with world:
        for side, bodies in spec.sides.items():
            for body in bodies:
                create(
                    body.creature,
                    level=body.level,
                    position=body.position,
                    side=side,
                    title=body.name,
                    library=books,
                )
        number_names(world)
        settings = {"round_limit": spec.round_limit, **settings}
        encounter = Encounter(world, **settings)
        return encounter.start() if start else encounter


def make_grid(spec: ScenarioSpec, options: Options | None = None) -> Grid:
    """Create the grid of a scenario."""
    terrain = parse_map(spec.map or ())
    light = None if spec.light is None else _parse_light(spec.light)
    return Grid(terrain, light, diagonals=(options or Options()).diagonals)


def _parse_light(rows: tuple[str, ...]) -> Any:
    return np.array([[int(symbol) for symbol in row] for row in rows], np.uint8)


def number_names(world: World) -> None:
    """Add numbers to the names of entities that share a name: goblin 1, goblin 2."""
    names = [one.name for one in world.entities]
    seen: dict[str, int] = {}
    for one in world.entities:
        if names.count(one.name) > 1:
            seen[one.name] = seen.get(one.name, 0) + 1
            one.name = f"{one.name} {seen[one.name]}"
