"""RLlib's PPO with action masks: one learner on a native vector environment, and all seats at once.

    pip install -r examples/trainers/locks/rllib.txt
    python examples/trainers/rllib_ppo.py --game connect_four

`configure` and `configure_multi_agent` set the environment, the masking module and the names that
remote workers need; everything else is RLlib's own. RLlib pins its version of Gymnasium, so give it
a virtual environment of its own.
"""

from __future__ import annotations

import argparse
import os

os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")

import ray
from ray.rllib.algorithms.ppo import PPOConfig

from axiom_gym.adapters.rllib import configure, configure_multi_agent


def train(name: str, config: PPOConfig, iterations: int) -> None:
    algorithm = config.debugging(seed=1).build_algo()
    for iteration in range(iterations):
        result = algorithm.train()["env_runners"]
        mean = result["episode_return_mean"]
        print(f"{name}: iteration {iteration + 1}, mean return {mean:+.2f}", flush=True)
    algorithm.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description="PPO of RLlib with action masks.")
    parser.add_argument("--game", default="connect_four")
    parser.add_argument("--iterations", type=int, default=2)
    args = parser.parse_args()
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    sizes = {"train_batch_size_per_learner": 2048, "minibatch_size": 512, "num_epochs": 2}
    config = configure(PPOConfig(), args.game, opponent="random")
    config.env_runners(num_env_runners=0, num_envs_per_env_runner=64).training(**sizes)
    train("one learner", config, args.iterations)
    config = configure_multi_agent(PPOConfig(), args.game)
    config.env_runners(num_env_runners=0, num_envs_per_env_runner=4).training(**sizes)
    train("all seats", config, args.iterations)
    ray.shutdown()


if __name__ == "__main__":
    main()
