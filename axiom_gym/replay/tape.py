"""The recording of a game line by line, and the hashes in its lines."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_gym import __version__
from axiom_gym.game.canonical import StateHash
from axiom_gym.game.facts import PlayerRanking
from axiom_gym.records import field_names
from axiom_gym.replay.format import Ended, Footer, Header, Replay, Turn
from axiom_gym.seeded_rng import INCREMENT

_INVERSE = pow(INCREMENT, -1, 2**32)


def hash_state(state: Any) -> StateHash:
    """Return BLAKE2b hashes of a state record: of all fields in sequence, and of each field.

    Fields are hashed in their order, as little-endian values without padding. Their names are not
    hashed.
    """
    record = np.asarray(state)
    names = field_names(record.dtype)
    parts = [_field_bytes(record[name]) for name in names]
    whole = hashlib.blake2b(b"".join(parts), digest_size=8).hexdigest()
    fields = "".join(hashlib.blake2b(part, digest_size=2).hexdigest() for part in parts)
    return StateHash(whole, names, fields)


def _field_bytes(values: npt.NDArray[Any]) -> bytes:
    if values.dtype.names is not None:
        return b"".join(_field_bytes(values[name]) for name in field_names(values.dtype))
    return values.astype(values.dtype.newbyteorder("<")).tobytes()


def count_draws(before: int, after: int) -> int:
    """Return how many numbers a generator has drawn between two of its states, modulo 2**32.

    A draw adds an odd constant to the state, so the number of draws is a quotient modulo 2**32.
    """
    return (after - before) * _INVERSE % 2**32


def count_legal(masks: npt.NDArray[np.int8]) -> tuple[tuple[int, ...], ...]:
    """Return the number of legal choices of each sub-action of each player. masks: (V, K, N)."""
    return tuple(map(tuple, masks.sum(axis=2).tolist()))


class Tape:
    """The lines of one game so far.

    Attributes:
        header: the first line.
        turns: the lines after it.
    """

    def __init__(self, state: StateHash, rng: int, **facts: Any) -> None:
        """Write the header.

        Args:
            state: the hashes of the first state.
            rng: the state of the game's generator.
            **facts: the other entries of the header.
        """
        made_with = f"axiom-gym {__version__}"
        self.header = Header(made_with=made_with, **_name_hashes(state), **facts)
        self.turns: list[Turn] = []
        self._hash, self._rng = state.whole, rng

    def add(self, state: StateHash, rng: int, **entries: Any) -> Turn:
        """Append a line, and return it.

        Args:
            state: the hashes of the state after the turn.
            rng: the state of the game's generator after the turn.
            **entries: the other entries of the `Turn`.
        """
        draws = count_draws(self._rng, rng)
        turn = Turn(number=len(self.turns) + 1, draws=draws, **_name_hashes(state), **entries)
        self.turns.append(turn)
        self._hash, self._rng = state.whole, rng
        return turn

    def cut(self, turns: int, state: StateHash, rng: int) -> None:
        """Delete the lines after the first `turns` turns.

        Args:
            turns: the number of turns to keep.
            state: the hashes of the state after them.
            rng: the state of the game's generator after them.
        """
        del self.turns[turns:]
        self._hash, self._rng = state.whole, rng

    def finish(self, ended: Ended, rankings: Sequence[PlayerRanking]) -> Replay:
        """Return the replay of the whole game."""
        scores = {place.player.id: place.score for place in rankings}
        footer = Footer(
            turns=len(self.turns),
            ended=ended,
            outcome=tuple(scores[player.id] for player in self.header.players),
            rankings=tuple(rankings),
            hash=self._hash,
        )
        return Replay(header=self.header, turns=tuple(self.turns), footer=footer)


def _name_hashes(state: StateHash) -> dict[str, Any]:
    """Return the hashes of a state as entries of a line."""
    return {"hash": state.whole, "fields": state.names, "field_hashes": state.fields}
