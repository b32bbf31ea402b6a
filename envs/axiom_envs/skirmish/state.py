"""Where live sessions are kept beside their records, and made again where there is none.

The record is the truth. It holds the seed and all decisions; the session of a record is found by
the digest of these. Several games may be in one position: each has a session of its own under the
same digest, which is taken out before it is changed.
"""

from __future__ import annotations

import gc
from array import array
from collections.abc import Iterator
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt

from axiom_envs.skirmish.catalogue import Catalogue
from axiom_envs.skirmish.config import PRESETS, SkirmishConfig, count_room, fingerprint, sizes_of
from axiom_envs.skirmish.rules import Session
from axiom_gym.errors import StateError
from axiom_gym.kernel import record_dtype

MOST_SESSIONS = 1024
"""Sessions that the parameters of a batch keep; more games are made again at each step."""

COLLECT_AFTER = 200
"""Games after which what is left of them is collected.

A world is full of cycles. Python looks for these so seldom where much else is loaded that memory
would grow by some 20 MB in a million decisions; this takes less than a hundredth of the time.
"""

MOST_READ = 4
"""Sessions that are kept for those who read records without parameters."""

_configs: dict[int, SkirmishConfig] = {}
_alive: WeakValueDictionary[int, Session] = WeakValueDictionary()
_read: list[Session] = []


def state_dtype(config: SkirmishConfig) -> np.dtype[Any]:
    """The dtype of a state: what the game began with, and all decisions since."""
    return record_dtype(
        [
            ("config", np.uint64),  # fingerprint of the configuration
            ("digest", np.uint64),  # of the configuration, the seed and the decisions
            ("seed", np.uint32),  # the generator at the start of the episode
            ("left", np.uint32),  # the generator as the last decision left it
            ("result", np.float32),  # the party's outcome, once it is over
            ("count", np.int32),  # entries of `actions` that are in use
            ("over", np.int32),  # so wide that there is no padding, which NumPy does not copy
            ("actions", np.int16, (count_room(config),)),  # as `Session.log`
            ("rng", np.uint32),
        ]
    )


class Params:
    """What the kernel of a batch gets: the options, and the sessions at hand.

    Attributes:
        config, catalogue: of the game.
        fingerprint: of the configuration.
        room: entries of `actions` that a record has.
        shares: (P,) float32, what each player gets of the party's outcome.
    """

    def __init__(self, config: SkirmishConfig) -> None:
        """Without sessions."""
        sizes = sizes_of(config)
        self.config = config
        self.catalogue = Catalogue(sizes.units, sizes.width, sizes.height)
        self.fingerprint = fingerprint(config)
        self.room = count_room(config)
        self.shares = _share_outcome(config)
        self._sessions: dict[int, list[Session]] = {}
        self._kept = self._begun = 0
        _configs[self.fingerprint] = config

    def begin(self, state: Any) -> Session:
        """A new game, whose seed is the record's generator; what the record was goes."""
        self._drop(int(state["digest"]))
        self._begun += 1
        if self._begun % COLLECT_AFTER == 0:
            gc.collect()
        return Session(self.config, self.catalogue, int(state["rng"]))

    def find(self, state: Any) -> Session:
        """The session of a record, to be read alone."""
        found = self._sessions.get(int(state["digest"]))
        if found is not None:
            return found[-1]
        session = rebuild(self.config, self.catalogue, state)
        self.put(session)
        return session

    def take(self, state: Any) -> Session:
        """The session of a record, to be changed; `put` gives it back."""
        return self._drop(int(state["digest"])) or rebuild(self.config, self.catalogue, state)

    def put(self, session: Session) -> None:
        """Keeps a session under its digest; if there are too many, the oldest goes."""
        self._sessions.setdefault(session.digest, []).append(session)
        self._kept += 1
        _alive[session.digest] = session
        if self._kept > MOST_SESSIONS:
            self._drop(next(iter(self._sessions)))

    def _drop(self, digest: int) -> Session | None:
        found = self._sessions.get(digest)
        if found is None:
            return None
        self._kept -= 1
        session = found.pop()
        if not found:
            del self._sessions[digest]
        if _alive.get(digest) is session:
            del _alive[digest]
        return session


def _share_outcome(config: SkirmishConfig) -> npt.NDArray[np.float32]:
    """(P,) float32: of each player, so that they add up to 0 and none is above 1 or below -1."""
    creatures = sizes_of(config).creatures
    if config.agents == "sides" or creatures is None:
        return np.array([1.0, -1.0], np.float32)
    fewer = min(creatures)
    party, foes = (np.full(count, fewer / count, np.float32) for count in creatures)
    return np.concatenate([party, -foes])


def log_of(state: Any) -> array[int]:
    """The decisions of a record, as `Session.log`."""
    return array("h", state["actions"][: int(state["count"])].tolist())


def rebuild(config: SkirmishConfig, catalogue: Catalogue, state: Any) -> Session:
    """The session of a record, played again from its beginning.

    Raises:
        StateError: if the record's decisions are not legal.
    """
    session = Session(config, catalogue, int(state["seed"]))
    session.replay(log_of(state))
    return session


# -- records without parameters --------------------------------------------------------------------


def config_of(state: Any) -> SkirmishConfig:
    """The configuration of a record.

    Raises:
        StateError: if no game of this configuration was made in this process, and it is no preset.
    """
    wanted = int(state["config"])
    if wanted not in _configs:
        for options in PRESETS.values():
            config = SkirmishConfig(**options)
            _configs.setdefault(fingerprint(config), config)
    if wanted not in _configs:
        raise StateError(
            f"this skirmish has the configuration {wanted:#018x}, which is not known in this "
            "process: make a game with the same options first, as in Batch('skirmish', ...)."
        )
    return _configs[wanted]


def find_session(state: Any) -> Session:
    """The session of a record of which nothing else is known, to be read alone.

    Raises:
        StateError: as `config_of` and `rebuild`.
    """
    digest = int(state["digest"])
    session = _alive.get(digest) or next((one for one in _read if one.digest == digest), None)
    if session is None:
        session = _go_on(state)
        _read.append(session)
        del _read[:-MOST_READ]
    return session


def _go_on(state: Any) -> Session:
    """A session that was read before, if the record goes on from it; else a new one."""
    config, log = config_of(state), log_of(state)
    for session in list(_earlier(state, log)):
        _read.remove(session)
        session.replay(log)
        return session
    sizes = sizes_of(config)
    return rebuild(config, Catalogue(sizes.units, sizes.width, sizes.height), state)


def _earlier(state: Any, log: array[int]) -> Iterator[Session]:
    for session in reversed(_read):
        if fingerprint(session.config) == int(state["config"]) and session.seed == state["seed"]:
            if session.log == log[: len(session.log)]:
                yield session
