"""Rollouts of sequential games, and the advantages of their decisions.

A row is a game, and each of its steps is a decision of the acting player. In self-play the seats
alternate: the transition of a decision ends at the next decision of the same seat, and its reward
is the sum of this seat's rewards in between. Therefore the decisions of a game form interleaved
chains, one for each seat, and generalized advantage estimation follows each chain.

Axis letters: T steps of a rollout, R rows (games), P players.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer

from axiom_gym.adapters.sb3 import AxiomVecEnv

Values = Callable[[npt.NDArray[np.float32]], npt.NDArray[np.float32]]
"""(rows, *shape) observations -> (rows,) value estimates."""


def chain_advantages(
    rewards: npt.NDArray[np.float32],
    actors: npt.NDArray[np.int16],
    ended: npt.NDArray[np.bool_],
    values: npt.NDArray[np.float32],
    last_values: npt.NDArray[np.float32],
    gamma: float,
    gae_lambda: float,
) -> npt.NDArray[np.float32]:
    """Return the generalized advantage estimates of all decisions, (T, R) float32.

    Args:
        rewards: (T, R, P), the rewards of all players in each step.
        actors: (T, R), the seat that decided.
        ended: (T, R), True if the episode ended in the step.
        values: (T, R), the value estimate of the seat that decided.
        last_values: (R, P), the value estimates of all players after the last step.
        gamma: the discount from a decision to the next one of the same seat.
        gae_lambda: the lambda of the estimate.
    """
    rows = np.arange(rewards.shape[1])
    following = last_values.copy()  # the value of each seat's next decision
    earned = np.zeros_like(last_values)  # each seat's rewards before its next decision
    advantage = np.zeros_like(last_values)  # the advantage of each seat's next decision
    found = np.zeros(values.shape, np.float32)
    for t in range(len(rewards) - 1, -1, -1):
        # Steps after an end belong to the next episode.
        for array in (following, earned, advantage):
            array[ended[t]] = 0.0
        earned += rewards[t]
        mine = (rows, actors[t])
        delta = earned[mine] + gamma * following[mine] - values[t]
        advantage[mine] = delta + gamma * gae_lambda * advantage[mine]
        found[t] = advantage[mine]
        following[mine] = values[t]
        earned[mine] = 0.0
    return found


class TurnRolloutBuffer(MaskableRolloutBuffer):
    """A rollout buffer that computes advantages along the decisions of each seat.

    Call `follow` before the first rollout.
    """

    def follow(self, env: AxiomVecEnv, get_values: Values, get_scale: Callable[[], float]) -> None:
        """Set the environment.

        Args:
            env: the vector environment of a sequential game.
            get_values: a function that returns the value estimates of observations.
            get_scale: a function that returns the number that rewards are divided by.
        """
        self._env = env
        self._get_values = get_values
        self._get_scale = get_scale
        shape = (self.buffer_size, self.n_envs)
        self._player_rewards = np.zeros((*shape, env.batch.num_players), np.float32)
        self._actors = np.zeros(shape, np.int16)
        self._ended = np.zeros(shape, np.bool_)

    def add(self, *args: Any, **kwargs: Any) -> None:
        """Store the step that the environment has just made."""
        buffers, rows, place = self._env.batch.buffers, self._env.seating.rows, self.pos
        self._player_rewards[place] = buffers.rewards / self._get_scale()
        self._actors[place] = rows.seats
        self._ended[place] = rows.terminated | rows.truncated
        cut = np.flatnonzero(self._env.undecided())
        if len(cut):
            final = buffers.final_observations[cut]
            values = self._get_values(final.reshape(-1, *final.shape[2:]))
            self._player_rewards[place, cut] += self.gamma * values.reshape(final.shape[:2])
        super().add(*args, **kwargs)

    def compute_returns_and_advantage(
        self, last_values: torch.Tensor, dones: npt.NDArray[np.bool_]
    ) -> None:
        """Compute `advantages` and `returns`, both (T, R)."""
        views = self._env.batch.all_views()
        values = self._get_values(views.reshape(-1, *views.shape[2:])).reshape(views.shape[:2])
        self.advantages = chain_advantages(
            self._player_rewards,
            self._actors,
            self._ended,
            self.values,
            values,
            self.gamma,
            self.gae_lambda,
        )
        self.returns = self.advantages + self.values
