"""Checks of the environments that are made of a game: PettingZoo's AEC form, and observations."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from axiom_gym.adapters.pettingzoo import AxiomAECEnv, env
from axiom_gym.errors import GameError
from axiom_gym.game.bridge import as_kernel_game
from axiom_gym.play.kernel_object import KernelGameObject

MOST_STEPS = 2_000
"""The number of steps after which an episode is not played further."""


def play_aec(
    make: Callable[[], Any], players: Sequence[str], seeds: Sequence[int]
) -> tuple[float, float]:
    """Play random legal actions in the AEC form until each episode ends.

    Args:
        make: a function that makes the game.
        players: the players' ids; those of a kernel game are fixed.
        seeds: the seeds of the episodes.

    Returns:
        The lowest sum of a player's rewards in these episodes, and the reward of a forfeit.

    Raises:
        GameError: for an observation that is not finite.
        Exception: whatever the game raises.
    """
    aec = _make_aec(make, players)
    lowest = min(_play_episode(aec, seed) for seed in seeds)
    batch = aec.batch
    return lowest, batch.game.forfeit_reward(batch.config)


def _play_episode(aec: AxiomAECEnv, seed: int) -> float:
    """Play an episode to its end, or for `MOST_STEPS`; return the lowest return of a player."""
    aec.reset(seed)
    spaces: dict[str, Any] = {agent: aec.action_space(agent) for agent in aec.possible_agents}
    for space in spaces.values():
        space.seed(seed)
    lowest = math.inf
    for _ in range(MOST_STEPS):
        if not aec.agents:
            break
        agent = aec.agent_selection
        seen = aec.observe(agent)
        check_finite(agent, seen["observation"])
        is_over = aec.terminations[agent] or aec.truncations[agent]
        if is_over:
            lowest = min(lowest, aec.infos[agent]["episode_return"])
        aec.step(None if is_over else spaces[agent].sample(seen["action_mask"]))
    return lowest


def check_finite(player_id: str, observation: Any) -> None:
    """Check that an observation has only finite numbers.

    Raises:
        GameError: for NaN or an infinite number.
    """
    wrong = np.argwhere(~np.isfinite(observation)).tolist()
    if wrong:
        place = ", ".join(map(str, wrong[0]))
        value = np.asarray(observation)[tuple(wrong[0])]
        raise GameError(f"observation[{place}] of {player_id!r} is {value}.")


def _make_aec(make: Callable[[], Any], players: Sequence[str]) -> AxiomAECEnv:
    game = make()
    if isinstance(game, KernelGameObject):
        return env(game.kernel_game, **game.settings)
    return env(as_kernel_game(make, agents=players))
