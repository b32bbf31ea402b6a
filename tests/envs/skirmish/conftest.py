"""Fixtures: positions drawn as text, from which observations are written."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from axiom_envs.dnd.constants import SIDES
from axiom_envs.dnd.data.models import BodySpec, ScenarioSpec
from axiom_envs.dnd.engine.creature.entity import Entity
from axiom_envs.dnd.engine.encounter.encounter import Encounter
from axiom_envs.dnd.engine.encounter.scenarios import build_encounter
from axiom_envs.dnd.engine.rules.perception import sees
from axiom_envs.dnd.engine.world.options import Options
from axiom_envs.skirmish.observe import observation_size, split, write_observation
from axiom_envs.skirmish.observe.layout import GLOBAL_NAMES, entity_index, plane_index
from axiom_envs.skirmish.observe.view import View

Floats = npt.NDArray[np.float32]


class Stage:
    """Test double of a session: a fight on a map drawn as text.

    `P` and `F` are bodies of the party and the foes.
    """

    def __init__(
        self, *rows: str, party: Any = "guard", foes: Any = "guard", **options: Any
    ) -> None:
        """Create a stage; `party` and `foes` are one name for all, or one for each."""
        sides: dict[Any, Any] = {}
        for side, letter, names in (("party", "P", party), ("foes", "F", foes)):
            squares = [
                (x, y) for y, row in enumerate(rows) for x, s in enumerate(row) if s == letter
            ]
            listed = [names] * len(squares) if isinstance(names, str) else names
            sides[side] = tuple(
                BodySpec(creature=name, position=square)
                for name, square in zip(listed, squares, strict=True)
            )
        rows = tuple(row.replace("P", ".").replace("F", ".") for row in rows)
        spec = ScenarioSpec(name="stage", title="Stage", map=rows, sides=sides)
        self.encounter: Encounter = build_encounter(spec, 1, options=Options(**options))
        fighters = self.encounter.fighters
        self.sides = tuple([one for one in fighters if one.side == name] for name in SIDES)
        self.units = max(map(len, self.sides))
        self.height, self.width = len(rows), len(rows[0])
        self.seen: dict[str, frozenset[int]] = {}
        self.last_seen: dict[tuple[str, int], tuple[int, int]] = {}
        self.update()

    def update(self) -> None:
        """Update the enemies that each side sees."""
        for side, own, others in zip(SIDES, self.sides, self.sides[::-1], strict=True):
            awake = [one for one in own if one.is_up]
            found = [
                one for one in others if one.body >= 0 and any(sees(other, one) for other in awake)
            ]
            self.seen[side] = frozenset(one.number for one in found)
            self.last_seen |= {(side, one.number): one.position or (0, 0) for one in found}

    def observer_side(self, player: int) -> str:
        return SIDES[player]

    def turn_of(self, one: Entity) -> Stage:
        """Make it a creature's turn."""
        while self.encounter.actor is not one:
            self.encounter.act(self.encounter.legal_actions()[0])
        self.update()
        return self

    def write(self, player: int = 0, fresh: bool = False) -> Floats:
        """Return an observation; `fresh`: if True, ignore caches."""
        out = np.full(observation_size(self.units, self.width, self.height), np.nan, np.float32)
        session: Any = self
        if fresh:
            View(session).write(session, SIDES[player], out)
        else:
            write_observation(session, player, out)
        return out

    def parts(self, player: int = 0) -> tuple[Floats, Floats, Floats]:
        return split(self.write(player), self.units, self.width, self.height)

    def plane(self, name: str, player: int = 0) -> Floats:
        plane: Floats = self.parts(player)[0][plane_index(name)]
        return plane

    def entry(self, slot: int, name: str, player: int = 0) -> float:
        return float(self.parts(player)[1][slot, entity_index(name)])

    def value(self, name: str, player: int = 0) -> float:
        return float(self.parts(player)[2][GLOBAL_NAMES.index(name)])

    @classmethod
    def open_field(cls) -> Stage:
        """Let all creatures see each other."""
        return cls("P.....", "......", "......", ".P..F.", "......")

    @classmethod
    def walled(cls) -> Stage:
        """Let no creature see the other side."""
        return cls("P..#...", "...#..F", "P..#...", "...#..F", "...#...", ".......")


@pytest.fixture(scope="session")
def stages() -> type[Stage]:
    """A factory of positions: `stages("P..F", "....", ...)`."""
    return Stage
