"""The kernel of a game without rules: the templates' stand-in, and the floor of every benchmark.

It writes the buffers that a game writes, with zeros and ones, and does nothing else. A template
imports its kernel from this module, and `axiom_gym.backend.codegen` puts the real kernel's module
in its place.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_gym.kernel import EVERYONE, RUNNING, inline_kernel, kernel, record_dtype
from axiom_gym.rng import next_below

STATE = record_dtype([("rng", np.uint32)])


@kernel
def reset(state: Any, params: Any) -> None:
    """Nothing to write."""


@kernel
def legal_actions(state: Any, player: int, mask: npt.NDArray[np.int8], params: Any) -> None:
    """All is legal. mask: (K, N) int8."""
    mask[:] = 1


@kernel
def step(
    state: Any, actions: Any, rewards: npt.NDArray[np.float32], events: Any, params: Any
) -> int:
    """Nothing happens, for ever. actions: (P, K) int64. rewards: (P,) float32."""
    rewards[:] = 0.0
    return RUNNING


@kernel
def observe(state: Any, player: int, observation: npt.NDArray[np.float32], params: Any) -> None:
    """Nothing is seen. observation: float32 of any shape."""
    observation[:] = 0.0


@kernel
def outcome(state: Any, returns: npt.NDArray[np.float32], params: Any) -> None:
    """Nobody wins. returns: (P,) float32."""
    returns[:] = 0.0


@inline_kernel
def acting(state: Any, params: Any) -> int:
    """All players act at the same time."""
    return EVERYONE


@inline_kernel
def alive(state: Any, player: int, params: Any) -> bool:
    """Nobody drops out."""
    return True


@kernel
def bot(
    state: Any, player: int, mask: npt.NDArray[np.int8], stream: Any, sub_actions: Any, params: Any
) -> None:
    """The scripted player "random": each sub-action uniform over the legal ones.

    mask: (K, N) int8; sub_actions: (K,) int64, written; draws from `stream.rng`, once per
    sub-action.
    """
    for k in range(mask.shape[0]):
        choices = 0
        for n in range(mask.shape[1]):
            choices += int(mask[k, n])
        remaining = next_below(stream, choices)
        for n in range(mask.shape[1]):
            if mask[k, n] != 0:
                if remaining == 0:
                    sub_actions[k] = n
                    break
                remaining -= 1


@kernel
def function(*args: Any) -> None:
    """Stands for any one function that shall be compiled on its own."""
