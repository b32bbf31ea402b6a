"""Records of histories, and the sessions that belong to them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from axiom_gym.errors import StateError
from axiom_gym.game import history
from axiom_gym.game.history import Session, SessionReader, Sessions, history_dtype, mix_digest
from axiom_gym.kernel import zero_records
from axiom_gym.seeded_rng import SeededRNG

ROOM = 40


class Sum(Session):
    """A game of sums that adds each decision, 0 to 9, and a die."""

    __slots__ = ("total",)

    def __init__(self, seed: int) -> None:
        super().__init__("sum", 99, seed)
        self.total = 0

    def is_legal(self, action: int) -> bool:
        return 0 <= action < 10

    def play(self, action: int, generator: int) -> None:
        rng = SeededRNG(generator)
        self.total += action + rng.below(6)
        self.note(action, generator)
        self.left = rng.state


def make_reader() -> SessionReader[Sum]:
    return SessionReader(lambda config, seed: Sum(seed))


def new_record(seed: int = 5) -> Any:
    state = zero_records(1, history_dtype(ROOM, [("result", np.float32)]))[0]
    state["rng"] = seed
    return state


def begin(sessions: Sessions[Sum], seed: int = 5) -> Any:
    state = new_record(seed)
    session = sessions.begin(state)
    session.begin_record(state)
    sessions.put(session)
    return state


def play(sessions: Sessions[Sum], state: Any, *actions: int) -> int:
    """Play these decisions and return the total."""
    for action in actions:
        session = sessions.take(state)
        before = len(session.log)
        session.play(action, int(state["rng"]))
        session.write_record(state, before)
        sessions.put(session)
    return sessions.find(state).total


def test_history_dtype__has_no_padding_and_ends_in_the_generator() -> None:
    dtype = history_dtype(ROOM, [("result", np.float32)])
    assert dtype.itemsize == sum(dtype[name].itemsize for name in dtype.names or ())
    assert (dtype.names or ())[-1] == "rng"
    assert history_dtype(8, [], np.int32)["actions"].base == np.int32


def test_mix_digest__is_the_same_in_every_process() -> None:
    assert mix_digest(mix_digest(0, 7), 65535) == 0x30C6709A13980812
    assert mix_digest(mix_digest(0, 7), 8) != mix_digest(mix_digest(0, 8), 7)


def test_record__is_enough_to_make_a_session_again() -> None:
    sessions = Sessions(Sum, make_reader())
    state = begin(sessions)
    total = play(sessions, state, 1, 2, 3)
    assert int(state["count"]) == 3
    again = Sessions(Sum, make_reader()).find(state)
    assert (again.total, again.digest, again.left) == (total, int(state["digest"]), state["left"])
    assert again is not sessions.find(state)


def test_record__keeps_a_generator_that_was_set_from_outside() -> None:
    sessions = Sessions(Sum, make_reader())
    state = begin(sessions)
    play(sessions, state, 1)
    state["rng"] = 0xFFFF8001
    total = play(sessions, state, 2, 3)
    assert state["actions"][:6].tolist() == [1, -1, -1, 0x8001 - 0x10000, 2, 3]
    assert Sessions(Sum, make_reader()).find(state).total == total


@pytest.mark.parametrize("entry", [10, -2])
def test_record__that_is_damaged_is_refused(entry: int) -> None:
    sessions = Sessions(Sum, make_reader())
    state = begin(sessions)
    play(sessions, state, 1, 2)
    state["actions"][1] = entry
    with pytest.raises(StateError, match=f"decision 1 of this sum, {entry}, is not legal"):
        Sessions(Sum, make_reader()).find(state)


def test_sessions__keep_one_for_each_game_in_one_position() -> None:
    sessions = Sessions(Sum, make_reader())
    one, two = begin(sessions), begin(sessions)
    assert one["digest"] == two["digest"]
    first = sessions.take(one)
    assert sessions.take(two) is not first
    assert sessions.count == 0


def test_sessions__drop_the_oldest_and_those_reset(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(history, "MOST_SESSIONS", 2)
    sessions = Sessions(Sum, make_reader())
    states = [begin(sessions, seed) for seed in range(3)]
    assert sessions.count == 2
    kept = sessions.find(states[2])
    assert sessions.find(states[2]) is kept
    sessions.begin(states[2])
    assert sessions.count == 1


def test_sessions__collect_garbage_as_often_as_configured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    collected = []
    monkeypatch.setattr(history.gc, "collect", lambda: collected.append(1))
    sessions = Sessions(Sum, make_reader(), collect_after=2)
    for seed in range(5):
        begin(sessions, seed)
    assert len(collected) == 2


def test_reader__finds_live_sessions_and_continues_earlier_ones() -> None:
    reader = make_reader()
    sessions = Sessions(Sum, reader)
    state = begin(sessions)
    records = []
    for action in range(6):
        play(sessions, state, action)
        records.append(state.copy())
    assert reader.find(state) is sessions.find(state)
    early = reader.find(records[1])
    assert early.total < reader.find(records[3]).total
    assert reader.find(records[3]) is early
    assert len(reader.read) == len(set(map(id, reader.read)))
    assert reader.find(records[0]) is not early
    for seed in range(10):
        reader.find(begin(Sessions(Sum, make_reader()), seed))
    assert len(reader.read) == history.MOST_READ
