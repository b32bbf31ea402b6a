from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from axiom_training.config import TrainConfig
from axiom_training.policy import ModelPolicy
from axiom_training.selfplay import SelfPlay, Snapshot, most_crowded, self_play_games
from axiom_training.trainer import Trainer

Make = Callable[..., Any]
BOTS = ["random", "perfect", "wrong"]


@pytest.fixture
def start(tiny: Make) -> Callable[..., SelfPlay]:
    """Return a function that makes a pool with the probe game's bots."""

    def make(**changes: Any) -> SelfPlay:
        return SelfPlay.start(tiny(**changes), BOTS)

    return make


# Shares


@pytest.mark.parametrize(
    ("shares", "games"),
    [((0.34, 0.33, 0.33), 131), ((1, 0, 0), 384), ((0, 0.5, 0.5), 0), ((0.5, 0.25, 0), 256)],
)
def test_self_play_games__are_the_share_of_the_latest(
    shares: tuple[float, float, float], games: int
) -> None:
    latest, pool, bots = shares
    config = TrainConfig(game="x", steps=1, share_latest=latest, share_pool=pool, share_bots=bots)
    assert self_play_games(config) == games


def test_weights__are_the_shares_of_the_groups(start: Make, make_model: Make) -> None:
    selfplay = start(share_bots=0.6, share_pool=0.2)
    assert selfplay.pool.weights == pytest.approx([0.2, 0.2, 0.2])
    selfplay.add(make_model(seed=1), 0)
    assert selfplay.pool.weights == pytest.approx([0.2, 0.2, 0.2, 0.2])
    selfplay.add(make_model(seed=2), 10)
    assert selfplay.pool.weights == pytest.approx([0.2, 0.2, 0.2, 0.1, 0.1])
    selfplay.add(make_model(seed=3), 20)
    assert selfplay.pool.weights == pytest.approx([0.2, 0.2, 0.2, 0.1, 0.0, 0.1])


def test_weights__are_0_for_a_group_without_a_share(start: Make, make_model: Make) -> None:
    selfplay = start(share_bots=0, share_pool=0.2)
    selfplay.add(make_model(seed=1), 0)
    assert selfplay.pool.weights == pytest.approx([0, 0, 0, 0.2])
    selfplay = start(share_bots=0.2, share_pool=0)
    selfplay.add(make_model(seed=1), 0)
    assert selfplay.pool.weights == pytest.approx([0.2 / 3] * 3 + [0])


def test_weights__are_positive_even_without_any_share(start: Make, make_model: Make) -> None:
    selfplay = start(share_latest=1, share_bots=0, share_pool=0)
    selfplay.add(make_model(), 0)
    assert selfplay.pool.thresholds()[-1] == 1


def test_opponents__are_drawn_by_their_shares(trainer: Make) -> None:
    run: Trainer = trainer(
        num_games=200, share_latest=0.5, share_pool=0.3, share_bots=0.2, batch_size=512
    )
    assert run.selfplay.bots == len(run.game.bots) == 2  # without "random"
    seating, counts = run.learner.env.seating, np.zeros(4)
    for _ in range(30):
        run.learner.env.reset()
        counts += np.bincount(seating.seats.max(axis=1), minlength=4)
    assert counts[0] == 100 * 30  # the learner alone
    drawn = counts[1:] / counts[1:].sum()
    assert drawn[2] == pytest.approx(0.6, abs=0.04)
    assert drawn[:2] == pytest.approx([0.4 / 2] * 2, abs=0.03)


# Snapshots


def test_add__adds_equal_weights_once(start: Make, make_model: Make) -> None:
    selfplay = start()
    first = selfplay.add(make_model(seed=1), 0)
    assert isinstance(first, Snapshot)
    assert first.digest == make_model(seed=1).digest()
    assert selfplay.add(make_model(seed=1), 10) is None
    assert selfplay.snapshots == [first]
    assert len(selfplay.pool.members) == len(BOTS) + 1


def test_add__retires_a_snapshot_above_the_pool_size(start: Make, make_model: Make) -> None:
    selfplay = start(pool_size=3)
    for number in range(9):
        selfplay.add(make_model(seed=number), number * 10, playing=range(100))
    assert len(selfplay.snapshots) == 3
    steps = [snapshot.steps for snapshot in selfplay.snapshots]
    assert steps[0] == 0
    assert steps[-1] == 80
    weights = selfplay.pool.weights[len(BOTS) :]
    drawn = {place + len(BOTS) for place, weight in enumerate(weights) if weight > 0}
    assert drawn == {snapshot.place for snapshot in selfplay.snapshots}


def test_add__keeps_the_newest_in_a_pool_of_one(start: Make, make_model: Make) -> None:
    selfplay = start(pool_size=1)
    for number in range(4):
        selfplay.add(make_model(seed=number), number)
    assert [snapshot.steps for snapshot in selfplay.snapshots] == [3]


def test_add__keeps_snapshots_and_indices_in_use(start: Make, make_model: Make) -> None:
    selfplay, draws = start(pool_size=3), np.random.default_rng(0)
    for number in range(40):
        places = range(len(BOTS), len(selfplay.pool.members))
        playing = {place for place in places if draws.random() < 0.3}
        needed = playing | {snapshot.place for snapshot in selfplay.snapshots}
        before = {place: selfplay.pool.members[place] for place in needed}
        digests = {place: member.digest() for place, member in before.items()}
        selfplay.add(make_model(seed=number), number, playing)
        for place, member in before.items():
            assert selfplay.pool.members[place] is member
            assert member.digest() == digests[place]
        assert selfplay.pool.members[: len(BOTS)] == BOTS
        for snapshot in selfplay.snapshots:
            assert selfplay.pool.members[snapshot.place].digest() == snapshot.digest


def test_add__reuses_indices_without_games_in_progress(start: Make, make_model: Make) -> None:
    selfplay = start(pool_size=3)
    for number in range(40):
        selfplay.add(make_model(seed=number), number)
    # One more than the pool size, because a snapshot is retired only after the new one is added.
    assert len(selfplay.pool.members) == len(BOTS) + 4
    assert len(selfplay.pool.weights) == len(selfplay.pool.members)


@given(
    size=st.integers(3, 12),
    gaps=st.lists(st.integers(90, 110), min_size=20, max_size=150),
)
def test_add__keeps_snapshots_spread_evenly_over_the_run(size: int, gaps: list[int]) -> None:
    times = [0]
    for gap in gaps:
        times.append(times[-1] + gap)
        if len(times) > size:
            del times[most_crowded(times)]
    assert len(times) == size
    assert times[0] == 0
    assert times[-1] == sum(gaps)
    even = sum(gaps) / (size - 1)
    assert max(np.diff(times)) <= 3 * even


@given(st.lists(st.integers(0, 1000), min_size=3, max_size=20, unique=True).map(sorted))
def test_most_crowded__never_is_the_first_or_the_last(times: list[int]) -> None:
    at = most_crowded(times)
    assert 0 < at < len(times) - 1
    gap = times[at + 1] - times[at - 1]
    assert all(times[i + 1] - times[i - 1] >= gap for i in range(1, len(times) - 1))


def test_most_crowded__is_the_oldest_of_two() -> None:
    assert most_crowded([5]) == 0
    assert most_crowded([5, 9]) == 0
    assert most_crowded([0, 10, 11, 30]) == 1
    assert most_crowded([0, 20, 29, 30]) == 2


# In a run


def test_run__changes_an_opponent_only_between_episodes(trainer: Make) -> None:
    run: Trainer = trainer(
        options={"turns": 7}, snapshot_every=1, share_latest=0.2, rollout_turns=3, steps=10**6
    )
    env, pool, changed = run.learner.env, run.selfplay.pool, 0
    step = env.seating.step
    opponents: dict[int, object] = {}

    def played() -> dict[int, object]:
        """Return the opponent of each game: the name of a bot or the hash of a snapshot."""
        places = (env.seating.seats.max(axis=1) - 1).tolist()
        members = {game: pool.members[place] for game, place in enumerate(places) if place >= 0}
        return {
            game: member.digest() if isinstance(member, ModelPolicy) else member
            for game, member in members.items()
        }

    def watch(actions: Any) -> Any:
        nonlocal changed
        # New and retired snapshots since the last turn must not change the opponents.
        assert opponents in ({}, played())
        before = played()
        rows = step(actions)
        opponents.clear()
        opponents.update(played())
        fresh = env.batch.buffers.episodes["length"] == 0
        moved = [game for game in before if opponents[game] != before[game]]
        assert all(fresh[game] for game in moved)
        changed += len(moved)
        return rows

    env.seating.step = watch  # type: ignore[method-assign]
    for _ in range(30):
        run.iterate()
    assert changed > 50


def test_run__draws_its_snapshots(trainer: Make) -> None:
    run: Trainer = trainer(snapshot_every=1, pool_size=3, share_pool=0.6, share_bots=0, steps=10**6)
    played: set[int] = set()
    for _ in range(12):
        run.iterate()
        played |= run.learner.opponents_playing()
    assert played >= {snapshot.place for snapshot in run.selfplay.snapshots[:-1]}
    assert not played & set(range(run.selfplay.bots))


def test_run__has_the_first_snapshot_before_the_first_game(trainer: Make, tmp_path: Path) -> None:
    run: Trainer = trainer()
    assert [snapshot.steps for snapshot in run.selfplay.snapshots] == [0]
    assert run.selfplay.snapshots[0].digest == run.policy().digest()


# Saving


def test_state__is_equal_after_restoring(start: Make, make_model: Make) -> None:
    first = start(pool_size=3)
    for number in range(8):
        first.add(make_model(seed=number), number, playing=[5])
    weights, snapshots = first.get_state()
    facts = make_model().facts
    second = start(pool_size=3)
    second.set_state([ModelPolicy.from_bytes(facts, one, "x") for one in weights], snapshots)
    assert second.snapshots == first.snapshots
    assert second.pool.weights == first.pool.weights
    pairs = zip(second.pool.members[3:], first.pool.members[3:], strict=True)
    assert all(a.digest() == b.digest() for a, b in pairs)
