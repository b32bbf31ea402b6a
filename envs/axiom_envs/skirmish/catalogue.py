"""The catalogue of actions: the meaning of each number, and the action mask.

    0 .. 19         without a target: end turn, dash, disengage, dodge, hide, stand up, drop prone,
                    escape, release, bonus dash, bonus disengage, bonus hide, react, decline,
                    search, reckless, second wind, rage, break free, action surge; a gnoll's rampage
                    has the number of the bonus dash, which no gnoll has
    20 .. 27        a step: N, NE, E, SE, S, SW, W, NW
    28 + e K + k    attack enemy e with profile k; K = 4
    then N each     off-hand attack, grapple, shove prone, shove back, help against enemy e;
                    stabilise ally a
    then 2          ready a melee, a ranged attack
    then W H        move to a square, row by row

N is the maximum number of creatures on a side; W and H are width and height of the board. Enemies
and allies are numbered in the order of their creation, for every observer.

This module imports the engine only on use, because counting actions does not need it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from axiom_envs.dnd import constants as kinds
from axiom_envs.dnd.constants import DIRECTIONS, MOST_PROFILES

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.encounter.choices import Choice, Legal
    from axiom_envs.skirmish.rules import Session

SIMPLE = (
    kinds.END_TURN,
    kinds.DASH,
    kinds.DISENGAGE,
    kinds.DODGE,
    kinds.HIDE,
    kinds.STAND_UP,
    kinds.DROP_PRONE,
    kinds.ESCAPE,
    kinds.RELEASE,
    kinds.BONUS_DASH,
    kinds.BONUS_DISENGAGE,
    kinds.BONUS_HIDE,
    kinds.REACT,
    kinds.DECLINE,
    kinds.SEARCH,
    kinds.RECKLESS,
    kinds.SECOND_WIND,
    kinds.RAGE,
    kinds.BREAK_FREE,
    kinds.ACTION_SURGE,
)
"""Kinds of choices that need no target, in the order of their numbers."""

TARGETED = (
    kinds.OFF_HAND,
    kinds.GRAPPLE,
    kinds.SHOVE_PRONE,
    kinds.SHOVE_BACK,
    kinds.HELP,
    kinds.STABILISE,
)
"""Kinds that need a target, in the order of their blocks; the target of the last is an ally."""

READIED = (kinds.READY_MELEE, kinds.READY_RANGED)

FIRST_STEP = len(SIMPLE)
FIRST_ATTACK = FIRST_STEP + len(DIRECTIONS)

_SIMPLE_INDEX = {kind: index for index, kind in enumerate(SIMPLE)}
_SIMPLE_INDEX[kinds.RAMPAGE] = _SIMPLE_INDEX[kinds.BONUS_DASH]
_TARGETED_INDEX = {kind: index for index, kind in enumerate(TARGETED)}


@cache
def _choice() -> type[Choice]:
    """Return the engine's class of choices, which is imported at its first use."""
    from axiom_envs.dnd.engine.encounter.choices import Choice

    return Choice


@dataclass(frozen=True, slots=True)
class Meaning:
    """The meaning of an action.

    Attributes:
        kind: the engine's kind of choice; "" for a number outside of the catalogue.
        index: index of the enemy or ally, or the direction of a step; else -1.
        profile: index of an attack's profile; else -1.
        square: (x, y) of a move; else None.
    """

    kind: str
    index: int = -1
    profile: int = -1
    square: tuple[int, int] | None = None


class Catalogue:
    """The actions of games of one size.

    Attributes:
        units, width, height: N, W and H.
        first_target: the number of the first off-hand attack.
        first_ready: the number of the first readied attack.
        first_move: the number of the move to the square 0, 0.
        size: the number of actions: 30 + N (K + 6) + W H.
    """

    __slots__ = ("first_move", "first_ready", "first_target", "height", "size", "units", "width")

    def __init__(self, units: int, width: int, height: int) -> None:
        """Create the catalogue for sides of `units` creatures and a `width` x `height` board."""
        self.units, self.width, self.height = units, width, height
        self.first_target = FIRST_ATTACK + units * MOST_PROFILES
        self.first_ready = self.first_target + units * len(TARGETED)
        self.first_move = self.first_ready + len(READIED)
        self.size = self.first_move + width * height

    def decode(self, action: int) -> Meaning:
        """Return the meaning of an action."""
        if not 0 <= action < self.size:
            return Meaning("")
        if action < FIRST_STEP:
            return Meaning(SIMPLE[action])
        if action < FIRST_ATTACK:
            return Meaning(kinds.STEP, action - FIRST_STEP)
        if action < self.first_target:
            enemy, profile = divmod(action - FIRST_ATTACK, MOST_PROFILES)
            return Meaning(kinds.ATTACK, enemy, profile)
        if action < self.first_ready:
            block, one = divmod(action - self.first_target, self.units)
            return Meaning(TARGETED[block], one)
        if action < self.first_move:
            return Meaning(READIED[action - self.first_ready])
        y, x = divmod(action - self.first_move, self.width)
        return Meaning(kinds.MOVE, square=(x, y))

    def kinds(self) -> list[str]:
        """Return the kind of each action, in their order."""
        return [self.decode(action).kind for action in range(self.size)]

    # -- the engine's choices ----------------------------------------------------------------------

    def to_choice(self, action: int, session: Session) -> Choice | None:
        """Return an action's choice in the engine, or None if its target does not exist."""
        Choice = _choice()  # noqa: N806 - the name of the class
        meaning, decider = self.decode(action), session.decider
        if meaning.kind == kinds.STEP:
            x, y = decider.senses.position or (0, 0)
            dx, dy = DIRECTIONS[meaning.index]
            return Choice(kinds.STEP, square=(x + dx, y + dy))
        if meaning.kind == kinds.BONUS_DASH and kinds.RAMPAGE in session.encounter.legal.kinds:
            return Choice(kinds.RAMPAGE)
        if meaning.index < 0:
            return Choice(meaning.kind, square=meaning.square)
        own = session.seat_of_side(decider)
        among = session.sides[own if meaning.kind == kinds.STABILISE else 1 - own]
        if meaning.index >= len(among):
            return None
        return Choice(meaning.kind, among[meaning.index], meaning.profile)

    def to_index(self, choice: Choice, session: Session) -> int:
        """Return the action for a choice of the current decider.

        Raises:
            KeyError: if the catalogue does not have the kind of choice.
        """
        if choice.square is not None:
            x, y = choice.square
            if choice.kind == kinds.MOVE:
                return self.first_move + y * self.width + x
            here = session.decider.senses.position or (0, 0)
            return FIRST_STEP + DIRECTIONS.index((x - here[0], y - here[1]))
        if choice.target is not None:
            slot = session.slots[choice.target.number]
            if choice.kind == kinds.ATTACK:
                return FIRST_ATTACK + slot * MOST_PROFILES + choice.profile
            return self.first_target + _TARGETED_INDEX[choice.kind] * self.units + slot
        if choice.kind in READIED:
            return self.first_ready + READIED.index(choice.kind)
        return _SIMPLE_INDEX[choice.kind]

    # -- the action mask ---------------------------------------------------------------------------

    def write_mask(self, legal: Legal, session: Session, mask: npt.NDArray[np.int8]) -> None:
        """Write the action mask: 1 for legal actions, else 0. mask: (A,) int8."""
        mask[:] = 0
        slots = session.slots
        for kind in legal.kinds:
            index = _SIMPLE_INDEX.get(kind, -1)
            mask[index if index >= 0 else self.first_ready + READIED.index(kind)] = 1
        for target, profile in legal.attacks:
            mask[FIRST_ATTACK + slots[target.number] * MOST_PROFILES + profile] = 1
        for kind, targets in legal.targets.items():
            first = self.first_target + _TARGETED_INDEX[kind] * self.units
            for target in targets:
                mask[first + slots[target.number]] = 1
        for direction in legal.steps:
            mask[FIRST_STEP + direction] = 1
        if legal.cells is not None:
            height, width = legal.cells.shape
            board = mask[self.first_move :].reshape(self.height, self.width)
            board[:height, :width] = legal.cells
