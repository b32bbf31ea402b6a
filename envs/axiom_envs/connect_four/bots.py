"""The scripted opponents of Connect Four: `minimax2` and `minimax4` search two and four plies deep.

The value of a leaf is the number of lines that the player can still complete, minus the opponent's
number, plus `THREAT` for each cell that would complete a line, minus the same for the opponent. The
bot chooses uniformly at random among moves of equal value.
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
"""The value of a won position, before `search` adds the unused depth for an earlier win."""
THREAT = 4
"""The value of an empty cell that would complete a line; a line that can be completed counts 1."""

_BOTTOM = sum(1 << (COLUMN_BITS * column) for column in range(COLUMNS))
_BOARD = _BOTTOM * ((1 << ROWS) - 1)


@inline_kernel
def _count_bits(bits: int) -> int:
    """Return the number of set bits; each iteration clears the lowest one."""
    count = 0
    while bits != 0:
        bits &= bits - 1
        count += 1
    return count


@inline_kernel
def find_threats(stones: int, occupied: int) -> int:
    """Return the empty cells, as bits, each of which would complete a line of four.

    In a vertical line this is always the top cell, because stones fall. In the other directions it
    can be any of the four.
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
    """Return the number of lines of four that lie entirely on these cells; see `rules.has_line`."""
    count = 0
    for direction in (1, COLUMN_BITS - 1, COLUMN_BITS, COLUMN_BITS + 1):
        pairs = cells & (cells >> direction)
        count += _count_bits(pairs & (pairs >> (2 * direction)))
    return count


@inline_kernel
def evaluate(own: int, other: int) -> int:
    """Return the value of a position to the player of `own`, between -WIN and WIN."""
    occupied = own | other
    empty = _BOARD & ~occupied
    threats = _count_bits(find_threats(own, occupied)) - _count_bits(find_threats(other, occupied))
    return THREAT * threats + count_lines(own | empty) - count_lines(other | empty)


@kernel
def search(own: int, other: int, depth: int, low: int, high: int) -> int:
    """Return the value of a position to `own`, who is to move, by alpha-beta search.

    The value is exact between `low` and `high`, and a bound outside of them. A win adds the depth
    that is left, so an earlier win has a higher value.

    Args:
        own: the stones of the player who is to move.
        other: the stones of the opponent.
        depth: the number of plies to search.
        low, high: the alpha-beta window.
    """
    if has_line(other):
        return -(WIN + depth)
    occupied = own | other
    if depth == 0 or occupied == _BOARD:  # `evaluate` returns 0 for a full board without a line
        return evaluate(own, other)
    best = -2 * WIN
    for column in range(COLUMNS):
        if not is_open(occupied, column):
            continue
        value = -search(other, own | drop(occupied, column), depth - 1, -high, -max(low, best))
        best = max(best, value)
        if best >= high:
            break
    return best


@inline_kernel
def _choose(state: Any, player: int, depth: int, stream: Any) -> int:
    """Return a column of the highest value; ties are broken uniformly at random."""
    own, other = int(state.stones[player]), int(state.stones[1 - player])
    occupied = own | other
    best, choice, equals = -3 * WIN, 0, 0
    for column in range(COLUMNS):
        if not is_open(occupied, column):
            continue
        # The window starts one below the best, so that a tie differs from a worse move.
        moved = own | drop(occupied, column)
        value = -search(other, moved, depth - 1, -2 * WIN, -(best - 1))
        if value > best:
            best, choice, equals = value, column, 1
        elif value == best:
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
    """Win if possible, else prevent the opponent's next win. mask: (1, 7). sub_actions: (1,)."""
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
    """Choose as `minimax2`, two plies deeper. mask: (1, 7). sub_actions: (1,)."""
    sub_actions[0] = _choose(state, player, 4, stream)
