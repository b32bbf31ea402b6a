"""Actions and states of Connect Four as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from axiom_envs.connect_four.constants import (
    CELL_BITS,
    COLUMNS,
    DRAW,
    LETTERS,
    NO_WINNER,
    ROWS,
    SIGNS,
)


def describe_sub_action(state: Any, player: int, k: int, action: int) -> str:
    """Describe a move, such as "drops a stone into column d"."""
    return f"drops a stone into column {LETTERS[action]}"


def describe_action(state: Any, player: int, sub_actions: Sequence[int]) -> str:
    """Describe a player's move as the end of a sentence."""
    return describe_sub_action(state, player, 0, int(sub_actions[0]))


def sub_action_key(state: Any, player: int, k: int, action: int) -> str:
    """Return the letter that a user types for a column: "a" to "g" from the left."""
    return LETTERS[action]


def describe_state(state: Any) -> str:
    """Draw the board as text, with the player to move or the result below.

    x is player_0, o is player_1.
    """
    rows = []
    for row in range(ROWS):
        bits = CELL_BITS[row * COLUMNS : (row + 1) * COLUMNS].tolist()
        rows.append(" ".join(_sign(state, bit) for bit in bits))
    return "\n".join([*rows, " ".join(LETTERS), _status(state)])


def _sign(state: Any, bit: int) -> str:
    for player, sign in enumerate(SIGNS):
        if (int(state.stones[player]) >> bit) & 1:
            return sign
    return "."


def _status(state: Any) -> str:
    winner = int(state.winner)
    if winner == NO_WINNER:
        player = int(state.ply) % 2
        return f"ply {int(state.ply) + 1}: player_{player} ({SIGNS[player]}) to move"
    return (
        "draw: the board is full"
        if winner == DRAW
        else f"player_{winner} ({SIGNS[winner]}) has won"
    )
