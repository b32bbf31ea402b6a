"""Types that a batch shares with its compiled driver: buffers, episode records, options.

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
"""Policies for illegal actions: refuse the step; the offender loses; the action has no effect."""

NO_LEARNER = -1
"""The value of `learner` in a game in which the learner holds no seat, or all seats."""

TERMINATED, TRUNCATED = 1, 2
"""End reasons of an episode: the rules; a limit or a fault. 0: the episode is in progress."""


def episode_dtype(num_players: int) -> np.dtype[Any]:
    """Return the dtype of the episode record that each game has. P = num_players."""
    return record_dtype(
        [
            ("seed", np.uint32),  # state of the game's generator when the episode began
            ("length", np.int32),  # turns played so far; decisions in a sequential game
            ("final_length", np.int32),  # of the last episode that ended
            ("returns", np.float32, (num_players,)),  # rewards summed so far
            ("final_returns", np.float32, (num_players,)),  # of the last episode that ended
            ("offenders", np.int8, (num_players,)),  # 1: illegal sub-action in the last turn
            ("learner", np.int16),  # the learner's seat, or NO_LEARNER; set by the seating
            ("fault", np.int16),  # n if fault n of the rules occurred in the last turn, else 0
            ("ended", np.int8),  # 1 from the end of an episode until the next one begins
        ]
    )


class Buffers(NamedTuple):
    """All arrays of a batch. The driver's work on game i writes only into row i."""

    states: npt.NDArray[Any]  # (B,) the game's STATE
    episodes: npt.NDArray[Any]  # (B,) episode_dtype
    cycles: npt.NDArray[Any]  # (B,) sequence.cycle_dtype; (0,) if all players act at once
    streams: npt.NDArray[Any]  # (B, P) rng.STREAM: the generators of scripted players
    acting: npt.NDArray[np.int16]  # (B,) the seat to act, or EVERYONE; see `kernel`
    actions: npt.NDArray[np.int64]  # (B, V, K)
    observations: npt.NDArray[np.float32]  # (B, V, *shape)
    masks: npt.NDArray[np.int8]  # (B, V, K, N), 1 = legal
    rewards: npt.NDArray[np.float32]  # (B, P)
    terminated: npt.NDArray[np.bool_]  # (B,) the rules ended the episode in this step
    truncated: npt.NDArray[np.bool_]  # (B,) a limit or a fault ended it in this step
    final_observations: npt.NDArray[np.float32]  # (B, P, *shape); (0, P, *shape) if not SAME_STEP


class Options(NamedTuple):
    """The options of a batch in the form that the driver takes."""

    autoreset: int
    on_illegal: int
    forfeit_reward: float  # of each offender, with the policy FORFEIT
    max_turns: int  # 0: no limit except those of the rules
    check: bool  # `step_batch` begins with `check_batch`
    opponents_follow: bool  # opponents act after `step_batch`, which does not write views
    play_new: bool  # opponents also act in episodes that have just begun


class Scratch(NamedTuple):
    """Temporary arrays of one call of the driver; each thread has its own."""

    sub_actions: npt.NDArray[np.int64]  # (V, K)
    rewards: npt.NDArray[np.float32]  # (P,) of an opponent's decision
