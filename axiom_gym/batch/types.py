"""What the batch and its compiled driver share: buffers, episode record, options as numbers.

Axis letters as in `axiom_gym.kernel`: B games, P players, V of them who act at once (P, or 1 in a
sequential game), K sub-actions, N choices per sub-action.
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

NO_LEARNER = -1
"""In place of the learner's seat, where it has none, or all."""

TERMINATED, TRUNCATED = 1, 2
"""How an episode ended: by the rules; by a limit or a fault. 0: it goes on."""


def episode_dtype(num_players: int) -> np.dtype[Any]:
    """What is kept of a game's episode beside its state. P = num_players."""
    return record_dtype(
        [
            ("seed", np.uint32),  # state of the game's generator when the episode began
            ("length", np.int32),  # turns played so far; in a sequential game decisions
            ("final_length", np.int32),  # of the last episode that ended
            ("returns", np.float32, (num_players,)),  # rewards summed so far
            ("final_returns", np.float32, (num_players,)),  # of the last episode that ended
            (
                "offenders",
                np.int8,
                (num_players,),
            ),  # 1: gave an illegal sub-action in the last turn
            ("learner", np.int16),  # the learner's one seat, or NO_LEARNER; see `seating`
            ("fault", np.int16),  # n if the last turn met fault n of the rules, else 0
            ("ended", np.int8),  # 1 from the end of an episode until the next one begins
        ]
    )


class Buffers(NamedTuple):
    """Every array of a batch. Kernels write into row i and nowhere else."""

    states: npt.NDArray[Any]  # (B,) the game's STATE
    episodes: npt.NDArray[Any]  # (B,) episode_dtype
    cycles: npt.NDArray[Any]  # (B,) sequence.cycle_dtype; (0,) if all players act at once
    streams: npt.NDArray[Any]  # (B, P) rng.STREAM: what scripted players draw from
    acting: npt.NDArray[np.int16]  # (B,) whose turn it is: a seat, or EVERYONE; see `kernel`
    actions: npt.NDArray[np.int64]  # (B, V, K)
    observations: npt.NDArray[np.float32]  # (B, V, *shape)
    masks: npt.NDArray[np.int8]  # (B, V, K, N), 1 = legal
    rewards: npt.NDArray[np.float32]  # (B, P)
    terminated: npt.NDArray[np.bool_]  # (B,) the rules ended the episode in this step
    truncated: npt.NDArray[np.bool_]  # (B,) a limit or a fault ended it
    final_observations: npt.NDArray[np.float32]  # (B, P, *shape); (0, P, *shape) if not SAME_STEP


class Options(NamedTuple):
    """The options of a batch, as the driver wants them."""

    autoreset: int
    on_illegal: int
    max_turns: int  # 0: no limit but the rules' own
    check: bool  # `step_batch` begins with `check_batch`
    opponents_follow: bool  # opponents move after `step_batch`, which skips writing views
    play_new: bool  # opponents also move in episodes that have just begun


class Scratch(NamedTuple):
    """What a call of the driver writes for itself; no two threads share it."""

    sub_actions: npt.NDArray[np.int64]  # (V, K)
    rewards: npt.NDArray[np.float32]  # (P,) of another's turn
