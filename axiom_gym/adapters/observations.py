"""The form of a learner's observations in Gymnasium: arrays, or dicts with the action mask.

Axis letters: R rows, K sub-actions, N choices per sub-action, M the sum of all sub-actions'
choices, or the number of joint actions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from axiom_gym.adapters.actions import ActionForm
from axiom_gym.adapters.spaces import Floats, observation_space
from axiom_gym.errors import ConfigError, check_choice
from axiom_gym.game.facts import Layout

KEYS = ("observation", "action_mask")
"""The keys of observation and mask, as in PettingZoo."""

MASK_DTYPES = ("int8", "float32", "bool")


class ObservationForm:
    """The form in which an environment shows observations.

    Attributes:
        keys: the keys of observation and mask in a dict; None if observations are arrays.
        space: the space of one observation.
    """

    def __init__(
        self,
        layout: Layout,
        actions: ActionForm,
        mask_in_obs: bool | tuple[str, str] = False,
        mask_dtype: str = "int8",
    ) -> None:
        """Prepare the form for a game of this layout.

        Args:
            layout: the shapes of the game.
            actions: the form of its actions.
            mask_in_obs: True for dicts with the keys `KEYS`; or the two keys.
            mask_dtype: the dtype of the mask, one of `MASK_DTYPES`.

        Raises:
            ConfigError: for keys that are not two different strings, or another dtype.
        """
        self.keys = _read_keys(mask_in_obs)
        self._dtype = np.dtype(check_choice("mask dtype", mask_dtype, MASK_DTYPES))
        self._actions = actions
        self.space: spaces.Box | spaces.Dict = observation_space(layout)
        if self.keys is not None:
            mask = spaces.Box(0, 1, (sum(actions.choices),), self._dtype.type)
            self.space = spaces.Dict({self.keys[0]: self.space, self.keys[1]: mask})

    def show(self, observations: Floats, masks: npt.NDArray[np.int8]) -> Any:
        """Return observations (R, *shape) as they are, or with masks (R, K, N) as (R, M)."""
        if self.keys is None:
            return observations
        flat = self._actions.flat_masks(masks).astype(self._dtype)
        return {self.keys[0]: observations, self.keys[1]: flat}

    def show_final(self, observation: Floats) -> Any:
        """Return the last observation of an episode whose game has begun anew.

        Its mask allows the first choice of each sub-action, because no decision is left and a mask
        must never be empty.
        """
        if self.keys is None:
            return observation
        choices = self._actions.choices
        mask = np.zeros(sum(choices), self._dtype)
        mask[np.cumsum([0, *choices[:-1]])] = 1
        return {self.keys[0]: observation, self.keys[1]: mask}


def _read_keys(mask_in_obs: Any) -> tuple[str, str] | None:
    """Return the two keys; None for observations without a mask."""
    if mask_in_obs is False:
        return None
    keys = KEYS if mask_in_obs is True else mask_in_obs
    are_strings = isinstance(keys, tuple | list) and all(isinstance(key, str) for key in keys)
    if not are_strings or len(set(keys)) != 2 or len(keys) != 2:
        raise ConfigError(
            "mask_in_obs must be True, False or two keys, those of observation and mask, such as "
            f"('observations', 'action_mask'), got {mask_in_obs!r}."
        )
    return keys[0], keys[1]
