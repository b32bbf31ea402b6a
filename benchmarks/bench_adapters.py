"""The cost of the interfaces: the same games through the batch, Gymnasium, PettingZoo and
stable-baselines3.

All interfaces play random legal actions, sampled while the clock is stopped, against the opponent
"random". PettingZoo's official loop is timed as a whole, as its users write it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import gymnasium
import numpy as np
import pettingzoo
import typer
from common import Rate, measure, report

import axiom_gym
from axiom_gym.batch import Batch
from axiom_gym.registry import gymnasium_id, resolve_id

assert axiom_gym.__version__  # imported for its registrations


def timed(
    sample: Callable[[], Any], step: Callable[[Any], Any], units: int, seconds: float
) -> Callable[[], float]:
    """Return a reading for `measure`: steps per second, without the time to sample actions."""

    def read() -> float:
        calls, spent = 0, 0.0
        while spent < seconds:
            actions = sample()
            started = time.perf_counter()
            step(actions)
            spent += time.perf_counter() - started
            calls += 1
        return calls * units / spent

    return read


def bench_batch(game: str, num_envs: int, seconds: float) -> Rate:
    """Measure a batch with one seat played by a bot: `VectorEnv.step` without its copies."""
    batch = Batch(game, num_envs)
    batch.reset(0)
    seats = np.array([[1, 0]] * num_envs, np.int16)

    def step(_: None) -> None:
        batch.act("random", seats, 0)
        batch.step()

    sample = timed(lambda: batch.act("random", seats, 1), step, num_envs, seconds)
    return measure(f"Batch, {num_envs} games, with the opponent's orders", "turns/s", sample)


def bench_kernel(game: str, num_envs: int, seconds: float) -> Rate:
    """Measure the step alone."""
    batch = Batch(game, num_envs)
    batch.reset(0)
    read = timed(batch.sample_actions, lambda _: batch.step(), num_envs, seconds)
    return measure(f"Batch.step, {num_envs} games", "turns/s", read)


def bench_vector(env_id: str, num_envs: int, seconds: float, floor: float, copy: bool) -> Rate:
    """Measure `VectorEnv.step`."""
    envs = gymnasium.make_vec(env_id, num_envs=num_envs, copy=copy)
    envs.reset(seed=0)
    read = timed(envs.sample_actions, envs.step, num_envs, seconds)  # type: ignore[attr-defined]
    name = f"VectorEnv.step, {num_envs} games, copy={copy}"
    return measure(name, "turns/s", read, floor=floor, target=floor / 2 if copy else 0)


def bench_single(env_id: str, seconds: float) -> Rate:
    """Measure `Env.step` of an unwrapped environment, resets included."""
    env = gymnasium.make(env_id).unwrapped
    env.reset(seed=0)
    sampler = gymnasium.make_vec(env_id, num_envs=1024)
    sampler.reset(seed=0)
    actions = list(sampler.sample_actions())  # type: ignore[attr-defined]

    def play(orders: Any) -> None:
        for order in orders:
            _, _, terminated, truncated, _ = env.step(order)
            if terminated or truncated:
                env.reset()

    return measure(
        "Env.step", "turns/s", timed(lambda: actions, play, len(actions), seconds), target=100e3
    )


def bench_parallel(game_id: str, seconds: float) -> Rate:
    """Measure `ParallelEnv.step`, resets included."""
    env = pettingzoo.make("parallel", f"axiom/{game_id}")
    env.reset(seed=0)
    turns = [
        {agent: env.action_space(agent).sample() for agent in env.possible_agents}
        for _ in range(1024)
    ]

    def play(orders: Any) -> None:
        for actions in orders:
            env.step(actions)
            if not env.agents:
                env.reset()

    return measure(
        "ParallelEnv.step", "turns/s", timed(lambda: turns, play, len(turns), seconds), target=50e3
    )


def bench_aec(game_id: str, seconds: float) -> Rate:
    """Measure decisions in PettingZoo's official loop, without the time to sample actions."""
    env = pettingzoo.make("aec", f"axiom/{game_id}")
    env.reset(seed=0)
    agent = env.possible_agents[0]
    actions = [env.action_space(agent).sample() for _ in range(4096)]

    def read() -> float:
        decisions, started = 0, time.perf_counter()
        while (spent := time.perf_counter() - started) < seconds:
            env.reset()
            for _ in env.agent_iter():
                _, _, termination, truncation, _ = env.last()
                env.step(None if termination or truncation else actions[decisions % 4096])
                decisions += 1
        return decisions / spent

    return measure("AEC, official loop", "decisions/s", read, target=30e3)


def bench_sb3(game: str, num_envs: int, seconds: float) -> Rate | None:
    """Measure `VecEnv.step` with `action_masks()`; None without stable-baselines3."""
    try:
        from axiom_gym.adapters.sb3 import make_vec_env
    except ImportError:
        return None
    env = make_vec_env(game, num_envs, seed=0)
    env.reset()
    legal = gymnasium.make_vec(gymnasium_id(resolve_id(game)), num_envs=num_envs)
    legal.reset(seed=0)

    def step(actions: Any) -> None:
        env.step(actions)
        env.action_masks()

    read = timed(legal.sample_actions, step, num_envs, seconds)  # type: ignore[attr-defined]
    return measure(f"sb3 VecEnv.step + action_masks, {num_envs} games", "turns/s", read)


def main(
    game: Annotated[str, typer.Option(help="Name of the game.")] = "quantaris",
    num_envs: Annotated[int, typer.Option(help="Games in a batch.")] = 1024,
    seconds: Annotated[float, typer.Option(help="Time on the clock for each reading.")] = 0.5,
    out: Annotated[Path | None, typer.Option(help="Result file (JSON).")] = None,
    quick: Annotated[
        bool, typer.Option(help="A check of a few seconds; the numbers mean little.")
    ] = False,
) -> None:
    """Measure every interface."""
    seconds = 0.02 if quick else seconds
    num_envs = 64 if quick else num_envs
    game_id = resolve_id(game)
    kernel = bench_kernel(game, num_envs, seconds)
    rates = [
        kernel,
        bench_batch(game, num_envs, seconds),
        bench_vector(gymnasium_id(game_id), num_envs, seconds, kernel.median, copy=True),
        bench_vector(gymnasium_id(game_id), num_envs, seconds, kernel.median, copy=False),
        bench_sb3(game, num_envs, seconds),
        bench_single(gymnasium_id(game_id), seconds),
        bench_parallel(game_id, seconds),
        bench_aec(game_id, seconds),
    ]
    report(f"Interfaces of {game}", [rate for rate in rates if rate is not None], out)


if __name__ == "__main__":
    typer.run(main)
