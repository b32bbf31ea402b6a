"""The lines of a replay, gathered while a game is played, and the hashes that stand in them."""

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
    """Return BLAKE2b of a state record: of all fields one after the other, and of each of them.

    Fields are taken in their order as little-endian values without padding. Names do not count.
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
    """Count the numbers that a generator has drawn between two of its states, modulo 2**32.

    A draw adds an odd constant to the state, so the number of draws is a quotient modulo 2**32.
    """
    return (after - before) * _INVERSE % 2**32


def count_legal(masks: npt.NDArray[np.int8]) -> tuple[tuple[int, ...], ...]:
    """Return for each who acts how many choices each order has. masks: (V, K, N)."""
    return tuple(map(tuple, masks.sum(axis=2).tolist()))


def make_header(found: StateHash, **facts: Any) -> Header:
    """Return the header of a game that begins in this state. facts: the other entries."""
    return Header(
        hash=found.whole,
        fields=found.names,
        field_hashes=found.fields,
        made_with=f"axiom-gym {__version__}",
        **facts,
    )


class Tape:
    """The lines of one game so far.

    Attributes:
        header: the first line.
        turns: the lines after it.
        state: hashes of the present state.
    """

    def __init__(self, header: Header, rng: int) -> None:
        """Begin with the header; rng: the state of the game's generator."""
        self.header = header
        self.turns: list[Turn] = []
        self.state = StateHash(header.hash, header.fields, header.field_hashes)
        self._rng = rng

    def add(self, state: StateHash, rng: int, **entries: Any) -> Turn:
        """Append a line that led to this state, and return it. entries: those of `Turn`."""
        turn = Turn(
            number=len(self.turns) + 1,
            draws=count_draws(self._rng, rng),
            hash=state.whole,
            fields=state.names,
            field_hashes=state.fields,
            **entries,
        )
        self.turns.append(turn)
        self.state, self._rng = state, rng
        return turn

    def finish(self, ended: Ended, rankings: Sequence[PlayerRanking]) -> Replay:
        """Return the replay of the whole game."""
        scores = {place.player.id: place.score for place in rankings}
        footer = Footer(
            turns=len(self.turns),
            ended=ended,
            outcome=tuple(scores[player.id] for player in self.header.players),
            rankings=tuple(rankings),
            hash=self.state.whole,
        )
        return Replay(header=self.header, turns=tuple(self.turns), footer=footer)
