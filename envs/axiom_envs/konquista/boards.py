"""The maps of Konquista: JSON files, read and checked as a whole.

    {
      "title": "Island",
      "regions": [{"name": "Verrin", "bonus": 2}, ...],
      "territories": [
        {"name": "Torvane", "region": "Verrin", "x": 15, "y": 24, "borders": ["Quell", ...]}, ...
      ],
      "armies": {"2": [14, 14], "3": [11, 11, 11]}
    }

A border stands with both its territories. x is 0 to 100 to the right and y 0 to 70 downward, for
pictures alone. `armies` has an entry for each number of players who can play on the map: the armies
of each seat at the start. The maps `island`, `classic` and `continent` stand beside this file.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from axiom_envs.konquista.board_check import find_mistakes
from axiom_envs.konquista.constants import BOARDS
from axiom_gym.errors import ConfigError, StateError

_FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Territory:
    """A territory; its neighbours are numbers of territories, in rising order."""

    name: str
    region: int
    x: int
    y: int
    neighbours: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Region:
    """A region, and the armies that whoever holds all of it gets each turn."""

    name: str
    bonus: int


@dataclass(frozen=True, slots=True)
class Board:
    """A map without mistakes.

    Attributes:
        title: its name for people.
        regions: by number.
        territories: by number.
        borders: directed borders as (from, to), by number.
        armies: number of players -> armies of each seat at the start.
        fingerprint: a number of 32 bits that tells maps apart.
    """

    title: str
    regions: tuple[Region, ...]
    territories: tuple[Territory, ...]
    borders: tuple[tuple[int, int], ...]
    armies: dict[int, tuple[int, ...]]
    fingerprint: int


def load_board(board: str) -> Board:
    """The map of this name, or the one in this JSON file.

    Raises:
        ConfigError: if there is no such file, or it is no map; names every mistake in it.
    """
    path = _FOLDER / f"{board}.json" if board in BOARDS else Path(board)
    if board not in BOARDS and path.suffix != ".json":
        raise ConfigError(
            f"board must be one of {', '.join(BOARDS)}, or the path of a .json file, got {board!r}."
        )
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"board {board!r} cannot be read: {error}") from error
    return _read_board(text, board)


@lru_cache(maxsize=64)
def _read_board(text: str, name: str) -> Board:
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise ConfigError(f"board {name!r} is not JSON: {error}") from error
    mistakes = find_mistakes(data)
    if mistakes:
        listed = "\n".join(f"  {mistake}" for mistake in mistakes)
        raise ConfigError(f"board {name!r} has {len(mistakes)} mistakes:\n{listed}")
    board = _make_board(data)
    _known[board.fingerprint] = board
    return board


def _make_board(data: dict[str, Any]) -> Board:
    """The map of a file's content, which has no mistakes."""
    regions = tuple(Region(entry["name"], entry["bonus"]) for entry in data["regions"])
    region_at = {region.name: number for number, region in enumerate(regions)}
    at = {entry["name"]: number for number, entry in enumerate(data["territories"])}
    territories = tuple(
        Territory(
            entry["name"],
            region_at[entry["region"]],
            entry["x"],
            entry["y"],
            tuple(sorted(at[name] for name in entry["borders"])),
        )
        for entry in data["territories"]
    )
    borders = tuple(
        (start, end) for start, here in enumerate(territories) for end in here.neighbours
    )
    armies = {int(players): tuple(counts) for players, counts in data["armies"].items()}
    canonical = json.dumps(data, sort_keys=True, separators=(",", ":"))
    return Board(
        data["title"], regions, territories, borders, armies, zlib.crc32(canonical.encode())
    )


_known: dict[int, Board] = {}


def find_board(fingerprint: int) -> Board:
    """The map that a state is of.

    Raises:
        StateError: if this process has not loaded it yet.
    """
    if fingerprint not in _known:
        for name in BOARDS:
            load_board(name)
    if fingerprint not in _known:
        raise StateError(
            f"a state of a board with fingerprint {fingerprint}, which this process does not know: "
            "load the board first, with axiom_envs.konquista.load_board(FILE)."
        )
    return _known[fingerprint]
