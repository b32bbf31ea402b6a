"""Records that hold a game's history, and the live sessions that belong to them.

Rules that work on Python objects use these records. A record holds the seed and all decisions. A
session holds the live objects of one game, and is found by a digest of the seed and the decisions.
The record alone defines the game: a session that is missing is rebuilt by replaying the record's
decisions.

Several games may be in the same position. Each of them has its own session under the same digest,
and a session is taken out before it is changed.
"""

from __future__ import annotations

import gc
from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, Generic, TypeVar
from weakref import WeakSet

import numpy as np

from axiom_gym.errors import StateError
from axiom_gym.records import record_dtype

MOST_SESSIONS = 1024
"""The most sessions that a batch keeps; with more games, sessions are rebuilt at each step."""

MOST_READ = 4
"""The most sessions that are kept for readers of records who have no parameters."""

NEW_GENERATOR = -1
"""A log entry: the generator was set to a new state, whose halves are the next two entries."""

LARGEST_ENTRY = 4
"""The most log entries of one decision."""

F = TypeVar("F", bound=Callable[..., Any])

_BITS = (1 << 64) - 1

_get = object.__getattribute__


def quick_fields(state: Any) -> Any:
    """Return an object with the fields of a record as attributes, which shares its memory.

    Access through NumPy takes ten times as long. The object is made when a record is first written,
    and kept as an attribute of the record.
    """
    try:
        return _get(state, "_quick")
    except AttributeError:
        memory = np.asarray(state).reshape(1).view(np.uint8)
        made = quick_class(state.dtype).from_buffer(memory)
        object.__setattr__(state, "_quick", made)
        return made


@lru_cache
def quick_class(dtype: np.dtype[Any]) -> Any:
    """Return the class of C structures whose memory is that of records of this dtype."""
    return np.ctypeslib.as_ctypes_type(dtype)


def _digest_of(state: Any) -> int:
    try:
        digest: int = _get(state, "_quick").digest
    except AttributeError:
        digest = int(np.void.__getitem__(state, "digest"))  # a third of the time of `np.record`
    return digest


def history_dtype(
    room: int, facts: Sequence[tuple[Any, ...]], entry: type[np.signedinteger] = np.int16
) -> np.dtype[Any]:
    """Return the dtype of a record that holds the start of a game and all decisions.

    Args:
        room: the number of log entries.
        facts: additional fields, as for `record_dtype`.
        entry: the type of a log entry, int16 or int32.
    """
    return record_dtype(
        [
            ("config", np.uint64),  # fingerprint of the configuration
            ("digest", np.uint64),  # of the configuration, the seed and the decisions
            ("seed", np.uint32),  # the generator at the start of the episode
            ("left", np.uint32),  # the generator as the last decision left it
            *facts,
            ("count", np.int32),  # entries of `actions` that are in use
            ("over", np.int32),
            ("actions", entry, (room,)),  # as `Session.log`
            ("rng", np.uint32),
        ]
    )


def mix_digest(digest: int, entry: int) -> int:
    """Return the digest after one more log entry, 0 to 2**64 - 1.

    This is a step of a multiplicative hash that folds the high bits.
    """
    mixed = ((digest ^ entry) * 0x9E3779B97F4A7C15 + 0x632BE59BD9B4E019) & _BITS
    return mixed ^ (mixed >> 29)


def writes_last(step: F) -> F:
    """Mark a kernel's `step` that raises only before it changes the record.

    The driver then makes no copy of the record to restore it after an error.
    """
    step.writes_last = True  # type: ignore[attr-defined]
    return step


class Session:
    """One game and its history; subclasses add the live objects.

    Attributes:
        game_name: the name of the game in error messages.
        fingerprint: the hash of the configuration.
        seed: the state of the generator at the start.
        left: the state of the generator after the last decision.
        log: all decisions in the form of the record.
        digest: the digest of the configuration, the seed and the log.
    """

    __slots__ = ("__weakref__", "digest", "fingerprint", "game_name", "left", "log", "seed")

    def __init__(self, game_name: str, fingerprint: int, seed: int, typecode: str = "h") -> None:
        """Start a history. typecode: of `array`, for the type of log entries."""
        self.game_name = game_name
        self.fingerprint, self.seed, self.left = fingerprint, seed, seed
        self.log = array(typecode)
        self.digest = mix_digest(fingerprint, seed)

    def play(self, action: int, generator: int) -> None:
        """Play a legal decision.

        Args:
            action: the number of the action.
            generator: the state of the generator for random numbers, 0 to 2**32 - 1.
        """
        raise NotImplementedError

    def is_legal(self, action: int) -> bool:
        """Return True if a number is a legal action now."""
        raise NotImplementedError

    def note(self, action: int, generator: int) -> None:
        """Add a decision to the history; arguments as for `play`."""
        if generator != self.left:
            self._append(NEW_GENERATOR)
            for half in (generator >> 16, generator & 0xFFFF):
                self._append(half - 0x10000 if half > 0x7FFF else half)
        self._append(action)

    def _append(self, entry: int) -> None:
        self.log.append(entry)
        self.digest = mix_digest(self.digest, entry & 0xFFFF)

    def replay(self, log: array[int]) -> None:
        """Play the decisions of a longer log that continues this session's log.

        Raises:
            StateError: if a decision is not legal.
        """
        place, generator = len(self.log), self.left
        while place < len(log):
            if log[place] == NEW_GENERATOR and place + 3 < len(log):
                generator = (log[place + 1] & 0xFFFF) << 16 | (log[place + 2] & 0xFFFF)
                place += 3
            if not self.is_legal(log[place]):
                raise StateError(
                    f"decision {place} of this {self.game_name}, {log[place]}, is not legal: the "
                    "record is damaged, or of another version of the game."
                )
            self.play(log[place], generator)
            place, generator = place + 1, self.left

    def begin_record(self, state: Any) -> None:
        """Write the fields of a history into the record of a game that has just begun."""
        state["config"], state["seed"] = self.fingerprint, self.seed
        state["count"] = state["over"] = 0
        state["actions"] = 0
        state["digest"] = self.digest
        state["rng"] = state["left"] = self.left

    def write_record(self, state: Any, before: int) -> None:
        """Write new decisions into a record. before: the count of its log entries."""
        fields, count = quick_fields(state), len(self.log)
        for place in range(before, count):
            fields.actions[place] = self.log[place]
        fields.count, fields.digest = count, self.digest
        fields.rng = fields.left = self.left


S = TypeVar("S", bound=Session)


def rebuild(make: Callable[[int], S], state: Any) -> S:
    """Return a new session for a record, after replaying its decisions.

    Args:
        make: seed -> a session that has just begun.
        state: the record.

    Raises:
        StateError: if the record's decisions are not legal.
    """
    session = make(int(state["seed"]))
    session.replay(log_of(state, session.log.typecode))
    return session


def log_of(state: Any, typecode: str) -> array[int]:
    """Return the decisions of a record in the form of `Session.log`."""
    return array(typecode, state["actions"][: int(state["count"])].tolist())


class Sessions(Generic[S]):
    """A cache of the live sessions of a batch, by digest."""

    def __init__(
        self,
        make: Callable[[int], S],
        reader: SessionReader[S],
        collect_after: int = 0,
    ) -> None:
        """Create an empty cache.

        Args:
            make: seed -> a session that has just begun.
            reader: the reader that also searches this cache.
            collect_after: the number of episodes between garbage collections; 0 for none but
                Python's own.
        """
        self._make = make
        reader.caches.add(self)
        self._collect_after = collect_after
        self._kept: dict[int, list[S]] = {}
        self._begun = self.count = 0

    def begin(self, state: Any) -> S:
        """Return a new session, seeded by the record's generator; drop the record's old session."""
        self._drop(_digest_of(state))
        self._begun += 1
        if self._collect_after and self._begun % self._collect_after == 0:
            gc.collect()
        return self._make(int(state["rng"]))

    def find(self, state: Any) -> S:
        """Return the session of a record; callers must not change it."""
        try:  # as in `_digest_of`: a call would cost a fifth of the time of `find`
            digest = _get(state, "_quick").digest
        except AttributeError:
            digest = _digest_of(state)
        found = self._kept.get(digest)
        if found is not None:
            return found[-1]
        session = rebuild(self._make, state)
        self.put(session)
        return session

    def take(self, state: Any) -> S:
        """Return the session of a record and remove it, to change it; `put` adds it again."""
        return self._drop(_digest_of(state)) or rebuild(self._make, state)

    def put(self, session: S) -> None:
        """Add a session under its digest; if there are too many, drop the oldest."""
        self._kept.setdefault(session.digest, []).append(session)
        self.count += 1
        if self.count > MOST_SESSIONS:
            self._drop(next(iter(self._kept)))

    def look_up(self, digest: int) -> S | None:
        """Return a session with this digest, or None; callers must not change it."""
        found = self._kept.get(digest)
        return None if found is None else found[-1]

    def _drop(self, digest: int) -> S | None:
        found = self._kept.get(digest)
        if found is None:
            return None
        self.count -= 1
        session = found.pop()
        if not found:
            del self._kept[digest]
        return session


class SessionReader(Generic[S]):
    """A source of sessions for readers of records who have no parameters.

    Attributes:
        caches: the caches of all batches in this process.
        read: the last sessions that were made for readers.
    """

    def __init__(self, make: Callable[[int, int], S]) -> None:
        """Create a reader without sessions.

        Args:
            make: (fingerprint, seed) -> a session of that configuration that has just begun. It
                raises a StateError if the configuration is not known.
        """
        self._make = make
        self.caches: WeakSet[Sessions[S]] = WeakSet()
        self.read: list[S] = []

    def find(self, state: Any) -> S:
        """Return the session of a record; callers must not change it.

        Raises:
            StateError: if the configuration is not known, or the decisions are not legal.
        """
        digest = int(state["digest"])
        kept = (cache.look_up(digest) for cache in self.caches)
        read = (one for one in self.read if one.digest == digest)
        session = next((one for one in chain(kept, read) if one is not None), None)
        if session is None:
            session = self._continue_or_rebuild(state)
            self.read.append(session)
            del self.read[:-MOST_READ]
        return session

    def _continue_or_rebuild(self, state: Any) -> S:
        """Return an earlier session that the record continues, or a new one."""
        for session in list(self._earlier(state)):
            self.read.remove(session)
            session.replay(log_of(state, session.log.typecode))
            return session
        fingerprint = int(state["config"])
        return rebuild(lambda seed: self._make(fingerprint, seed), state)

    def _earlier(self, state: Any) -> Iterator[S]:
        for session in reversed(self.read):
            if session.fingerprint == int(state["config"]) and session.seed == state["seed"]:
                log = log_of(state, session.log.typecode)
                if session.log == log[: len(session.log)]:
                    yield session
