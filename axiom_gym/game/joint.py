"""One Discrete action for all sub-actions of a turn, for trainers that only mask Discrete actions.

The joint action of sub-actions a_0 .. a_{K-1} is their number in a mixed-radix system whose last
digit changes fastest. Its mask is the product of their masks, which is exact if the sub-actions do
not depend on each other.

Axis letters: R rows, K sub-actions, N choices per sub-action, J joint actions = the product of the
choices of all sub-actions.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

MOST_JOINT_ACTIONS = 4096
"""The most joint actions; a game with more of them takes its sub-actions one by one."""


class JointActions:
    """A translation between sub-actions and joint actions.

    Attributes:
        num_choices: choices of each sub-action.
        count: J.
    """

    def __init__(self, num_choices: tuple[int, ...]) -> None:
        """Create a translation for sub-actions with these numbers of choices."""
        self.num_choices = num_choices
        self.count = math.prod(num_choices)

    def masks(self, masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
        """Return the masks of joint actions, (R, J) int8, from masks (R, K, N) int8."""
        joint = masks[:, 0, : self.num_choices[0]]
        for k, choices in enumerate(self.num_choices[1:], start=1):
            pairs = joint[:, :, None] * masks[:, k, None, :choices]
            joint = pairs.reshape(len(masks), joint.shape[1] * choices)
        return np.ascontiguousarray(joint)

    def sub_actions(self, joint: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return sub-actions (R, K) from joint actions (R,); -1 for a joint action out of range."""
        valid = (joint >= 0) & (joint < self.count)
        digits = np.unravel_index(np.where(valid, joint, 0), self.num_choices)
        sub_actions: npt.NDArray[np.int64] = np.where(valid[:, None], np.stack(digits, axis=1), -1)
        return sub_actions

    def split(self, joint: int) -> list[int]:
        """Return the sub-actions, K integers, of one joint action in range."""
        sub_actions = []
        for choices in reversed(self.num_choices):
            joint, choice = divmod(joint, choices)
            sub_actions.append(choice)
        return sub_actions[::-1]

    def index(self, sub_actions: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return joint actions (R,) from sub-actions (R, K)."""
        joint = np.ravel_multi_index(tuple(sub_actions.T), self.num_choices)
        return np.asarray(joint, np.int64)
