"""The record of a skirmish, and where the sessions that belong to records are kept.

The record is the truth. It holds the seed and all decisions; see `axiom_gym.game.history`.
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
"""Games after which what is left of them is collected.

A world is full of cycles. Python looks for these so seldom where much else is loaded that memory
would grow by some 20 MB in a million decisions; this takes less than a hundredth of the time.
"""

_configs: dict[int, SkirmishConfig] = {}


def state_dtype(config: SkirmishConfig) -> np.dtype[Any]:
    """Return the dtype of a state: a history, and the party's outcome once the game is over."""
    return history_dtype(count_room(config), [("result", np.float32)])


def _begin_known(config: int, seed: int) -> Session:
    """Return a new session of the configuration with this fingerprint."""
    return begin_session(config_of(config), seed)


def begin_session(config: SkirmishConfig, seed: int) -> Session:
    """Return a session that has just begun. seed: 0 to 2**32 - 1."""
    sizes = sizes_of(config)
    return Session(config, Catalogue(sizes.units, sizes.width, sizes.height), seed)


reader = SessionReader(_begin_known)
"""Finds sessions of records of which nothing else is known."""


class Params(Sessions[Session]):
    """What the kernel of a batch gets: the options, and the sessions at hand.

    Attributes:
        config, catalogue: of the game.
        room: entries of `actions` that a record has.
        shares: (P,) float32, what each player gets of the party's outcome.
    """

    def __init__(self, config: SkirmishConfig) -> None:
        """Begin without sessions."""
        sizes = sizes_of(config)
        self.config = config
        self.catalogue = catalogue = Catalogue(sizes.units, sizes.width, sizes.height)
        self.room = count_room(config)
        self.shares = _share_outcome(config)
        _configs[fingerprint(config)] = config
        super().__init__(lambda seed: Session(config, catalogue, seed), reader, COLLECT_AFTER)


def _share_outcome(config: SkirmishConfig) -> npt.NDArray[np.float32]:
    """(P,) float32: of each player, so that they add up to 0 and none is above 1 or below -1."""
    creatures = sizes_of(config).creatures
    if config.agents == "sides" or creatures is None:
        return np.array([1.0, -1.0], np.float32)
    fewer = min(creatures)
    party, foes = (np.full(count, fewer / count, np.float32) for count in creatures)
    return np.concatenate([party, -foes])


def config_of(wanted: int) -> SkirmishConfig:
    """Return the configuration with this fingerprint.

    Raises:
        StateError: if no game of this configuration was made in this process, and it is no preset.
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
