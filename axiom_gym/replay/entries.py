"""Lines of replays: JSON objects, written in one form and checked when read."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn

from axiom_gym.errors import ReplayError
from axiom_gym.files import replacing

LARGEST = 2**31 - 1
"""The largest integer in a replay, except for seeds and draws."""


def to_line(entries: Mapping[str, Any]) -> str:
    """Return a JSON object as a line of a replay."""
    return json.dumps(entries, separators=(",", ":"), ensure_ascii=False, allow_nan=False) + "\n"


def write_text(path: str | Path, text: str) -> None:
    """Write the file of a replay. If writing fails, nothing changes.

    Raises:
        ReplayError: if it cannot be written.
    """
    try:
        with replacing(Path(path)) as file:
            file.write(text.encode())
    except OSError as error:
        reason = error.strerror or error
        raise ReplayError(f"cannot write replay {str(path)!r}: {reason}.") from error


def read_bytes(path: str | Path) -> bytes:
    """Return the bytes of a replay's file.

    Raises:
        ReplayError: if it cannot be read.
    """
    try:
        return Path(path).read_bytes()
    except OSError as error:
        reason = error.strerror or error
        raise ReplayError(f"cannot read replay {str(path)!r}: {reason}.") from error


class Entries:
    """A JSON object of a replay, whose entries are read by name and type."""

    def __init__(self, place: str, entries: dict[str, Any]) -> None:
        """Take the entries. place: the name of the line in error messages."""
        self._place = place
        self._entries = entries

    def fail(self, message: str) -> NoReturn:
        """Raise a ReplayError that names the file and the line."""
        raise ReplayError(f"{self._place}: {message}.")

    def has(self, name: str) -> bool:
        """Return True if there is an entry `name`."""
        return name in self._entries

    def take(self, name: str, kind: type) -> Any:
        """Return the entry `name`, which must have this type; `object` allows any JSON value."""
        if name not in self._entries:
            self.fail(f"entry {name!r} is missing")
        value = self._entries[name]
        is_other = isinstance(value, bool) and kind not in (bool, object)
        if is_other or not isinstance(value, kind):
            self.fail(f"{name!r} must be of type {kind.__name__}, got {value!r}")
        return value

    def integer(self, name: str, low: int = 0, high: int = LARGEST) -> int:
        """Return the entry `name`, an integer from `low` to `high`."""
        value: int = self.take(name, int)
        if not low <= value <= high:
            self.fail(f"{name!r} must be from {low} to {high}, got {value}")
        return value

    def hexadecimal(self, name: str, digits: int) -> str:
        """Return the entry `name`, a string of `digits` hex digits in lower case."""
        value: str = self.take(name, str)
        if len(value) != digits or value.strip("0123456789abcdef"):
            self.fail(f"{name!r} must be {digits} hex digits, got {value!r}")
        return value

    def items(self, name: str, count: int) -> list[Any]:
        """Return the entry `name`, a list with an item for each of `count` players."""
        values: list[Any] = self.take(name, list)
        if len(values) != count:
            self.fail(f"{name!r} must have {count} items, one for each player, got {len(values)}")
        return values

    def objects(self, name: str, count: int) -> list[Entries]:
        """Return the entry `name`, a list with a JSON object for each of `count` players."""
        values = self.items(name, count)
        if not all(isinstance(value, dict) for value in values):
            self.fail(f"{name!r} must hold JSON objects")
        return [Entries(self._place, value) for value in values]

    def numbers(self, name: str, count: int) -> tuple[float, ...]:
        """Return the entry `name`, a list with a finite number for each of `count` players."""
        values = self.items(name, count)
        if not all(isinstance(value, float) and math.isfinite(value) for value in values):
            self.fail(f"{name!r} must hold finite numbers such as 1.0, got {values!r}")
        return tuple(values)


def read_lines(data: bytes, name: str) -> Iterator[Entries]:
    """Yield the lines of a replay's file, of which there is at least one.

    Args:
        data: the bytes of the file.
        name: the name of the file in error messages.

    Raises:
        ReplayError: if there is no line, or a line is not a JSON object.
    """
    rows = data.removesuffix(b"\n").split(b"\n")
    if rows == [b""]:
        raise ReplayError(f"replay {name!r} is empty.")
    for number, row in enumerate(rows, start=1):
        yield _read_line(f"replay {name!r}, line {number}", row)


def _read_line(place: str, row: bytes) -> Entries:
    try:
        entries = json.loads(row.decode("utf-8"), parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        message = f"no valid JSON ({error}); the file is damaged or cut off"
        raise ReplayError(f"{place}: {message}.") from error
    if not isinstance(entries, dict):
        raise ReplayError(f"{place}: expected a JSON object, got {type(entries).__name__}.")
    return Entries(place, entries)


def _refuse_constant(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a JSON number")
