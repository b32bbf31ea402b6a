"""The last turns of a game as text."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from axiom_gym.batch.batch import Batch
from axiom_gym.kernel import EVERYONE, NO_SUB_ACTION


@dataclass(frozen=True, slots=True)
class _Action:
    turn: int
    seat: int
    text: str


class History:
    """The last turns of a game in a batch.

    A player of a game without perfect information sees their own actions only, because the others'
    may be hidden.
    """

    def __init__(self, batch: Batch, length: int, game: int = 0) -> None:
        """Begin with no turns.

        Args:
            batch: the games.
            length: the number of turns to keep.
            game: the index of the game in the batch.
        """
        self._batch, self._game, self._turn = batch, game, 0
        self._turns: deque[list[_Action]] = deque(maxlen=length)

    def note(self) -> None:
        """Note the turn that is about to be played with the actions in the buffers."""
        self._turn += 1
        if self._turns.maxlen == 0:
            return
        batch, game = self._batch, self._game
        state, actor = batch.buffers.states[game], int(batch.buffers.acting[game])
        alive = batch.alive(game)
        seats = [actor] if actor != EVERYONE else [s for s in range(len(alive)) if alive[s]]
        rows = ((seat, batch.buffers.actions[game, batch.view_of(seat)].tolist()) for seat in seats)
        self._turns.append(
            [
                _Action(self._turn, seat, batch.game.describe_action(state, seat, row))
                for seat, row in rows
                if NO_SUB_ACTION not in row
            ]
        )

    def rewind(self, turns: int) -> None:
        """Forget the turns after the first `turns`."""
        self._turn = turns
        while self._turns and self._turns[-1] and self._turns[-1][0].turn > turns:
            self._turns.pop()

    def read(self, seat: int) -> Sequence[str]:
        """Return a line for each turn and player, oldest first, as a player may see them."""
        shows_all = self._batch.game.info.perfect_information
        noted = [one for turn in self._turns for one in turn if shows_all or one.seat == seat]
        return [f"{one.turn}. {self._name(one)}" for one in noted]

    def _name(self, one: _Action) -> str:
        name = self._batch.agents[one.seat]
        return one.text if name in one.text else f"{name} {one.text}"
