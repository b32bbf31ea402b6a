"""The standard environments create the game and play an episode."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest

import axiom_gym  # noqa: F401 - makes the games known
from axiom_envs import skirmish


@pytest.mark.compiled_only
@pytest.mark.parametrize("opponent", ["greedy", "kiting"])
def test_gymnasium__plays_an_episode(opponent: str) -> None:
    env: Any = gymnasium.make("axiom/Skirmish-v0", scenario="2v2-goblins", opponent=opponent)
    observation, info = env.reset(seed=3)
    env.action_space.seed(0)
    for _ in range(1500):
        action = env.action_space.sample(info["action_mask"])
        observation, reward, terminated, truncated, info = env.step(action)
        assert env.observation_space.contains(observation)
        if terminated or truncated:
            break
    assert terminated or truncated
    assert reward in (-1, 0, 1)


@pytest.mark.compiled_only
def test_vector__plays_episodes() -> None:
    envs: Any = gymnasium.make_vec(
        "axiom/Skirmish-v0", num_envs=2, scenario="duel-fighters", opponent="greedy"
    )
    envs.reset(seed=0)
    ended = np.zeros(2, np.int64)
    for _ in range(600):
        *_, terminated, truncated, _ = envs.step(envs.sample_actions())
        ended += terminated | truncated
        if ended.all():
            break
    assert ended.all()


@pytest.mark.compiled_only
@pytest.mark.parametrize(
    "options", [{"scenario": "duel-fighters"}, {"scenario": "2v2-goblins", "agents": "creatures"}]
)
def test_pettingzoo__plays_an_episode(options: dict[str, Any]) -> None:
    env = pettingzoo.make("aec", "axiom/skirmish-v0", **options)
    env.reset(seed=1)
    acted = set()
    for agent in env.agent_iter(3000):
        observation, _, terminated, truncated, _ = env.last()
        over = terminated or truncated
        acted.add(agent)
        env.action_space(agent).seed(len(acted))
        env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
    assert not env.agents
    assert acted == {*env.possible_agents}


def test_package__is_a_pettingzoo_module() -> None:
    env = skirmish.env(scenario="duel-fighters", max_turns=5)
    assert env.batch.game is skirmish.GAME
    assert env.batch.config == skirmish.SkirmishConfig(**skirmish.PRESETS["duel"])
