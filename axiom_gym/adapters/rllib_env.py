"""The parts of `axiom_gym.adapters.rllib` that import Ray."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.multi_agent_env import MultiAgentEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule

from axiom_gym.adapters.rllib import MultiAgentGame, MultiAgentStep


class AxiomMultiAgentEnv(MultiAgentEnv):
    """A game as RLlib's multi-agent environment; see `MultiAgentGame`."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        """Build the environment. config: "game", and the options of `MultiAgentGame`."""
        super().__init__()
        self.game = MultiAgentGame(**config)
        self.possible_agents = self.agents = self.game.possible_agents
        self.observation_spaces = self.game.observation_spaces
        self.action_spaces = self.game.action_spaces

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Start an episode; see `MultiAgentGame.reset`. options: ignored."""
        return self.game.reset(seed)

    def step(self, action_dict: Mapping[str, Any]) -> MultiAgentStep:
        """Play a turn; see `MultiAgentGame.step`."""
        return self.game.step(action_dict)


def masking_module() -> RLModuleSpec:
    """Return RLlib's module that never samples illegal actions, for PPO."""
    return RLModuleSpec(module_class=ActionMaskingTorchRLModule)


def masking_modules(policies: Iterable[str]) -> MultiRLModuleSpec:
    """Return such a module for each policy."""
    return MultiRLModuleSpec(rl_module_specs={name: masking_module() for name in policies})
