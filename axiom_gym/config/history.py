"""The history of a game: an immutable sequence to which appending takes constant time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, overload

from axiom_gym.config.definitions import HistoryEntry

_SHORT = 64


class _Stem:
    """A list of entries that several histories share, each up to its own length.

    The longest history of a stem appends to the list, which does not change the shorter ones. If an
    entry is appended to a shorter history, for example after an undo, a new stem is made that
    refers to the entries before it.
    """

    __slots__ = ("before", "entries", "offset")

    def __init__(
        self, entries: list[HistoryEntry], before: _Stem | None = None, offset: int = 0
    ) -> None:
        self.entries = entries
        self.before = before
        self.offset = offset  # the place of the first of `entries` in the history


class History(Sequence[HistoryEntry]):
    """The entries so far, oldest first; equal to any sequence of the same entries.

    `append` and `+` return a new history and do not change this one. `append` takes constant time.
    """

    __slots__ = ("_length", "_stem")

    def __init__(self, entries: Iterable[HistoryEntry] = ()) -> None:
        self._stem = _Stem(list(entries))
        self._length = len(self._stem.entries)

    @classmethod
    def _of(cls, stem: _Stem, length: int) -> History:
        history = cls.__new__(cls)
        history._stem, history._length = stem, length
        return history

    def append(self, entry: HistoryEntry) -> History:
        """Return a history with one more entry."""
        stem = self._stem
        if len(stem.entries) != self._length - stem.offset:
            stem = self._branch()
        stem.entries.append(entry)
        return History._of(stem, self._length + 1)

    def _branch(self) -> _Stem:
        """Return a new stem that starts at the end of this history."""
        if self._length <= _SHORT:
            return _Stem(list(self))
        return _Stem([], self._stem, self._length)

    def __add__(self, entries: Iterable[HistoryEntry]) -> History:
        longer = self
        for entry in entries:
            longer = longer.append(entry)
        return longer

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[HistoryEntry]:
        for entries, count in self._parts():
            yield from islice(entries, count)

    def _parts(self) -> Iterator[tuple[list[HistoryEntry], int]]:
        """Return the lists that hold the entries, oldest first, each with its number of them."""
        parts = []
        stem: _Stem | None = self._stem
        end = self._length
        while stem is not None:
            parts.append((stem.entries, end - stem.offset))
            end, stem = stem.offset, stem.before
        return reversed(parts)

    def to_list(self) -> list[HistoryEntry]:
        """Return the entries as a list, which JSON can write."""
        found: list[HistoryEntry] = []
        for entries, count in self._parts():
            found += entries[:count]
        return found

    @overload
    def __getitem__(self, index: int) -> HistoryEntry: ...

    @overload
    def __getitem__(self, index: slice) -> History: ...

    def __getitem__(self, index: int | slice) -> HistoryEntry | History:
        if isinstance(index, slice):
            return History(self._at(i) for i in range(*index.indices(self._length)))
        place = index + self._length if index < 0 else index
        if not 0 <= place < self._length:
            raise IndexError(f"index {index} is out of range for {self._length} entries")
        return self._at(place)

    def _at(self, place: int) -> HistoryEntry:
        stem = self._stem
        while place < stem.offset and stem.before is not None:
            stem = stem.before
        return stem.entries[place - stem.offset]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or isinstance(other, (str, bytes)):
            return NotImplemented
        if len(other) != self._length:
            return False
        is_same = isinstance(other, History) and other._stem is self._stem
        return is_same or all(a == b for a, b in zip(self, other, strict=True))

    # Equal objects have equal hashes, and lists of the same entries have none.
    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"History({list(self)!r})"

    def __copy__(self) -> History:
        return self

    def __deepcopy__(self, memo: Any) -> History:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return History, (list(self),)
