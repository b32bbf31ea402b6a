"""MaskablePPO of sb3-contrib, with checkpoints and evaluation during training.

    python examples/sb3_maskable_ppo.py

The `VecEnv` has the method `action_masks` that MaskablePPO asks, so no wrapper is needed. Callbacks
save a checkpoint every 50,000 steps, and play 200 games against the bot `minimax2` at the same
times; the best model is kept. It should win more than 0.95 of 1,000 games against minimax2 after
300,000 steps (seed 1: 0.998). `--quick` checks in seconds that it runs.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.callbacks import MaskableEvalCallback
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from stable_baselines3.common.callbacks import CheckpointCallback

from axiom_gym.adapters.sb3 import AxiomVecEnv, make_vec_env

NUM_ENVS = 64


def make_envs(opponent: str | list[str], seed: int) -> AxiomVecEnv:
    return make_vec_env("connect_four", NUM_ENVS, opponent=opponent, seed=seed)


def main() -> None:
    parser = argparse.ArgumentParser(description="MaskablePPO with callbacks on Connect Four.")
    parser.add_argument("--steps", type=int, default=300_000)
    parser.add_argument("--out", type=Path, help="keep the models here; by default none is kept")
    parser.add_argument("--quick", action="store_true", help="two short rollouts")
    args = parser.parse_args()
    torch.set_num_threads(1)  # networks of this size are slower with more
    with tempfile.TemporaryDirectory() as folder:
        train(args.out or Path(folder), 8192 if args.quick else args.steps, args.quick)


def train(out: Path, steps: int, quick: bool) -> None:
    every = (4096 if quick else 50_000) // NUM_ENVS
    games = 64 if quick else 200
    callbacks = [
        CheckpointCallback(every, str(out), name_prefix="connect_four"),
        MaskableEvalCallback(
            make_envs("minimax2", seed=1000),
            eval_freq=every,
            n_eval_episodes=games,
            deterministic=False,
            best_model_save_path=str(out),
        ),
    ]
    envs = make_envs(["random", "minimax2"], seed=1)
    model = MaskablePPO("MlpPolicy", envs, n_steps=64, batch_size=512, ent_coef=0.01, seed=1)
    model.learn(steps, callback=callbacks)
    best = MaskablePPO.load(out / "best_model.zip")
    rewards, _ = evaluate_policy(
        best,
        make_envs("minimax2", seed=5000),
        n_eval_episodes=64 if quick else 1000,
        deterministic=False,
        return_episode_rewards=True,
    )
    wins = sum(reward > 0 for reward in rewards) / len(rewards)
    print(f"saved {len(list(out.glob('connect_four_*.zip')))} checkpoints")
    print(f"win rate of the best model against minimax2: {wins:.3f} of {len(rewards)} games")


if __name__ == "__main__":
    main()
