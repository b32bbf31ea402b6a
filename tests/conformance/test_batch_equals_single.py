from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

MODES = ("next_step", "same_step", "disabled")
STEPS = 120
SEED = 11

QUICK = ((1, 1, "next_step"), (3, 1, "same_step"), (3, 1, "disabled"), (64, 2, "next_step"))
"""Of these batch sizes, numbers of threads and modes the quick run tests each, once or twice."""


def _sizes_threads_and_modes() -> Iterator[Any]:
    for num_envs, num_threads, mode in itertools.product((1, 3, 64), (1, 2), MODES):
        marks = [] if (num_envs, num_threads, mode) in QUICK else [pytest.mark.slow]
        if num_envs == 64 or num_threads == 2:
            marks.append(pytest.mark.compiled_only)
        yield pytest.param(num_envs, num_threads, mode, marks=marks)


@pytest.mark.parametrize(("num_envs", "num_threads", "autoreset"), list(_sizes_threads_and_modes()))
def test_batch__plays_each_game_bit_for_bit_as_alone(
    variant: Any, play: Callable[..., Any], num_envs: int, num_threads: int, autoreset: str
) -> None:
    batch = variant.batch(num_envs, num_threads=num_threads, autoreset=autoreset)
    batch.reset(SEED)
    together = play(batch, STEPS)
    batch.close()
    for game in sorted({0, 1, num_envs // 2, num_envs - 1} & set(range(num_envs))):
        single = variant.batch(autoreset=autoreset)
        single.reset(SEED + game)
        for one, all_games in zip(play(single, STEPS), together, strict=True):
            for name, rows in one.items():
                own = all_games[name][game : game + 1]
                assert np.array_equal(rows, own), f"{name} of game {game}"


@pytest.mark.boundscheck
def test_batch__plays_the_same_episodes_in_every_autoreset_mode(
    variant: Any, play: Callable[..., Any]
) -> None:
    """Return the length and the returns of every episode of two games."""
    episodes = {}
    for autoreset in MODES:
        batch = variant.batch(2, autoreset=autoreset)
        batch.reset(SEED)
        ends: list[list[Any]] = [[], []]
        while min(map(len, ends)) < 3:
            (taken,) = play(batch, 1)
            kept = batch.buffers.episodes
            for game in np.flatnonzero(taken["terminated"] | taken["truncated"]):
                ends[game].append((kept["final_length"][game], *kept["final_returns"][game]))
        episodes[autoreset] = ends
    for game in range(2):
        first, *others = (episodes[autoreset][game][:3] for autoreset in MODES)
        assert all(first == other for other in others)


def _play_vector(
    variant: Any, choose: Callable[..., Any], mode: str, turns: int, **more: Any
) -> list[list[Any]]:
    """Return the results of each turn of three games of a vector environment, without resets."""
    env = variant.vector(3, autoreset_mode=mode, **more)
    draws = [np.random.default_rng(SEED + game) for game in range(3)]
    _, infos = env.reset(seed=SEED)
    given: list[list[Any]] = [[], [], []]
    over = np.zeros(3, np.bool_)
    while min(map(len, given)) < turns:
        fresh = over if mode == "next_step" else np.zeros(3, np.bool_)
        masks = infos["action_mask"]
        # A game that is reset in this step draws nothing, and its action is ignored.
        actions = [np.zeros_like(env.single_action_space.sample()) for _ in range(3)]
        for game in np.flatnonzero(~fresh):
            actions[game] = choose(masks[game], draws[game])
        seen, rewards, terminated, truncated, infos = env.step(np.array(actions))
        over = terminated | truncated
        for game in np.flatnonzero(~fresh):
            ended = over[game] and mode == "same_step"
            last = infos["final_obs"][game] if ended else seen[game]
            given[game].append((last.tobytes(), rewards[game], terminated[game], truncated[game]))
        if mode == "disabled" and over.any():
            _, infos = env.reset(options={"reset_mask": over})
    env.close()
    return [one[:turns] for one in given]


def _play_single(
    variant: Any, choose: Callable[..., Any], seed: int, turns: int, **more: Any
) -> list[Any]:
    """Return the same for the single environment."""
    env, draws = variant.single(**more), np.random.default_rng(seed)
    _, info = env.reset(seed=seed)
    given: list[Any] = []
    while len(given) < turns:
        seen, reward, terminated, truncated, info = env.step(choose(info["action_mask"], draws))
        given.append((seen.tobytes(), np.float32(reward), terminated, truncated))
        if terminated or truncated:
            _, info = env.reset()
    return given


def _modes_and_settings() -> Iterator[Any]:
    """Each mode and each setting once in the quick run; all opponents only in the slow one."""
    drawn = {"seat": "random", "max_turns": 9}
    settings = {
        "sub_actions": {},
        "pool": {**drawn, "opponent": "few"},
        "joint": {"actions": "joint", "on_illegal": "forfeit"},
        "all opponents": {**drawn, "opponent": "every"},
    }
    quick = dict(zip(settings, ("next_step", "same_step", "disabled"), strict=False))
    for name, mode in itertools.product(settings, MODES):
        marks = [] if quick.get(name) == mode else [pytest.mark.slow]
        yield pytest.param(mode, settings[name], id=f"{name}-{mode}", marks=marks)


@pytest.mark.parametrize(("mode", "more"), list(_modes_and_settings()))
def test_vector_env__is_bit_for_bit_the_single_environment(
    variant: Any, choose: Callable[..., Any], mode: str, more: dict[str, Any]
) -> None:
    if "opponent" in more:
        more = {**more, "opponent": variant.opponents(more["opponent"])}
    given = _play_vector(variant, choose, mode, turns=70, **more)
    for game in range(3):
        assert given[game] == _play_single(variant, choose, SEED + game, turns=70, **more)


def test_parallel_env__is_bit_for_bit_a_game_of_the_batch(
    variant: Any, choose: Callable[..., Any]
) -> None:
    batch, env = variant.batch(5, autoreset="disabled"), variant.parallel()
    batch.reset(SEED)
    env.reset(seed=SEED + 4)
    draws = np.random.default_rng(SEED)
    for _ in range(120):
        batch.sample_actions()
        seats = {agent: env.possible_agents.index(agent) for agent in env.agents}
        absent = [seat for seat in range(batch.num_players) if seat not in seats.values()]
        rows = batch.buffers.actions[4]
        rows[:] = choose(batch.buffers.masks[4], draws)
        rows[absent] = batch.buffers.masks[4, absent].argmax(axis=2)
        single = env.action_space(env.agents[0]).shape == ()
        given = rows[:, 0] if single else rows
        result = env.step({agent: given[seat] for agent, seat in seats.items()})
        batch.step()
        over = batch.buffers.terminated | batch.buffers.truncated
        out = ~batch.alive(4) & ~over[4]
        assert all(part.keys() == seats.keys() for part in result)
        assert env.batch.buffers.states.tobytes() == batch.buffers.states[4:].tobytes()
        for agent, seat in seats.items():
            seen, reward, terminated, truncated, info = (part[agent] for part in result)
            assert np.array_equal(seen["observation"], batch.buffers.observations[4, seat])
            assert reward == batch.buffers.rewards[4, seat]
            assert terminated == (batch.buffers.terminated[4] or out[seat])
            assert truncated == batch.buffers.truncated[4]
            assert np.array_equal(seen["action_mask"], info["action_mask"])
        over[4] = not env.agents  # also if all have left a game that could continue
        if over.any():
            batch.reset(which=over)
        if not env.agents:
            env.reset()
