"""The history: an immutable sequence that grows without a copy."""

from __future__ import annotations

import copy
import pickle
import tracemalloc
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from axiom_gym.config.definitions import HistoryEntry
from axiom_gym.config.history import History


def entry(number: int) -> HistoryEntry:
    return HistoryEntry(number, "event", f"text {number}", float(number))


def entries(count: int) -> list[HistoryEntry]:
    return [entry(i) for i in range(count)]


@given(
    st.integers(0, 70),
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 20)), max_size=30),
    st.integers(-100, 100),
    st.slices(90),
)
def test_history__branches_equal_lists(
    start: int, appends: list[tuple[int, int]], place: int, part: slice
) -> None:
    """Append to random histories, and compare all of them with lists."""
    histories, lists = [History(entries(start))], [entries(start)]
    for parent, count in appends:
        history, expected = histories[parent % len(lists)], lists[parent % len(lists)]
        for i in range(count):
            history, expected = history.append(entry(100 + i)), [*expected, entry(100 + i)]
        histories.append(history)
        lists.append(expected)
    for history, expected in zip(histories, lists, strict=True):
        assert list(history) == expected
        assert len(history) == len(expected)
        assert history[part] == expected[part]
        if -len(expected) <= place < len(expected):
            assert history[place] == expected[place]
        else:
            with pytest.raises(
                IndexError, match=f"index {place} is out of range for {len(expected)}"
            ):
                history[place]


def test_history__equals_sequences_of_the_same_entries() -> None:
    history = History(entries(3))
    assert history == entries(3) == list(history)
    assert history == tuple(entries(3))
    assert history == History(entries(2)).append(entry(2))
    assert history != entries(2)
    assert history != [entry(0), entry(1), entry(7)]
    assert history != History(entries(2)).append(entry(7))
    assert history != "abc"
    assert History() != ""
    assert not History()
    with pytest.raises(TypeError, match="unhashable"):
        hash(history)


def test_history__sum_leaves_the_operand_unchanged() -> None:
    history, more = History(entries(2)), entries(4)[2:]
    assert history + more == entries(4)
    assert history + tuple(more) + more == [*entries(4), *more]
    assert history == entries(2)


def test_history__cannot_be_changed() -> None:
    history: Any = History(entries(2))
    with pytest.raises(TypeError):
        history[0] = entry(7)
    with pytest.raises(TypeError):
        del history[0]


def test_history__of_any_length_is_copied_and_pickled() -> None:
    history = History(entries(100))
    for i in range(100, 30_001):
        branch = history.append(entry(-1)) if i % 3 == 0 else None
        history = history.append(entry(i))
    assert branch is not None
    assert copy.copy(history) is history
    assert copy.deepcopy({"history": history})["history"] == entries(30_001)
    assert pickle.loads(pickle.dumps(history)) == entries(30_001)
    assert pickle.loads(pickle.dumps(branch)) == [*entries(30_000), entry(-1)]
    assert repr(history[:1]) == f"History([{entry(0)!r}])"


def test_append__uses_constant_memory_in_a_long_history() -> None:
    history = History(entries(30_000))
    tracemalloc.start()
    try:
        branches = [history.append(entry(7)) for _ in range(100)]
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 1_000_000  # a third of it is the list, when it grows once
    assert all(branch[-1] == entry(7) and len(branch) == 30_001 for branch in branches)
