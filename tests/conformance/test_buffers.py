from __future__ import annotations

from typing import Any

import numpy as np
import pytest


def test_batch__keeps_the_same_buffers_for_life(variant: Any) -> None:
    batch = variant.batch(3)
    places = [getattr(batch.buffers, name).ctypes.data for name in batch.buffers._fields]
    batch.reset(1)
    for _ in range(60):
        batch.sample_actions()
        batch.step()
    batch.set_state(batch.get_state())
    assert [getattr(batch.buffers, name).ctypes.data for name in batch.buffers._fields] == places


@pytest.mark.parametrize("seat", [0, "random"])
@pytest.mark.parametrize("mode", ["next_step", "same_step", "disabled"])
def test_vector_env__hands_out_copies(variant: Any, seat: Any, mode: str) -> None:
    limit = 0 if variant.is_sequential else 4  # a limit would also count the opponents' decisions
    env = variant.vector(3, seat=seat, autoreset_mode=mode, max_turns=limit)
    observations, infos = env.reset(seed=1)
    given = [(observations, infos["action_mask"])]
    ends = []
    for _ in range(4):
        observations, *results, infos = env.step(env.sample_actions())
        given.append((observations, infos["action_mask"]))
        ends.append((*results, infos))
        over = results[1] | results[2]
        if mode == "disabled" and over.any():
            env.reset(options={"reset_mask": over})
    kept = [(seen.copy(), mask.copy()) for seen, mask in given]
    env.step(env.sample_actions())
    for (seen, mask), (old_seen, old_mask) in zip(given, kept, strict=True):
        assert np.array_equal(seen, old_seen)
        assert np.array_equal(mask, old_mask)
    for array in (*given[-1], *ends[-1][:3]):
        assert not any(np.shares_memory(array, buffer) for buffer in env.batch.buffers)


def test_vector_env__hands_out_its_buffers_on_request(variant: Any) -> None:
    env = variant.vector(3, copy=False)
    observations, infos = env.reset(seed=1)
    assert np.shares_memory(observations, env.batch.buffers.observations)
    assert np.shares_memory(infos["action_mask"], env.batch.buffers.masks)
    later, _, _, _, later_infos = env.step(env.sample_actions())
    assert np.array_equal(observations, later)
    assert np.array_equal(infos["action_mask"], later_infos["action_mask"])


def test_vector_env__gives_the_same_with_and_without_copies(variant: Any) -> None:
    envs = [variant.vector(3, copy=copy) for copy in (True, False)]
    for env in envs:
        env.reset(seed=1)
    for _ in range(60):
        first, second = (env.step(env.sample_actions()) for env in envs)
        for one, other in zip(first[:4], second[:4], strict=True):
            assert np.array_equal(one, other)
        assert np.array_equal(first[4]["action_mask"], second[4]["action_mask"])


def test_single_env__gives_new_arrays(variant: Any) -> None:
    env = variant.single()
    observation, info = env.reset(seed=1)
    kept = observation.copy(), info["action_mask"].copy()
    for _ in range(5):
        later, _, *over, later_info = env.step(env.action_space.sample())
        assert not np.shares_memory(observation, later)
        assert not np.shares_memory(info["action_mask"], later_info["action_mask"])
        if any(over):
            env.reset()
    assert np.array_equal(observation, kept[0])
    assert np.array_equal(info["action_mask"], kept[1])
    assert not any(np.shares_memory(observation, buffer) for buffer in env.batch.buffers)


@pytest.mark.parametrize("actions", ["sub_actions", "joint"])
def test_pettingzoo__gives_new_arrays(variant: Any, actions: str) -> None:
    env = variant.parallel(actions=actions)
    observations, infos = env.reset(seed=1)
    arrays = [array for one in observations.values() for array in one.values()]
    arrays += [info["action_mask"] for info in infos.values()]
    kept = [array.copy() for array in arrays]
    for array in arrays:
        assert not any(np.shares_memory(array, buffer) for buffer in env.batch.buffers)
        assert sum(np.shares_memory(array, other) for other in arrays) == 1
    for _ in range(5):
        if not env.agents:
            env.reset()
        env.step(env.sample_actions())
    assert all(np.array_equal(array, old) for array, old in zip(arrays, kept, strict=True))
    state = env.state()
    assert not np.shares_memory(state, env.batch.buffers.observations)
