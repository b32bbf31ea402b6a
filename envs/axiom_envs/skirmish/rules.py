"""The live session of a game: the engine's encounter, and facts that the record does not hold.

A configuration, a seed and the decisions determine a session, so it can be made again from a record
at any time: see `axiom_envs.skirmish.state`.

Order of draws at the start: the scenario, if it is one of several (one draw); a generated scenario,
or the generated map and positions of a scenario without a map; then initiative, as in the engine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from axiom_envs.dnd.constants import SIDES
from axiom_envs.dnd.data.load import Library
from axiom_envs.dnd.engine.encounter.encounter import Encounter
from axiom_envs.dnd.engine.encounter.scenarios import build_encounter
from axiom_envs.dnd.engine.rules.perception import sees
from axiom_envs.dnd.engine.world.options import Options
from axiom_envs.dnd.generator import generate, lay_out
from axiom_envs.skirmish.catalogue import Catalogue
from axiom_envs.skirmish.config import SkirmishConfig, fingerprint, names_of, sizes_of
from axiom_envs.skirmish.constants import (
    GENERATED,
    GENERATED_HELD_OUT,
    HELD_OUT,
    MAX_ROUNDS,
    TRAINING,
)
from axiom_envs.skirmish.own_scenarios import is_own, load_own
from axiom_gym.game import history
from axiom_gym.seeded_rng import SeededRNG

if TYPE_CHECKING:
    from axiom_envs.dnd.data.models import ScenarioSpec
    from axiom_envs.dnd.engine.creature.entity import Entity
    from axiom_envs.dnd.engine.world.events import Event

LOG_SIZE = 2000
"""Maximum number of events kept per decision; far more than a decision causes."""

NOBODY: frozenset[int] = frozenset()


class Session(history.Session):
    """One game.

    Attributes:
        config: the configuration.
        catalogue: the catalogue of actions.
        units, width, height: the sizes of the catalogue.
        scenario: the scenario.
        encounter: the engine's encounter.
        sides: the creatures of the party and of the foes, each in the order of their creation.
        slots: each creature's index in its side, by its number.
        seen: for each side, the numbers of the enemies that it sees now.
        last_seen: (side, number of an enemy) -> the square where that side last saw it.
        mask: (A,) int8, the action mask; all 0 when the game is over.
        seat: the player who decides now; 0 when the game is over.
    """

    __slots__ = (
        "catalogue",
        "config",
        "encounter",
        "height",
        "last_seen",
        "mask",
        "scenario",
        "seat",
        "seen",
        "sides",
        "slots",
        "units",
        "width",
    )

    def __init__(self, config: SkirmishConfig, catalogue: Catalogue, seed: int) -> None:
        """Start a game. seed: 0 to 2**32 - 1."""
        super().__init__("skirmish", fingerprint(config), seed)
        self.config, self.catalogue = config, catalogue
        self.units, self.width, self.height = catalogue.units, catalogue.width, catalogue.height
        rng = SeededRNG(seed)
        self.scenario = make_scenario(config, rng)
        self.encounter = begin_encounter(config, self.scenario, seed, rng.state)
        fighters = self.encounter.fighters
        self.sides = tuple([one for one in fighters if one.side == name] for name in SIDES)
        self.slots = {one.number: slot for side in self.sides for slot, one in enumerate(side)}
        self.last_seen: dict[tuple[str, int], tuple[int, int]] = {}
        self.seen: dict[str, frozenset[int]] = dict.fromkeys(SIDES, NOBODY)
        self.mask = np.zeros(catalogue.size, np.int8)
        self.update()

    # -- playing -----------------------------------------------------------------------------------

    def play(self, action: int, generator: int) -> None:
        choice = self.catalogue.to_choice(action, self)
        assert choice is not None
        world = self.encounter.world
        world.rng.state = generator
        world.log.clear()
        self.encounter.act(choice)
        self.note(action, generator)
        self.update()

    def is_legal(self, action: int) -> bool:
        return 0 <= action < len(self.mask) and bool(self.mask[action])

    def update(self) -> None:
        """Update the decider, the action mask and the enemies that each side sees."""
        encounter = self.encounter
        self.left = encounter.world.rng.state
        if encounter.over:
            self.mask[:] = 0
            self.seat = 0
        else:
            self.catalogue.write_mask(encounter.legal, self, self.mask)
            self.seat = self._seat_of(self.decider)
        for k, side in enumerate(SIDES):
            self.seen[side] = self._find_seen(side, self.sides[k], self.sides[1 - k])

    def _find_seen(self, side: str, own: list[Entity], others: list[Entity]) -> frozenset[int]:
        """Return the enemies that a side sees, and record their positions."""
        awake = [one for one in own if one.is_up]
        found = []
        for other in others:
            if other.body < 0 or other.senses.position is None:
                continue
            for one in awake:
                if sees(one, other):
                    found.append(other.number)
                    self.last_seen[side, other.number] = other.senses.position
                    break
        return frozenset(found)

    # -- deciders and sides ------------------------------------------------------------------------

    @property
    def decider(self) -> Entity:
        """The entity that decides now; after the end, the one that acted last."""
        return self.encounter.decider or self.encounter.actor

    def seat_of_side(self, one: Entity) -> int:
        """Return 0 for the party, 1 for the foes."""
        return 0 if one.side == SIDES[0] else 1

    def _seat_of(self, one: Entity) -> int:
        side = self.seat_of_side(one)
        if self.config.agents == "sides":
            return side
        return side * len(self.sides[0]) + self.slots[one.number]

    def observer_side(self, player: int) -> str:
        """Return the side that a player belongs to, or plays."""
        if self.config.agents == "sides":
            return SIDES[player]
        return SIDES[0] if player < len(self.sides[0]) else SIDES[1]

    # -- standing ----------------------------------------------------------------------------------

    @property
    def shares(self) -> tuple[float, float]:
        """The share of hit points that each side has left, 0 to 1."""
        found = []
        for side in self.sides:
            whole = sum(one.health.maximum.score for one in side)
            left = sum(one.health.current for one in side if not one.health.dead)
            found.append(min(1.0, left / whole) if whole else 0.0)
        return found[0], found[1]

    @property
    def potential(self) -> float:
        """Half the difference of the shares, -0.5 to 0.5: positive if the party is ahead."""
        party, foes = self.shares
        return 0.5 * (party - foes)

    @property
    def winner(self) -> int:
        """0 if the party has won, 1 if the foes have; -1 in progress and after a draw."""
        side = self.encounter.winner
        return SIDES.index(side) if side is not None else -1

    @property
    def is_reaction(self) -> bool:
        """True if the decision is about a reaction."""
        return self.encounter.is_reaction

    def happened(self) -> list[Event]:
        """Return the events since the last decision, in their final phase and order of start."""
        return list({event.lineage: event for event in self.encounter.world.log}.values())


# -- start -----------------------------------------------------------------------------------------


def make_scenario(config: SkirmishConfig, rng: SeededRNG) -> ScenarioSpec:
    """Return the scenario of an episode; the module describes the draws."""
    if config.scenario in (GENERATED, GENERATED_HELD_OUT):
        sizes = sizes_of(config)
        return generate(
            rng,
            units=sizes.units,
            budget=config.budget,
            mirrored=config.mirrored,
            width=sizes.width,
            height=sizes.height,
            walls=config.walls,
            water=config.water,
            difficult=config.difficult,
            held_out=config.scenario == GENERATED_HELD_OUT,
        )
    name = config.scenario
    if name in (TRAINING, HELD_OUT):
        name = rng.pick(names_of(name))
    if is_own(name):
        library, spec = load_own(name)
        return lay_out(rng, spec, library)
    return lay_out(rng, Library.builtin().scenario(name))


def begin_encounter(
    config: SkirmishConfig, scenario: ScenarioSpec, seed: int, generator: int
) -> Encounter:
    """Start the encounter of an episode, and roll initiative.

    Args:
        config: the options.
        scenario: the scenario.
        seed: the seed of the world.
        generator: the state of the generator after the draws of the scenario.
    """
    encounter = build_encounter(
        scenario,
        seed,
        library=load_own(config.scenario)[0] if is_own(config.scenario) else None,
        options=Options(
            surprise=config.surprise in SIDES,
            light=config.light,
            ready=config.ready,
            diagonals=config.diagonals,
            knock_out=config.knock_out,
            shared_initiative=config.shared_initiative,
        ),
        log_size=LOG_SIZE,
        start=False,
        round_limit=config.round_limit or min(MAX_ROUNDS, scenario.round_limit),
        asks_reactions=config.reactions == "ask",
        surprised=(config.surprise,) if config.surprise in SIDES else (),
    )
    encounter.world.rng.state = generator
    encounter.world.log.clear()
    return encounter.start()
