"""The checks of a board file. They report all mistakes at once, each with its place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from axiom_envs.destreect.constants import (
    CARD_KINDS,
    MAX_AMOUNT,
    MAX_CARDS,
    MAX_DEEDS,
    MAX_DISTRICT_SIZE,
    MAX_DISTRICTS,
    MAX_HOUSES,
    MAX_LINES,
    MAX_REPAIRS,
    MAX_SPACES,
    MIN_SPACES,
    SPACE_KINDS,
)

_SPACE_FIELDS: dict[str, tuple[str, ...]] = {
    "street": ("district", "price", "house_cost", "rents"),
    "line": ("price",),
    "tax": ("amount",),
}
_CARD_FIELDS: dict[str, tuple[str, ...]] = {
    "cash": ("amount",),
    "move": ("space",),
    "repairs": ("amount",),
    "collect": ("amount",),
}


def find_mistakes(data: Any) -> list[str]:
    """Return every mistake of a board's content as "place: what is wrong"."""
    mistakes = _Mistakes()
    fields = mistakes.fields(data, "", ("name", "line_rents", "spaces", "cards"))
    mistakes.text(fields.get("name"), "name")
    mistakes.amounts(fields.get("line_rents"), "line_rents", MAX_LINES)
    spaces = mistakes.entries(fields.get("spaces"), "spaces", MIN_SPACES, MAX_SPACES)
    cards = mistakes.entries(fields.get("cards"), "cards", 1, MAX_CARDS)
    for i, entry in enumerate(spaces):
        _check_space(mistakes, entry, f"spaces[{i}]")
    _check_ring(mistakes, spaces)
    for i, entry in enumerate(cards):
        _check_card(mistakes, entry, f"cards[{i}]", spaces)
    return mistakes.lines


class _Mistakes:
    """The mistakes of a board, collected so that one error lists them all."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def add(self, place: str, text: str) -> None:
        """Add a mistake; `place` is empty for the board as a whole."""
        self.lines.append(f"{place}: {text}" if place else text)

    def fields(self, data: Any, place: str, names: Sequence[str]) -> Mapping[str, Any]:
        """Check that `data` is an object of exactly these fields; return those that are not null.

        A null field counts as missing.
        """
        if not isinstance(data, dict):
            self.add(place, f"must be an object, got {data!r}.")
            return {}
        dot = f"{place}." if place else ""
        for name in names:
            if data.get(name) is None:
                self.add(f"{dot}{name}", "is missing.")
        for name in data:
            if name not in names:
                self.add(f"{dot}{name}", f"is not a known field here; known: {', '.join(names)}.")
        return {name: data[name] for name in names if data.get(name) is not None}

    def entries(self, data: Any, place: str, low: int, high: int) -> list[Any]:
        """Check a list and its length; return it, or an empty list if it is none.

        None adds no mistake, because `fields` has reported it.
        """
        if data is None:
            return []
        if not isinstance(data, list):
            self.add(place, f"must be a list, got {data!r}.")
            return []
        if not low <= len(data) <= high:
            self.add(place, f"must have {low} to {high} entries, got {len(data)}.")
        return data

    def number(self, value: Any, place: str, low: int, high: int) -> None:
        """Check that a value is an integer from `low` to `high`."""
        is_integer = isinstance(value, int) and not isinstance(value, bool)
        if value is not None and not (is_integer and low <= value <= high):
            self.add(place, f"must be an integer from {low} to {high}, got {value!r}.")

    def amounts(self, data: Any, place: str, count: int) -> None:
        """Check a list of `count` amounts in ascending order."""
        values = self.entries(data, place, count, count)
        for i, value in enumerate(values):
            self.number(value, f"{place}[{i}]", 1, MAX_AMOUNT)
        numbers = [value for value in values if isinstance(value, int)]
        if numbers != sorted(numbers):
            self.add(place, f"must be in ascending order, got {values!r}.")

    def text(self, value: Any, place: str) -> None:
        """Check that a value is a string of one line, 1 to 80 characters."""
        good = isinstance(value, str) and value.strip() == value != "" and value.isprintable()
        if value is not None and not (good and len(value) <= 80):
            self.add(place, f"must be a line of 1 to 80 characters, got {value!r}.")


def _kind_of(mistakes: _Mistakes, entry: Any, place: str, kinds: Sequence[str]) -> str | None:
    """Return the kind of a space or card, or None if it has no known kind."""
    kind = entry.get("kind") if isinstance(entry, dict) else None
    if isinstance(entry, dict) and kind not in kinds:
        mistakes.add(f"{place}.kind", f"must be one of {', '.join(kinds)}, got {kind!r}.")
        return None
    if kind is None:
        mistakes.add(place, f"must be an object, got {entry!r}.")
    return kind


def _check_space(mistakes: _Mistakes, entry: Any, place: str) -> None:
    kind = _kind_of(mistakes, entry, place, SPACE_KINDS)
    if kind is None:
        return
    own = _SPACE_FIELDS.get(kind, ())
    fields = mistakes.fields(entry, place, ("kind", "name", *own))
    mistakes.text(fields.get("name"), f"{place}.name")
    mistakes.text(fields.get("district"), f"{place}.district")
    # The loan of a deed with price 1 would be 0, so mortgaging and redeeming it would be free.
    mistakes.number(fields.get("price"), f"{place}.price", 2, MAX_AMOUNT)
    mistakes.number(fields.get("house_cost"), f"{place}.house_cost", 1, MAX_AMOUNT)
    mistakes.number(fields.get("amount"), f"{place}.amount", 1, MAX_AMOUNT)
    if "rents" in fields:
        mistakes.amounts(fields["rents"], f"{place}.rents", MAX_HOUSES + 1)


def _check_ring(mistakes: _Mistakes, spaces: Sequence[Any]) -> None:
    """Check the number and the kinds of the spaces, and their names and districts."""
    known = [entry for entry in spaces if isinstance(entry, dict)]
    kinds = [entry.get("kind") for entry in known]
    if len(spaces) % 2:
        mistakes.add("spaces", f"must be an even number of spaces, got {len(spaces)}.")
    if len(known) == len(spaces) > 0 and (kinds[0] != "start" or kinds.count("start") != 1):
        mistakes.add("spaces", "the first space, and no other, must be of kind start.")
    if spaces and "park" not in kinds:
        mistakes.add("spaces", "one space must be of kind park: the lock-up is at the first one.")
    deeds = kinds.count("street") + kinds.count("line")
    if spaces and not 1 <= deeds <= MAX_DEEDS:
        mistakes.add("spaces", f"1 to {MAX_DEEDS} must be streets or lines, got {deeds}.")
    if kinds.count("line") > MAX_LINES:
        mistakes.add("spaces", f"at most {MAX_LINES} may be lines, got {kinds.count('line')}.")
    _check_names(mistakes, known)


def _check_names(mistakes: _Mistakes, known: Sequence[Mapping[str, Any]]) -> None:
    """Check that names differ, and the number and sizes of the districts."""
    names = [str(entry.get("name")) for entry in known]
    for name in dict.fromkeys(name for name in names if names.count(name) > 1):
        mistakes.add("spaces", f"the name {name!r} is used more than once.")
    districts = [str(entry.get("district")) for entry in known if entry.get("kind") == "street"]
    if len(set(districts)) > MAX_DISTRICTS:
        mistakes.add("spaces", f"at most {MAX_DISTRICTS} districts, got {len(set(districts))}.")
    for name in dict.fromkeys(districts):
        if districts.count(name) > MAX_DISTRICT_SIZE:
            mistakes.add(
                "spaces",
                f"district {name!r} has {districts.count(name)} streets, "
                f"at most {MAX_DISTRICT_SIZE} are allowed.",
            )


def _check_card(mistakes: _Mistakes, entry: Any, place: str, spaces: Sequence[Any]) -> None:
    kind = _kind_of(mistakes, entry, place, CARD_KINDS)
    if kind is None:
        return
    fields = mistakes.fields(entry, place, ("kind", "text", *_CARD_FIELDS.get(kind, ())))
    mistakes.text(fields.get("text"), f"{place}.text")
    low = -MAX_AMOUNT if kind == "cash" else 1
    high = MAX_REPAIRS if kind == "repairs" else MAX_AMOUNT
    mistakes.number(fields.get("amount"), f"{place}.amount", low, high)
    target = fields.get("space")
    mistakes.number(target, f"{place}.space", 0, len(spaces) - 1)
    if isinstance(target, int) and 0 <= target < len(spaces) and isinstance(spaces[target], dict):
        if spaces[target].get("kind") in ("fate", "detour"):
            # This ensures that a roll leads to at most one card.
            mistakes.add(f"{place}.space", f"must not be a fate or a detour, got {target}.")
