"""Fixtures: dice with chosen faces, and small fights."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from axiom_envs.dnd.constants import END_TURN
from axiom_envs.dnd.engine.creature.entity import Entity
from axiom_envs.dnd.engine.encounter.choices import Choice
from axiom_envs.dnd.engine.encounter.creation import create
from axiom_envs.dnd.engine.encounter.encounter import Encounter
from axiom_envs.dnd.engine.rules.attack import Attack, AttackEvent
from axiom_envs.dnd.engine.values.dice import D20Roll
from axiom_envs.dnd.engine.world.dispatch import EventHandler, Trigger
from axiom_envs.dnd.engine.world.events import EventPhase, EventType
from axiom_envs.dnd.engine.world.options import Options
from axiom_envs.dnd.engine.world.world import World
from axiom_envs.dnd.geometry.terrain import parse_map
from axiom_envs.dnd.grid import Grid

Square = tuple[int, int]


class Dice:
    """Test double: a generator that shows chosen faces, and records the draws."""

    def __init__(self) -> None:
        self.faces: list[int] = []
        self.asked: list[int] = []

    def show(self, *faces: int) -> None:
        """Set the faces of the next draws."""
        self.faces, self.asked = list(faces), []

    def below(self, sides: int) -> int:
        """Draw the next face."""
        self.asked.append(sides)
        return self.faces.pop(0) - 1


@pytest.fixture
def dice(world: World) -> Dice:
    """The generator of the active world, as a test double."""
    world.rng = Dice()  # type: ignore[assignment]
    return world.rng  # type: ignore[return-value]


@pytest.fixture
def load() -> Callable[..., None]:
    """A function that makes a world's d20s cycle through numbers: `load(world, 20, 1)`."""

    def load(world: World, *naturals: int) -> None:
        rolled = [0]

        def turn(event: Any, owner: Entity | None) -> Any:
            if not isinstance(event, D20Roll):
                return None
            rolled[0] += 1
            return event.change(natural=naturals[(rolled[0] - 1) % len(naturals)])

        EventHandler(turn, Trigger(EventType.ROLL, EventPhase.EFFECT), world=world)

    return load


@pytest.fixture
def attack() -> Callable[..., AttackEvent]:
    """A function that makes an attack, by default without costs."""

    def attack(source: Entity, target: Entity, weapon: str, **settings: Any) -> AttackEvent:
        return Attack(source, target, weapon, **{"costs": (), **settings}).apply()

    return attack


@pytest.fixture
def pair(world: World) -> Callable[..., tuple[Entity, Entity]]:
    """A factory of two adjacent enemies in the active world: `pair("knight")`."""

    def pair(name: str, other: str = "ogre", **settings: Any) -> tuple[Entity, Entity]:
        one = create(name, side="a", position=(0, 0), **settings)
        return one, create(other, side="b", position=(1, 0))

    return pair


@pytest.fixture
def rows() -> tuple[str, ...]:
    """The default map."""
    return (".......",) * 5


@pytest.fixture
def make_world(rows: tuple[str, ...]) -> Callable[..., World]:
    """A factory of worlds with a map and options: `make_world(("..#",), light=True)`."""

    def make_world(rows: tuple[str, ...] = rows, **options: Any) -> World:
        chosen = Options(**options)
        grid = Grid(parse_map(rows), diagonals=chosen.diagonals)
        return World(1, log="full", options=chosen, grid=grid)

    return make_world


@pytest.fixture
def put() -> Callable[..., Entity]:
    """A factory of creatures of the data files: `put(world, "goblin", (1, 0), "b")`."""

    def put(world: World, name: str, position: Square, side: str = "a", **settings: Any) -> Entity:
        return create(name, position=position, side=side, world=world, **settings)

    return put


@pytest.fixture
def fight(
    make_world: Callable[..., World], put: Callable[..., Entity], rows: tuple[str, ...]
) -> Callable[..., tuple[Encounter, list[Entity]]]:
    """A factory of fights: `fight(("orc", (0, 0)), ("wolf", (1, 0)))`.

    It is the turn of the first creature, which is alone on side a.
    """

    def fight(
        *bodies: tuple[str, Square],
        rows: tuple[str, ...] = rows,
        level: int | None = None,
        **settings: Any,
    ) -> tuple[Encounter, list[Entity]]:
        world = make_world(rows)
        first, *others = bodies
        made = [put(world, *first, level=level), *(put(world, *one, "b") for one in others)]
        encounter = Encounter(world, **settings).start()
        while encounter.actor is not made[0]:
            encounter.act(Choice(END_TURN))
        return encounter, made

    return fight
