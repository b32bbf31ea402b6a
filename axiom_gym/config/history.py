"""The history of a game: an immutable sequence that grows at its end without being copied."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, overload

from axiom_gym.config.definitions import HistoryEntry

_SHORT = 64


class _Stem:
    """Entries that several histories share, each up to its own length.

    A history that is the longest of its stem grows in place, which the others do not see. Any other
    one, as after an undo, starts a stem of its own that refers to the entries before it.
    """

    __slots__ = ("before", "entries", "offset")

    def __init__(
        self, entries: list[HistoryEntry], before: _Stem | None = None, offset: int = 0
    ) -> None:
        self.entries = entries
        self.before = before
        self.offset = offset  # of the first of `entries` in the whole history


class History(Sequence[HistoryEntry]):
    """What happened so far, oldest first; equal to any sequence of the same entries.

    `append` and `+` return a new history and leave this one as it is; `append` takes the same time
    however long the history is.
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
        """A history with one more entry."""
        stem = self._stem
        if len(stem.entries) != self._length - stem.offset:
            stem = self._branch()
        stem.entries.append(entry)
        return History._of(stem, self._length + 1)

    def _branch(self) -> _Stem:
        """A stem that goes on where this history ends."""
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
        parts = []
        stem: _Stem | None = self._stem
        end = self._length
        while stem is not None:
            parts.append((stem.entries, end - stem.offset))
            end, stem = stem.offset, stem.before
        for entries, count in reversed(parts):
            yield from islice(entries, count)

    @overload
    def __getitem__(self, index: int) -> HistoryEntry: ...

    @overload
    def __getitem__(self, index: slice) -> History: ...

    def __getitem__(self, index: int | slice) -> HistoryEntry | History:
        if isinstance(index, slice):
            return History(self._at(i) for i in range(*index.indices(self._length)))
        place = index + self._length if index < 0 else index
        if not 0 <= place < self._length:
            raise IndexError(f"entry {index} of a history with {self._length} entries")
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

    # Equal to lists, which have no hash either.
    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"History({list(self)!r})"

    def __copy__(self) -> History:
        return self

    def __deepcopy__(self, memo: Any) -> History:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return History, (list(self),)
