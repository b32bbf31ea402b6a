"""Parsing of JSON into entries, which collects every mistake with its place."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from axiom_envs.dnd.data.fields import Entry
from axiom_gym.errors import ConfigError

EntryT = TypeVar("EntryT", bound=Entry)


class Mistakes:
    """The mistakes found so far, as lines."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def add(self, source: str, place: str, message: str) -> None:
        """Record a mistake at a place of a source, such as a file."""
        self.lines.append(f"{source}: {place}: {message}" if place else f"{source}: {message}")

    def add_all(self, source: str, name: str, found: Iterable[tuple[str, str]]) -> None:
        """Record the mistakes that a check found in the entry of that name."""
        for place, message in found:
            self.add(source, f"{name}.{place}", message)

    def raise_if_any(self) -> None:
        """Raise a ConfigError with all lines, if there are any."""
        if self.lines:
            listed = "\n".join(f"  {line}" for line in self.lines)
            count = len(self.lines)
            raise ConfigError(f"the data has {count} mistake{'s' if count > 1 else ''}:\n{listed}")


def read_json(path: str | Path) -> Any:
    """Return the content of a JSON file.

    Raises:
        ConfigError: if it cannot be read, is not JSON, or has a name twice in one object.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
        return json.loads(text, object_pairs_hook=_without_repeats)
    except (OSError, ValueError, RecursionError) as error:
        raise ConfigError(f"data file {str(path)!r} cannot be read: {error}.") from error


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entries = dict(pairs)
    if len(entries) < len(pairs):
        names = [name for name, _ in pairs]
        repeated = sorted({name for name in names if names.count(name) > 1})
        raise ConfigError(f"{', '.join(map(repr, repeated))} occurs twice in one object")
    return entries


def parse_entries(
    model: type[EntryT], data: object, source: str, mistakes: Mistakes
) -> dict[str, EntryT | None]:
    """Return the entries by name; None for an entry that has mistakes.

    Args:
        model: the class of the entries.
        data: decoded JSON, an object of entries by name.
        source: the origin of the data, for messages.
        mistakes: the collection to which mistakes are added.
    """
    if not isinstance(data, Mapping):
        mistakes.add(source, "", f"an object of entries by name is needed, got {data!r:.60}")
        return {}
    return {name: _parse_entry(model, name, data[name], source, mistakes) for name in data}


def _parse_entry(
    model: type[EntryT], name: str, data: object, source: str, mistakes: Mistakes
) -> EntryT | None:
    if not isinstance(data, Mapping) or "name" in data:
        mistakes.add(source, name, f"an object without a field 'name' is needed, got {data!r:.60}")
        return None
    try:
        text = json.dumps({**data, "name": name}, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        mistakes.add(source, name, f"cannot be JSON: {error}")
        return None
    entry, found = model.parse(text)
    for path, message in found:
        mistakes.add(source, _place(name, path), message)
    return entry


def _place(name: str, path: tuple[int | str, ...]) -> str:
    # pydantic ends the path of an object's key, unlike that of its value, with "[key]".
    keys = [key for key in path if key != "[key]"]
    return str(name) + "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in keys)
