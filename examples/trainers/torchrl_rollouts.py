"""TorchRL's wrappers: specs, masked random rollouts, and a step of REINFORCE.

    pip install -r examples/trainers/locks/torchrl.txt
    python examples/trainers/torchrl_rollouts.py --game connect_four

`GymEnv` reads the mask from the infos, and `ActionMask` applies it. `PettingZooWrapper` wants the
mask in the observation only: `mask_in="obs"`. Actions are Discrete (`actions="joint"`). Each part
checks the specs of the environment with TorchRL's own `check_env_specs`, so it prints nothing but
the number of transitions and the mean rewards of two updates.
"""

from __future__ import annotations

import argparse

import pettingzoo
import torch
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.envs import (
    ActionMask,
    Compose,
    DTypeCastTransform,
    GymEnv,
    PettingZooWrapper,
    TransformedEnv,
    check_env_specs,
)
from torchrl.modules import MaskedCategorical, ProbabilisticActor

import axiom_gym  # noqa: F401 - registers the games

NAMES = {"connect_four": "ConnectFour", "quantaris": "Quantaris"}


def make_env(game: str) -> TransformedEnv:
    env = GymEnv(
        f"axiom/{NAMES[game]}-v0",
        actions="joint",
        on_illegal="raise",
        categorical_action_encoding=True,
    )
    as_bool = DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"])
    return TransformedEnv(env.auto_register_info_dict(), Compose(as_bool, ActionMask()))


def train(game: str, iterations: int) -> None:
    """Make updates of REINFORCE, and print the mean reward of each rollout."""
    env = make_env(game)
    check_env_specs(env)
    features = env.observation_spec["observation"].shape[-1]
    network = nn.Sequential(nn.Linear(features, 128), nn.ReLU(), nn.Linear(128, env.action_spec.n))
    actor = ProbabilisticActor(
        TensorDictModule(network, in_keys=["observation"], out_keys=["logits"]),
        in_keys={"logits": "logits", "mask": "action_mask"},
        distribution_class=MaskedCategorical,
        return_log_prob=True,
        spec=env.action_spec,
    )
    optimizer = torch.optim.Adam(actor.parameters(), 1e-3)
    for iteration in range(iterations):
        with torch.no_grad():
            data = env.rollout(500, actor, break_when_any_done=False)
        rewards = data["next", "reward"].squeeze(-1)
        returns = torch.zeros_like(rewards)
        following = torch.zeros(())
        for t in reversed(range(len(rewards))):
            following = rewards[t] + following * ~data["next", "done"][t].squeeze(-1)
            returns[t] = following
        log_probs = actor.get_dist(data).log_prob(data["action"])
        loss = -(log_probs * (returns - returns.mean())).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(f"update {iteration + 1}: mean return {returns.mean():+.3f} of {len(rewards)} steps")


def roll_out_multi_agent(game: str) -> None:
    """Play all agents of a PettingZoo environment with random legal actions."""
    sequential = game == "connect_four"
    form, name = ("aec", "connect_four") if sequential else ("parallel", game)
    env = PettingZooWrapper(
        pettingzoo.make(
            form, f"axiom/{name}-v0", actions="joint", on_illegal="raise", mask_in="obs"
        ),
        use_mask=sequential,
        categorical_actions=True,
    )
    check_env_specs(env)
    print(f"PettingZoo, {form}: {env.rollout(60).shape} transitions")


def main() -> None:
    parser = argparse.ArgumentParser(description="TorchRL's wrappers on games with masks.")
    parser.add_argument("--game", default="connect_four", choices=tuple(NAMES))
    parser.add_argument("--iterations", type=int, default=2)
    args = parser.parse_args()
    torch.manual_seed(1)
    train(args.game, args.iterations)
    roll_out_multi_agent(args.game)


if __name__ == "__main__":
    main()
