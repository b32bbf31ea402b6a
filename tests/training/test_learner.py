"""Rewards and values of the learner; the tests of the trainer cover whole runs."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import torch

from axiom_gym.opponents import OpponentPool
from axiom_training.learner import Learner

VALUE = 10.0
GAMMA = 0.5


@pytest.fixture
def start(tiny: Callable[..., Any], climb: ModuleType) -> Callable[..., Learner]:
    """Return a function that makes a learner of the game for one player and begins its games."""

    def make(**changes: Any) -> Learner:
        config = tiny(**{"game": "climb-v0", "gamma": GAMMA, **changes})
        learner = Learner(config, OpponentPool(["random"]))
        learner.start()
        return learner

    return make


def spy(learner: Learner, monkeypatch: pytest.MonkeyPatch) -> list[npt.NDArray[np.float32]]:
    """Set the value of all final positions to VALUE; return the list of the evaluated ones."""
    seen: list[npt.NDArray[np.float32]] = []

    def predict(observations: torch.Tensor) -> torch.Tensor:
        seen.append(observations[0].numpy())
        return torch.full((len(observations), 1), VALUE)

    # After the rollout its last values come from here too; nothing below depends on them.
    monkeypatch.setattr(learner.model.policy, "predict_values", predict)
    return seen


def collect(learner: Learner) -> Any:
    """Play a rollout without learning from it; return its buffer."""
    buffer = learner.model.rollout_buffer
    games = learner.model.env
    learner.model.collect_rollouts(games, learner._callback, buffer, learner._turns)
    return buffer


def test_learner__adds_the_value_of_the_last_position_if_truncated(
    start: Callable[..., Learner], monkeypatch: pytest.MonkeyPatch
) -> None:
    learner = start(options={"limit": 2, "danger": 1000}, normalize_rewards="no")
    seen = spy(learner, monkeypatch)
    buffer = collect(learner)
    # Turns 2 and 4 of the rollout end an episode; the first turn of an episode is at height 0.
    assert not buffer.rewards[[0, 2]].any()
    assert (buffer.rewards[[1, 3]] - GAMMA * VALUE >= 0).all()
    assert (buffer.rewards[[1, 3]] - GAMMA * VALUE <= 0.5).all()
    turns_left = [int(one[0]) for one in seen]
    assert turns_left[: 2 * 12] == [0] * 2 * 12


def test_learner__adds_no_value_if_terminated(
    start: Callable[..., Learner], monkeypatch: pytest.MonkeyPatch
) -> None:
    learner = start(options={"limit": 100, "danger": 1}, normalize_rewards="no", rollout_turns=40)
    spy(learner, monkeypatch)
    buffer = collect(learner)
    assert buffer.episode_starts[1:].any()
    assert buffer.rewards.max() < VALUE * GAMMA


def test_learner__divides_rewards_by_the_standard_deviation_of_returns(
    start: Callable[..., Learner], monkeypatch: pytest.MonkeyPatch
) -> None:
    options = {"options": {"limit": 100, "danger": 1000}, "rollout_turns": 60}
    spread = []
    for choice in ("no", "yes", "auto"):
        learner = start(normalize_rewards=choice, **options)
        spy(learner, monkeypatch)
        spread.append(collect(learner).rewards.std())
    assert spread[0] > 2
    assert spread[1] == spread[2] < 1


@pytest.mark.usefixtures("probe")
def test_learner__does_not_scale_rewards_of_about_1(tiny: Callable[..., Any]) -> None:
    pool = OpponentPool(["random"])
    assert Learner(tiny(), pool)._scaled is None
    assert Learner(tiny(game="quantaris-v0"), pool)._scaled is None
    assert Learner(tiny(normalize_rewards="yes"), pool)._scaled is not None


def test_learner__saves_the_statistics_of_returns(start: Callable[..., Learner]) -> None:
    learner = start()
    for _ in range(3):
        learner.iterate(1e-3, 0.0)
    saved = learner.get_state()
    kept = saved["reward_returns"].copy()
    assert kept.any()
    fresh = start()
    fresh.set_state(saved, learner.model.get_parameters())
    again = fresh.get_state()
    for name in ("reward_spread", "reward_returns"):
        np.testing.assert_array_equal(again[name], saved[name])
    fresh.iterate(1e-3, 0.0)
    np.testing.assert_array_equal(saved["reward_returns"], kept)
    assert fresh.get_state()["reward_spread"][2] == pytest.approx(again["reward_spread"][2] + 48)
