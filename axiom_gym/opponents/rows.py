"""The result of a seating's step: observations, rewards and ends of each row.

Axis letters: R rows, E of them whose episode has ended, K sub-actions, N choices per sub-action.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt


class Ends(NamedTuple):
    """Facts about the episodes that ended in the last step. The arrays are copies."""

    rows: npt.NDArray[np.int64]  # (E,) their rows
    returns: npt.NDArray[np.float32]  # (E,) the sum of the learner's rewards
    lengths: npt.NDArray[np.int32]  # (E,) the number of the learner's steps
    faults: npt.NDArray[np.int16]  # (E,) fault of the rules that truncated the episode, else 0
    final_observations: npt.NDArray[np.float32]  # (E, *shape); (0, *shape) if not SAME_STEP


class Rows(NamedTuple):
    """Observations of the learner's rows, and their results of the last step.

    Arrays are views of the batch's buffers where possible, and then change with the next step;
    return `own` of them to users. A row's seat can change when an episode begins; results of the
    last step belong to the seat that the row held in that step.
    """

    observations: npt.NDArray[np.float32]  # (R, *shape)
    masks: npt.NDArray[np.int8]  # (R, K, N), 1 = legal
    rewards: npt.NDArray[np.float32]  # (R,)
    terminated: npt.NDArray[np.bool_]  # (R,)
    truncated: npt.NDArray[np.bool_]  # (R,)
    illegal: npt.NDArray[np.int8]  # (R,) 1: the learner gave an illegal sub-action
    returns: npt.NDArray[np.float32]  # (R,) the sum of the rewards of the episode so far
    lengths: npt.NDArray[np.int32]  # (R,) the learner's steps of the episode so far
    seats: npt.NDArray[np.int16]  # (R,) the rows' seats in the last step


def own(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the array itself if it owns its memory, else a copy."""
    return array if array.flags.owndata else array.copy()
