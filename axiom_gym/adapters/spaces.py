"""Gymnasium spaces of observations and actions."""

from __future__ import annotations

import dataclasses
import json
from importlib import metadata
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import utils as vector_utils

from axiom_gym.adapters.actions import ActionForm
from axiom_gym.game.facts import Layout

if TYPE_CHECKING:
    from axiom_gym.batch.batch import Batch

Floats = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]


def observation_space(layout: Layout) -> spaces.Box:
    """Return the space of one player's observation."""
    low, high = layout.observation_low, layout.observation_high
    return spaces.Box(low, high, layout.observation_shape, np.float32)


_PER_ROW = ("low", "high", "bounded_below", "bounded_above", "nvec", "start")
"""The arrays of a Box or MultiDiscrete that have a row for each environment."""


def batch_space(space: spaces.Space[Any], count: int) -> spaces.Space[Any]:
    """Return the space of `count` observations or actions.

    It is Gymnasium's space, but all rows of its arrays share the memory of a single row. Storing
    every row, all of them equal, would take more memory than the observations themselves. The
    arrays are writable, because PyTorch warns about arrays that are not.
    """
    if isinstance(space, spaces.Dict):
        return spaces.Dict({key: batch_space(one, count) for key, one in space.items()})
    batched, row = vector_utils.batch_space(space, count), vector_utils.batch_space(space, 1)
    for name in _PER_ROW:
        array = getattr(row, name, None)
        if isinstance(array, np.ndarray):
            setattr(batched, name, _repeat(array[0, ...], count))
    return batched


def _repeat(row: npt.NDArray[Any], count: int) -> npt.NDArray[Any]:
    """Return a writable array of `count` rows that share the memory of this one."""
    shape, strides = (count, *row.shape), (0, *row.strides)
    return np.lib.stride_tricks.as_strided(row, shape, strides)


GAME_KEY = "axiom_gym"
"""The attribute of an observation space in which `name_game` writes the game."""

_GAME_FORMAT = 1


def name_game(space: spaces.Box, batch: Batch, form: ActionForm) -> spaces.Box:
    """Write the game, its options and the form of actions into an observation space; return it.

    stable-baselines3 saves the spaces of a model with it, and their texts as plain JSON. The file
    of a model therefore says which game the model plays.
    """
    layout, info = batch.layout, batch.game.info
    facts = {
        "format": _GAME_FORMAT,
        "game": f"{info.name}-v{info.version}",
        "options": dataclasses.asdict(batch.config),
        "observation_shape": layout.observation_shape,
        "num_choices": layout.num_choices,
        "actions": "sub_actions" if form.choices == layout.num_choices else "joint",
        "versions": {"axiom_gym": metadata.version("axiom-gym")},
    }
    setattr(space, GAME_KEY, json.dumps(facts, default=str))
    return space


def action_space(form: ActionForm) -> spaces.Discrete | spaces.MultiDiscrete:
    """Return Discrete for one sub-action or joint actions, else MultiDiscrete."""
    if form.shape:
        return spaces.MultiDiscrete(np.array(form.choices, np.int64))
    return spaces.Discrete(form.choices[0])


class ChoiceSpace(spaces.Discrete):
    """A Discrete space that samples with a mask, (N,) int8, in a quarter of Gymnasium's time.

    As in Gymnasium, all legal actions are equally likely, and the result is `start` if there is no
    legal action. The same seed gives other actions than in Gymnasium.
    """

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        is_plain = isinstance(mask, np.ndarray) and mask.dtype == np.int8
        if probability is not None or not is_plain or mask.shape != (self.n,):
            return super().sample(mask, probability)
        allowed = (mask == 1).nonzero()[0]
        if not len(allowed):
            return self.start
        return self.start + allowed[self.np_random.integers(len(allowed))]


class SubActionSpace(spaces.MultiDiscrete):
    """A MultiDiscrete space with an entry per sub-action that samples with a flat mask, (M,) int8.

    It also accepts Gymnasium's form of the mask, a tuple with an array for each sub-action.
    """

    def sample(self, mask: Any = None, probability: Any = None) -> npt.NDArray[np.int64]:
        return super().sample(self._split(mask), self._split(probability))

    def _split(self, flat: Any) -> Any:
        if not isinstance(flat, np.ndarray):
            return flat
        return tuple(np.split(flat, np.cumsum(self.nvec)[:-1]))
