"""Train with stable-baselines3 on the native `VecEnv`, and play the saved model.

    python examples/sb3_ppo.py

PPO of stable-baselines3 knows no action masks: an illegal action forfeits the game, so the agent
also has to learn the rules. It plays Connect Four against random play, and it should win more than
0.90 of its games after 300,000 steps (seed 1: 0.978). `examples/sb3_maskable_ppo.py` learns
faster. `--quick` checks in seconds that it runs.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import torch
from stable_baselines3 import PPO
from stable_baselines3.common.evaluation import evaluate_policy

from axiom_gym.adapters.sb3 import make_vec_env


def main() -> None:
    parser = argparse.ArgumentParser(description="PPO of stable-baselines3 on Connect Four.")
    parser.add_argument("--steps", type=int, default=300_000)
    parser.add_argument("--quick", action="store_true", help="one short rollout")
    args = parser.parse_args()
    torch.set_num_threads(1)  # networks of this size are slower with more
    envs = make_vec_env("connect_four", num_envs=64, opponent="random")
    model = PPO("MlpPolicy", envs, n_steps=64, batch_size=512, ent_coef=0.01, seed=1)
    model.learn(4096 if args.quick else args.steps)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "connect_four_ppo.zip"
        model.save(path)
        model = PPO.load(path)
    test_envs = make_vec_env("connect_four", num_envs=64, opponent="random", seed=1000)
    rewards, lengths = evaluate_policy(
        model,
        test_envs,
        n_eval_episodes=64 if args.quick else 1000,
        deterministic=False,
        return_episode_rewards=True,
    )
    wins = sum(reward > 0 for reward in rewards) / len(rewards)
    print(f"win rate {wins:.3f} of {len(rewards)} games of {sum(lengths) / len(lengths):.1f} moves")


if __name__ == "__main__":
    main()
