"""Properties of every turn of every game, for any actions."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

LONGEST = 1000
"""The number of turns to play; fewer for games with many decisions, where they are enough."""
LONGEST_SEQUENTIAL = 250


def _check_view(batch: Any) -> None:
    """Return the observations and masks of a batch of one."""
    layout, buffers = batch.layout, batch.buffers
    assert np.isin(buffers.masks, (0, 1)).all()
    for k, choices in enumerate(layout.num_choices):
        assert buffers.masks[0, :, k, :choices].any(axis=-1).all(), "an order without a choice"
        assert not buffers.masks[0, :, k, choices:].any(), "a choice that the order does not have"
    assert np.isfinite(buffers.observations).all()
    assert buffers.observations.min() >= layout.observation_low
    assert buffers.observations.max() <= layout.observation_high


def _check_end(variant: Any, batch: Any) -> None:
    """Check the outcomes of a game that the rules have ended against its rewards."""
    info, (outcome,) = variant.info, batch.outcomes()
    assert outcome.min() >= info.min_outcome
    assert outcome.max() <= info.max_outcome
    if info.zero_sum:
        assert abs(outcome.sum()) < 1e-6
    if not variant.is_shaped:
        returns = batch.buffers.episodes["final_returns"][0]
        np.testing.assert_allclose(outcome, returns, rtol=1e-6, atol=1e-6)


def _play_to_the_end(variant: Any, batch: Any, act: Callable[[Any], None]) -> None:
    """Play an episode with actions from `act`, and check every turn."""
    buffers, returns = batch.buffers, np.zeros(batch.num_players, np.float32)
    alive, refused = batch.alive(), 0
    assert alive.all()
    for turn in range(1, LONGEST_SEQUENTIAL if variant.is_sequential else LONGEST):
        _check_view(batch)
        assert batch.num_players == 1 or not batch.outcomes().any()
        act(batch)
        batch.step()
        returns += buffers.rewards[0]
        assert not buffers.rewards[0, ~alive].any(), "a reward for a player who was out"
        assert not batch.alive()[~alive].any(), "a player who came back"
        alive = batch.alive()
        refused += buffers.episodes["offenders"][0].any()
        assert buffers.episodes["length"][0] == turn
        assert buffers.episodes["fault"][0] == 0
        if variant.info.zero_sum and alive.all():
            assert abs(returns.sum()) < 1e-6  # eliminated players were paid earlier than the others
        if buffers.terminated[0] or buffers.truncated[0]:
            break
    else:
        assert variant.is_sequential
        return
    _check_view(batch)
    _check_end(variant, batch)
    assert buffers.episodes["final_length"][0] == turn
    assert np.array_equal(buffers.episodes["final_returns"][0], returns)
    if variant.is_sequential:  # a refused decision is repeated
        turn -= refused
    assert variant.info.max_length is None or turn <= variant.info.max_length


@pytest.mark.boundscheck
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), numbers=st.lists(st.integers(0, 255), min_size=1))
def test_episode__keeps_its_promises_with_legal_orders(
    variant: Any, seed: int, numbers: list[int]
) -> None:
    """Each sub-action is the n-th legal choice, with n from the repeated list."""
    batch = variant.batch(autoreset="disabled", on_illegal="raise")
    batch.reset(seed)
    drawn = 0

    def act(batch: Any) -> None:
        nonlocal drawn
        for player, rows in enumerate(batch.buffers.masks[0]):
            for order, mask in enumerate(rows):
                legal = np.flatnonzero(mask)
                number = numbers[drawn % len(numbers)] + drawn // len(numbers)
                batch.buffers.actions[0, player, order] = legal[number % len(legal)]
                drawn += 1

    _play_to_the_end(variant, batch, act)


@pytest.mark.boundscheck
@settings(max_examples=10, deadline=None)
@given(numbers=st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=50))
def test_episode__keeps_its_promises_with_any_orders(variant: Any, numbers: list[int]) -> None:
    """Illegal sub-actions are left out, however far out of range they are."""
    batch = variant.batch(autoreset="disabled", on_illegal="noop")
    batch.reset(0)
    endless = itertools.cycle(numbers)

    def act(batch: Any) -> None:
        batch.sample_actions()
        if batch.buffers.episodes["length"][0] % 2 == 0:
            for place in np.ndindex(batch.buffers.actions.shape):
                batch.buffers.actions[place] = next(endless)

    _play_to_the_end(variant, batch, act)


def test_game__tells_positions_and_orders_as_text(variant: Any) -> None:
    batch = variant.batch()
    batch.reset(2)
    texts = set()
    for _ in range(60):
        texts.add(batch.describe_state())
        batch.sample_actions()
        for player, orders in zip(batch.to_act(), batch.buffers.actions[0].tolist(), strict=False):
            line = variant.game.describe_action(batch.buffers.states[0], player, orders)
            assert line
            assert "\n" not in line
        batch.step()
    assert len(texts) > 20


def test_game__has_facts_that_fit_its_shapes(variant: Any) -> None:
    batch = variant.batch()
    batch.reset(0)
    layout, info = batch.layout, variant.info
    assert f"{info.name}-v{info.version}" == variant.game_id
    views = 1 if variant.is_sequential else batch.num_players
    assert batch.buffers.observations.shape == (1, views, *layout.observation_shape)
    assert batch.views().shape == (batch.num_players, *layout.observation_shape)
    assert info.min_outcome <= info.max_outcome
    assert not info.zero_sum or info.min_outcome <= 0 <= info.max_outcome
    if layout.feature_names:
        assert (len(layout.feature_names),) == layout.observation_shape
        assert len(set(layout.feature_names)) == len(layout.feature_names)
