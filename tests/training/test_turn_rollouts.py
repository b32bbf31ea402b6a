"""Advantages in sequential games, compared with sums along each seat's decisions."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from axiom_gym.opponents import OpponentPool
from axiom_training.evaluation import play_series, score_against
from axiom_training.learner import Learner
from axiom_training.turn_rollouts import chain_advantages

GAMMA, LAMBDA = 0.9, 0.7


def by_hand(
    paid: Any, actors: Any, over: Any, values: Any, last_values: Any, row: int, t: int
) -> float:
    """Return the advantage of game `row` at step `t` as a sum over the seat's decisions."""
    steps, seat = len(paid), actors[t, row]
    total, weight, now = 0.0, 1.0, t
    while True:
        earned, following, then = 0.0, 0.0, now
        while True:
            earned += paid[then, row, seat]
            if over[then, row]:
                then = steps + 1  # nothing follows
                break
            then += 1
            if then == steps:
                following = last_values[row, seat]
                break
            if actors[then, row] == seat:
                following = values[then, row]
                break
        total += weight * (earned + GAMMA * following - values[now, row])
        if then >= steps:
            return total
        weight *= GAMMA * LAMBDA
        now = then


@pytest.mark.parametrize("players", [1, 2, 4])
def test_chain_advantages__follow_each_seat(players: int) -> None:
    rng = np.random.default_rng(players)
    shape = (30, 7)
    paid = rng.normal(size=(*shape, players)).astype(np.float32)
    actors = rng.integers(0, players, shape).astype(np.int16)
    over = rng.random(shape) < 0.1
    values = rng.normal(size=shape).astype(np.float32)
    last_values = rng.normal(size=(shape[1], players)).astype(np.float32)
    found = chain_advantages(paid, actors, over, values, last_values, GAMMA, LAMBDA)
    assert found.dtype == np.float32
    expected = [
        [by_hand(paid, actors, over, values, last_values, row, t) for row in range(shape[1])]
        for t in range(shape[0])
    ]
    np.testing.assert_allclose(found, expected, rtol=2e-4, atol=2e-4)


def test_chain_advantages__of_one_seat_are_the_usual_ones() -> None:
    """With rewards of 1, values of 0 and lambda 1 an advantage is the discounted sum to the end."""
    paid = np.ones((4, 1, 1), np.float32)
    over = np.array([[False], [False], [True], [False]])
    zeros, seats = np.zeros((4, 1), np.float32), np.zeros((4, 1), np.int16)
    last = np.full((1, 1), 8, np.float32)
    found = chain_advantages(paid, seats, over, zeros, last, 0.5, 1.0)
    assert found[:, 0].tolist() == [1.75, 1.5, 1.0, 5.0]


@pytest.fixture
def learner(tiny: Callable[..., Any], brawl: ModuleType) -> Callable[..., Learner]:
    """Return a function that makes a learner of the sequential game and begins its games."""

    def make(**changes: Any) -> Learner:
        shares = {"share_latest": 0.5, "share_pool": 0.0, "share_bots": 0.5}
        fixed = {"game": "brawl-v0", "gamma": GAMMA, "gae_lambda": LAMBDA}
        config = tiny(**{**fixed, **shares, "normalize_rewards": "no", **changes})
        one = Learner(config, OpponentPool(["bully"]))
        one.start()
        return one

    return make


def collect(one: Learner) -> Any:
    """Play a rollout without learning from it; return its buffer."""
    buffer = one.model.rollout_buffer
    one.model.collect_rollouts(one.model.env, one._callback, buffer, one._turns)
    return buffer


def test_rollout__stores_the_acting_seats_and_all_rewards(learner: Callable[..., Learner]) -> None:
    one = learner(rollout_turns=60)
    env, seen = one.env, []
    inner = env.step_wait

    def step_wait() -> Any:
        acting = env.batch.buffers.acting.copy()
        result = inner()
        buffers = env.batch.buffers
        over = buffers.terminated | buffers.truncated
        seen.append((acting, buffers.rewards.copy(), over))
        return result

    env.step_wait = step_wait  # type: ignore[method-assign]
    buffer = collect(one)
    acting, paid, over = (np.array(part) for part in zip(*seen, strict=True))
    assert np.array_equal(buffer._actors[:, :6], acting[:, :6])
    assert np.array_equal(buffer._player_rewards, paid)
    assert np.array_equal(buffer._ended, over)
    assert over.any()
    assert len(np.unique(buffer._actors[:, :6])) == 3
    views = env.batch.all_views()
    last_values = one._predict_values(views.reshape(-1, views.shape[2])).reshape(views.shape[:2])
    arrays = (buffer._player_rewards, buffer._actors, buffer._ended, buffer.values, last_values)
    expected = [[by_hand(*arrays, row, t) for row in range(12)] for t in range(60)]
    np.testing.assert_allclose(buffer.advantages, expected, rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(buffer.returns, buffer.advantages + buffer.values, rtol=1e-6)


def test_rollout__adds_the_value_of_the_final_position_after_max_turns(
    learner: Callable[..., Learner],
) -> None:
    one = learner(rollout_turns=6, share_bots=0.0, share_latest=1.0)
    one.env.batch._options = one.env.batch._options._replace(max_turns=4)
    one.env.batch.max_turns = 4
    buffer = collect(one)
    assert np.array_equal(np.flatnonzero(buffer._ended.any(axis=1)), [3])
    step, batch = buffer._player_rewards[3], one.env.batch
    final = batch.buffers.final_observations  # of the fourth turn, the last to end an episode
    values = one._predict_values(final.reshape(-1, final.shape[2])).reshape(final.shape[:2])
    rewards = step - GAMMA * values
    np.testing.assert_allclose(rewards * 8, np.round(rewards * 8), atol=1e-4)


def test_rollout__scales_rewards_by_the_option(learner: Callable[..., Learner]) -> None:
    one = learner(normalize_rewards="yes")
    collect(one)
    assert one._scaled is not None
    spread = float(np.sqrt(one._scaled.ret_rms.var + one._scaled.epsilon))
    assert one._get_reward_scale() == spread != 1.0


@pytest.mark.compiled_only
def test_learner__improves_in_a_sequential_game(learner: Callable[..., Learner]) -> None:
    """It learns to strike, because resting loses against an opponent who strikes."""
    one = learner(num_games=64, rollout_turns=16, batch_size=512, epochs=4, network=(32,))
    returns = [one.iterate(0.01, 0.01)["charts/episodic_return"] for _ in range(25)]
    assert np.mean(returns[-5:]) > np.mean(returns[:5]) + 0.2


# -- measuring -------------------------------------------------------------------------------------


def pacifist(observations: Any, masks: Any, rng: Any) -> Any:
    return np.zeros(masks.shape[:2], np.int64)


@pytest.mark.usefixtures("brawl")
def test_play_series__rotates_seats_in_a_sequential_game() -> None:
    asked: list[int] = []

    def counting(observations: Any, masks: Any, rng: Any) -> Any:
        asked.append(len(masks))
        return pacifist(observations, masks, rng)

    outcomes = play_series("brawl-v0", ["bully", counting, pacifist], 9, seed=3)
    assert outcomes.shape == (9, 3)
    np.testing.assert_allclose(outcomes.sum(axis=1), 0, atol=1e-6)
    assert (outcomes[:, 0] > outcomes[:, 1:].max(axis=1)).all()
    assert sum(asked) > 9
    again = play_series("brawl-v0", ["bully", pacifist, pacifist], 9, seed=3)
    assert np.array_equal(outcomes, again)


@pytest.mark.slow
@pytest.mark.usefixtures("brawl")
def test_score_against__counts_players_by_the_options() -> None:
    for players in (2, 4):
        result = score_against("brawl-v0", "bully", pacifist, 12, options={"players": players})
        assert (result.wins, result.games) == (12, 12)
