"""Masks in Gymnasium's observations, and infos whose keys are always the same."""

from __future__ import annotations

import warnings
from types import ModuleType
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.utils.env_checker import check_env

from axiom_gym.adapters.gymnasium import AxiomEnv, AxiomVectorEnv
from axiom_gym.adapters.spaces import batch_space
from axiom_gym.errors import ConfigError, UnknownNameError

MODES = ("next_step", "same_step", "disabled")
ALWAYS = ["action_mask", "illegal_action", "episode_return", "episode_length"]


@pytest.mark.parametrize(
    ("keys", "dtype"),
    [
        (("observation", "action_mask"), "int8"),
        (("observations", "action_mask"), "float32"),
        (("obs", "mask"), "bool"),
    ],
)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("actions", ["sub_actions", "joint"])
def test_vector_env__has_the_same_bits_with_masks(
    pennies: ModuleType, mode: str, actions: str, keys: tuple[str, str], dtype: Any
) -> None:
    options: dict[str, Any] = {"actions": actions, "autoreset_mode": mode, "forced": 0}
    options |= {"max_turns": 3, "seat": "random"}
    given = {} if dtype == "int8" else {"mask_dtype": dtype}
    env = AxiomVectorEnv(
        pennies.GAME, 3, mask_in_obs=True if dtype == "int8" else keys, **given, **options
    )
    plain = AxiomVectorEnv(pennies.GAME, 3, **options)
    seen, _ = env.reset(seed=1)
    expected, _ = plain.reset(seed=1)
    finals = 0
    for _ in range(12):
        assert set(seen) == set(keys)
        assert env.observation_space.contains(seen)
        assert env.single_observation_space.contains({key: seen[key][1] for key in keys})
        assert np.array_equal(seen[keys[0]], expected)
        assert seen[keys[1]].dtype == dtype
        assert np.array_equal(seen[keys[1]], plain.action_masks())
        drawn = env.sample_actions()
        seen, *results, infos = env.step(drawn)
        expected, *plain_results, plain_infos = plain.step(plain.sample_actions())
        assert all(np.array_equal(*pair) for pair in zip(results, plain_results, strict=True))
        for game in np.flatnonzero(infos.get("_final_obs", [])):
            final, flat = infos["final_obs"][game], plain_infos["final_obs"][game]
            assert env.single_observation_space.contains(final)
            assert np.array_equal(final[keys[0]], flat)
            assert final[keys[1]].sum() == len(env.form.choices)
            finals += 1
        over = results[1] | results[2]
        if mode == "disabled" and over.any():
            seen, _ = env.reset(options={"reset_mask": over})
            expected, _ = plain.reset(options={"reset_mask": over})
    assert (finals > 0) == (mode == "same_step")


def test_single_env__has_the_same_bits_with_masks(brawl: ModuleType) -> None:
    env, plain = AxiomEnv(brawl.GAME, mask_in_obs=("obs", "mask")), AxiomEnv(brawl.GAME)
    seen, info = env.reset(seed=1)
    expected, _ = plain.reset(seed=1)
    over = False
    while not over:
        assert env.observation_space.contains(seen)
        assert np.array_equal(seen["obs"], expected)
        assert np.array_equal(seen["mask"], info["action_mask"])
        action = env.sample_action()
        last = {key: array.copy() for key, array in seen.items()}
        kept = seen
        seen, reward, over, _, info = env.step(action)
        assert all(np.array_equal(kept[key], last[key]) for key in last), "observations are copies"
        assert plain.sample_action() == action
        expected, *results, _ = plain.step(action)
        assert results[:2] == [reward, over]
    assert np.array_equal(seen["obs"], expected)


def test_check_env__passes_with_masks(brawl: ModuleType) -> None:
    for dtype in ("int8", "float32", "bool"):
        env = AxiomEnv(brawl.GAME, mask_in_obs=("obs", "mask"), mask_dtype=dtype)
        check_env(env, skip_render_check=True)


@pytest.mark.parametrize("keys", ["mask", ("a",), ("a", "a"), ("a", 1), ("a", "b", "c"), 1, None])
def test_mask_in_obs__is_two_keys(pennies: ModuleType, keys: Any) -> None:
    with pytest.raises(ConfigError, match="mask_in_obs must be True, False or two keys"):
        AxiomEnv(pennies.GAME, mask_in_obs=keys)


def test_mask_dtype__is_known(pennies: ModuleType) -> None:
    with pytest.raises(UnknownNameError, match=r"'float64'\. Did you mean 'float32'"):
        AxiomEnv(pennies.GAME, mask_dtype="float64")


# Infos


def test_single_infos__have_always_the_same_keys_and_types(brawl: ModuleType) -> None:
    env = AxiomEnv(brawl.GAME, seat=2)
    for seed in range(3):
        _, info = env.reset(seed=seed)
        total, steps, over = 0.0, 0, False
        while True:
            assert list(info) == ALWAYS
            assert [type(info[key]) for key in ALWAYS[1:]] == [np.bool_, np.float32, np.int32]
            assert (info["episode_return"], info["episode_length"]) == (total, steps)
            if over:
                break
            _, reward, over, _, info = env.step(env.sample_action())
            total, steps = total + reward, steps + 1


@pytest.mark.parametrize("mode", MODES)
def test_vector_infos__have_always_the_same_keys(brawl: ModuleType, mode: str) -> None:
    env = AxiomVectorEnv(brawl.GAME, 4, autoreset_mode=mode, lives=1)
    _, infos = env.reset(seed=1)
    always = {*ALWAYS, "_episode_return", "_episode_length"}
    ended = 0
    for _ in range(30):
        assert set(infos) - {"final_obs", "_final_obs", "final_info", "_final_info"} == always
        assert not infos["episode_return"][~infos["_episode_return"]].any()
        *_, terminated, truncated, infos = env.step(env.sample_actions())
        over = terminated | truncated
        ended += over.sum()
        if mode == "disabled" and over.any():
            _, infos = env.reset(options={"reset_mask": over})
    assert ended > 4


# Limits and spaces


@pytest.mark.parametrize("make", [AxiomEnv, AxiomVectorEnv])
def test_max_episode_steps__is_max_turns(pennies: ModuleType, make: Any) -> None:
    assert make(pennies.GAME, max_episode_steps=7).batch.max_turns == 7
    with pytest.raises(ConfigError, match="max_episode_steps is another name for max_turns"):
        make(pennies.GAME, max_episode_steps=7, max_turns=7)


def test_make_vec__passes_the_limit_of_the_spec(pennies: ModuleType) -> None:
    gymnasium.register(
        "test/Limited-v0",
        "axiom_gym.adapters.gymnasium:AxiomEnv",
        vector_entry_point="axiom_gym.adapters.gymnasium:AxiomVectorEnv",
        max_episode_steps=3,
        kwargs={"game": pennies.GAME, "preset": "endless"},
    )
    try:
        envs = gymnasium.make_vec("test/Limited-v0", num_envs=2)
    finally:
        del gymnasium.registry["test/Limited-v0"]
    envs.reset(seed=1)
    ends = [envs.step(envs.unwrapped.sample_actions())[3].tolist() for _ in range(3)]
    assert ends == [[False] * 2, [False] * 2, [True] * 2]


@pytest.mark.parametrize(
    "space",
    [
        spaces.Box(-1, 2, (3, 2), np.float32),
        spaces.Discrete(5),
        spaces.MultiDiscrete([3, 4]),
        spaces.Dict({"a": spaces.Box(0, 1, (4,), np.int8), "b": spaces.Discrete(2)}),
    ],
)
def test_batch_space__is_gymnasiums_with_writable_arrays(space: Any) -> None:
    batched = batch_space(space, 1000)
    assert batched == gymnasium.vector.utils.batch_space(space, 1000)
    assert batched.contains(batched.sample())
    for one in batched.values() if isinstance(batched, spaces.Dict) else [batched]:
        arrays = [value for value in vars(one).values() if isinstance(value, np.ndarray)]
        assert arrays
        assert all(array.flags.writeable for array in arrays)
        assert all(array.strides[0] == 0 for array in arrays)


def test_spaces__become_tensors_without_a_warning(pennies: ModuleType) -> None:
    torch = pytest.importorskip("torch")
    env = AxiomVectorEnv(pennies.GAME, 3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        low = torch.from_numpy(env.observation_space.low)
    assert low.shape == env.observation_space.shape
