"""AgileRL: masked DQN on a native vector environment, and MADDPG on PettingZoo's Parallel form.

    pip install -r examples/trainers/locks/agilerl.txt
    python examples/trainers/agilerl_dqn.py --game connect_four

AgileRL takes the mask from the infos: `DQN.get_action(observations, action_mask=...)`, and MADDPG
finds `action_mask` in the info of each agent, for which observations have to be plain boxes:
`mask_in="info"`. Actions are Discrete (`actions="joint"`). IPPO of AgileRL 2.58 fails on every
environment with masks, because it looks for None in a list of arrays.
"""

from __future__ import annotations

import argparse

import numpy as np
import torch
from agilerl.algorithms.dqn import DQN
from agilerl.algorithms.maddpg import MADDPG
from agilerl.components.data import Transition, transition_to_tensordict
from agilerl.components.replay_buffer import ReplayBuffer

from axiom_gym.adapters.gymnasium import AxiomVectorEnv
from axiom_gym.adapters.pettingzoo import parallel_env

NUM_ENVS = 64


def train_dqn(game: str, iterations: int) -> None:
    """Play 100 steps in each environment per iteration, with an update after each step."""
    envs = AxiomVectorEnv(
        game, NUM_ENVS, opponent="random", actions="joint", autoreset_mode="SAME_STEP"
    )
    agent = DQN(envs.single_observation_space, envs.single_action_space, batch_size=256, lr=1e-3)
    memory = ReplayBuffer(50_000)
    observations, infos = envs.reset(seed=1)
    for iteration in range(iterations):
        ends: list[float] = []
        for _ in range(100):
            actions = agent.get_action(observations, epsilon=0.2, action_mask=infos["action_mask"])
            following, rewards, terminated, truncated, infos = envs.step(actions)
            over = terminated | truncated
            transition = transition_to_tensordict(
                Transition(
                    obs=observations, action=actions, reward=rewards, next_obs=following, done=over
                )
            )
            transition.batch_size = torch.Size([NUM_ENVS])
            memory.add(transition)
            agent.learn(memory.sample(256))
            ends.extend(rewards[over])
            observations = following
        print(f"DQN, {game}: iteration {iteration + 1}, mean reward {np.mean(ends):+.2f}")


def play_maddpg(turns: int) -> None:
    """Ask an untrained MADDPG agent for legal actions of both players of Quantaris."""
    env = parallel_env("quantaris", mask_in="info", actions="joint", on_illegal="raise")
    names = env.possible_agents
    agent = MADDPG(
        [env.observation_space(name) for name in names],
        [env.action_space(name) for name in names],
        agent_ids=names,
    )
    observations, infos = env.reset(seed=1)
    for _ in range(turns):
        actions, _ = agent.get_action(observations, infos=infos)
        chosen = {name: int(np.ravel(action)[0]) for name, action in actions.items()}
        observations, _, _, _, infos = env.step(chosen)
        if not env.agents:
            observations, infos = env.reset()
    print(f"MADDPG, quantaris: {turns} turns without an illegal action")


def main() -> None:
    parser = argparse.ArgumentParser(description="DQN and MADDPG of AgileRL.")
    parser.add_argument("--game", default="connect_four")
    parser.add_argument("--iterations", type=int, default=2)
    args = parser.parse_args()
    torch.manual_seed(1)
    train_dqn(args.game, args.iterations)
    play_maddpg(50)


if __name__ == "__main__":
    main()
