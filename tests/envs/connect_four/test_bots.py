"""The scripted opponents: their counts and search against naive ones, and their strength."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from axiom_envs.connect_four import bots
from axiom_gym.batch import Batch
from axiom_gym.play.simulation import simulate

BOTS = ["minimax2", "minimax4"]
BOARD = {(row, column) for row in range(6) for column in range(7)}
# --------------------------------------------------------------------------------------------------
# The value of a position by its definition, line by line


class Naive:
    """Test double: the bots' evaluation and search on sets of cells, without pruning."""

    def __init__(self, lines: Any) -> None:
        self.lines = lines

    def count_lines(self, cells: Any) -> int:
        return sum(line <= cells for line in self.lines)

    def find_threats(self, own: Any, other: Any) -> set[Any]:
        """Return the empty cells that would complete a line."""
        found = [line - own for line in self.lines if len(line & own) == 3]
        return {cell for missing in found for cell in missing} - other

    def evaluate(self, own: Any, other: Any) -> int:
        threats = len(self.find_threats(own, other)) - len(self.find_threats(other, own))
        return 4 * threats + self.count_lines(BOARD - other) - self.count_lines(BOARD - own)

    def moves(self, own: Any, other: Any) -> Iterator[tuple[int, int]]:
        """Yield the cell where a stone lands, for each column with room."""
        for column in range(7):
            free = [row for row in range(6) if (row, column) not in own | other]
            if free:
                yield max(free), column

    def search(self, own: Any, other: Any, depth: int) -> int:
        """Return the value to `own`, who is to move."""
        if self.count_lines(other):
            return -(10_000 + depth)
        if own | other == BOARD:
            return 0
        if depth == 0:
            return self.evaluate(own, other)
        return max(-self.search(other, own | {cell}, depth - 1) for cell in self.moves(own, other))

    def best(self, own: Any, other: Any, depth: int) -> set[int]:
        """Return the columns of the highest value."""
        values = {
            column: -self.search(other, own | {(row, column)}, depth - 1)
            for row, column in self.moves(own, other)
        }
        return {column for column, value in values.items() if value == max(values.values())}


@pytest.fixture(scope="module")
def naive(lines: Any) -> Naive:
    return Naive(lines)


def _positions(naive: Naive, count: int, plies: range, seed: int) -> Iterator[tuple[Any, Any]]:
    """Yield positions in progress after random moves: the mover's cells and the opponent's."""
    rng = np.random.default_rng(seed)
    while count:
        own: frozenset[Any] = frozenset()
        other: frozenset[Any] = frozenset()
        for _ in range(rng.integers(plies.start, plies.stop)):
            cells = list(naive.moves(own, other))
            own, other = other, own | {cells[rng.integers(len(cells))]}
            if naive.count_lines(other):
                break
        else:
            yield own, other
            count -= 1


def test_counts__equal_the_naive_ones(naive: Naive, bits_of: Any) -> None:
    """The counts agree on random boards, which the rules may not reach; no stone floats."""
    rng, lines, threats = np.random.default_rng(2), 0, 0
    for _ in range(200):
        stones = [(5 - n, column) for column in range(7) for n in range(rng.integers(7))]
        is_own = rng.random(len(stones)) < 0.5
        own = {cell for cell, mine in zip(stones, is_own, strict=True) if mine}
        other = set(stones) - own
        found = naive.find_threats(own, other)
        assert bots.count_lines(bits_of(own)) == naive.count_lines(own)
        assert bots.find_threats(bits_of(own), bits_of(stones)) == bits_of(found)
        assert bots.evaluate(bits_of(own), bits_of(other)) == naive.evaluate(own, other)
        lines, threats = lines + naive.count_lines(own), threats + len(found)
    assert min(lines, threats) > 100


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_search__equals_minimax_without_pruning(naive: Naive, bits_of: Any, depth: int) -> None:
    values = []
    for own, other in _positions(naive, 24 // depth**2, range(8, 38), depth):
        expected = naive.search(own, other, depth)
        own_bits, other_bits = bits_of(own), bits_of(other)
        for low, high in ((-20_000, 20_000), (expected - 1, expected + 1)):
            assert bots.search(own_bits, other_bits, depth, low, high) == expected
        # Outside of the window the result is a bound.
        assert bots.search(own_bits, other_bits, depth, expected + 1, expected + 5) <= expected + 1
        assert bots.search(own_bits, other_bits, depth, expected - 5, expected - 1) >= expected - 1
        values.append(expected)
    assert len(set(values)) > 1


@pytest.mark.compiled_only
def test_search__sees_the_end_of_the_board(naive: Naive, bits_of: Any) -> None:
    for own, other in _positions(naive, 6, range(36, 40), 9):
        value = bots.search(bits_of(own), bits_of(other), 8, -20_000, 20_000)
        assert value == naive.search(own, other, 8)
        assert value == 0 or abs(value) > bots.WIN


# --------------------------------------------------------------------------------------------------
# The choices of the bots


def _choices(batch: Batch, bot: str) -> set[int]:
    """Return the columns that a bot chooses in one position, over all games of a batch."""
    batch.act(bot, np.zeros((batch.num_envs, 2), np.int16), 0)
    return set(batch.buffers.actions[:, 0, 0].tolist())


POSITIONS = [
    "....... ....... ....... ....... ....... .......",
    "....... ....... ....... ....... ...x..x .ooo..x",
    "....... ....... ....... x...... o.x.... o.xo...",
    "xo..... ox..... xo..... ox..... oxo.x.. xoxoxo.",
    "...x.oo oxxo.xx xxoxxoo ooxooxx xxoxxoo oxooxox",
]
"""The first position, one that is lost after every move, and others."""


def _cells(batch: Batch, player: int) -> frozenset[Any]:
    """Return a player's stones in the first game."""
    seen = batch.views()[player].reshape(2, 6, 7)[0]
    return frozenset(map(tuple, np.argwhere(seen).tolist()))


@pytest.mark.parametrize("text", POSITIONS)
def test_bots__choose_at_random_among_the_best_moves(
    text: str, naive: Naive, place: Callable[..., Batch]
) -> None:
    batch = place(text, 60)
    (mover,) = batch.to_act()
    best = naive.best(_cells(batch, mover), _cells(batch, 1 - mover), 2)
    assert _choices(batch, "minimax2") == best


TACTICS = {
    "wins vertically": (".......  ....... ....... x...... x.o.o.. x.o.o..", {0}),
    "wins horizontally, as second": (
        "....... ....... ....... ....... xx..... xx.ooo.",
        {2, 6},
    ),
    "wins along a diagonal": ("....... ....... ....... ..xo... oxox... xooxx..", {3}),
    "wins rather than blocks": ("....... ....... ....... x..o... x..o... x..o...", {0}),
    "blocks": ("....... ....... ....... o...... o.x.... o.xx...", {0}),
    "blocks, as second player": ("....... ....... ....... ....... ..oo... .xxx.o.", {0, 4}),
}


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("case", TACTICS)
def test_bots__take_a_win_and_block_one(case: str, bot: str, place: Callable[..., Batch]) -> None:
    text, expected = TACTICS[case]
    assert _choices(place(text, 4), bot) <= expected


@pytest.mark.compiled_only
@pytest.mark.parametrize("bot", BOTS)
def test_bots__every_choice_is_legal_and_changes_nothing(bot: str) -> None:
    batch = Batch("connect_four", 300, on_illegal="raise")
    batch.reset(4)
    seats = np.zeros((300, 2), np.int16)
    for turn in range(60):
        batch.buffers.actions[:] = -5
        before = batch.buffers.states.tobytes()
        # Random moves in between reach positions that the bot would avoid.
        batch.act("random" if turn % 3 == 0 else bot, seats, 0)
        assert batch.buffers.states.tobytes() == before
        batch.step()


@pytest.mark.compiled_only
@pytest.mark.parametrize(
    ("strong", "weak", "least"), [("minimax2", "random", 0.9), ("minimax4", "minimax2", 0.6)]
)
def test_bots__win_more_with_a_deeper_search(strong: str, weak: str, least: float) -> None:
    first = simulate("connect_four", [strong, weak], 300, seed=1)
    second = simulate("connect_four", [weak, strong], 300, seed=2)
    assert first.wins[0] > least
    assert second.wins[1] > least
