"""The maps of Konquista, which are JSON files.

The content of a file:

    {
      "title": "Island",
      "regions": [{"name": "Verrin", "bonus": 2}, ...],
      "territories": [
        {"name": "Torvane", "region": "Verrin", "x": 15, "y": 24, "borders": ["Quell", ...]}, ...
      ],
      "armies": {"2": [14, 14], "3": [11, 11, 11]}
    }

Both territories of a border list it. Only drawings use x, 0 to 100 from the left, and y, 0 to 70
from the top. `armies` has an entry for each number of players that the map allows: the armies of
each seat at the start. The files of the maps `island`, `classic` and `continent` are in this
folder.
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
    """A territory. `neighbours` holds the numbers of its neighbours in ascending order."""

    name: str
    region: int
    x: int
    y: int
    neighbours: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Region:
    """A region, and the armies that a player who holds all of it gets each turn."""

    name: str
    bonus: int


@dataclass(frozen=True, slots=True)
class Board:
    """A map without mistakes.

    Attributes:
        title: the name that is shown.
        regions: the regions by number.
        territories: the territories by number.
        borders: the directed borders as (from, to), by number.
        armies: the number of players -> the armies of each seat at the start.
        fingerprint: a 32-bit checksum that identifies the map.
    """

    title: str
    regions: tuple[Region, ...]
    territories: tuple[Territory, ...]
    borders: tuple[tuple[int, int], ...]
    armies: dict[int, tuple[int, ...]]
    fingerprint: int


def load_board(board: str) -> Board:
    """Load a map by its name or from a JSON file.

    Raises:
        ConfigError: if the file does not exist or is not a map; lists all mistakes of the map.
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
    """Build a map from a file's content, which has no mistakes."""
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
    """Return the map of a state by its fingerprint.

    Raises:
        StateError: if this process has not loaded the map.
    """
    if fingerprint not in _known:
        for name in BOARDS:
            load_board(name)
    if fingerprint not in _known:
        raise StateError(
            f"the state's board, with fingerprint {fingerprint}, is not loaded in this process: "
            "load it first, with axiom_envs.konquista.load_board(FILE)."
        )
    return _known[fingerprint]
