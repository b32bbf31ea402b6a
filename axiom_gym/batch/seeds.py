"""Seeds, which are 32-bit integers, for the games of a batch."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from axiom_gym.errors import ConfigError, check_range

MAX_SEED = 2**32 - 1

Seeds = int | Sequence[int | None] | None
"""An integer s, which gives game i the seed s + i; a sequence with a seed per game; or None."""

KEEP_GENERATORS = -1
"""The value of a seed that leaves the game's generators as they are."""


def spread_seeds(seed: Seeds, num_games: int, started: bool) -> npt.NDArray[np.int64]:
    """Return a seed for each game, or KEEP_GENERATORS, as (B,) int64.

    Args:
        seed: the argument of `reset`. None in a sequence leaves the generators of that game as they
            are.
        num_games: the batch size B.
        started: True if the generators were seeded before. If False, games without a seed get one
            from the operating system.

    Raises:
        ConfigError: for a seed that is not an integer from 0 to 2**32 - 1, or a sequence of another
            length.
    """
    if isinstance(seed, Sequence | np.ndarray):
        if len(seed) != num_games:
            raise ConfigError(
                f"a sequence of seeds must have {num_games} entries, got {len(seed)}."
            )
        spread = spread_seeds(None, num_games, started)
        for game, own in enumerate(seed):
            if own is not None:
                spread[game] = check_range("seed", own, 0, MAX_SEED)
        return spread
    if seed is None and started:
        return np.full(num_games, KEEP_GENERATORS, np.int64)
    first = check_range("seed", secrets.randbits(32) if seed is None else seed, 0, MAX_SEED)
    return (first + np.arange(num_games, dtype=np.int64)) % (MAX_SEED + 1)


def check_which(which: npt.NDArray[np.bool_] | None, num_envs: int) -> npt.NDArray[np.bool_]:
    """Return the mask of the games to reset, (B,) bool; None means all games.

    Raises:
        ConfigError: if `which` is not a bool array of this shape.
    """
    if which is None:
        return np.ones(num_envs, np.bool_)
    expected = f"the reset mask must be a bool array of shape ({num_envs},)"
    if not isinstance(which, np.ndarray):
        raise ConfigError(f"{expected}, got {type(which).__name__}.")
    if which.dtype != np.bool_ or which.shape != (num_envs,):
        raise ConfigError(f"{expected}, got {which.dtype} {which.shape}.")
    return which
