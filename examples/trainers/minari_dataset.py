"""Record a dataset of games with Minari, and read it again.

    pip install -r examples/trainers/locks/minari.txt
    python examples/trainers/minari_dataset.py --game connect_four

A Minari dataset holds the observations, actions, rewards and infos of episodes; here of 20 games of
random legal actions against random play. Infos have the same keys in each step, as Minari demands.
The dataset is written to a temporary folder; leave out MINARI_DATASETS_PATH to keep it.
"""

from __future__ import annotations

import argparse
import os
import tempfile

os.environ["MINARI_DATASETS_PATH"] = tempfile.mkdtemp()

import gymnasium
import minari

import axiom_gym  # noqa: F401 - registers the games

NAMES = {"connect_four": "ConnectFour", "quantaris": "Quantaris"}


def main() -> None:
    parser = argparse.ArgumentParser(description="Record a dataset with Minari.")
    parser.add_argument("--game", default="connect_four", choices=tuple(NAMES))
    parser.add_argument("--episodes", type=int, default=20)
    args = parser.parse_args()
    env = minari.DataCollector(
        gymnasium.make(f"axiom/{NAMES[args.game]}-v0", opponent="random", actions="joint"),
        record_infos=True,
    )
    env.action_space.seed(1)
    for episode in range(args.episodes):
        _, info = env.reset(seed=episode)
        over = False
        while not over:
            action = env.action_space.sample(info["action_mask"])
            _, _, terminated, truncated, info = env.step(action)
            over = terminated or truncated
    dataset = env.create_dataset(f"axiom/{args.game.replace('_', '-')}/random-v0")
    loaded = minari.load_dataset(dataset.spec.dataset_id)
    first = next(loaded.iterate_episodes())
    print(f"{loaded.total_episodes} episodes, {loaded.total_steps} steps")
    print(f"first episode: {len(first.actions)} actions, return {first.rewards.sum():+.0f}")
    print(f"masks of its states: {first.infos['action_mask'].shape}")


if __name__ == "__main__":
    main()
