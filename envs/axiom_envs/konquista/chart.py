"""Maps of Konquista as text: each territory with its owner and armies, and its borders as lines."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from axiom_envs.konquista.boards import Board, find_board
from axiom_envs.konquista.constants import HEIGHT, WIDTH

_COLUMNS, _ROWS = 98, 30
"""The size of a map; empty rows are left out."""
_NAME = 16
"""The most characters of a name."""
_ARMIES = 5
"""The columns for a blank, the owner, a colon and two digits."""
_DOT = "·"


def draw_map(state: Any) -> list[str]:
    """Return the lines of the map; "Quell 1:3" is Quell with 3 armies of player_1."""
    board = find_board(int(state.board))
    cells = [list(row) for row in _draw_borders(board.fingerprint)]
    for t, (row, column) in enumerate(_place_labels(board.fingerprint)):
        label = f"{board.territories[t].name[:_NAME]} {int(state.owner[t])}:{int(state.armies[t])}"
        cells[row][column : column + len(label)] = label
    lines = ["".join(row).rstrip() for row in cells]
    return [line for line in lines if line]


@lru_cache(maxsize=8)
def _place_labels(fingerprint: int) -> tuple[tuple[int, int], ...]:
    """Return the row and the column of each territory's label; no two labels touch."""
    board = find_board(fingerprint)
    taken = [[False] * _COLUMNS for _ in range(_ROWS)]
    found = [(0, 0)] * len(board.territories)
    for t in sorted(range(len(found)), key=lambda t: board.territories[t].y):
        width = _width(board, t)
        row, column = next(
            (row, column)
            for row, column in _spots(board, t)
            if not any(taken[row][max(column - 1, 0) : column + width + 1])
        )
        taken[row][column : column + width] = [True] * width
        found[t] = row, column
    return tuple(found)


def _width(board: Board, territory: int) -> int:
    """Return the columns that are kept free for a label."""
    return len(board.territories[territory].name[:_NAME]) + _ARMIES


def _spots(board: Board, territory: int) -> list[tuple[int, int]]:
    """Return all places of a label, the nearest to the territory first."""
    here, width = board.territories[territory], _width(board, territory)
    row = here.y * (_ROWS - 1) // HEIGHT
    column = here.x * _COLUMNS // WIDTH - width // 2
    places = [(r, c) for r in range(_ROWS) for c in range(_COLUMNS - width + 1)]
    # A row is as high as two columns are wide.
    return sorted(places, key=lambda place: 2 * abs(place[0] - row) + abs(place[1] - column))


@lru_cache(maxsize=8)
def _draw_borders(fingerprint: int) -> tuple[str, ...]:
    """Return the lines of a map with the borders alone, from label to label."""
    board = find_board(fingerprint)
    middles = [
        (row, column + _width(board, t) // 2)
        for t, (row, column) in enumerate(_place_labels(fingerprint))
    ]
    cells = [[" "] * _COLUMNS for _ in range(_ROWS)]
    for start, end in board.borders:
        (row, column), (last_row, last_column) = middles[start], middles[end]
        down, right = last_row - row, last_column - column
        steps = max(2 * abs(down), abs(right), 1)
        for i in range(steps + 1 if start < end else 0):
            cells[row + round(down * i / steps)][column + round(right * i / steps)] = _DOT
    return tuple("".join(cell) for cell in cells)
