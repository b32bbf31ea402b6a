"""A small convolutional network for observations that are planes."""

from __future__ import annotations

import torch
from gymnasium import spaces
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn


class PlanesExtractor(BaseFeaturesExtractor):
    """Planes (C, H, W) -> two 3x3 convolutions with 32 channels -> 128 features."""

    def __init__(self, observation_space: spaces.Box, features_dim: int = 128) -> None:
        """For observations of this space, (C, H, W)."""
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
        """(R, features) from (R, C, H, W)."""
        result: torch.Tensor = self.layers(observations)
        return result
