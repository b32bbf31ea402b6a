"""Our own Connect Four, as `bench_connect_four.py` measures it, and code for all contestants.

The clock counts processor time of all threads, so that other work on the core does not count. On an
idle machine this is the wall time.
"""

from __future__ import annotations

import dataclasses
import random
import time
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import pettingzoo

import axiom_gym
from axiom_gym.backend import null_kernel
from axiom_gym.batch import Batch
from axiom_gym.game import KernelGame
from axiom_gym.registry import get_game

assert axiom_gym.__version__  # imported for its registrations

Readings = dict[str, float]
"""Plies per second of processor time, by name."""
Contestant = Callable[[], Readings]
Sampler = Callable[[Any, npt.NDArray[np.int8]], int]
"""(action space, mask) -> a legal action."""

FLOOR = "floor: the buffers written, no game"
KERNEL = "kernel"
VECTOR = "VectorEnv.step, learner's plies"
VECTOR_GAME = "VectorEnv.step, all plies"
AEC = "AEC"


def timed(name: str, play: Callable[[], int], seconds: float) -> Contestant:
    """Call `play`, which returns the number of plies played, for some time."""

    def read() -> Readings:
        plies, started = 0, time.process_time()
        while (spent := time.process_time() - started) < seconds:
            plies += play()
        return {name: plies / spent}

    return read


def without_rules(game: KernelGame) -> KernelGame:
    """Return a game of the same shapes that has no rules."""
    info = dataclasses.replace(game.info, name=f"{game.info.name}_floor")
    return dataclasses.replace(game, info=info, kernel=lambda: null_kernel, bots={})


def play_batch(game: KernelGame, num_envs: int) -> Callable[[], int]:
    """Draw and play random legal moves in all games, with observations, masks and resets."""
    batch = Batch(game, num_envs, autoreset="same_step")
    batch.reset(0)

    def play() -> int:
        batch.sample_actions()
        batch.step()
        return num_envs

    return play


def time_vector(num_envs: int, seconds: float) -> Contestant:
    """Measure the vector environment, with compiled code drawing both sides' legal moves."""
    envs: Any = gymnasium.make_vec("axiom/ConnectFour-v0", num_envs=num_envs, opponent="random")
    envs.reset(seed=0)
    episodes = envs.batch.buffers.episodes
    # Plies are counted when a game has ended: let the games drift apart first.
    for _ in range(200):
        envs.step(envs.sample_actions())

    def read() -> Readings:
        plies = decisions = 0
        started = time.process_time()
        while time.process_time() - started < seconds:
            _, _, over, _, infos = envs.step(envs.sample_actions())
            decisions += int(np.sum(infos.get("episode_length", 0)))
            plies += int(episodes["final_length"][over].sum())
        spent = time.process_time() - started
        return {VECTOR: decisions / spent, VECTOR_GAME: plies / spent}

    return read


def sample_with_mask(space: Any, mask: npt.NDArray[np.int8]) -> int:
    """Draw a move as PettingZoo's documentation does; it takes most of a ply's time."""
    return int(space.sample(mask))


def draw(space: Any, mask: npt.NDArray[np.int8]) -> int:
    """Draw a move in a tenth of the time, so that the environment itself is measured."""
    legal = mask.nonzero()[0]
    return int(legal[int(random.random() * len(legal))])


SAMPLERS: dict[str, Sampler] = {"space.sample(mask)": sample_with_mask, "quick draw": draw}


def play_aec(env: Any, sample: Sampler) -> Callable[[], int]:
    """Play a game in PettingZoo's official loop."""

    def play() -> int:
        plies = 0
        env.reset()
        for agent in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
            else:
                env.step(sample(env.action_space(agent), observation["action_mask"]))
                plies += 1
        return plies

    return play


def contestants(num_envs: int, seconds: float) -> list[Contestant]:
    """Return our own contestants."""
    game = get_game("connect_four")
    aec = pettingzoo.make("aec", "axiom/connect_four-v0")
    return [
        timed(FLOOR, play_batch(without_rules(game), num_envs), seconds),
        timed(KERNEL, play_batch(game, num_envs), seconds),
        time_vector(num_envs, seconds),
        *(
            timed(f"{AEC}, {name}", play_aec(aec, sample), seconds)
            for name, sample in SAMPLERS.items()
        ),
    ]
