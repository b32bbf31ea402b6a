"""The kernel of a game without rules: a placeholder in templates, and the floor of benchmarks.

It writes zeros and ones to the buffers that a game writes, and does nothing else. A template
imports its kernel from this module, and `axiom_gym.backend.codegen` replaces the module by that of
the real kernel.
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
    """Do nothing, since the state has no fields but `rng`."""


@kernel
def legal_actions(state: Any, player: int, mask: npt.NDArray[np.int8], params: Any) -> None:
    """Make every action legal. mask: (K, N) int8."""
    mask[:] = 1


@kernel
def step(
    state: Any, actions: Any, rewards: npt.NDArray[np.float32], events: Any, params: Any
) -> int:
    """Write rewards of 0; the game never ends. actions: (P, K) int64. rewards: (P,) float32."""
    rewards[:] = 0.0
    return RUNNING


@kernel
def observe(state: Any, player: int, observation: npt.NDArray[np.float32], params: Any) -> None:
    """Write zeros. observation: float32 of any shape."""
    observation[:] = 0.0


@kernel
def outcome(state: Any, returns: npt.NDArray[np.float32], params: Any) -> None:
    """Write 0 for every player. returns: (P,) float32."""
    returns[:] = 0.0


@inline_kernel
def acting(state: Any, params: Any) -> int:
    """Return EVERYONE: all players act at the same time."""
    return EVERYONE


@inline_kernel
def alive(state: Any, player: int, params: Any) -> bool:
    """Return True: no player is ever eliminated."""
    return True


@kernel
def bot(
    state: Any, player: int, mask: npt.NDArray[np.int8], stream: Any, sub_actions: Any, params: Any
) -> None:
    """Draw each sub-action uniformly from the legal ones; this is the bot "random".

    mask: (K, N) int8. sub_actions: (K,) int64, written. Each sub-action takes one draw from
    `stream.rng`.
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
    """Do nothing; a placeholder for a function to compile on its own."""
