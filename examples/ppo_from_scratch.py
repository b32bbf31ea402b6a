"""PPO in one file, with action masks from the infos, on the native vector environment.

    python examples/ppo_from_scratch.py                         # half a million steps
    python examples/ppo_from_scratch.py --autoreset NEXT_STEP   # Gymnasium's default mode

The agent learns Connect Four against random play and minimax2, from nothing, with illegal actions
masked out of the policy. The last line should show a win rate above 0.95 after 491,520 steps (0.991
with seed 1 in both modes). `--quick` checks in seconds that it runs.

The two modes differ at the end of an episode. In SAME_STEP, `step` returns the first observation of
the next episode, and the last one is in `infos["final_obs"]`. In NEXT_STEP, `step` returns the last
observation, and the next call ignores the action and resets; that call is no transition.
"""

from __future__ import annotations

import argparse

import gymnasium
import numpy as np
import torch
from gymnasium.vector import AutoresetMode
from torch import nn

import axiom_gym  # noqa: F401 - registers the games

NUM_ENVS, NUM_STEPS, EPOCHS, BATCH = 256, 32, 4, 1024
GAMMA, LAMBDA, CLIP, ENTROPY, RATE = 0.99, 0.95, 0.2, 0.01, 1e-3


class Agent(nn.Module):
    """A policy and a value function, which share no weights."""

    def __init__(self, features: int, actions: int) -> None:
        super().__init__()
        self.policy = self._network(features, actions)
        self.value = self._network(features, 1)

    @staticmethod
    def _network(features: int, outputs: int) -> nn.Sequential:
        hidden = (nn.Linear(features, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU())
        return nn.Sequential(*hidden, nn.Linear(128, outputs))

    def distribution(self, observations, masks):
        logits = self.policy(observations).masked_fill(masks == 0, -1e8)
        return torch.distributions.Categorical(logits=logits)


def collect(envs, agent, observations, infos, over):
    """Play NUM_STEPS steps; return the transitions, and where the next call continues."""
    resets_take_a_step = envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    steps = []
    for _ in range(NUM_STEPS):
        masks = infos["action_mask"]
        with torch.no_grad():
            distribution = agent.distribution(*map(torch.as_tensor, (observations, masks)))
            actions = distribution.sample()
            step = {"observations": observations, "masks": masks, "actions": actions.numpy()}
            step["log_probs"] = distribution.log_prob(actions).numpy()
        step["is_reset"] = over & resets_take_a_step
        observations, rewards, terminated, truncated, infos = envs.step(step["actions"])
        over = terminated | truncated
        following = observations.copy()
        if "final_obs" in infos:
            following[over] = np.stack(infos["final_obs"][over])
        step |= {"rewards": rewards, "terminated": terminated, "over": over, "next": following}
        steps.append(step)
    transitions = {name: np.stack([step[name] for step in steps]) for name in steps[0]}
    return transitions, observations, infos, over


def add_advantages(agent, rollout):
    """Add generalized advantage estimates and returns to the transitions."""
    with torch.no_grad():
        values = agent.value(torch.as_tensor(rollout["observations"])).squeeze(-1).numpy()
        following = agent.value(torch.as_tensor(rollout["next"])).squeeze(-1).numpy()
    # The value after a terminated episode is 0; after a truncated one, that of its last state.
    targets = rollout["rewards"] + GAMMA * following * ~rollout["terminated"]
    advantages, last = np.zeros_like(values), np.zeros_like(values[0])
    for t in reversed(range(NUM_STEPS)):
        last = targets[t] - values[t] + GAMMA * LAMBDA * last * ~rollout["over"][t]
        advantages[t] = last
    rollout |= {"advantages": advantages, "returns": advantages + values}


def update(agent, optimizer, rollout, rng):
    """Make EPOCHS passes over the transitions."""
    valid = ~rollout["is_reset"].ravel()
    data = {
        name: torch.as_tensor(array.reshape(-1, *array.shape[2:])[valid])
        for name, array in rollout.items()
    }
    for _ in range(EPOCHS):
        order = torch.as_tensor(rng.permutation(int(valid.sum())))
        for rows in order.split(BATCH):
            part = {name: array[rows] for name, array in data.items()}
            distribution = agent.distribution(part["observations"], part["masks"])
            ratio = (distribution.log_prob(part["actions"]) - part["log_probs"]).exp()
            advantage = part["advantages"]
            advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
            clipped = ratio.clamp(1 - CLIP, 1 + CLIP)
            policy_loss = -torch.minimum(ratio * advantage, clipped * advantage).mean()
            value_loss = (agent.value(part["observations"]).squeeze(-1) - part["returns"]) ** 2
            loss = policy_loss + 0.5 * value_loss.mean() - ENTROPY * distribution.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimizer.step()


def main() -> None:
    parser = argparse.ArgumentParser(description="PPO with action masks in one file.")
    parser.add_argument("--autoreset", default="SAME_STEP", choices=("SAME_STEP", "NEXT_STEP"))
    parser.add_argument("--iterations", type=int, default=60, help="of 8,192 steps each")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="two iterations")
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)  # networks of this size are slower with more
    rng = np.random.default_rng(args.seed)
    envs = gymnasium.make_vec(
        "axiom/ConnectFour-v0",
        num_envs=NUM_ENVS,
        opponent=["random", "minimax2"],
        autoreset_mode=args.autoreset,
    )
    agent = Agent(envs.single_observation_space.shape[0], envs.single_action_space.n)
    optimizer = torch.optim.Adam(agent.parameters(), RATE, eps=1e-5)
    observations, infos = envs.reset(seed=args.seed)
    over = np.zeros(NUM_ENVS, np.bool_)
    iterations = 2 if args.quick else args.iterations
    for iteration in range(1, iterations + 1):
        rollout, observations, infos, over = collect(envs, agent, observations, infos, over)
        add_advantages(agent, rollout)
        update(agent, optimizer, rollout, rng)
        if iteration % 20 == 0 or iteration == iterations:
            ends = rollout["rewards"][rollout["over"]]
            steps = iteration * NUM_ENVS * NUM_STEPS
            print(f"{steps:>9,} steps: win rate {(ends > 0).mean():.3f} of {len(ends)} games")


if __name__ == "__main__":
    main()
