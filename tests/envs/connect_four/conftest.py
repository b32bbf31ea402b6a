"""Positions drawn as text, the lines as sets of cells, and a slow reference implementation."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

import pytest

from axiom_gym.batch import Batch

Cell = tuple[int, int]
"""Row from the top, column from the left."""

CELLS = [(row, column) for row in range(6) for column in range(7)]


class Reference:
    """Test double: a game whose columns are texts; a regular expression finds the lines.

    Attributes:
        columns: the columns from the bottom up, "x" for a stone of player_0, "o" for player_1.
        mover: the player to move, "x" or "o".
        winner: "x", "o", "draw" or "".
    """

    def __init__(self) -> None:
        self.columns = [""] * 7
        self.mover, self.winner = "x", ""

    def legal(self) -> list[int]:
        """Return 1 for each column with room, else 0."""
        return [int(len(column) < 6) for column in self.columns]

    def drop(self, column: int) -> None:
        """Play a legal move."""
        self.columns[column] += self.mover
        self.mover = "o" if self.mover == "x" else "x"
        self.winner = self._find_winner()

    def rows(self) -> list[str]:
        """Return six rows from the top, with a dot for an empty cell."""
        padded = [column.ljust(6, ".") for column in self.columns]
        return ["".join(column[height] for column in padded) for height in reversed(range(6))]

    def views(self) -> list[list[float]]:
        """Return each player's observation: its own stones and the opponent's, row by row."""
        cells = "".join(self.rows())
        own, other = ([float(cell == sign) for cell in cells] for sign in "xo")
        return [own + other, other + own]

    def _find_winner(self) -> str:
        rows = self.rows()
        # Shifting each row by its number turns diagonals into columns.
        leaning = ["." * n + row + "." * (5 - n) for n, row in enumerate(rows)]
        other_way = ["." * (5 - n) + row + "." * n for n, row in enumerate(rows)]
        upright = [
            "".join(column)
            for board in (rows, leaning, other_way)
            for column in zip(*board, strict=True)
        ]
        found = re.search("x{4}|o{4}", " ".join([*rows, *upright]))
        if found:
            return found.group()[0]
        return "" if any(self.legal()) else "draw"


@pytest.fixture
def reference() -> type[Reference]:
    return Reference


@pytest.fixture(scope="session")
def lines() -> list[frozenset[Cell]]:
    """Return all lines of four as sets of cells."""
    found = [
        [(row + n * down, column + n * right) for n in range(4)]
        for row, column in CELLS
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
    ]
    return [frozenset(line) for line in found if set(line) <= set(CELLS)]


@pytest.fixture(scope="session")
def bits_of() -> Callable[[Collection[Cell]], int]:
    """Return a function that converts cells to the kernel's bits."""

    def find(cells: Collection[Cell]) -> int:
        return sum(1 << (7 * column + 5 - row) for row, column in cells)

    return find


@pytest.fixture(scope="session")
def place(bits_of: Callable[[Collection[Cell]], int]) -> Callable[..., Batch]:
    """Return a function that makes a batch of a position given as six rows of text.

    The number of stones determines the player to move.
    """

    def make(text: str, games: int = 1, **options: str) -> Batch:
        rows = text.split()
        batch = Batch("connect_four", games, autoreset="disabled", **options)
        batch.reset(7)
        for player, sign in enumerate("xo"):
            cells = [cell for cell in CELLS if rows[cell[0]][cell[1]] == sign]
            batch.buffers.states["stones"][:, player] = bits_of(cells)
        batch.buffers.states["ply"] = text.count("x") + text.count("o")
        batch.refresh()
        return batch

    return make
