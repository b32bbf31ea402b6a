"""SuperSuit: all players of a Parallel environment as rows of a stable-baselines3 environment.

    pip install -r examples/trainers/locks/supersuit.txt
    python examples/trainers/supersuit_sb3.py --game quantaris

SuperSuit's wrappers want plain observations, so masks go into the infos: `mask_in="info"`.
stable-baselines3 does not read them there; an illegal action ends the game with a loss. Our own
`axiom_gym.adapters.sb3.make_vec_env(..., self_play_games=N)` gives the same rows with masks, and
about a hundred times faster.
"""

from __future__ import annotations

import argparse

import pettingzoo
import supersuit
import torch
from stable_baselines3 import PPO

import axiom_gym  # noqa: F401 - registers the games


def main() -> None:
    parser = argparse.ArgumentParser(description="SuperSuit with stable-baselines3.")
    parser.add_argument("--game", default="quantaris", choices=("quantaris", "ajve_civ"))
    parser.add_argument("--iterations", type=int, default=2)
    args = parser.parse_args()
    torch.set_num_threads(1)
    env = pettingzoo.make(
        "parallel",
        f"axiom/{args.game}-v0",
        mask_in="info",
        actions="joint",
        on_illegal="forfeit",
    )
    env = supersuit.black_death_v3(env)  # eliminated agents stay, with observations of zeros
    envs = supersuit.pettingzoo_env_to_vec_env_v1(env)
    envs = supersuit.concat_vec_envs_v1(envs, 4, num_cpus=1, base_class="stable_baselines3")
    model = PPO("MlpPolicy", envs, n_steps=64, batch_size=256, seed=None)
    model.learn(args.iterations * 64 * envs.num_envs)
    print(f"{model.num_timesteps} steps of {envs.num_envs} rows")


if __name__ == "__main__":
    main()
