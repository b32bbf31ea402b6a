"""Self-play against a pool of the agent's own past, with MaskablePPO.

    python examples/self_play_pool.py

The opponents are members of an `OpponentPool`: random play at first, then a frozen copy of the
agent after each iteration. Each episode draws its opponent when it begins and keeps it. The last
member should win more than 0.90 of its games against random play, and against the first snapshot
(seed 1: 0.958 and 0.965). `axiom-gym train` does the same with more care: seats are balanced, the
agent also learns from its opponent's seat, and all members are rated. `--quick` checks in seconds
that it runs.
"""

from __future__ import annotations

import argparse
import io

import numpy as np
import torch
from sb3_contrib import MaskablePPO

from axiom_gym.adapters.sb3 import make_vec_env
from axiom_gym.opponents import OpponentPool
from axiom_gym.play.simulation import simulate


class Snapshot:
    """A frozen copy of a policy: `(observations, masks, rng) -> actions` on batches."""

    def __init__(self, model: MaskablePPO, name: str) -> None:
        self.name = name
        file = io.BytesIO()
        model.save(file)
        self._policy = MaskablePPO.load(file).policy

    def __call__(self, observations, masks, rng: np.random.Generator):
        with torch.no_grad():
            distribution = self._policy.get_distribution(torch.as_tensor(observations), masks[:, 0])
            probabilities = distribution.distribution.probs.numpy()
        # The generator of the environment draws the action, so that a seed fixes the whole game.
        return (probabilities.cumsum(1) < rng.random((len(masks), 1))).sum(1).clip(max=6)


def main() -> None:
    parser = argparse.ArgumentParser(description="Self-play with a pool of snapshots.")
    parser.add_argument("--iterations", type=int, default=8, help="of 50,000 steps each")
    parser.add_argument("--quick", action="store_true", help="two iterations of 4,096 steps")
    args = parser.parse_args()
    torch.set_num_threads(1)  # networks of this size are slower with more
    pool = OpponentPool(["random"])
    envs = make_vec_env("connect_four", 64, opponent=pool, seat="random", seed=1)
    model = MaskablePPO("MlpPolicy", envs, n_steps=64, batch_size=512, ent_coef=0.01, seed=1)
    snapshots = []
    for iteration in range(1, (2 if args.quick else args.iterations) + 1):
        model.learn(4096 if args.quick else 50_000, reset_num_timesteps=False)
        snapshots.append(Snapshot(model, f"iteration {iteration}"))
        pool.add(snapshots[-1])
        print(f"{snapshots[-1].name}: {model.num_timesteps:,} steps, {len(pool.members)} members")
    for opponent in ("random", snapshots[0]):
        name = getattr(opponent, "name", opponent)
        score = measure(snapshots[-1], opponent, 100 if args.quick else 1000)
        print(f"win rate of the last snapshot against {name}: {score:.3f}")


def measure(player: Snapshot, opponent: Snapshot | str, games: int) -> float:
    """Return the player's share of wins, half of the games from each seat."""
    first = simulate("connect_four", [player, opponent], games // 2, seed=1)
    second = simulate("connect_four", [opponent, player], games // 2, seed=2)
    return (first.wins[0] + second.wins[1]) / 2


if __name__ == "__main__":
    main()
