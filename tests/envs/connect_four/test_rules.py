"""Each rule: lines, draws, illegal columns, and both players' observations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from axiom_envs.connect_four.constants import CELL_BITS, DRAW, NO_WINNER
from axiom_envs.connect_four.kernel import reset, step
from axiom_envs.connect_four.rules import has_line
from axiom_envs.connect_four.state import STATE
from axiom_gym.batch import Batch
from axiom_gym.errors import ConfigError
from axiom_gym.kernel import ILLEGAL, zero_records

ALMOST_FULL = """
    xxooxx.
    ooxxoox
    xxooxxo
    ooxxoox
    xxooxxo
    ooxxoox
"""
"""No line anywhere; player_1 has the last move, in column g."""

# --------------------------------------------------------------------------------------------------
# Lines


def _last_stones(lines: Any) -> list[tuple[Any, Any]]:
    """Return (line, cell) for each cell that can complete the line: no cell of it lies above."""
    return [
        (line, last)
        for line in lines
        for last in line
        if not any(row < last[0] and column == last[1] for row, column in line)
    ]


def _complete(cases: list[tuple[Any, Any]], player: int, missing: int, bits_of: Any) -> Batch:
    """Return a batch in which a player drops the last stone of each line.

    missing: the number of the line's other stones that are missing too.
    """
    batch = Batch("connect_four", len(cases), autoreset="disabled")
    batch.reset(0)
    states = batch.buffers.states
    for game, (line, last) in enumerate(cases):
        own = sorted(line - {last})[missing:]
        below = {(row, last[1]) for row in range(last[0] + 1, 6)} - set(own)
        states["stones"][game, player] = bits_of(own)
        states["stones"][game, 1 - player] = bits_of(below)
        states["ply"][game] = 20 + player
        batch.buffers.actions[game, 0, 0] = last[1]
    batch.refresh()
    batch.step()
    return batch


@pytest.mark.parametrize("player", [0, 1])
def test_step__every_line_wins(player: int, lines: Any, bits_of: Any) -> None:
    assert len(lines) == len(set(lines)) == 69
    batch = _complete(_last_stones(lines), player, 0, bits_of)
    assert batch.buffers.terminated.all()
    assert (batch.buffers.states["winner"] == player).all()
    assert (batch.buffers.rewards[:, player] == 1.0).all()
    assert (batch.buffers.rewards[:, 1 - player] == -1.0).all()
    assert (batch.outcomes() == batch.buffers.rewards).all()


@pytest.mark.parametrize("player", [0, 1])
def test_step__three_of_a_line_do_not_win(player: int, lines: Any, bits_of: Any) -> None:
    sloping = [line for line in lines if len({column for _, column in line}) == 4]
    batch = _complete(_last_stones(sloping), player, 1, bits_of)
    assert not batch.buffers.terminated.any()
    assert (batch.buffers.states["winner"] == NO_WINNER).all()
    assert not batch.buffers.rewards.any()
    assert not batch.outcomes().any()


@pytest.mark.parametrize("share", [0.2, 0.35, 0.5])
def test_has_line__is_true_for_nothing_but_the_lines(
    share: float, lines: Any, bits_of: Any
) -> None:
    rng, found = np.random.default_rng(5), 0
    lines_as_bits = [bits_of(line) for line in lines]
    for _ in range(500):
        stones = sum(1 << int(bit) for bit in CELL_BITS[rng.random(42) < share])
        expected = any(stones & line == line for line in lines_as_bits)
        assert has_line(stones) == expected
        found += expected
    assert 10 < found < 490


# --------------------------------------------------------------------------------------------------
# The full board, and illegal columns


def _drop(batch: Batch, column: int) -> None:
    batch.buffers.actions[:, 0, 0] = column
    batch.step()


def test_step__a_full_board_is_a_draw(place: Callable[..., Batch]) -> None:
    batch = place(ALMOST_FULL)
    assert batch.buffers.masks[0, 0].tolist() == [[0, 0, 0, 0, 0, 0, 1]]
    _drop(batch, 6)
    assert batch.buffers.terminated[0]
    assert not batch.buffers.truncated[0]
    assert batch.buffers.states["winner"][0] == DRAW
    assert batch.buffers.rewards.tolist() == batch.outcomes().tolist() == [[0.0, 0.0]]


def test_step__the_last_stone_can_win(place: Callable[..., Batch]) -> None:
    batch = place(ALMOST_FULL.replace("xxooxx.", "xxxooo."))
    _drop(batch, 6)
    assert batch.buffers.states["winner"][0] == 1
    assert batch.buffers.rewards.tolist() == [[-1.0, 1.0]]


@pytest.mark.parametrize("column", [-1, 3, 7, 63, 2**40, -(2**63)])
def test_step__an_illegal_column_leaves_the_state_unchanged(column: int) -> None:
    """Column d (3) is full."""
    (state,) = states = zero_records(1, STATE)
    reset(state, ())
    rewards = np.zeros(2, np.float32)
    for _ in range(6):
        step(state, np.full((1, 1), 3), rewards, None, ())
    before = states.tobytes()
    assert step(state, np.full((1, 1), column), rewards, None, ()) == ILLEGAL
    assert states.tobytes() == before
    assert step(state, np.full((1, 1), 2), rewards, None, ()) != ILLEGAL


# --------------------------------------------------------------------------------------------------
# Observations


def _seen(batch: Batch) -> npt.NDArray[np.float32]:
    """Return each player's observation of the first game as planes, (2, 2, 6, 7)."""
    return batch.views().reshape(2, 2, 6, 7)


def test_observation__is_from_each_players_perspective(place: Callable[..., Batch]) -> None:
    batch = place("....... ....... ....... ....... ...o... ..xx...")
    first, second = _seen(batch)
    assert np.argwhere(first[0]).tolist() == [[5, 2], [5, 3]]
    assert np.argwhere(first[1]).tolist() == [[4, 3]]
    assert (second == first[::-1]).all()
    assert batch.to_act() == [1]
    assert (batch.buffers.observations[0, 0] == second.ravel()).all()


@pytest.mark.slow
def test_observation__planes_and_features_are_the_same_numbers() -> None:
    flat, planes = (Batch("connect_four", 30, obs=obs) for obs in ("features", "planes"))
    flat.reset(3)
    planes.reset(3)
    for _ in range(12):
        flat.sample_actions()
        planes.sample_actions()
        flat.step()
        planes.step()
        assert planes.buffers.observations.shape == (30, 1, 2, 6, 7)
        assert (
            flat.buffers.observations[:, 0] == planes.buffers.observations.reshape(30, 84)
        ).all()
    assert flat.buffers.observations.any()


def test_observation__features_have_names(place: Callable[..., Batch]) -> None:
    batch = place("....... ....... ....... ....... ....... x..o...")
    names = batch.layout.feature_names
    seen = [name for name, value in zip(names, batch.views()[0], strict=True) if value]
    assert seen == ["own.a1", "other.d1"]
    assert len(set(names)) == 84
    assert Batch("connect_four", obs="planes").layout.feature_names == ()


def test_config__refuses_another_observation() -> None:
    with pytest.raises(ConfigError, match="obs"):
        Batch("connect_four", obs="pixels")
