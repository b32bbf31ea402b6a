"""Rollouts of games whose players act one at a time, and the advantages of their decisions.

A row is a game, and each step of it is a decision of whoever was to act. In self-play that is now
one seat and now another, and each plays for itself: a decision's transition runs to the next
decision of the same seat, with the rewards that this seat got on the way. So the decisions of a
game are several interleaved chains, one for each seat, and generalized advantage estimation goes
along each of them.

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
"""(rows, *shape) observations -> (rows,) what the policy expects of them."""


def chain_advantages(
    paid: npt.NDArray[np.float32],
    actors: npt.NDArray[np.int16],
    over: npt.NDArray[np.bool_],
    values: npt.NDArray[np.float32],
    last_values: npt.NDArray[np.float32],
    gamma: float,
    gae_lambda: float,
) -> npt.NDArray[np.float32]:
    """Generalized advantage estimates of all decisions, (T, R) float32.

    Args:
        paid: (T, R, P), what every player got in a step.
        actors: (T, R), the seat that decided.
        over: (T, R), whether the episode ended in the step.
        values: (T, R), what the decider expected.
        last_values: (R, P), what every player expects after the last step.
        gamma: discount from a decision to the next one of the same seat.
        gae_lambda: of the estimate.
    """
    rows = np.arange(paid.shape[1])
    following = last_values.copy()  # of each seat, from its next decision on
    earned = np.zeros_like(last_values)  # by each seat, since its decision that is looked for
    advantage = np.zeros_like(last_values)  # of each seat's next decision
    found = np.zeros(values.shape, np.float32)
    for t in range(len(paid) - 1, -1, -1):
        # What came after the end belongs to another episode.
        for array in (following, earned, advantage):
            array[over[t]] = 0.0
        earned += paid[t]
        mine = (rows, actors[t])
        delta = earned[mine] + gamma * following[mine] - values[t]
        advantage[mine] = delta + gamma * gae_lambda * advantage[mine]
        found[t] = advantage[mine]
        following[mine] = values[t]
        earned[mine] = 0.0
    return found


class TurnRolloutBuffer(MaskableRolloutBuffer):
    """A rollout buffer that follows each seat's decisions.

    Call `follow` before the first rollout.
    """

    def follow(self, env: AxiomVecEnv, get_values: Values, get_scale: Callable[[], float]) -> None:
        """Takes the environment that is played in.

        Args:
            env: of a sequential game.
            get_values: what the policy expects of observations.
            get_scale: what rewards are divided by.
        """
        self._env = env
        self._get_values = get_values
        self._get_scale = get_scale
        shape = (self.buffer_size, self.n_envs)
        self._paid = np.zeros((*shape, env.batch.num_players), np.float32)
        self._actors = np.zeros(shape, np.int16)
        self._over = np.zeros(shape, np.bool_)

    def add(self, *args: Any, **kwargs: Any) -> None:
        """Keeps a step, which the environment has just made."""
        buffers, rows, place = self._env.batch.buffers, self._env.seating.rows, self.pos
        self._paid[place] = buffers.rewards / self._get_scale()
        self._actors[place] = rows.seats
        self._over[place] = rows.terminated | rows.truncated
        cut = np.flatnonzero(self._env.undecided())
        if len(cut):
            seen = buffers.final_observations[cut]
            values = self._get_values(seen.reshape(-1, *seen.shape[2:]))
            self._paid[place, cut] += self.gamma * values.reshape(seen.shape[:2])
        super().add(*args, **kwargs)

    def compute_returns_and_advantage(
        self, last_values: torch.Tensor, dones: npt.NDArray[np.bool_]
    ) -> None:
        """Fills `advantages` and `returns`, both (T, R)."""
        seen = self._env.batch.all_views()
        values = self._get_values(seen.reshape(-1, *seen.shape[2:])).reshape(seen.shape[:2])
        self.advantages = chain_advantages(
            self._paid, self._actors, self._over, self.values, values, self.gamma, self.gae_lambda
        )
        self.returns = self.advantages + self.values
