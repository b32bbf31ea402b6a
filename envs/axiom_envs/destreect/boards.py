"""The boards of Destreect, which are JSON files.

A board is a JSON object:

    name         the name of the board
    line_rents   4 amounts: the rent of a line whose owner holds 1, 2, 3, 4 lines
    spaces       the ring, beginning with the start: objects with `kind` and `name`, and
                   street: `district`, `price`, `house_cost`, `rents` (for 0..4 houses)
                   line:   `price`
                   tax:    `amount`
                   start, fate, park, detour: nothing else
    cards        the fate deck: objects with `kind` and `text`, and
                   cash, repairs, collect: `amount` (`cash` may be negative)
                   move:   `space`, the number of a space
                   lockup: nothing else

The lock-up belongs to the first park.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from axiom_envs.destreect.board_check import find_mistakes
from axiom_envs.destreect.constants import CARD_KINDS, LINE, PARK, SPACE_KINDS, STREET
from axiom_gym.errors import ConfigError, check_choice

_FOLDER = Path(__file__).parent
BOARD_NAMES = ("city", "town")


@dataclass(frozen=True, slots=True, kw_only=True)
class Space:
    """A space of the ring; fields that its kind does not have are 0 or empty."""

    kind: int
    name: str
    district: str = ""
    price: int = 0
    house_cost: int = 0
    rents: tuple[int, ...] = ()
    amount: int = 0

    @property
    def is_deed(self) -> bool:
        """True if the space can be owned."""
        return self.kind in (STREET, LINE)

    @property
    def loan(self) -> int:
        """The money that a mortgage gives: half the price, rounded down."""
        return self.price // 2

    @property
    def redemption(self) -> int:
        """The cost of redeeming the mortgage: the loan and a tenth of it, rounded up."""
        return (self.loan * 11 + 9) // 10

    @property
    def refund(self) -> int:
        """The money for a sold house: half of its cost, rounded down."""
        return self.house_cost // 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A card of the fate deck; fields that its kind does not have are 0."""

    kind: int
    text: str
    amount: int = 0
    space: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """A board without mistakes.

    Deeds are the spaces that can be owned. They are numbered in the order of the ring.
    """

    name: str
    line_rents: tuple[int, ...]
    spaces: tuple[Space, ...]
    cards: tuple[Card, ...]
    identity: int
    """A checksum of the content, 0..2**32-1, by which a state refers to its board."""

    @property
    def deeds(self) -> tuple[int, ...]:
        """The number of the space of each deed, in the order of the ring."""
        return tuple(i for i, space in enumerate(self.spaces) if space.is_deed)

    @property
    def districts(self) -> tuple[str, ...]:
        """The names of the districts, in the order of the ring."""
        return tuple(dict.fromkeys(space.district for space in self.spaces if space.district))

    @property
    def lockup(self) -> int:
        """The number of the space with the lock-up: the first park."""
        return next(i for i, space in enumerate(self.spaces) if space.kind == PARK)


def ring_size(spaces: int) -> tuple[int, int]:
    """Return the columns and rows of a rectangle with this number of cells on its edge."""
    both = spaces // 2 + 2
    return both - both // 2, both // 2


def find_cell(place: int, width: int, height: int) -> tuple[int, int]:
    """Return the row and the column of a space in a drawing of the ring.

    The ring begins at the bottom right and runs clockwise.
    """
    if place < width:
        return height - 1, width - 1 - place
    if place < width + height - 1:
        return height - 1 - (place - width + 1), 0
    if place < 2 * width + height - 2:
        return 0, place - (width + height - 2)
    return place - (2 * width + height - 3), width - 1


_known: dict[int, Board] = {}


def find_board(identity: int) -> Board:
    """Return the board of a state, which a configuration of this process has loaded."""
    return _known[int(identity)]


def load_board(name: str) -> Board:
    """Load a board that comes with the game by its name, or a board from a JSON file.

    Raises:
        ConfigError: if the file does not exist, is not JSON, or has mistakes; lists all mistakes,
            one per line, each with its place.
    """
    board = _read_file(name) if str(name).endswith(".json") else _read_own(name)
    _known[board.identity] = board
    return board


@cache
def _read_own(name: str) -> Board:
    check_choice("board", name, BOARD_NAMES)
    return _read_file(str(_FOLDER / f"{name}.json"))


def _read_file(path: str) -> Board:
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ConfigError(f"board {path!r} cannot be read: {error}.") from error
    return parse_board(data, path)


def parse_board(data: Any, source: str = "board") -> Board:
    """Return the board that decoded JSON describes.

    Args:
        data: the decoded content.
        source: the name of the board in errors.

    Raises:
        ConfigError: if the board has mistakes; lists all, one per line, each with its place.
    """
    mistakes = find_mistakes(data)
    if mistakes:
        listed = "\n".join(f"  {line}" for line in mistakes)
        raise ConfigError(f"board {source!r} has {len(mistakes)} mistakes:\n{listed}")
    return _build(data)


def _build(fields: Mapping[str, Any]) -> Board:
    """Build a board from data without mistakes."""
    content = json.dumps(fields, sort_keys=True).encode()
    return Board(
        name=fields["name"],
        line_rents=tuple(fields["line_rents"]),
        spaces=tuple(_build_space(entry) for entry in fields["spaces"]),
        cards=tuple(
            Card(**{**entry, "kind": CARD_KINDS.index(entry["kind"])}) for entry in fields["cards"]
        ),
        identity=zlib.crc32(content),
    )


def _build_space(entry: Mapping[str, Any]) -> Space:
    values = {**entry, "kind": SPACE_KINDS.index(entry["kind"])}
    values["rents"] = tuple(entry.get("rents", ()))
    return Space(**values)
