"""Canonical forms and digests of equal and of different values."""

from __future__ import annotations

import collections
import dataclasses
import enum
import json
import math
import sys
import threading
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import pytest

from axiom_gym.errors import GameError
from axiom_gym.game import state_digest
from axiom_gym.game.canonical import canonical, hash_fields, to_json
from axiom_gym.seeded_rng import SeededRNG


class Color(enum.Enum):
    RED = 1
    BLUE = 2


class Level(enum.IntEnum):
    LOW = 1


@dataclasses.dataclass(frozen=True)
class Knight:
    x: int
    y: int = 0
    memo: Any = dataclasses.field(default=None, compare=False)


@dataclasses.dataclass(frozen=True)
class Bishop:
    x: int
    y: int = 0


class Point(NamedTuple):
    x: int
    y: int


class Plain:
    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)


class Slotted:
    __slots__ = ("x",)

    def __init__(self, x: int) -> None:
        self.x = x


class Own:
    def __init__(self, lock: Any, x: int) -> None:
        self.lock, self.x = lock, x

    def canonical_fields(self) -> Mapping[str, Any]:
        return {"x": self.x}


RECORD = np.zeros(1, [("hp", np.int8, (2,)), ("rng", np.uint32)])[0]

SAME = [
    (1, np.int64(1)),
    (1, np.uint8(1)),
    (0.5, np.float32(0.5)),
    (True, np.bool_(True)),
    ("a", np.str_("a")),
    ((1, 2), [1, 2]),
    ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    ({1, 2, 3}, frozenset({3, 2, 1})),
    ({1: "a", 2: "b"}, {2: "b", 1: "a"}),
    (Knight(1), Knight(1, memo=print)),
    (np.array([1, 2], np.int8), np.array([1, 2], np.int64)),
    (np.arange(6).reshape(2, 3), np.arange(6).reshape(3, 2).T.copy().T.reshape(2, 3)),
    (Plain(a=1, b=2), Plain(b=2, a=1)),
    (Own(print, 1), Own(threading.Lock(), 1)),
    (RECORD, RECORD.copy()),
    (SeededRNG(4), SeededRNG(4)),
    (range(3), [0, 1, 2]),
    (collections.deque([1]), [1]),
]

DIFFERENT = [
    (1, 1.0),
    (1, True),
    (0, False),
    (1, "1"),
    (None, "null"),
    (0.0, -0.0),
    (math.inf, -math.inf),
    (math.nan, "nan"),
    ((1, 2), (2, 1)),
    ({"1": 0}, {1: 0}),
    ({1, 2}, [1, 2]),
    ({}, []),
    ((), ((),)),
    (Color.RED, Color.BLUE),
    (Color.RED, 1),
    (Level.LOW, 1),
    (Knight(1), Knight(2)),
    (Knight(1), Bishop(1)),
    (Point(1, 2), (1, 2)),
    (Point(1, 2), Point(2, 1)),
    (np.zeros((0, 3)), np.zeros(0)),
    (np.arange(6).reshape(2, 3), np.arange(6).reshape(3, 2)),
    (np.array([1, 2]), np.array([1, 3])),
    (Plain(a=1), Plain(a=2)),
    (Slotted(1), Slotted(2)),
    (Own(None, 1), Own(None, 2)),
    (SeededRNG(4), SeededRNG(5)),
    (b"a", "a"),
    (b"a", b"b"),
    ({"@set": [1]}, {1}),
    ({"a": {"b": 1}}, {"a": {"b": 2}}),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_state_digest__is_equal_for_equal_values(one: Any, other: Any) -> None:
    assert canonical(one) == canonical(other)
    assert state_digest(one) == state_digest(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_state_digest__tells_different_values_apart(one: Any, other: Any) -> None:
    assert state_digest(one) != state_digest(other)


@pytest.mark.parametrize("value", [one for one, _ in SAME + DIFFERENT])
def test_canonical__survives_json(value: Any) -> None:
    form = canonical(value)
    assert json.loads(json.dumps(form, allow_nan=False)) == form
    assert len(state_digest(value)) == 16


@pytest.mark.slow
def test_state_digest__is_the_same_in_every_process(python: Callable[..., str]) -> None:
    value = {"set": {"ann", "bob", "cid"}, "map": {(1, 2): 3.5, None: "é"}, "n": np.int16(7)}
    code = (
        "import numpy as np\nfrom axiom_gym.game import state_digest\n"
        "print(state_digest({'set': {'ann', 'bob', 'cid'}, 'map': {(1, 2): 3.5, None: 'é'},"
        " 'n': np.int16(7)}))"
    )
    found = {python(code, PYTHONHASHSEED=seed).strip() for seed in ("1", "2")}
    assert found == {state_digest(value)} == {"cb343670721d8615"}


@pytest.mark.parametrize(
    "value",
    [
        print,
        lambda: 0,
        Knight,
        sys,
        object(),
        threading.Lock(),
        (i for i in range(3)),
        iter([1]),
        1 + 2j,
        np.array([1j]),
        np.datetime64("2026-01-01"),
        {"deep": [{"f": print}]},
    ],
)
def test_state_digest__refuses_values_that_differ_between_processes(value: Any) -> None:
    with pytest.raises(GameError, match=r"has no canonical form.*compare=False"):
        state_digest(value)


def test_state_digest__refuses_a_value_that_contains_itself() -> None:
    value: list[Any] = []
    value.append(value)
    with pytest.raises(GameError, match="a list has no canonical form: it contains itself"):
        state_digest(value)


def test_hash_fields__names_the_fields_of_a_state() -> None:
    found = hash_fields(Knight(1, 2))
    assert found.names == ("x", "y")
    assert found.whole == state_digest(Knight(1, 2))
    other = hash_fields(Knight(1, 3))
    assert found.fields[:4] == other.fields[:4]
    assert found.fields[4:] != other.fields[4:]
    assert len(found.fields) == 8


def test_hash_fields__has_none_for_a_state_without_fields() -> None:
    assert hash_fields((1, 2)) == (state_digest((1, 2)), (), "")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Knight(1, 2), {"x": 1, "y": 2}),
        (Color.RED, 1),
        (Level.LOW, 1),
        (Point(1, 2), [1, 2]),
        ((1, (2.5, None)), [1, [2.5, None]]),
        ({"a": np.int8(3)}, {"a": 3}),
        (np.array([[1, 2]]), [[1, 2]]),
        (Own(None, 5), {"x": 5}),
        ("é", "é"),
    ],
)
def test_to_json__is_readable(value: Any, expected: Any) -> None:
    assert to_json(value) == expected


@pytest.mark.parametrize("value", [{1: 2}, math.nan, b"a", {1}, print, Plain(a=1), [object()]])
def test_to_json__refuses_values_that_json_cannot_represent(value: Any) -> None:
    with pytest.raises(GameError, match=r"cannot be written as JSON.*encode_action\(\)"):
        to_json(value)
