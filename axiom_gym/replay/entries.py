"""Lines of replays of all kinds: JSON objects that are written alike and never trusted."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from axiom_gym.errors import ReplayError
from axiom_gym.files import replacing

LARGEST = 2**31 - 1
"""No integer of a replay but a seed is larger than this."""


def to_line(entries: Mapping[str, Any]) -> str:
    """A JSON object as a line of a replay."""
    return json.dumps(entries, separators=(",", ":"), ensure_ascii=False, allow_nan=False) + "\n"


def write_text(path: str | Path, text: str) -> None:
    """Writes the file of a replay, or leaves everything as it was.

    Raises:
        ReplayError: if it cannot be written.
    """
    path = Path(path)
    try:
        with replacing(path) as file:
            file.write(text.encode())
    except OSError as error:
        reason = error.strerror or error
        raise ReplayError(f"cannot write replay {str(path)!r}: {reason}.") from error


def read_bytes(path: str | Path) -> bytes:
    """The bytes of a replay's file.

    Raises:
        ReplayError: if it cannot be read.
    """
    try:
        return Path(path).read_bytes()
    except OSError as error:
        reason = error.strerror or error
        raise ReplayError(f"cannot read replay {str(path)!r}: {reason}.") from error


def split_lines(data: bytes, name: str) -> list[bytes]:
    """The lines of a replay, of which there is at least one.

    Raises:
        ReplayError: if there is nothing; `name` is what the message calls the file.
    """
    rows = data.removesuffix(b"\n").split(b"\n")
    if rows == [b""]:
        raise ReplayError(f"replay {name!r} is empty.")
    return rows


class Entries:
    """A JSON object of a replay, whose entries are asked for by name and type."""

    def __init__(self, place: str, entries: dict[str, Any]) -> None:
        """`place` is what errors call the line."""
        self._place = place
        self._entries = entries

    def fail(self, message: str) -> NoReturn:
        """Raises a ReplayError that names the file and the line."""
        raise ReplayError(f"{self._place}: {message}.")

    def has(self, name: str) -> bool:
        """Whether there is an entry `name`."""
        return name in self._entries

    def take(self, name: str, kind: type) -> Any:
        """The entry `name`, which must be of this type; any JSON value for `object`."""
        if name not in self._entries:
            self.fail(f"entry {name!r} is missing")
        value = self._entries[name]
        is_kind = isinstance(value, kind) and not isinstance(value, bool)
        if kind is not object and not is_kind:
            self.fail(f"{name!r} must be of type {kind.__name__}, got {value!r}")
        return value

    def truth(self, name: str) -> bool:
        """Return the entry `name`, true or false."""
        value = self.take(name, object)
        if not isinstance(value, bool):
            self.fail(f"{name!r} must be true or false, got {value!r}")
        return value

    def whole(self, name: str, low: int = 0, high: int = LARGEST) -> int:
        """The entry `name`, an integer from `low` to `high`."""
        value: int = self.take(name, int)
        if not low <= value <= high:
            self.fail(f"{name!r} must be from {low} to {high}, got {value}")
        return value

    def hexadecimal(self, name: str, digits: int) -> str:
        """The entry `name`, a text of so many hex digits in lower case."""
        value: str = self.take(name, str)
        if len(value) != digits or value.strip("0123456789abcdef"):
            self.fail(f"{name!r} must be {digits} hex digits, got {value!r}")
        return value

    def items(self, name: str, count: int) -> list[Any]:
        """The entry `name`, a list with an item for each of so many players."""
        values: list[Any] = self.take(name, list)
        if len(values) != count:
            self.fail(f"{name!r} must have {count} items, one for each player, got {len(values)}")
        return values

    def objects(self, name: str, count: int) -> list[Entries]:
        """The entry `name`, a list with a JSON object for each of so many players."""
        values = self.items(name, count)
        if not all(isinstance(value, dict) for value in values):
            self.fail(f"{name!r} must hold JSON objects")
        return [Entries(self._place, value) for value in values]

    def numbers(self, name: str, count: int) -> tuple[float, ...]:
        """The entry `name`, a list with a finite number for each of so many players."""
        values = self.items(name, count)
        if not all(isinstance(value, float) and math.isfinite(value) for value in values):
            self.fail(f"{name!r} must hold finite numbers such as 1.0, got {values!r}")
        return tuple(values)


def read_line(file: str, number: int, row: bytes) -> Entries:
    """A line of a replay; `number` is its place in the file, from 1.

    Raises:
        ReplayError: if it is no JSON object.
    """
    place = f"replay {file!r}, line {number}"
    try:
        entries = json.loads(row.decode("utf-8"), parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        message = f"no valid JSON ({error}); the file is damaged or cut off"
        raise ReplayError(f"{place}: {message}.") from error
    if not isinstance(entries, dict):
        raise ReplayError(f"{place}: expected a JSON object, got {type(entries).__name__}.")
    return Entries(place, entries)


def _refuse_constant(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number of JSON")
