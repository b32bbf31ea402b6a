"""Codes of terrain, and maps as text."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from axiom_envs.dnd.constants import SYMBOLS
from axiom_gym.errors import ConfigError

ENTER_COST = np.array([1, 0, 0, 2, 2, 1], np.uint8)
"""By code, the cost of entering in steps of 5 feet; 0 if the square cannot be entered."""

OPAQUE = np.array([0, 1, 0, 0, 0, 1], np.uint8)
"""By code, 1 if the terrain blocks sight."""


def parse_map(rows: Sequence[str]) -> npt.NDArray[np.uint8]:
    """Return the codes of a map that is drawn as text.

    Args:
        rows: rows of equal length from the top, made of the characters of `SYMBOLS`.

    Returns:
        (H, W) uint8, codes 0 to 5.

    Raises:
        ConfigError: if there are mistakes; it lists all, each with row and column, counted from 0.
    """
    if not rows or not rows[0]:
        raise ConfigError("a map must have at least one row of at least one symbol, got none.")
    mistakes = _mistakes(rows)
    if mistakes:
        listed = "".join(f"\n  {mistake}" for mistake in mistakes)
        raise ConfigError(f"the map has {len(mistakes)} mistake(s):{listed}")
    return np.array([[SYMBOLS.index(symbol) for symbol in row] for row in rows], np.uint8)


def _mistakes(rows: Sequence[str]) -> list[str]:
    width, mistakes = len(rows[0]), []
    known = " ".join(SYMBOLS)
    for y, row in enumerate(rows):
        if len(row) != width:
            mistakes.append(f"row {y}: {len(row)} columns, but row 0 has {width}")
        for x, symbol in enumerate(row):
            if symbol not in SYMBOLS:
                mistakes.append(f"row {y}, column {x}: {symbol!r}; allowed are {known}")
    return mistakes


def format_map(terrain: npt.NDArray[np.uint8]) -> list[str]:
    """Return a map as text that `parse_map` reads.

    Args:
        terrain: (H, W) codes 0 to 5.
    """
    return ["".join(SYMBOLS[code] for code in row) for row in terrain.tolist()]
