"""Encoding of states as rows of numbers, and errors for parts that cannot be encoded."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from dataclasses import dataclass, field
from enum import Enum
from types import ModuleType
from typing import Any, Literal, NamedTuple

import numpy as np
import pytest

from axiom_gym.errors import GameError
from axiom_gym.game import GameMetadata, Player
from axiom_gym.game.encoding import Encoder

PLAYERS = (Player("ann"), Player("bob"), Player("cid"))


class Suit(Enum):
    RED = "r"
    BLUE = "b"


class Spot(NamedTuple):
    x: int
    y: float


@dataclass(frozen=True)
class Card:
    suit: Suit
    worth: int
    memo: object = field(default=None, compare=False)


@dataclass(frozen=True)
class Everything:
    game_id: str = "a match"
    number: int = 7
    ready: bool = True
    active_player_id: str = "bob"
    eliminated: tuple[str, ...] = ()
    suit: Suit = Suit.BLUE
    phase: Literal["draw", "play"] = "draw"
    winner: str | None = None
    best: Card | None = None
    hand: tuple[Card, ...] = (Card(Suit.RED, 3), Card(Suit.BLUE, 4))
    spot: Spot = field(default=Spot(1, 0.5))
    pair: tuple[int, Literal["a", "b"]] = (5, "b")
    board: Any = field(default_factory=lambda: np.arange(4, dtype=np.int8).reshape(2, 2))
    scores: dict[str, int] = field(default_factory=lambda: {"ann": 10, "bob": 20, "cid": 30})
    stock: dict[str, int] = field(default_factory=lambda: {"wood": 1, "iron": 2})
    flags: frozenset[Literal["x", "y"]] = frozenset({"y"})
    last: list[int] = field(default_factory=lambda: [8, 9])


class Still:
    """Test double: a game with the members that the encoder reads."""

    metadata = GameMetadata("still", 1, 4)


def encoder(first: Any, game: Any = None, players: Any = PLAYERS) -> Encoder:
    return Encoder(game or Still(), players, first)


def encode(state: Any, seat: int = 0, **others: Any) -> list[float]:
    numbers: list[float] = encoder(state, **others)(state, seat).tolist()
    return numbers


def test_encoder__writes_every_kind_of_field() -> None:
    # Seen by bob, in seat 1: players stand in the order bob, cid, ann.
    assert encode(Everything(), 1) == [
        *(0, 1, 0),  # who looks
        *(7, 1),
        *(1, 0, 0),  # bob acts
        *(0, 0, 0),  # nobody is out
        *(0, 1),
        *(1, 0),
        *(0, 0, 0, 0),  # no winner
        *(0, 0, 0, 0),  # no best card
        *(1, 0, 3, 0, 1, 4),
        *(1, 0.5),
        *(5, 0, 1),
        *(0, 1, 2, 3),
        *(20, 30, 10),
        *(1, 2),
        *(0, 1),
        *(8, 9),
    ]


def test_encoder__follows_changes() -> None:
    first = Everything()
    one = encoder(first)
    changed = dataclasses.replace(
        first, winner="cid", best=Card(Suit.RED, 9), eliminated=("ann", "bob")
    )
    before, after = one(first, 2).tolist(), one(changed, 2).tolist()
    assert len(before) == len(after)
    assert after[8:11] == [0, 1, 1]  # cid looks: cid, ann, bob
    assert after[15:19] == [1, 1, 0, 0]
    assert after[19:23] == [1, 1, 0, 9]


def test_encoder__gives_new_float32_arrays() -> None:
    one = encoder(Everything())
    first, second = one(Everything(), 0), one(Everything(), 0)
    assert first.dtype == np.float32
    assert first is not second
    assert one.shape == first.shape == (47,)


def test_encoder__takes_states_without_hints(heap: ModuleType) -> None:
    assert encode((5, (True, 2.5), "cid"), 2) == [0, 0, 1, 5, 1, 2.5, 1, 0, 0]
    assert encode(4, players=PLAYERS[:1]) == [4]


def test_encoder__takes_classes_of_a_function_by_their_values() -> None:
    @dataclass(frozen=True)
    class Inner:
        x: int

    @dataclass(frozen=True)
    class Local:
        left: int
        inner: Inner  # a name that nobody else can look up

    assert encode(Local(3, Inner(7)), players=PLAYERS[:1]) == [3, 7]


def test_encoder__can_be_copied_and_pickled() -> None:
    one = encoder(Everything())
    for other in (copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
        assert other(Everything(), 1).tolist() == one(Everything(), 1).tolist()


def test_encoder__encodes_the_view_of_a_player() -> None:
    class Hiding(Still):
        def view(self, state: Any, player_id: str) -> Any:
            return tuple(n if player_id == "ann" else 0 for n in state)

    assert encode((4, 5), 0, game=Hiding()) == [1, 0, 0, 4, 5]
    assert encode((4, 5), 1, game=Hiding()) == [0, 1, 0, 0, 0]


def test_encoder__uses_the_games_own_encode() -> None:
    board = np.ones((2, 3), np.int8)

    class Own(Still):
        def encode(self, state: Any, player_id: str) -> Any:
            return state * (player_id == "bob")

    one = encoder(board, Own())
    assert one.shape == (2, 3)
    assert (one(board, 0).sum(), one(board, 1).sum()) == (0, 6)
    with pytest.raises(GameError, match=r"encode gave shape \(3, 2\), and \(2, 3\) at the start"):
        one(board.T, 0)
    with pytest.raises(GameError, match="encode must give an array of numbers"):
        one(np.array(["a", "b"]), 1)


@dataclass(frozen=True)
class Odd:
    part: Any = 1


@dataclass(frozen=True)
class Typed:
    later: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Several:
    value: int | str = 1


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (
            Odd("hearts"),
            r"still: state.part .*'hearts' is not a player \('ann', 'bob', 'cid'\).*Literal",
        ),
        (Odd((1, "hearts")), r"state.part\[1\] cannot be encoded: 'hearts'"),
        (Odd(None), "state.part cannot be encoded: None does not show"),
        (Odd(object()), "a object is not a number"),
        (Odd(b"x"), "a bytes is not a number"),
        (Odd(frozenset({1})), "a set must be of enums"),
        (Odd(np.array(["a"])), "an array of <U1 holds no numbers"),
        (Typed(), "state.later cannot be encoded: the first state has no value"),
        (Several(), "state.value cannot be encoded: it may be of several types"),
        ({"a": {"b": "c"}}, r"state\['a'\]\['b'\] cannot be encoded: 'c'"),
    ],
)
def test_encoder__names_a_part_that_cannot_be_encoded(state: Any, said: str) -> None:
    with pytest.raises(GameError, match=said) as caught:
        encoder(state)
    assert "give the game encode(state, player_id)" in str(caught.value)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"hand": ()}, r"state.hand cannot be encoded: it has 0 entries, and must always have 2"),
        ({"number": None}, "state.number cannot be encoded: it was a number, and is now None"),
        ({"last": [8, "9"]}, r"state.last\[1\] cannot be encoded: it was a number, and is now '9'"),
        ({"phase": "end"}, "state.phase cannot be encoded: 'end' is none of its choices"),
        (
            {"active_player_id": "zoe"},
            "state.active_player_id cannot be encoded: 'zoe' is not a player",
        ),
        ({"eliminated": ("zoe",)}, "state.eliminated cannot be encoded: 'zoe' is none of"),
        ({"flags": {"z"}}, r"state.flags cannot be encoded: 'z' is none of \['x', 'y'\]"),
        ({"stock": {"wood": 1}}, "state.stock cannot be encoded: its keys were"),
        ({"board": np.zeros(3)}, r"state.board cannot be encoded: its shape was \(2, 2\)"),
    ],
)
def test_encoder__names_a_part_whose_form_has_changed(change: dict[str, Any], said: str) -> None:
    one = encoder(Everything())
    with pytest.raises(GameError, match=said):
        one(dataclasses.replace(Everything(), **change), 0)
