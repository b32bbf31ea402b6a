"""Buffers that plain Python reads several times as fast as NumPy arrays of records."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_gym.batch.types import Buffers
from axiom_gym.game.history import quick_class
from axiom_gym.records import field_names


class QuickBuffers(Buffers):
    """Buffers that share the memory of a batch, with views of rows and fields that are made once.

    Attributes:
        action_cells: a view of `actions` for access to single entries.
        mask_cells: a view of `masks` for access to single entries.
        choices: the number of choices per sub-action.
    """

    action_cells: memoryview
    mask_cells: memoryview
    choices: int


class Quicken:
    """A function that replaces the buffers of a batch by a `QuickBuffers`, which it makes once."""

    def __init__(self) -> None:
        self._given: Buffers | None = None
        self._quick: Buffers | None = None

    def __call__(self, args: tuple[Any, ...]) -> list[Any]:
        """Return the arguments of a call with their buffers replaced."""
        return [self._replaced(a) if type(a) is Buffers else a for a in args]

    def _replaced(self, buffers: Buffers) -> Buffers | None:
        if self._given is not buffers:
            self._given, self._quick = buffers, _make_quick(buffers)
        return self._quick


def _make_quick(buffers: Buffers) -> QuickBuffers:
    rows = ("actions", "masks", "observations", "streams")
    cells = ("acting", "terminated", "truncated")
    quick = QuickBuffers(
        **{
            **buffers._asdict(),
            **{name: _Grid(getattr(buffers, name)) for name in rows},
            **{name: getattr(buffers, name).data for name in cells},
            "states": _Rows(buffers.states, buffers.states.shape),
            "episodes": _Rows(_fields_of(buffers.episodes), buffers.episodes.shape),
            "cycles": _Rows(_fields_of(buffers.cycles), buffers.cycles.shape),
            "rewards": _Rows(buffers.rewards, buffers.rewards.shape),
        }
    )
    quick.action_cells = buffers.actions.data
    quick.mask_cells = buffers.masks.data
    quick.choices = buffers.masks.shape[3]
    return quick


class _Rows(list[Any]):
    """The rows of an array along its first axis."""

    def __init__(self, rows: Any, shape: tuple[int, ...]) -> None:
        super().__init__(rows)
        self.shape = shape


class _Grid(dict[Any, Any]):
    """The rows of an array along its first two axes; other indices go to the array."""

    def __init__(self, array: npt.NDArray[Any]) -> None:
        first, second = array.shape[:2]
        super().__init__({(i, j): array[i, j] for i in range(first) for j in range(second)})
        self.shape = array.shape
        self._array = array

    def __missing__(self, place: Any) -> Any:
        return self._array[place]


def _fields_of(records: npt.NDArray[Any]) -> list[Any]:
    """Return the records of an array (B,) as C structures with the fields as attributes.

    A field of several numbers is a NumPy array.
    """
    names = field_names(records.dtype)
    arrays = {name: records[name] for name in names if records[name].ndim > 1}
    kind: Any = type("Row", (quick_class(records.dtype),), dict.fromkeys(arrays))
    memory = records.view(np.uint8)
    rows = []
    for i in range(len(records)):
        row = kind.from_buffer(memory, i * records.itemsize)
        for name, array in arrays.items():
            setattr(row, name, array[i])
        rows.append(row)
    return rows
