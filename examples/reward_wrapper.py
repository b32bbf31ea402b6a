"""Shape rewards with Gymnasium's wrappers, for one environment and for a native vector environment.

    python examples/reward_wrapper.py

A game of Quantaris ends with a reward of 1, 0 or -1, and all rewards before are 0. The wrappers
charge 0.01 for each turn, so that an agent prefers short games. The vector environment is wrapped
after it was made, because `gymnasium.make_vec(..., wrappers=...)` gives up the native one.
Both print the same sum, since environment 0 of a vector environment plays the same game as a single
environment with the same seed:

    single: -0.49 after 49 turns
    vector: -0.49 after 49 turns
"""

from __future__ import annotations

import gymnasium
import numpy as np

import axiom_gym  # noqa: F401 - registers the games

COST = 0.01


def main() -> None:
    env = gymnasium.make("axiom/Quantaris-v0", opponent="greedy")
    env = gymnasium.wrappers.TransformReward(env, lambda reward: reward - COST)
    env.reset(seed=1)
    print_sum("single", lambda: env.step([0, 0, 0])[1:4])

    envs = gymnasium.make_vec("axiom/Quantaris-v0", num_envs=4, opponent="greedy")
    envs = gymnasium.wrappers.vector.TransformReward(envs, lambda rewards: rewards - COST)
    envs.reset(seed=1)
    actions = np.zeros((4, 3), np.int64)
    print_sum("vector", lambda: (array[0] for array in envs.step(actions)[1:4]))


def print_sum(name, step) -> None:
    """Step until the episode ends, and print the sum of the rewards."""
    total, turns, over = 0.0, 0, False
    while not over:
        reward, terminated, truncated = step()
        total, turns, over = total + float(reward), turns + 1, terminated or truncated
    print(f"{name}: {total:.2f} after {turns} turns")


if __name__ == "__main__":
    main()
