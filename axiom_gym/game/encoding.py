"""States of plain Python games as arrays of numbers, each from the side of one player.

A game may have its own method `encode(state, player_id) -> array`. Otherwise the state's fields
become one flat row of numbers, which depends on their types and on the first state:

    numbers, booleans              themselves
    enums, Literal                 an entry for each choice, 1 for the value
    a str                          a player: an entry for each, beginning with the observer
    Optional                       1 and the value, or zeros for None
    tuples, lists, arrays          their entries; as many as at the start
    sets                           an entry for each choice or player, 1 for members
    mappings                       their values by key, as at the start; of players: as for a str
    dataclasses, named tuples      their fields in order, except those with compare=False

If there are several players, the row begins with an entry for each seat, 1 for the observer. Of the
state itself, `game_id` is left out, and `eliminated` is a set of players. If the game has a method
`view`, the encoder encodes what it returns for the observer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_gym.errors import GameError
from axiom_gym.game.encoding_plan import Plan
from axiom_gym.game.facts import Game, Player

Observation = npt.NDArray[np.float32]


class Encoder:
    """An encoder of the states of one game with given players."""

    def __init__(self, game: Game[Any, Any], players: Sequence[Player], first: Any) -> None:
        """Find the shape of observations.

        Args:
            game: the game.
            players: the players by seat.
            first: a first state of the game, which determines the shape.

        Raises:
            GameError: if the state cannot be encoded; the error names the part and the reason.
        """
        self._game, self._players, self._first = game, tuple(players), first
        self._name = game.metadata.name
        self._ids = [player.id for player in self._players]
        self._own = getattr(game, "encode", None)
        self._view = getattr(game, "view", None)
        if self._own is None:
            count = len(self._ids)
            self._seats = np.eye(count if count > 1 else 0).tolist() or [[]]
            self._write = Plan(self._name, self._ids).build_state(self._find_view(first, 0)).write
        self.shape: tuple[int, ...] | None = None
        self.shape = self(first, 0).shape

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the arguments, because the functions of a plan cannot be pickled."""
        return type(self), (self._game, self._players, self._first)

    def __call__(self, state: Any, seat: int) -> Observation:
        """Return the observation of a seat, a new float32 array that always has the same shape.

        Raises:
            GameError: if the form of the state differs from the first one.
        """
        return np.array(self._find_numbers(state, seat), np.float32)

    def write(self, state: Any, seat: int, observation: Observation) -> None:
        """Write the observation of a seat into an array of this shape."""
        observation[...] = self._find_numbers(state, seat)

    def _find_numbers(self, state: Any, seat: int) -> list[float] | Observation:
        if self._own is None:
            numbers: list[float] = self._seats[seat].copy()
            self._write(self._find_view(state, seat), seat, numbers)
            return numbers
        try:
            seen: Observation = np.array(self._own(state, self._ids[seat]), np.float32)
        except (TypeError, ValueError) as error:
            raise GameError(
                f"{self._name}: encode must give an array of numbers: {error}"
            ) from error
        if self.shape not in (None, seen.shape):
            raise GameError(
                f"{self._name}: encode gave shape {seen.shape}, and {self.shape} at the start; "
                "it must always be the same: reserve room for later entries, filled with zeros."
            )
        return seen

    def _find_view(self, state: Any, seat: int) -> Any:
        """Return the state as a player may see it."""
        return state if self._view is None else self._view(state, self._ids[seat])
