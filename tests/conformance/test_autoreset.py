"""The buffers and infos around the end of an episode, in each autoreset mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from axiom_gym.errors import ConfigError, ResetNeededError

GAMES = 3
EPISODES = 3
LIMIT = 12
MODES = ("next_step", "same_step", "disabled")


def _first_view(variant: Any, game: int) -> tuple[Any, Any]:
    """Return observations and masks at the start of an episode, equal for all without chance."""
    batch = variant.batch(GAMES)
    batch.reset(1)
    return batch.buffers.observations[game].copy(), batch.buffers.masks[game].copy()


def _turn(batch: Any) -> Any:
    """Play a step with random legal actions; return which games ended in it."""
    batch.sample_actions()
    batch.step()
    return batch.buffers.terminated | batch.buffers.truncated


@pytest.mark.boundscheck
@pytest.mark.parametrize("max_turns", [0, LIMIT])
def test_next_step__resets_in_the_step_after_the_last(variant: Any, max_turns: int) -> None:
    batch = variant.batch(GAMES, max_turns=max_turns)
    batch.reset(1)
    buffers, ended = batch.buffers, np.zeros(GAMES, int)
    over = np.zeros(GAMES, np.bool_)
    while ended.min() < EPISODES:
        fresh, last = over, buffers.observations.copy()
        over = _turn(batch)
        assert not (over & fresh).any()
        assert not buffers.rewards[fresh].any()
        assert np.all(buffers.episodes["length"][fresh] == 0)
        assert np.all(buffers.episodes["ended"] == over)
        for game in np.flatnonzero(fresh):
            assert not np.array_equal(buffers.observations[game], last[game])
            if not variant.info.chance:
                observations, masks = _first_view(variant, game)
                assert np.array_equal(buffers.observations[game], observations)
                assert np.array_equal(buffers.masks[game], masks)
        ended += over


@pytest.mark.parametrize("max_turns", [0, LIMIT])
def test_same_step__shows_the_end_and_the_next_beginning(variant: Any, max_turns: int) -> None:
    """Compare final observations with those of a batch without autoreset."""
    batch = variant.batch(GAMES, autoreset="same_step", max_turns=max_turns)
    twin = variant.batch(GAMES, autoreset="disabled", max_turns=max_turns)
    batch.reset(1)
    twin.reset(1)
    ended = np.zeros(GAMES, int)
    while ended.min() < EPISODES:
        over = _turn(batch)
        assert np.array_equal(_turn(twin), over)
        assert np.array_equal(batch.buffers.rewards, twin.buffers.rewards)
        assert np.array_equal(batch.buffers.terminated, twin.buffers.terminated)
        final, seen = batch.buffers.final_observations, twin.buffers.observations
        for game in np.flatnonzero(over).tolist():
            assert np.array_equal(final[game], twin.views(game))
            assert np.array_equal(final[game][: seen.shape[1]], seen[game])
        if over.any():
            twin.reset(which=over)
        assert np.array_equal(batch.buffers.observations, twin.buffers.observations)
        assert np.array_equal(batch.buffers.masks, twin.buffers.masks)
        assert not batch.buffers.episodes["ended"].any()
        assert np.all(batch.buffers.episodes["length"][over] == 0)
        ended += over


@pytest.mark.parametrize("num_threads", [1, 2])
def test_disabled__waits_for_a_reset_of_what_has_ended(
    variant: Any, snapshot: Callable[..., Any], num_threads: int
) -> None:
    batch = variant.batch(GAMES, autoreset="disabled", num_threads=num_threads)
    batch.reset(1)
    ended = np.zeros(GAMES, int)
    while ended.min() < EPISODES:
        over = _turn(batch)
        ended += over
        if not over.any():
            continue
        before = snapshot(batch)
        with pytest.raises(ResetNeededError, match=f"game {np.flatnonzero(over)[0]} has ended"):
            batch.step()
        after = snapshot(batch)
        assert all(np.array_equal(before[name], after[name]) for name in before)
        batch.reset(which=over)
        after = snapshot(batch)
        for name in ("states", "episodes", "observations", "masks", "rewards"):
            assert np.array_equal(before[name][~over], after[name][~over])
        assert np.all(batch.buffers.episodes["length"][over] == 0)
        assert not batch.buffers.terminated[over].any()
        assert not batch.buffers.rewards[over].any()
    batch.close()


@pytest.mark.parametrize("autoreset", MODES)
def test_max_turns__truncates(variant: Any, autoreset: str, play: Callable[..., Any]) -> None:
    """An episode ends by the rules or at `max_turns`, which is less than their own limit."""
    batch = variant.batch(GAMES, autoreset=autoreset, max_turns=LIMIT)
    batch.reset(1)
    truncations = 0
    for _ in range(5 * LIMIT):
        (taken,) = play(batch, 1)
        lengths = batch.buffers.episodes["final_length"]
        assert not (taken["terminated"] & taken["truncated"]).any()
        assert np.all(lengths[taken["truncated"]] == LIMIT)
        assert np.all(lengths[taken["terminated"]] <= LIMIT)
        assert np.all(batch.buffers.episodes["length"] <= LIMIT)
        truncations += taken["truncated"].sum()
    assert truncations > 0


def test_max_turns__leaves_the_last_word_to_the_rules(variant: Any) -> None:
    """If rules and limit end an episode in the same turn, the rules determine the flag."""
    free = variant.batch(autoreset="disabled")
    free.reset(1)
    while not _turn(free):
        pass
    length = int(free.buffers.episodes["final_length"][0])
    by_rules = bool(free.buffers.terminated[0])
    for limit, terminated in (length, by_rules), (length - 1, False), (length + 1, by_rules):
        batch = variant.batch(autoreset="disabled", max_turns=limit)
        batch.reset(1)
        while not _turn(batch):
            pass
        assert batch.buffers.terminated[0] == terminated
        assert batch.buffers.truncated[0] != terminated


# -- the same in the vector environment ------------------------------------------------------------


@pytest.mark.parametrize(
    ("seat", "max_turns", "mode"),
    [
        (0, 0, "next_step"),
        ("random", LIMIT, "next_step"),
        ("random", 0, "same_step"),
        (0, LIMIT, "disabled"),
        *(
            pytest.param(*combination, marks=pytest.mark.slow)
            for combination in (
                (0, 0, "same_step"),
                (0, 0, "disabled"),
                (0, LIMIT, "next_step"),
                (0, LIMIT, "same_step"),
                ("random", 0, "next_step"),
                ("random", 0, "disabled"),
                ("random", LIMIT, "same_step"),
                ("random", LIMIT, "disabled"),
            )
        ),
    ],
)
def test_vector_env__tells_returns_and_lengths_of_episodes(
    variant: Any, seat: Any, max_turns: int, mode: str
) -> None:
    env = variant.vector(GAMES, autoreset_mode=mode, max_turns=max_turns, seat=seat)
    env.reset(seed=1)
    returns, lengths = np.zeros(GAMES, np.float32), np.zeros(GAMES, int)
    ended, over = np.zeros(GAMES, int), np.zeros(GAMES, np.bool_)
    while ended.min() < EPISODES:
        fresh = over & (mode == "next_step")
        _, rewards, terminated, truncated, infos = env.step(env.sample_actions())
        over = terminated | truncated
        returns, lengths = np.where(fresh, 0, returns + rewards), np.where(fresh, 0, lengths + 1)
        assert np.array_equal(infos["_episode_return"], over)
        assert (
            ("final_obs" in infos)
            == ("final_info" in infos)
            == (over.any() and mode == "same_step")
        )
        if over.any():
            _check_statistics(infos, over, returns, lengths)
            returns, lengths = np.where(over, 0, returns), np.where(over, 0, lengths)
        if mode == "disabled" and over.any():
            env.reset(options={"reset_mask": over})
        ended += over


def _check_statistics(infos: Any, over: Any, returns: Any, lengths: Any) -> None:
    assert infos["episode_return"].dtype == np.float32
    assert infos["episode_length"].dtype == np.int32
    assert np.array_equal(infos["_episode_return"], over)
    assert np.array_equal(infos["_episode_length"], over)
    assert np.array_equal(infos["episode_return"], np.where(over, returns, 0))
    assert np.array_equal(infos["episode_length"], np.where(over, lengths, 0))
    if "final_info" in infos:
        assert np.array_equal(infos["_final_obs"], over)
        assert np.array_equal(infos["_final_info"], over)
        final = infos["final_info"]
        assert np.array_equal(final["episode_return"], infos["episode_return"])
        assert np.array_equal(final["_episode_length"], over)
        assert [seen is not None for seen in infos["final_obs"]] == over.tolist()


@pytest.mark.parametrize(
    "mask",
    [
        np.zeros(GAMES, np.bool_),
        np.ones(GAMES, np.int8),
        np.ones(GAMES + 1, np.bool_),
        [True] * GAMES,
    ],
    ids=["none", "dtype", "shape", "list"],
)
def test_reset__refuses_a_mask_that_is_none(variant: Any, mask: Any) -> None:
    env = variant.vector(GAMES, autoreset_mode="disabled")
    env.reset(seed=1)
    with pytest.raises(ConfigError, match="reset mask"):
        env.reset(options={"reset_mask": mask})


def test_reset__must_be_of_all_games_at_first(variant: Any) -> None:
    env = variant.vector(2, autoreset_mode="disabled")
    with pytest.raises(ResetNeededError, match="first reset"):
        env.reset(options={"reset_mask": np.array([True, False])})
