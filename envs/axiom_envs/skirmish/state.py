"""The record of a skirmish, and the store of sessions that belong to records.

The record is authoritative: it holds the seed and all decisions, from which a session can be made
again. See `axiom_gym.game.history`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_envs.skirmish.catalogue import Catalogue
from axiom_envs.skirmish.config import PRESETS, SkirmishConfig, count_room, fingerprint, sizes_of
from axiom_envs.skirmish.rules import Session
from axiom_gym.errors import StateError
from axiom_gym.game.history import SessionReader, Sessions, history_dtype

COLLECT_AFTER = 200
"""Number of games after which the remains of old games are garbage-collected.

A world has many reference cycles. If much else is loaded, Python collects cycles so rarely that
memory would grow by some 20 MB in a million decisions. Collecting explicitly takes less than a
hundredth of the time.
"""

_configs: dict[int, SkirmishConfig] = {}


def state_dtype(config: SkirmishConfig) -> np.dtype[Any]:
    """Return the dtype of a state: a history, and the party's outcome once the game is over."""
    return history_dtype(count_room(config), [("result", np.float32)])


def _begin_known(config: int, seed: int) -> Session:
    """Return a new session of the configuration with this fingerprint."""
    return begin_session(config_of(config), seed)


def begin_session(config: SkirmishConfig, seed: int) -> Session:
    """Return a session at its start. seed: 0 to 2**32 - 1."""
    sizes = sizes_of(config)
    return Session(config, Catalogue(sizes.units, sizes.width, sizes.height), seed)


reader = SessionReader(_begin_known)
"""The lookup of sessions for records that come without `Params`."""


class Params(Sessions[Session]):
    """The parameters of a batch's kernel: the options, and the sessions in memory.

    Attributes:
        config, catalogue: those of the game.
        room: the number of entries in a record's `actions`.
        shares: (P,) float32, each player's share of the party's outcome.
    """

    def __init__(self, config: SkirmishConfig) -> None:
        """Create parameters without sessions."""
        sizes = sizes_of(config)
        self.config = config
        self.catalogue = catalogue = Catalogue(sizes.units, sizes.width, sizes.height)
        self.room = count_room(config)
        self.shares = _share_outcome(config)
        _configs[fingerprint(config)] = config
        super().__init__(lambda seed: Session(config, catalogue, seed), reader, COLLECT_AFTER)


def _share_outcome(config: SkirmishConfig) -> npt.NDArray[np.float32]:
    """Return each player's share of the outcome, (P,) float32; they add up to 0, all in -1..1."""
    creatures = sizes_of(config).creatures
    if config.agents == "sides" or creatures is None:
        return np.array([1.0, -1.0], np.float32)
    fewer = min(creatures)
    party, foes = (np.full(count, fewer / count, np.float32) for count in creatures)
    return np.concatenate([party, -foes])


def config_of(wanted: int) -> SkirmishConfig:
    """Return the configuration with this fingerprint.

    Raises:
        StateError: if it is not a preset, and no game with it was made in this process.
    """
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
