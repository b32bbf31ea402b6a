"""The networks of policies, which depend only on the shapes of a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn


class PlanesExtractor(BaseFeaturesExtractor):
    """A feature extractor for planes (C, H, W).

    Two 3x3 convolutions of 32 channels each and a linear layer give 128 features by default.
    """

    def __init__(self, observation_space: spaces.Box, features_dim: int = 128) -> None:
        """Make the layers for observations of this space, (C, H, W)."""
        super().__init__(observation_space, features_dim)
        channels, height, width = observation_space.shape
        self.layers = nn.Sequential(
            nn.Conv2d(channels, 32, 3, padding=1),
            nn.ReLU(),
            nn.Conv2d(32, 32, 3, padding=1),
            nn.ReLU(),
            nn.Flatten(),
            nn.Linear(32 * height * width, features_dim),
            nn.ReLU(),
        )

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Return the features (R, features) of observations (R, C, H, W)."""
        result: torch.Tensor = self.layers(observations)
        return result


def policy_arguments(observation_shape: Sequence[int], network: Sequence[int]) -> dict[str, Any]:
    """Return the keyword arguments of stable-baselines3's policy.

    Observations with three axes are planes, which `PlanesExtractor` processes. Others are
    flattened.
    """
    if len(observation_shape) != 3:
        return {"net_arch": list(network)}
    return {
        "net_arch": list(network),
        "features_extractor_class": PlanesExtractor,
        "normalize_images": False,
    }


class NoOptimizer(torch.optim.Optimizer):
    """A stand-in for the optimizer of a policy that only plays.

    The constructor of PyTorch's optimizers imports its compiler, which takes seconds.
    """

    def __init__(self, *_args: Any, **_kwargs: Any) -> None:
        """Ignore the parameters."""


def make_policy(
    observation_shape: Sequence[int], num_choices: Sequence[int], network: Sequence[int]
) -> MaskableActorCriticPolicy:
    """Return a policy network as in training, but without optimizer and gradients.

    Its weights are meaningless until they are loaded. The global random generator is unchanged.

    Args:
        observation_shape: the shape of the game's observations.
        num_choices: the number of choices of each sub-action.
        network: the widths of the hidden layers.
    """
    space = spaces.Box(-np.inf, np.inf, tuple(observation_shape), np.float32)
    actions: spaces.Space[Any] = spaces.MultiDiscrete(list(num_choices))
    if len(num_choices) == 1:
        actions = spaces.Discrete(num_choices[0])
    with torch.random.fork_rng(devices=[]):
        policy = MaskableActorCriticPolicy(
            space,
            actions,
            lambda _: 0.0,
            ortho_init=False,
            optimizer_class=NoOptimizer,
            **policy_arguments(observation_shape, network),
        )
    policy.optimizer = None  # type: ignore[assignment]
    policy.set_training_mode(False)
    policy.requires_grad_(False)
    return policy
