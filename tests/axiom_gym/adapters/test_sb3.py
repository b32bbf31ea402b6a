from __future__ import annotations

import pickle
import warnings
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from axiom_gym.adapters.gymnasium import AxiomEnv
from axiom_gym.batch import Batch
from axiom_gym.errors import (
    ActionError,
    ClosedEnvironmentError,
    ConfigError,
    IllegalActionError,
    ResetNeededError,
)
from axiom_gym.opponents.seating import Seating

pytest.importorskip("stable_baselines3")

from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv, VecMonitor

from axiom_gym.adapters.sb3 import AxiomVecEnv, make_vec_env


@pytest.mark.parametrize("actions", ["sub_actions", "joint"])
def test_vec_env__equals_sb3s_dummy_vec_env(actions: str) -> None:
    """Equal bit for bit, including the infos that `Monitor` writes."""
    options: dict[str, Any] = {
        "actions": actions,
        "seat": "random",
        "max_turns": 20,
        "shaping": 0.5,
    }
    native = make_vec_env("quantaris", 3, seed=5, **options)
    stock = DummyVecEnv([lambda: Monitor(AxiomEnv("quantaris", **options))] * 3)
    stock.seed(5)
    assert np.array_equal(native.reset(), stock.reset())
    ended = 0
    for _ in range(70):
        actions_taken = np.stack([native.action_space.sample() for _ in range(3)])
        observations, rewards, dones, infos = native.step(actions_taken)
        stock_observations, stock_rewards, stock_dones, stock_infos = stock.step(actions_taken)
        assert np.array_equal(observations, stock_observations)
        assert np.array_equal(rewards, stock_rewards)
        assert np.array_equal(dones, stock_dones)
        assert (native.action_masks() == np.stack(stock.env_method("action_masks"))).all()
        for row in np.flatnonzero(dones):
            _check_end(infos[row], stock_infos[row])
        ended += dones.sum()
    assert ended >= 9


@pytest.mark.parametrize("seat", [1, "random"])
def test_vec_env__ends_a_row_when_its_learner_is_eliminated(
    raft: ModuleType, seat: int | str
) -> None:
    """Single environments do the same; the game of the others is not played to its end."""
    options: dict[str, Any] = {"seat": seat, "danger": 50, "opponent": ["sailor", "random"]}
    options["on_illegal"] = "noop"
    native = make_vec_env(raft.GAME, 4, seed=5, **options)
    stock = DummyVecEnv([lambda: Monitor(AxiomEnv(raft.GAME, **options))] * 4)
    stock.seed(5)
    assert np.array_equal(native.reset(), stock.reset())
    lengths = []
    for _ in range(80):
        actions = np.stack([native.action_space.sample() for _ in range(4)])
        observations, rewards, dones, infos = native.step(actions)
        stock_observations, stock_rewards, stock_dones, stock_infos = stock.step(actions)
        assert np.array_equal(observations, stock_observations)
        assert np.array_equal(rewards, stock_rewards)
        assert np.array_equal(dones, stock_dones)
        for row in np.flatnonzero(dones):
            _check_end(infos[row], stock_infos[row])
            assert infos[row]["TimeLimit.truncated"] is False
            assert infos[row]["terminal_observation"][3] == 0
            lengths.append(infos[row]["episode"]["l"])
    assert len(lengths) > 20
    assert max(lengths) < 30


def _check_end(info: dict[str, Any], stock: dict[str, Any]) -> None:
    assert np.array_equal(info["terminal_observation"], stock["terminal_observation"])
    assert info["TimeLimit.truncated"] is stock["TimeLimit.truncated"]
    assert info["episode"]["l"] == stock["episode"]["l"]
    assert info["episode"]["r"] == pytest.approx(stock["episode"]["r"])
    assert info["episode"]["t"] >= 0


def test_infos__are_empty_except_at_an_end_and_after_an_illegal_action(pennies: ModuleType) -> None:
    options: dict[str, Any] = {"preset": "endless", "max_turns": 3, "forced": 0}
    env = make_vec_env(pennies.GAME, 3, seed=1, on_illegal="noop", **options)
    env.reset()
    legal = np.zeros((3, 2), int)
    legal[:, 0] = env.action_masks()[:, :2].argmax(axis=1)
    illegal = legal + np.array([[0, 0], [0, 1], [0, 0]])
    *_, infos = env.step(legal)
    assert infos == [{}, {}, {}]
    *_, infos = env.step(illegal)
    assert infos == [{}, {"illegal_action": True}, {}]
    *_, dones, infos = env.step(legal)
    assert dones.all()
    assert [set(info) for info in infos] == [
        {"terminal_observation", "TimeLimit.truncated", "episode"}
    ] * 3
    assert all(info["TimeLimit.truncated"] for info in infos)


def test_self_play__gives_every_seat_a_row(pennies: ModuleType) -> None:
    """Two games have all three seats as rows, then two games have one row each."""
    env = make_vec_env(
        pennies.TRIO, 4, self_play_games=2, seat=1, opponent="lowest", seed=1, preset="endless"
    )
    observations = env.reset()
    assert env.num_envs == 8
    assert observations[:, 2].tolist() == [0, 1, 2, 0, 1, 2, 1, 1]
    actions = np.array([[row % 2, row % 3] for row in range(8)])
    _, rewards, _, _ = env.step(actions)
    buffers = env.batch.buffers
    assert buffers.actions[:2].reshape(6, 2).tolist() == actions[:6].tolist()
    assert buffers.actions[2:, 1].tolist() == actions[6:].tolist()
    assert buffers.actions[2:, [0, 2]].tolist() == [[[0, 0]] * 2] * 2
    assert rewards.tolist() == [*buffers.rewards[:2].ravel().tolist(), *buffers.rewards[2:, 1]]


def test_self_play__ends_all_rows_of_a_game_together(pennies: ModuleType) -> None:
    env = make_vec_env(pennies.TRIO, 3, self_play_games=3, seed=1)
    env.reset()
    for _ in range(30):
        before = env.batch.buffers.episodes["returns"].copy()
        _, rewards, dones, infos = env.step(np.zeros((9, 2), int))
        by_game = dones.reshape(3, 3)
        assert np.array_equal(by_game.any(axis=1), by_game.all(axis=1))
        for row in np.flatnonzero(dones):
            assert infos[row]["episode"]["r"] == before[row // 3, row % 3] + rewards[row]
            assert infos[row]["terminal_observation"][2] == row % 3


def test_self_play__keeps_rows_of_eliminated_players(raft: ModuleType) -> None:
    """These rows get no more rewards, whatever their actions, and end with their game."""
    options: dict[str, Any] = {"preset": "sharks", "turns": 4, "on_illegal": "noop"}
    env = make_vec_env(raft.GAME, 2, self_play_games=2, seed=1, **options)
    env.reset()
    actions = np.array([[0, row != 4] for row in range(6)])
    for turn in range(1, 5):
        _, rewards, dones, infos = env.step(actions)
        assert dones.tolist() == [turn == 4] * 6
        assert not np.delete(rewards, 4).any() or turn == 1
    assert rewards[4] >= 0.75
    assert [info["episode"]["l"] for info in infos] == [4] * 6


def test_seed__is_that_of_the_next_reset_only() -> None:
    env, twin = make_vec_env("quantaris", 2, seed=7), make_vec_env("quantaris", 2)
    assert twin.seed(7) == [7, None]
    trace = []
    for one in (env, twin):
        one.reset()
        for _ in range(20):
            one.step(np.zeros((2, 3), int))
        one.reset()
        trace.append(one.step(np.ones((2, 3), int))[0])
    assert np.array_equal(*trace)
    assert np.array_equal(env.batch.buffers.streams, twin.batch.buffers.streams)


def test_action_masks__have_the_form_of_sb3_contrib(pennies: ModuleType) -> None:
    masking = pytest.importorskip("sb3_contrib.common.maskable.utils")
    for options, size in ({}, 5), ({"actions": "joint"}, 6):
        env = make_vec_env(pennies.GAME, 3, seed=1, forced=0, **options)
        env.reset()
        assert masking.is_masking_supported(env)
        masks = masking.get_action_masks(env)
        assert (masks.shape, masks.dtype) == ((3, size), np.bool_)
        assert np.array_equal(masks, env.action_masks())
        assert masks.sum(axis=1).tolist() == [2 if size == 5 else 1] * 3
        assert np.array_equal(env.env_method("action_masks", indices=[2, 0]), masks[[2, 0]])
        assert np.array_equal(env.env_method("action_masks", indices=1)[0], masks[1])


def test_attributes__are_shared_by_all_rows() -> None:
    env = make_vec_env("quantaris", 3, render_mode="rgb_array")
    env.reset()
    assert env.get_attr("render_mode") == ["rgb_array"] * 3
    assert env.get_attr("num_envs", indices=[0, 2]) == [3, 3]
    env.set_attr("note", 1)
    assert env.get_attr("note") == [1, 1, 1]
    with pytest.raises(ConfigError, match="share"):
        env.set_attr("note", 1, indices=[0])
    assert env.env_is_wrapped(Monitor) == [True] * 3
    assert env.env_is_wrapped(VecMonitor) == [False] * 3
    assert [image.shape[2] for image in env.get_images() if image is not None] == [3] * 3


def test_errors__have_names(pennies: ModuleType) -> None:
    env = make_vec_env(pennies.GAME, 2, on_illegal="raise", forced=0)
    with pytest.raises(ResetNeededError):
        env.step(np.zeros((2, 2), int))
    env.reset()
    for wrong in (np.zeros(2, int), np.zeros((2, 3), int), np.zeros((2, 2))):
        with pytest.raises(ActionError):
            env.step(wrong)
    with pytest.raises(ActionError, match="environment 0 holds 2; allowed is 0 to 1"):
        env.step(np.full((2, 2), 2))
    with pytest.raises(IllegalActionError):
        env.step(np.ones((2, 2), int))
    with pytest.raises(ConfigError, match="step_async"):
        make_vec_env(pennies.GAME, 2).step_wait()
    with pytest.raises(ConfigError, match="same_step"):
        AxiomVecEnv(Seating(Batch(pennies.GAME, 2)))
    env.close()
    for call in (env.reset, lambda: env.step(np.zeros((2, 2), int))):
        with pytest.raises(ClosedEnvironmentError):
            call()


def test_vec_env__is_pickled_with_all_it_holds() -> None:
    env = make_vec_env("quantaris", 3, opponent=["random", "greedy"], seat="random", seed=3)
    env.reset()
    for _ in range(30):
        env.step(np.zeros((3, 3), int))
    twin = pickle.loads(pickle.dumps(env))
    for _ in range(60):
        first, second = (one.step(np.ones((3, 3), int)) for one in (env, twin))
        assert np.array_equal(first[0], second[0])
        assert np.array_equal(first[1], second[1])


@pytest.mark.slow
def test_vec_env__can_be_trained_in(pennies: ModuleType) -> None:
    """MaskablePPO of sb3-contrib runs with flat and with joint masks."""
    contrib = pytest.importorskip("sb3_contrib")
    for actions in ("sub_actions", "joint"):
        env = make_vec_env(pennies.GAME, 4, seed=1, forced=0, actions=actions)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = contrib.MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=32, device="cpu")
            model.learn(128)
        observations = env.reset()
        chosen, _ = model.predict(observations, action_masks=env.action_masks())
        assert env.action_space.contains(chosen[0])
