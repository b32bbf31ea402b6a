"""Random games in lockstep with the slow reference in `conftest`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from axiom_gym.batch import Batch

GAMES = 60


def _assert_same(batch: Batch, game: int, expected: Any) -> None:
    """Compare the whole state of a game in progress, and all observations of it."""
    state = batch.buffers.states[game]
    text = "".join(expected.rows())
    shown = batch.describe_state(game).splitlines()
    assert "".join(shown[:6]).replace(" ", "") == text
    assert int(state.ply) == 42 - text.count(".")
    assert batch.to_act(game) == ["xo".index(expected.mover)]
    assert batch.buffers.masks[game, 0, 0].tolist() == expected.legal()
    assert batch.views(game).tolist() == expected.views()
    mover = "xo".index(expected.mover)
    assert batch.buffers.observations[game, 0].tolist() == expected.views()[mover]


@pytest.mark.boundscheck
def test_games__equal_those_of_the_reference(reference: Any) -> None:
    batch = Batch("connect_four", GAMES, autoreset="disabled")
    batch.reset(1)
    games = [reference() for _ in range(GAMES)]
    winners: dict[str, int] = {"x": 0, "o": 0, "draw": 0}
    while any(games):
        batch.sample_actions()
        columns = batch.buffers.actions[:, 0, 0].copy()
        batch.step()
        for game, expected in enumerate(games):
            if expected is None:
                continue
            expected.drop(columns[game])
            value = {"x": 1.0, "o": -1.0}.get(expected.winner, 0.0)
            assert batch.buffers.rewards[game].tolist() == [value, -value]
            assert batch.outcomes()[game].tolist() == [value, -value]
            assert bool(batch.buffers.terminated[game]) == bool(expected.winner)
            if expected.winner:
                assert batch.views(game).tolist() == expected.views()
                winners[expected.winner] += 1
                games[game] = None
            else:
                _assert_same(batch, game, expected)
        over = np.array([expected is None for expected in games])
        # The batch steps all games, so ended games are reset; they are not compared again.
        ended = over & batch.buffers.terminated
        if ended.any():
            batch.reset(which=ended)
    assert winners["x"] > 10
    assert winners["o"] > 10
