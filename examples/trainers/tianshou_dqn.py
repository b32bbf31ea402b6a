"""Masked DQN of Tianshou on a single-agent environment.

    pip install -r examples/trainers/locks/tianshou.txt
    python examples/trainers/tianshou_dqn.py --game connect_four --epochs 5

Tianshou reads the mask from a dictionary observation with the keys `obs` and `mask`, which
`mask_in_obs=("obs", "mask")` gives. Of its algorithms, those of the DQN family use masks. DQN needs
a Discrete action, so a MultiDiscrete game is made with `actions="joint"`. Five epochs of 10,000
steps should win more than 0.8 of the games of Connect Four against random play.
"""

from __future__ import annotations

import argparse

import gymnasium
import torch
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

from axiom_gym.adapters.gymnasium import AxiomEnv


def make_env(game: str) -> gymnasium.Env:
    return AxiomEnv(game, opponent="random", actions="joint", mask_in_obs=("obs", "mask"))


def main() -> None:
    parser = argparse.ArgumentParser(description="Masked DQN of Tianshou.")
    parser.add_argument("--game", default="connect_four")
    parser.add_argument("--epochs", type=int, default=5, help="of 10,000 steps each")
    parser.add_argument("--epoch-steps", type=int, default=10_000)
    args = parser.parse_args()
    torch.manual_seed(1)
    training = DummyVectorEnv([lambda: make_env(args.game) for _ in range(8)])
    testing = DummyVectorEnv([lambda: make_env(args.game) for _ in range(8)])
    training.seed(1)
    testing.seed(1001)
    space, actions = training.observation_space[0], training.action_space[0]
    model = Net(state_shape=space["obs"].shape, action_shape=actions.n, hidden_sizes=[256, 256])
    policy = DiscreteQLearningPolicy(
        model=model, action_space=actions, observation_space=space, eps_training=0.2
    )
    algorithm = DQN(
        policy=policy, optim=AdamOptimizerFactory(lr=1e-3), gamma=0.97, target_update_freq=500
    )
    buffer = VectorReplayBuffer(50_000, 8)
    collector = Collector(algorithm, training, buffer, exploration_noise=True)
    collector.reset()
    collector.collect(n_step=1000)
    result = algorithm.run_training(
        OffPolicyTrainerParams(
            training_collector=collector,
            test_collector=Collector(algorithm, testing),
            max_epochs=args.epochs,
            epoch_num_steps=args.epoch_steps,
            collection_step_num_env_steps=80,
            update_step_num_gradient_steps_per_sample=0.1,
            test_step_num_episodes=200,
            batch_size=256,
            verbose=False,
        )
    )
    print(f"best mean reward of 200 test games: {result.best_reward:.2f}")


if __name__ == "__main__":
    main()
