"""Translation between an environment's actions and the sub-actions of a turn, for all adapters.

In the form "sub_actions" an action has one entry per sub-action. In the form "joint" one Discrete
action stands for all sub-actions. A single sub-action is a Discrete action in both forms.

Axis letters: R rows, K sub-actions, N choices per sub-action, M the sum of all sub-actions'
choices, J joint actions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_gym.deprecated import warn_renamed
from axiom_gym.errors import ActionError, check_choice
from axiom_gym.game.facts import Layout
from axiom_gym.game.joint import JointActions

ACTION_FORMS = ("sub_actions", "joint")


def out_of_range(agent: str, value: object, choices: int) -> ActionError:
    """Return the error for an action that holds a value outside of 0 to choices - 1."""
    return ActionError(
        f"the action of {agent} holds {value}; allowed is 0 to {choices - 1}. Choose a legal one, "
        "which the action mask marks with 1."
    )


class ActionForm:
    """The form in which an environment takes actions and shows masks.

    Attributes:
        choices: the number of choices of each entry of an action: K numbers, or (J,).
        shape: the shape of an action: () if it is Discrete, else (K,).
        flat_is_view: True if `flat_masks` returns a view of its argument.
    """

    def __init__(self, layout: Layout, form: str = "sub_actions") -> None:
        """Prepare the form for a game of this layout.

        Raises:
            UnknownNameError: for a form other than "sub_actions" and "joint".
        """
        if form == "orders":
            warn_renamed("actions='orders'", "actions='sub_actions'")
            form = "sub_actions"
        check_choice("action form", form, ACTION_FORMS)
        counts = layout.num_choices
        is_joint = form == "joint" and len(counts) > 1
        self._joint = JointActions(counts) if is_joint else None
        self.choices = counts if self._joint is None else (self._joint.count,)
        self.shape = () if len(self.choices) == 1 else (len(self.choices),)
        self._limits = np.array(self.choices if self.shape else self.choices[0], np.uint64)
        self.flat_is_view = self._joint is None and len(set(self.choices)) == 1

    def sub_actions(self, actions: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return sub-actions (R, K) from actions (R, *shape)."""
        if self._joint is not None:
            return self._joint.sub_actions(actions)
        return actions if self.shape else actions[:, None]

    def actions(self, sub_actions: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return actions (R, *shape) from sub-actions (R, K)."""
        if self._joint is not None:
            return self._joint.index(sub_actions)
        return sub_actions if self.shape else sub_actions[:, 0]

    def masks(self, masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
        """Return masks (R, K, N) as they are, (R, N) for a single sub-action, or (R, J)."""
        if self._joint is not None:
            return self._joint.masks(masks)
        return masks if self.shape else masks[:, 0]

    def flat_masks(self, masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
        """Return masks (R, K, N) flat as (R, M), without padding, or as (R, J)."""
        if self._joint is not None:
            return self._joint.masks(masks)
        if self.flat_is_view:
            return masks.reshape(len(masks), -1)
        return np.concatenate([masks[:, k, :n] for k, n in enumerate(self.choices)], axis=1)

    def check_ranges(
        self, actions: npt.NDArray[np.int64], ignored: npt.NDArray[np.generic] | None = None
    ) -> None:
        """Check that actions (R, *shape) are in the action space.

        Args:
            actions: the actions.
            ignored: (R,), not 0 for rows whose action has no effect; None if there are none.

        Raises:
            ActionError: for an action outside of the action space.
        """
        # As unsigned numbers, negative ones are larger than any limit.
        outside = actions.view(np.uint64) >= self._limits
        if not outside.any():
            return
        if ignored is not None:
            outside[ignored != 0] = False
        for row, *entry in np.argwhere(outside).tolist():
            choices = self.choices[entry[0] if entry else 0]
            raise out_of_range(f"environment {row}", actions[(row, *entry)], choices)

    def read(self, agent: str, action: Any) -> list[int]:
        """Return the K sub-actions of one agent's action.

        Raises:
            ActionError: if it is outside of the agent's action space.
        """
        if type(action) is int and not self.shape and 0 <= action < self.choices[0]:
            return [action] if self._joint is None else self._joint.split(action)
        array = np.asarray(action)
        if array.shape != self.shape or array.dtype.kind not in "iu":
            raise ActionError(
                f"the action of {agent} must be integers of shape {self.shape}, got "
                f"dtype {array.dtype} and shape {array.shape}."
            )
        values: list[int] = array.tolist() if self.shape else [array.item()]
        for value, choices in zip(values, self.choices, strict=True):
            if not 0 <= value < choices:
                raise out_of_range(agent, value, choices)
        return values if self._joint is None else self._joint.split(values[0])
