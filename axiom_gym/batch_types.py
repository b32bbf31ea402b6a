"""What the batch and its compiled driver share: buffers, episode record, options as numbers.

Axis letters as in `axiom_gym.kernel`: B games, P players, K orders, N choices per order.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from axiom_gym.kernel import record_dtype

NEXT_STEP, SAME_STEP, DISABLED = 0, 1, 2
"""Autoreset modes: the step after the last one resets; the last step resets; the caller resets."""

RAISE, FORFEIT, NOOP = 0, 1, 2
"""Illegal-action policies: refuse the step; the offender loses; the order is not carried out."""


def episode_dtype(num_players: int) -> np.dtype[Any]:
    """What is kept of a game's episode beside its state. P = num_players."""
    return record_dtype(
        [
            ("seed", np.uint32),  # state of the game's generator when the episode began
            ("length", np.int32),  # turns played so far
            ("final_length", np.int32),  # of the last episode that ended
            ("returns", np.float32, (num_players,)),  # rewards summed so far
            ("final_returns", np.float32, (num_players,)),  # of the last episode that ended
            ("offenders", np.int16),  # who gave an illegal order in the last turn, as bits
            ("fault", np.int16),  # n if the last turn met fault n of the rules, else 0
            ("ended", np.int8),  # 1 from the end of an episode until the next one begins
        ]
    )


class Buffers(NamedTuple):
    """Every array of a batch. Kernels write into row i and nowhere else."""

    states: npt.NDArray[Any]  # (B,) the game's STATE
    episodes: npt.NDArray[Any]  # (B,) episode_dtype
    streams: npt.NDArray[Any]  # (B, P) rng.STREAM: what scripted players draw from
    actions: npt.NDArray[np.int64]  # (B, P, K)
    observations: npt.NDArray[np.float32]  # (B, P, *shape)
    masks: npt.NDArray[np.int8]  # (B, P, K, N), 1 = legal
    rewards: npt.NDArray[np.float32]  # (B, P)
    terminated: npt.NDArray[np.bool_]  # (B,) the rules ended the episode in this step
    truncated: npt.NDArray[np.bool_]  # (B,) a limit or a fault ended it
    final_observations: npt.NDArray[np.float32]  # (B, P, *shape); (0, P, *shape) if not SAME_STEP


class Rules(NamedTuple):
    """The options of a batch, as the driver wants them."""

    autoreset: int
    on_illegal: int
    max_turns: int  # 0: no limit but the rules' own
    check: bool  # whether `step_batch` begins with `check_batch`
