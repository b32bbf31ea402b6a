"""Dtypes of structured records that NumPy copies byte for byte."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

_PADDING = "_padding_"


def record_dtype(fields: list[tuple[Any, ...]]) -> np.dtype[Any]:
    """Return a structured dtype whose elements have their fields as attributes, compiled or not.

    NumPy copies only fields and leaves the padding bytes between aligned fields undefined. This
    dtype therefore has fields for the padding as well, which `field_names` leaves out.

    Args:
        fields: a tuple `(name, dtype)` or `(name, dtype, shape)` for each, as for `numpy.dtype`.

    Returns:
        An aligned dtype with `numpy.record` elements.
    """
    aligned = np.dtype(fields, align=True)
    laid_out: list[tuple[Any, ...]] = []
    end = 0
    for name in aligned.names or ():
        kind, offset = aligned.fields[name][:2]  # type: ignore[index]
        laid_out += [*_padding(end, offset), (name, kind)]
        end = offset + kind.itemsize
    laid_out += _padding(end, aligned.itemsize)
    return np.dtype((np.record, np.dtype(laid_out, align=True)))


def _padding(start: int, stop: int) -> list[tuple[Any, ...]]:
    """Return a field that fills the bytes from `start` to `stop`, if there are any."""
    return [(f"{_PADDING}{start}", np.uint8, (stop - start,))] if stop > start else []


def field_names(dtype: np.dtype[Any]) -> tuple[str, ...]:
    """Return the names of a dtype's fields, without those for padding."""
    return tuple(name for name in dtype.names or () if not name.startswith(_PADDING))


def zero_records(count: int, dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    """Return an array of `count` records with every byte zero."""
    return np.zeros(count, dtype=dtype)
