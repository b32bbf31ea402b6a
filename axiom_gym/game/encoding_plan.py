"""Plans for the encoding of states: functions that turn the parts of a state into numbers.

A plan is built once, from the type hints of a state's class. A part without a usable hint gets its
type from its value in the first state.
"""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Callable, Mapping, Sequence, Set
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple, NoReturn, Union

import numpy as np

from axiom_gym.errors import GameError

Write = Callable[[Any, int, list[float]], None]
"""(value of a part, seat of the observer, list): appends numbers, always the same count."""

_NUMPY = {kind for kind in np.sctypeDict.values() if issubclass(kind, np.integer | np.floating)}
_NUMBERS = frozenset({int, float, bool, np.bool_, *_NUMPY})
_UNKNOWN: Any = type("Unknown", (), {})()
"""Stands for a value that is missing in the first state, such as an Optional that is None."""


class Part(NamedTuple):
    """The encoding of a part of a state."""

    size: int
    """The count of numbers that it becomes."""
    write: Write
    """The function that appends these numbers."""
    is_number: bool = False
    """True if the part is a single number."""


class Plan:
    """A builder of the encodings of one game's states."""

    def __init__(self, name: str, ids: Sequence[str]) -> None:
        """Create a builder for the game of this name, with its players' ids by seat."""
        self._name, self._ids = name, tuple(ids)
        count = len(ids)
        self._rotated = [  # for each seat: an entry for each player, 1 at its distance
            {one: np.eye(count)[(place - seat) % count].tolist() for place, one in enumerate(ids)}
            for seat in range(count)
        ]

    def build_state(self, state: Any) -> Part:
        """Return the encoding of a whole state."""
        fields = _get_fields(state)
        if fields is None:
            return self._build(Any, state, "state")
        hints = {name: hint for name, hint in fields.items() if name != "game_id"}
        if "eliminated" in hints:
            hints["eliminated"] = frozenset[str]
        return self._build_fields(hints, state, "state")

    def _build(self, hint: Any, example: Any, place: str) -> Part:
        hint = getattr(hint, "__supertype__", hint)
        if hint in (Any, object) or isinstance(hint, typing.TypeVar | str):
            hint = type(example) if example is not _UNKNOWN else None
        origin, arguments = typing.get_origin(hint), typing.get_args(hint)
        if origin in (Union, UnionType):
            return self._build_optional(arguments, example, place)
        if origin is Literal:
            return self._build_choice(arguments, place)
        kind = origin or hint
        if not isinstance(kind, type) or kind is NoneType:
            self._refuse(place, f"{_show(example)} does not show which other values are possible")
        return self._build_kind(kind, arguments, example, place)

    def _build_kind(self, kind: type, arguments: Any, example: Any, place: str) -> Part:
        if issubclass(kind, Enum):
            return self._build_choice(tuple(kind), place)
        if issubclass(kind, int | float | np.number | np.bool_):
            return self._build_number(place)
        if issubclass(kind, str):
            return self._build_player(place)
        if issubclass(kind, Set):
            return self._build_set(arguments, place)
        fields = _get_fields(kind if example is _UNKNOWN else example)
        if fields is not None:
            return self._build_fields(fields, example, place)
        if example is _UNKNOWN:
            self._refuse(place, "the first state has no value for it, so its size is not known")
        if issubclass(kind, np.ndarray):
            return self._build_array(example, place)
        if issubclass(kind, Mapping):
            return self._build_mapping(arguments, example, place)
        if issubclass(kind, Sequence) and not issubclass(kind, bytes):
            return self._build_sequence(kind, arguments, example, place)
        self._refuse(
            place, f"a {kind.__name__} is not a number, choice, player, or a sequence of these"
        )

    # -- single values -----------------------------------------------------------------------------

    def _build_number(self, place: str) -> Part:
        def write(value: Any, seat: int, numbers: list[Any]) -> None:
            if value.__class__ not in _NUMBERS:
                self._refuse(place, f"it was a number, and is now {_show(value)}")
            numbers.append(value)

        return Part(1, write, is_number=True)

    def _build_choice(self, choices: Sequence[Any], place: str) -> Part:
        rows = {choice: np.eye(len(choices))[i].tolist() for i, choice in enumerate(choices)}

        def write(value: Any, seat: int, numbers: list[float]) -> None:
            if value not in rows:
                self._refuse(place, f"{_show(value)} is none of its choices {list(choices)}")
            numbers.extend(rows[value])

        return Part(len(choices), write)

    def _build_player(self, place: str) -> Part:
        rows = [{**own, "": [0.0] * len(own)} for own in self._rotated]

        def write(value: Any, seat: int, numbers: list[float]) -> None:
            if value not in rows[seat]:
                self._refuse_text(place, value)
            numbers.extend(rows[seat][value])

        return Part(len(self._ids), write)

    def _build_optional(self, kinds: Sequence[Any], example: Any, place: str) -> Part:
        others = [kind for kind in kinds if kind is not NoneType]
        if len(others) != 1 or len(others) == len(kinds):
            self._refuse(place, "it may be of several types")
        inner = self._build(others[0], _UNKNOWN if example is None else example, place)
        nothing = [0.0] * (1 + inner.size)

        def write(value: Any, seat: int, numbers: list[float]) -> None:
            if value is None:
                numbers.extend(nothing)
                return
            numbers.append(1.0)
            inner.write(value, seat, numbers)

        return Part(1 + inner.size, write)

    # -- several values ----------------------------------------------------------------------------

    def _build_fields(self, hints: Mapping[str, Any], example: Any, place: str) -> Part:
        parts = {
            name: self._build(hint, getattr(example, name, _UNKNOWN), f"{place}.{name}")
            for name, hint in hints.items()
        }
        writes = tuple((name, part.write) for name, part in parts.items())

        def write(value: Any, seat: int, numbers: list[float]) -> None:
            for name, write_field in writes:
                write_field(getattr(value, name), seat, numbers)

        return Part(sum(part.size for part in parts.values()), write)

    def _build_sequence(self, kind: type, arguments: Any, example: Any, place: str) -> Part:
        count = len(example)
        hints: Sequence[Any] = [arguments[0] if arguments else Any] * count
        if issubclass(kind, tuple) and arguments and Ellipsis not in arguments:
            hints = arguments
        self._check_length(place, example, len(hints))
        parts = [
            self._build(hint, entry, f"{place}[{i}]")
            for i, (hint, entry) in enumerate(zip(hints, example, strict=True))
        ]
        all_numbers = all(part.is_number for part in parts)

        def write(values: Any, seat: int, numbers: list[float]) -> None:
            if len(values) != count:
                self._check_length(place, values, count)
            if all_numbers and _NUMBERS.issuperset(map(type, values)):
                numbers.extend(values)
                return
            for part, value in zip(parts, values, strict=True):
                part.write(value, seat, numbers)

        return Part(sum(part.size for part in parts), write)

    def _build_array(self, example: Any, place: str) -> Part:
        shape = example.shape
        if example.dtype.kind not in "biuf":
            self._refuse(place, f"an array of {example.dtype} holds no numbers")

        def write(values: Any, seat: int, numbers: list[float]) -> None:
            if getattr(values, "shape", None) != shape:
                self._refuse(place, f"its shape was {shape}, and it is {_show(values)}")
            numbers.extend(values.ravel().tolist())

        return Part(example.size, write)

    def _build_mapping(self, arguments: Any, example: Any, place: str) -> Part:
        hint = arguments[1] if arguments else Any
        keys = list(example)
        parts = {key: self._build(hint, example[key], f"{place}[{key!r}]") for key in keys}
        count, places = len(self._ids), [keys] * len(self._ids)
        if set(keys) == set(self._ids):
            places = [
                [self._ids[(seat + i) % count] for i in range(count)] for seat in range(count)
            ]

        def write(values: Any, seat: int, numbers: list[float]) -> None:
            if values.keys() != parts.keys():
                self._refuse(place, f"its keys were {keys}, and are {list(values)}")
            for key in places[seat]:
                parts[key].write(values[key], seat, numbers)

        return Part(sum(part.size for part in parts.values()), write)

    def _build_set(self, arguments: Any, place: str) -> Part:
        kind: Any = arguments[0] if arguments else None
        if kind is str:
            return self._build_members(self._rotated, place)
        is_enum = isinstance(kind, type) and issubclass(kind, Enum)
        if not is_enum and typing.get_origin(kind) is not Literal:
            self._refuse(place, "a set must be of enums, of a Literal, or of players' ids")
        choices = tuple(kind) if is_enum else typing.get_args(kind)
        rows = {one: np.eye(len(choices))[i].tolist() for i, one in enumerate(choices)}
        return self._build_members([rows] * len(self._ids), place)

    def _build_members(self, rows: Sequence[Mapping[Any, list[float]]], place: str) -> Part:
        """Return the encoding of a set. rows: for each seat, the row of each possible member."""
        places = [{one: row.index(1.0) for one, row in own.items()} for own in rows]
        size = len(places[0])

        def write(values: Any, seat: int, numbers: list[float]) -> None:
            row = [0.0] * size
            for value in values:
                if value not in places[seat]:
                    self._refuse(place, f"{_show(value)} is none of {list(places[0])}")
                row[places[seat][value]] = 1.0
            numbers.extend(row)

        return Part(size, write)

    # -- errors -----------------------------------------------------------------------------------

    def _check_length(self, place: str, values: Any, count: int) -> None:
        if len(values) != count:
            self._refuse(place, f"it has {len(values)} entries, and must always have {count}")

    def _refuse_text(self, place: str, value: Any) -> NoReturn:
        listed = ", ".join(map(repr, self._ids))
        self._refuse(
            place,
            f"{_show(value)} is not a player ({listed}), and the choices of another string are "
            "not known: declare it as Literal[...] or an enum",
        )

    def _refuse(self, place: str, problem: str) -> NoReturn:
        raise GameError(
            f"{self._name}: {place} cannot be encoded: {problem}. Change it, leave it out with "
            "dataclasses.field(compare=False), or give the game encode(state, player_id), which "
            "returns an array of numbers of one shape."
        )


def _get_fields(value: Any) -> dict[str, Any] | None:
    """Return the field hints of a dataclass or named tuple, or of an object of one; else None."""
    kind = value if isinstance(value, type) else type(value)
    names = getattr(kind, "_fields", None) if issubclass(kind, tuple) else None
    if dataclasses.is_dataclass(kind):
        names = [field.name for field in dataclasses.fields(kind) if field.compare]
    if names is None:
        return None
    try:
        hints = typing.get_type_hints(kind)
    except NameError:  # a class inside a function, whose names cannot be looked up here
        hints = {}
    return {name: hints.get(name, Any) for name in names}


def _show(value: Any) -> str:
    """Return a value as text for an error message, at most 60 characters."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
