"""Writes down a game while it is played: hashes of its states, its turns, and how it ended."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from axiom_gym import __version__
from axiom_gym.batch.batch import Batch
from axiom_gym.errors import ConfigError, ResetNeededError
from axiom_gym.game.base import rank
from axiom_gym.game.facts import Player, PlayerRanking
from axiom_gym.kernel import EVERYONE
from axiom_gym.records import field_names
from axiom_gym.replay.format import Footer, Header, Replay, Turn
from axiom_gym.rng import SeededRNG


class StateHash(NamedTuple):
    """Hashes of a state that are the same on every machine."""

    whole: str
    """16 hex digits."""
    fields: str
    """4 hex digits for each field, in the order of the record."""


def hash_state(state: Any) -> StateHash:
    """BLAKE2b of a state record: of all fields one after the other, and of each of them.

    Fields are taken in their order as little-endian values without padding. Names do not count.
    """
    record = np.asarray(state)
    parts = [_field_bytes(record[name]) for name in field_names(record.dtype)]
    whole = hashlib.blake2b(b"".join(parts), digest_size=8).hexdigest()
    return StateHash(whole, "".join(hashlib.blake2b(p, digest_size=2).hexdigest() for p in parts))


def _field_bytes(values: npt.NDArray[Any]) -> bytes:
    if values.dtype.names is not None:
        return b"".join(_field_bytes(values[name]) for name in field_names(values.dtype))
    return values.astype(values.dtype.newbyteorder("<")).tobytes()


def count_draws(before: int, after: int) -> int:
    """How many numbers a generator has drawn between two of its states, modulo 2**32.

    A draw adds an odd constant to the state, so the number of draws is a quotient modulo 2**32.
    """
    first = SeededRNG(0)
    first.next_uint32()
    return (after - before) * pow(first.state, -1, 2**32) % 2**32


def rank_players(players: Sequence[Player], outcome: Sequence[float]) -> tuple[PlayerRanking, ...]:
    """All players, best first; see `axiom_gym.game.base.rank`."""
    return tuple(rank(dict(zip(players, outcome, strict=True))))


class Recorder:
    """Records one game of a batch: make it after `reset`, and call `record` after each `step`."""

    def __init__(self, batch: Batch, names: Sequence[str], game: int = 0) -> None:
        """Takes down the first position.

        Args:
            batch: with autoreset "disabled" and illegal actions "raise", so that what it was
                told is what was played, and the last position stays.
            names: the players', by seat.
            game: which game of the batch.

        Raises:
            ConfigError: for a batch of another kind, or another number of names.
            ResetNeededError: if the game has begun already.
        """
        if batch.autoreset != "disabled" or batch.on_illegal != "raise":
            raise ConfigError(
                "a game is recorded with autoreset='disabled' and on_illegal='raise', got "
                f"{batch.autoreset!r} and {batch.on_illegal!r}."
            )
        if len(names) != batch.num_players:
            raise ConfigError(
                f"{batch.game.info.name} has {batch.num_players} players, got {len(names)} names."
            )
        if batch.buffers.episodes[game].length != 0:
            raise ResetNeededError("a recording begins with the game: call reset() first.")
        self._batch = batch
        self._game = game
        self._rng = int(batch.buffers.states[game].rng)
        self._turns: list[Turn] = []
        self._look()
        self.header = self._make_header(names)

    def _look(self) -> None:
        """Keeps who is to act next, and how many choices there are."""
        buffers, game = self._batch.buffers, self._game
        actor = int(buffers.acting[game])
        self._actor = None if actor == EVERYONE else actor
        self._legal = tuple(map(tuple, buffers.masks[game].sum(axis=2).tolist()))

    def _make_header(self, names: Sequence[str]) -> Header:
        info, states = self._batch.game.info, self._batch.buffers.states
        first = hash_state(states[self._game])
        return Header(
            game=info.name,
            version=info.version,
            options=json.loads(json.dumps(dataclasses.asdict(self._batch.config))),
            max_turns=self._batch.max_turns,
            seed=int(self._batch.buffers.episodes[self._game].seed),
            players=tuple(map(Player, self._batch.agents, names)),
            fields=field_names(states.dtype),
            hash=first.whole,
            field_hashes=first.fields,
            made_with=f"axiom-gym {__version__}",
        )

    @property
    def ended(self) -> bool:
        """Whether the game is over."""
        return bool(self._batch.buffers.episodes[self._game].ended)

    def record(self) -> Turn:
        """Takes down the turn that was just played."""
        buffers, game = self._batch.buffers, self._game
        before, self._rng = self._rng, int(buffers.states[game].rng)
        found = hash_state(buffers.states[game])
        turn = Turn(
            number=len(self._turns) + 1,
            player=self._actor,
            orders=tuple(map(tuple, buffers.actions[game].tolist())),
            legal=self._legal,
            draws=count_draws(before, self._rng),
            hash=found.whole,
            field_hashes=found.fields,
        )
        self._turns.append(turn)
        self._look()
        return turn

    def finish(self) -> Replay:
        """The replay of the whole game.

        Raises:
            ResetNeededError: if the game is not over yet.
        """
        if not self.ended:
            raise ResetNeededError("a replay ends with the game: play it to its end first.")
        outcome = tuple(self._batch.outcomes()[self._game].tolist())
        footer = Footer(
            turns=len(self._turns),
            ended="terminated" if self._batch.buffers.terminated[self._game] else "truncated",
            outcome=outcome,
            rankings=rank_players(self.header.players, outcome),
            hash=self._turns[-1].hash,
        )
        return Replay(header=self.header, turns=tuple(self._turns), footer=footer)
