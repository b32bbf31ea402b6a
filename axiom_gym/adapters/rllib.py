"""Games for Ray RLlib (new API stack, PPO with masks).

`configure` completes a config for a single learner against opponents, and `configure_multi_agent`
one for a policy that plays all seats:

    config = configure(PPOConfig(), "connect_four", opponent="random")
    algorithm = config.build_algo()

Both set the environment, the way in which its copies run, and RLlib's module that masks illegal
actions. What they set can be changed afterwards. Observations are dicts with the keys of that
module, `observations` and `action_mask`, float32, and an action is one number (`actions="joint"`).

RLlib passes a seed to the first `reset` of each environment, and none later; the games continue
with their generators.

Remote workers import only what the name of an environment says. The single environment is therefore
named "axiom_gym:axiom/ConnectFour-v0": what stands before the colon is imported.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces

from axiom_gym.adapters.pettingzoo import env, parallel_env
from axiom_gym.errors import ConfigError
from axiom_gym.game.facts import GameLike
from axiom_gym.registry.games import get_game, gymnasium_id

__all__ = [
    "EVERYBODY",
    "MASK",
    "OBSERVATIONS",
    "POLICY",
    "MultiAgentGame",
    "MultiAgentStep",
    "configure",
    "configure_multi_agent",
]

OBSERVATIONS, MASK = "observations", "action_mask"
"""The keys of observations that RLlib's masking module reads."""
EVERYBODY = "__all__"
"""The key under which RLlib finds the end of an episode."""
POLICY = "shared"
"""The name of the policy that plays all seats."""

MultiAgentStep = tuple[
    dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]
]
"""Observations, rewards, terminations, truncations and infos, by agent."""


class MultiAgentGame:
    """A game with RLlib's multi-agent interface, which needs no Ray.

    All agents of a simultaneous game observe and act in each step. In a sequential game only the
    agent to act observes; the others get their rewards without. At the end all agents observe, and
    all end in the same way.

    Attributes:
        env: the PettingZoo environment.
        possible_agents: the names of all players, by seat.
        observation_spaces, action_spaces: the spaces by agent.
    """

    def __init__(self, game: GameLike, **options: Any) -> None:
        """Build the game.

        Args:
            game: the name of a game, such as "quantaris", or the game itself; see `GameLike`.
            **options: the options of `axiom_gym.adapters.one_game.OneGame`, except `mask_in`;
                `actions` is "joint" and `dropouts` is "stay" by default.

        Raises:
            ConfigError: for a value that is not allowed.
        """
        if "mask_in" in options:
            raise ConfigError("RLlib's module reads masks from observations; leave out 'mask_in'.")
        loaded = get_game(game)
        chosen = {"actions": "joint", "dropouts": "stay", **options, "mask_in": "obs"}
        self.is_sequential = loaded.is_sequential
        self.env: Any = (env if self.is_sequential else parallel_env)(loaded, **chosen)
        self.possible_agents: list[str] = self.env.possible_agents
        self.observation_spaces = {
            agent: _rename_space(space) for agent, space in self.env.observation_spaces.items()
        }
        self.action_spaces = self.env.action_spaces

    def reset(self, seed: int | None = None) -> tuple[dict[str, Any], dict[str, Any]]:
        """Start an episode; return the observations and infos of the agents to act."""
        if not self.is_sequential:
            observations, infos = self.env.reset(seed=seed)
            return _rename(observations), infos
        self.env.reset(seed=seed)
        return self._observe([self.env.agent_selection])

    def step(self, actions: Mapping[str, Any]) -> MultiAgentStep:
        """Play a turn with the actions of the agents that observed.

        Raises:
            ActionError: if an agent is missing, or an action is outside of its space.
        """
        if self.is_sequential:
            self.env.step(actions.get(self.env.agent_selection))
            rewards, terminations = dict(self.env.rewards), dict(self.env.terminations)
            truncations = dict(self.env.truncations)
            over = any(terminations.values()) or any(truncations.values())
            agents = self.possible_agents if over else [self.env.agent_selection]
            observations, infos = self._observe(agents)
        else:
            seen, rewards, terminations, truncations, infos = self.env.step(actions)
            observations, over = _rename(seen), not self.env.agents
        truncated = any(truncations.values())
        terminations[EVERYBODY] = over and not truncated
        truncations[EVERYBODY] = over and truncated
        return observations, rewards, terminations, truncations, infos

    def _observe(self, agents: list[str]) -> tuple[dict[str, Any], dict[str, Any]]:
        observations = _rename({agent: self.env.observe(agent) for agent in agents})
        return observations, {agent: self.env.infos[agent] for agent in agents}


def _rename(observations: Mapping[str, Any]) -> dict[str, Any]:
    """Return PettingZoo's observations with RLlib's keys and dtype."""
    return {
        agent: {OBSERVATIONS: seen["observation"], MASK: seen["action_mask"].astype(np.float32)}
        for agent, seen in observations.items()
    }


def _rename_space(space: Any) -> spaces.Dict:
    mask = spaces.Box(0, 1, space["action_mask"].shape, np.float32)
    return spaces.Dict({OBSERVATIONS: space["observation"], MASK: mask})


def configure(config: Any, game: str, **options: Any) -> Any:
    """Return an RLlib config completed for a learner against opponents.

    The native vector environment plays all games of an environment runner;
    `config.env_runners(num_envs_per_env_runner=...)` sets their number.

    Args:
        config: a `PPOConfig`, which is changed.
        game: the name of an installed game, such as "connect_four".
        **options: the options of `axiom_gym.adapters.gymnasium.AxiomVectorEnv`; `actions` is
            "joint" by default.

    Raises:
        ConfigError: if RLlib is not installed.
        UnknownGameError: if there is no such game.
    """
    _check_ray()
    from axiom_gym.adapters.rllib_env import masking_module

    loaded = get_game(game)
    chosen = {"actions": "joint", **options}
    masks = {"mask_in_obs": (OBSERVATIONS, MASK), "mask_dtype": "float32"}
    name = gymnasium_id(f"{loaded.info.name}-v{loaded.info.version}")
    config.environment(f"axiom_gym:{name}", env_config={**chosen, **masks})
    config.env_runners(gym_env_vectorize_mode="vector_entry_point")
    return config.rl_module(rl_module_spec=masking_module())


def configure_multi_agent(config: Any, game: GameLike, **options: Any) -> Any:
    """Return an RLlib config completed for a policy that plays all seats.

    Args:
        config: a `PPOConfig`, which is changed.
        game: the name of a game, or the game itself. Ray pickles it for remote workers.
        **options: the options of `MultiAgentGame`.

    Raises:
        ConfigError: if RLlib is not installed.
    """
    _check_ray()
    from axiom_gym.adapters import rllib_env

    config.environment(rllib_env.AxiomMultiAgentEnv, env_config={"game": game, **options})
    config.multi_agent(policies={POLICY}, policy_mapping_fn=_share)
    return config.rl_module(rl_module_spec=rllib_env.masking_modules([POLICY]))


def _share(agent: str, *args: Any, **more: Any) -> str:
    """Return the policy of an agent."""
    return POLICY


def _check_ray() -> None:
    if importlib.util.find_spec("ray") is None:
        raise ConfigError("this needs RLlib: pip install 'axiom-gym[rllib]'.")
