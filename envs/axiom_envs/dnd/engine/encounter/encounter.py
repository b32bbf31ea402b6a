"""Encounters: fights in turns between sides, until one side is left.

start         initiative: a d20 test for each creature, in the order of their creation; ties go
              to the higher Dexterity score, then to the creature created first
round         one turn for each creature in that order; a side wins when no creature of the others
              has hit points left
decisions     the creature whose turn it is decides until it ends its turn; in between, others
              decide on their reactions
limit         after the last round the encounter is a draw
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from axiom_envs.dnd.constants import END_TURN, REACT, ROUND_LIMIT
from axiom_envs.dnd.engine.creature.checks import read_check
from axiom_envs.dnd.engine.creature.durations import Moment
from axiom_envs.dnd.engine.creature.lifecycle import tick
from axiom_envs.dnd.engine.encounter.carry_out import carry_out, why_not
from axiom_envs.dnd.engine.encounter.choices import Choice, Legal, legal_reaction, legal_turn
from axiom_envs.dnd.engine.encounter.frames import Frame
from axiom_envs.dnd.engine.rules.effects import Surprised
from axiom_envs.dnd.engine.rules.movement import leave_grid
from axiom_envs.dnd.engine.rules.turns import end_turn, start_turn
from axiom_envs.dnd.engine.values.dice import roll_d20
from axiom_envs.dnd.engine.values.types import Ability
from axiom_envs.dnd.engine.world.events import Event
from axiom_envs.dnd.engine.world.world import World
from axiom_gym.errors import (
    ConfigError,
    GameError,
    IllegalActionError,
    UnknownNameError,
    check_range,
)
from axiom_gym.seeded_rng import SeededRNG, mix_seed

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.creature.entity import Entity

Controller = Callable[["Encounter", Legal, SeededRNG], Choice]
"""(encounter, legal choices, generator) -> a legal choice; `encounter.decider` decides."""


class Encounter:
    """A fight.

    Attributes:
        world: the world of the fight; all its entities that have a side take part.
        order: the entities in turn order.
        initiative: each entity's initiative, by number.
        round: the round, from 1; 0 before the start.
        turn: index in `order` of the entity whose turn it is.
        decisions: number of decisions taken in this turn.
        round_limit: the last round.
        stack: frames in progress; the last one is asked first.
        winner: the winning side; None in progress and after a draw.
        over: True if the encounter has ended.
        asks_reactions: if True, reactions are decisions of their owners; else they are always used.
        surprised: sides that are surprised in the first round (option `surprise`).
        events: the top-level events since the last decision, for a log.
    """

    def __init__(
        self,
        world: World,
        *,
        round_limit: int = ROUND_LIMIT,
        asks_reactions: bool = True,
        surprised: Sequence[str] = (),
    ) -> None:
        """Create an encounter of all entities of a world; `start` starts it.

        Raises:
            ConfigError: if there are fewer than two sides, or the round limit is not allowed.
        """
        self.world = world
        self.round_limit = check_range("round_limit", round_limit, 1)
        self.fighters = [one for one in world.entities if one.side is not None]
        self.sides = tuple(dict.fromkeys(str(one.side) for one in self.fighters))
        if len(self.sides) < 2:
            raise ConfigError(
                f"an encounter needs entities of two sides, got {list(self.sides)}: give them "
                "sides, as in create('goblin', side='foes')."
            )
        self.asks_reactions = asks_reactions
        self.surprised = tuple(surprised)
        self.order: list[Entity] = []
        self.initiative: dict[int, int] = {}
        self.round = self.turn = self.decisions = 0
        self.stack: list[Frame] = []
        self.winner: str | None = None
        self.over = False
        self.events: list[Event] = []
        self._legal: Legal | None = None

    # -- creation and start ------------------------------------------------------------------------

    @classmethod
    def from_preset(cls, name: str, seed: int = 0, **settings: Any) -> Encounter:
        """Create and start the encounter of a scenario of the data files.

        Args:
            name: the name of the scenario.
            seed: the seed of its world.
            **settings: see `axiom_envs.dnd.engine.encounter.scenarios.build_encounter`.

        Raises:
            UnknownNameError: if there is no such scenario.
        """
        from axiom_envs.dnd.engine.encounter.scenarios import build_encounter

        return build_encounter(name, seed, **settings)

    def start(self) -> Encounter:
        """Roll initiative, and start the first turn.

        Raises:
            GameError: if the encounter has already started.
        """
        if self.round:
            raise GameError("the encounter has already started.")
        shared: dict[tuple[str, str | None], int] = {}
        for one in self.fighters:
            key = (one.spec or one.name, one.side)
            if self.world.options.shared_initiative and key in shared:
                self.initiative[one.number] = shared[key]
                continue
            self.initiative[one.number] = shared[key] = roll_initiative(one)
        self.order = sorted(self.fighters, key=self._rank)
        self.round, self.turn = 1, 0
        self._surprise()
        self._begin_turn()
        self._continue()
        return self

    def _rank(self, one: Entity) -> tuple[int, int, int]:
        return -self.initiative[one.number], -one.abilities.dexterity.score, one.number

    def _surprise(self) -> None:
        if self.world.options.surprise:
            for one in self.fighters:
                if one.side in self.surprised:
                    one.add_condition(Surprised())

    # -- deciders and choices ----------------------------------------------------------------------

    @property
    def actor(self) -> Entity:
        """The entity whose turn it is."""
        return self.order[self.turn]

    @property
    def decider(self) -> Entity | None:
        """The actor, or the owner of a reaction, who decides now; None if there is no decision."""
        if self.over or not self.round:
            return None
        return self.stack[-1].asks() if self.stack else self.actor

    @property
    def is_reaction(self) -> bool:
        """True if the decision is about a reaction."""
        return bool(self.stack)

    @property
    def legal(self) -> Legal:
        """The choices that are legal now.

        Raises:
            GameError: before the start and after the end.
        """
        if self.decider is None:
            raise GameError("there is no decision: the encounter has not started, or is over.")
        if self._legal is None:
            self._legal = legal_reaction() if self.stack else legal_turn(self.actor, self.decisions)
        return self._legal

    def legal_actions(self) -> list[Choice]:
        """Return the legal choices as a list, in a fixed order."""
        return list(self.legal.choices(self.actor))

    def question(self) -> str:
        """Describe the decision to be taken."""
        return self.stack[-1].describe() if self.stack else f"turn of {self.actor.name}"

    # -- decisions ---------------------------------------------------------------------------------

    def act(self, choice: Choice) -> list[Event]:
        """Carry out a choice, and continue to the next decision.

        Returns:
            The top-level events that happened.

        Raises:
            IllegalActionError: if the choice is not legal; nothing has changed then.
            GameError: before the start and after the end.
        """
        decider = self.decider
        if decider is None or not self.legal.holds(choice, self.actor):
            self._refuse(choice)
        self.events = []
        self._legal = None
        if self.stack:
            self.stack[-1].answer(self, choice.kind == REACT)
        else:
            self.decisions += 1
            if choice.kind == END_TURN:
                self._finish_turn()
            else:
                carry_out(self, self.actor, choice)
        self._continue()
        return self.events

    def _refuse(self, choice: Choice) -> None:
        decider = self.decider
        if decider is None:
            raise GameError("there is no decision: the encounter has not started, or is over.")
        what = choice.describe(self.actor)
        raise IllegalActionError(
            f"{decider.name} cannot {what}: {why_not(self, decider, choice)}. Choose one of "
            "legal_actions()."
        )

    def note(self, event: Event) -> None:
        """Record a top-level event since the last decision."""
        self.events.append(event)

    def _continue(self) -> None:
        """Continue until an entity has to decide, or the encounter is over."""
        while not self.over:
            self._clear_the_dead()
            self._judge()
            if self.over:
                return
            if self.stack:
                frame = self.stack[-1]
                if frame.asks() is None:
                    frame.advance(self)
                elif self.asks_reactions:
                    return
                else:
                    frame.answer(self, True)
            elif self.actor.can_act:
                return
            else:
                self._finish_turn()

    # -- turns and rounds --------------------------------------------------------------------------

    def _begin_turn(self) -> None:
        self.decisions = 0
        if self.actor.health.dead:
            tick(self.actor, Moment.TURN_START)
        else:
            self.note(start_turn(self.actor))

    def _finish_turn(self) -> None:
        if self.actor.health.dead:
            tick(self.actor, Moment.TURN_END)
        else:
            self.note(end_turn(self.actor))
        self.turn += 1
        if self.turn == len(self.order):
            self.turn = 0
            self.round += 1
            if self.round > self.round_limit:
                self.round = self.round_limit
                self.over = True
                self._judge()
                return
        self._begin_turn()

    def _clear_the_dead(self) -> None:
        """Free the squares of dead entities."""
        for one in self.fighters:
            if one.health.dead and one.body >= 0:
                leave_grid(one)

    def _judge(self) -> None:
        standing = self.standing()
        if len(standing) < 2:
            self.over = True
            self.winner = standing[0] if standing else None
            self.stack.clear()

    def standing(self) -> list[str]:
        """Return the sides that have a creature with hit points left."""
        return [
            side
            for side in self.sides
            if any(one.is_up for one in self.fighters if one.side == side)
        ]

    # -- whole encounters --------------------------------------------------------------------------

    def run(self, players: Mapping[str, str | Controller], seed: int | None = None) -> str | None:
        """Play the encounter to its end.

        Args:
            players: the player of each side: the name of a bot, or a callable.
            seed: seed of the players' generators; by default the world's seed.

        Returns:
            The winning side, None after a draw.

        Raises:
            ConfigError: if a side has no player.
            UnknownNameError: if a player's side or bot is not known.
            IllegalActionError: if a player returns an illegal choice.
        """
        from axiom_envs.dnd.tactics import find_bot

        unknown = [side for side in players if side not in self.sides]
        missing = [side for side in self.sides if side not in players]
        if unknown:
            raise UnknownNameError("side", unknown[0], self.sides)
        if missing:
            raise ConfigError(f"the side {missing[0]!r} has no player.")
        start = self.world.seed if seed is None else seed
        deciders: dict[str, Controller] = {}
        rngs = {}
        for k, side in enumerate(self.sides):
            player = players[side]
            deciders[side] = find_bot(player) if isinstance(player, str) else player
            rngs[side] = SeededRNG(mix_seed(start, 1 + k))
        if not self.round:
            self.start()
        while (decider := self.decider) is not None:
            side = str(decider.side)
            self.act(deciders[side](self, self.legal, rngs[side]))
        return self.winner


def roll_initiative(entity: Entity) -> int:
    """Roll a Dexterity check, and return its total."""
    score = read_check(entity, Ability.DEXTERITY, context={"initiative": True})
    return roll_d20(entity, "initiative", score.advantage).natural + score.total
