"""The scripted players of Connect Four: `minimax2` and `minimax4` look two and four plies ahead.

A position at the end of the search is worth the lines of four that a player can still fill, one's
own minus the other's, and more for each cell that would complete one. Among moves of the same worth
the bot draws.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_envs.connect_four.constants import COLUMN_BITS, COLUMNS, ROWS
from axiom_envs.connect_four.rules import drop, has_line, is_open
from axiom_gym.kernel import inline_kernel, kernel
from axiom_gym.rng import next_below

WIN = 10_000
"""A won position, less the plies until then, so that a sooner win is worth more."""
THREAT = 4
"""An empty cell that would complete a line, in lines that are still open."""

_BOTTOM = sum(1 << (COLUMN_BITS * column) for column in range(COLUMNS))
_BOARD = _BOTTOM * ((1 << ROWS) - 1)


@inline_kernel
def _count_bits(bits: int) -> int:
    """How many bits are set; each turn of the loop clears the lowest."""
    count = 0
    while bits != 0:
        bits &= bits - 1
        count += 1
    return count


@inline_kernel
def find_threats(stones: int, occupied: int) -> int:
    """The empty cells, as bits, of which each would complete a line of four.

    Upright that is the top of the four, since stones do not float; else it is any of them.
    """
    found = (stones << 1) & (stones << 2) & (stones << 3)
    for d in (COLUMN_BITS - 1, COLUMN_BITS, COLUMN_BITS + 1):
        ahead = (stones << d) & (stones << (2 * d))
        behind = (stones >> d) & (stones >> (2 * d))
        found |= ahead & ((stones << (3 * d)) | (stones >> d))
        found |= behind & ((stones >> (3 * d)) | (stones << d))
    return found & _BOARD & ~occupied


@inline_kernel
def count_lines(cells: int) -> int:
    """How many lines of four lie wholly on these cells; see `rules.has_line`."""
    count = 0
    for direction in (1, COLUMN_BITS - 1, COLUMN_BITS, COLUMN_BITS + 1):
        pairs = cells & (cells >> direction)
        count += _count_bits(pairs & (pairs >> (2 * direction)))
    return count


@inline_kernel
def evaluate(own: int, other: int) -> int:
    """What a position is worth to the player of `own`, between -WIN and WIN."""
    occupied = own | other
    empty = _BOARD & ~occupied
    threats = _count_bits(find_threats(own, occupied)) - _count_bits(find_threats(other, occupied))
    return THREAT * threats + count_lines(own | empty) - count_lines(other | empty)


@kernel
def search(own: int, other: int, depth: int, low: int, high: int) -> int:
    """The worth of a position to `own`, who is to move, by so many plies of alpha-beta search.

    Exact between `low` and `high`, and a bound outside. WIN is less by what `depth` has left, which
    makes later ends worth less.
    """
    if has_line(other):
        return -(WIN + depth)
    occupied = own | other
    if depth == 0 or occupied == _BOARD:  # a full board without a line is worth 0
        return evaluate(own, other)
    best = -2 * WIN
    for column in range(COLUMNS):
        if not is_open(occupied, column):
            continue
        worth = -search(other, own | drop(occupied, column), depth - 1, -high, -max(low, best))
        best = max(best, worth)
        if best >= high:
            break
    return best


@inline_kernel
def _choose(state: Any, player: int, depth: int, stream: Any) -> int:
    """A column of the greatest worth; among equals each is as likely."""
    own, other = int(state.stones[player]), int(state.stones[1 - player])
    occupied = own | other
    best, choice, equals = -3 * WIN, 0, 0
    for column in range(COLUMNS):
        if not is_open(occupied, column):
            continue
        # One below the best: a move of equal worth is told from a worse one.
        moved = own | drop(occupied, column)
        worth = -search(other, moved, depth - 1, -2 * WIN, -(best - 1))
        if worth > best:
            best, choice, equals = worth, column, 1
        elif worth == best:
            equals += 1
            if next_below(stream, equals) == 0:
                choice = column
    return choice


@kernel
def minimax2(
    state: Any,
    player: int,
    mask: npt.NDArray[np.int8],
    stream: Any,
    sub_actions: npt.NDArray[np.int64],
    params: Any,
) -> None:
    """Wins if it can, and else prevents the other's next win. mask: (1, 7). sub_actions: (1,)."""
    sub_actions[0] = _choose(state, player, 2, stream)


@kernel
def minimax4(
    state: Any,
    player: int,
    mask: npt.NDArray[np.int8],
    stream: Any,
    sub_actions: npt.NDArray[np.int64],
    params: Any,
) -> None:
    """As `minimax2`, two plies further. mask: (1, 7). sub_actions: (1,)."""
    sub_actions[0] = _choose(state, player, 4, stream)
