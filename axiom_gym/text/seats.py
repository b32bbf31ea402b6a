"""Language models at the seats of a `Match` and of a `GameLoop`."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Sequence
from typing import Any

import numpy as np

from axiom_gym.batch.batch import Batch
from axiom_gym.game.facts import KernelGame
from axiom_gym.game.kernel_state import KernelState
from axiom_gym.replay.format import Attempt
from axiom_gym.seeded_rng import SeededRNG
from axiom_gym.text.consulting import Consultant
from axiom_gym.text.history import History
from axiom_gym.text.moves import Moves, Part, list_moves, name_choices
from axiom_gym.text.parsing import Parsed
from axiom_gym.text.positions import describe_plain, describe_position
from axiom_gym.text.prompts import Position, find_rules


class MatchSeat:
    """A language model in one seat of a `Match`."""

    def __init__(
        self, consultant: Consultant, batch: Batch, seat: int, history: int, rules: str | None
    ) -> None:
        self._consultant, self._batch, self._seat = consultant, batch, seat
        self._rules = find_rules(batch.game) if rules is None else rules
        self._history = History(batch, history)
        self._asked: tuple[Attempt, ...] = ()
        self.failure = ""

    def decide(self) -> Sequence[int] | None:
        """Return sub-actions (K,), or None to forfeit; `failure` is then the reason."""
        batch, seat = self._batch, self._seat
        buffers = batch.buffers
        moves = list_moves(
            batch.game, buffers.states[0], seat, buffers.masks[0, batch.view_of(seat)]
        )
        position = Position(
            title=batch.game.info.title,
            rules=self._rules,
            player=batch.agents[seat],
            players=batch.agents,
            board=describe_position(batch, seat),
            history=self._history.read(seat),
            moves=moves,
        )
        found = self._consultant.consult(position)
        self._asked, self.failure = found.attempts, found.parsed.category
        return found.parsed.sub_actions

    def note_turn(self) -> None:
        """Note the actions in the buffers, which are about to be played."""
        self._history.note()

    def rewind(self, turns: int) -> None:
        """Forget the turns after the first `turns`."""
        self._history.rewind(turns)

    def take_attempts(self) -> tuple[Attempt, ...]:
        """Return the transcript of the last decision, once."""
        asked, self._asked = self._asked, ()
        return asked


@dataclasses.dataclass(frozen=True, slots=True)
class GaveUp:
    """The answer of a player whose attempts are spent, which is no action of any game."""

    parsed: Parsed


class GameSeat:
    """A language model as an agent of a `GameLoop`.

    Attributes:
        name: the name of the agent.
    """

    def __init__(self, consultant: Consultant, name: str, game: Any, rules: str | None) -> None:
        self._consultant, self.name, self._game = consultant, name, game
        kernel: KernelGame | None = getattr(game, "kernel_game", None)
        self._title = kernel.info.title if kernel else str(game.metadata.name)
        known = find_rules(kernel) if kernel else _find_plain_rules(game)
        self._rules = known if rules is None else rules
        self._asked: tuple[Attempt, ...] = ()

    def decide(self, state: Any, valid_actions: list[Any], player_id: str, rng: SeededRNG) -> Any:
        """Return a valid action, or `GaveUp`, for which the loop lets the player forfeit."""
        moves = self._list_moves(state, valid_actions, player_id)
        position = Position(
            title=self._title,
            rules=self._rules,
            player=player_id,
            players=getattr(state, "player_order", (player_id,)),
            board=self._describe(state),
            history=(),
            moves=moves,
        )
        found = self._consultant.consult(position)
        self._asked = found.attempts
        chosen = found.parsed.sub_actions
        if chosen is None:
            return GaveUp(found.parsed)
        if isinstance(state, KernelState):
            return dataclasses.replace(valid_actions[0], sub_actions=chosen)
        return valid_actions[chosen[0]]

    def take_attempts(self) -> tuple[Attempt, ...]:
        """Return the transcript of the last decision, once."""
        asked, self._asked = self._asked, ()
        return asked

    def _describe(self, state: Any) -> str:
        if isinstance(state, KernelState):
            return state.describe()
        return describe_plain(self._game, state)

    def _list_moves(self, state: Any, actions: list[Any], player_id: str) -> Moves:
        if isinstance(state, KernelState):
            return _list_kernel_moves(state, actions, state.player_order.index(player_id))
        texts = [str(self._game.describe_action(one, state)).strip() for one in actions]
        numbers = range(len(actions))
        names = name_choices([text.removesuffix(".") for text in texts], numbers)
        return Moves([Part(0, tuple(numbers), tuple(names), ("",) * len(names))], [0])


def _list_kernel_moves(state: KernelState, actions: list[Any], seat: int) -> Moves:
    """Return the moves that actions stand for, which hold all sub-actions of a turn or one."""
    game = state.kernel_game
    num_choices = game.layout(state.config).num_choices
    first = actions[0].first
    mask = np.zeros((len(num_choices), max(num_choices)), np.int8)
    for action in actions:
        for k, choice in enumerate(action.sub_actions, start=first):
            mask[k, choice] = 1
    if len(actions[0].sub_actions) == len(num_choices):
        return list_moves(game, state.record, seat, mask)
    moves = list_moves(game, state.record, seat, mask, places=[first])
    (part,) = moves.parts
    return Moves([dataclasses.replace(part, place=0)], [part.choices[0]])


def _find_plain_rules(game: Any) -> str:
    """Return the description of a plain game, and the docstring of its class."""
    texts = (game.metadata.description, inspect.getdoc(type(game)))
    return "\n\n".join(text for text in texts if text)
