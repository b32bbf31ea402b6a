from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from axiom_gym.records import field_names, record_dtype, zero_records

FIELDS = [("flag", np.int8), ("count", np.int32), ("cells", np.int16, (3,)), ("rng", np.uint32)]
NO_GAPS = [("count", np.int32), ("cells", np.int16, (2,)), ("rng", np.uint32)]
INNER = [("units", record_dtype([("x", np.int8), ("hp", np.int16)]), (3,)), ("last", np.int8)]


def filled(fields: list[tuple[Any, ...]]) -> npt.NDArray[Any]:
    """Return two records without a zero byte."""
    records = zero_records(2, record_dtype(fields))
    records.view(np.uint8)[:] = 1 + np.arange(records.nbytes) % 250
    return records


def zeros(records: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return zero_records(len(records), records.dtype)


def assigned(records: npt.NDArray[Any]) -> npt.NDArray[Any]:
    other = zeros(records)
    for i in range(len(records)):
        other[i] = records[i]
    return other


def put(records: npt.NDArray[Any]) -> npt.NDArray[Any]:
    other = zeros(records)
    for i in range(len(records)):
        other[i].setfield(records[i], records.dtype)
    return other


def by_record(one: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a copy of each record as an array of bytes."""
    return lambda records: np.stack(
        [np.frombuffer(one(record).tobytes(), np.uint8) for record in records]
    )


COPIES: dict[str, Callable[[Any], Any]] = {
    "array": lambda records: records.copy(),
    "index": lambda records: records[np.arange(len(records))],
    "concatenate": lambda records: np.concatenate([records[:1], records[1:]]),
    "deepcopy": copy.deepcopy,
    "pickle": lambda records: pickle.loads(pickle.dumps(records)),
    "assign": assigned,
    "setfield": put,
    "record": by_record(lambda record: record.copy()),
    "record_deepcopy": by_record(copy.deepcopy),
    "record_pickle": by_record(lambda record: pickle.loads(pickle.dumps(record))),
}


@pytest.mark.parametrize("fields", [FIELDS, NO_GAPS, INNER])
@pytest.mark.parametrize("by", COPIES)
def test_copy__is_equal_byte_for_byte(fields: list[tuple[Any, ...]], by: str) -> None:
    records = filled(fields)
    assert COPIES[by](records).tobytes() == records.tobytes()


@pytest.mark.parametrize("fields", [FIELDS, NO_GAPS, INNER])
def test_record_dtype__lays_fields_out_as_numpy_does(fields: list[tuple[Any, ...]]) -> None:
    dtype, plain = record_dtype(fields), np.dtype(fields, align=True)
    assert dtype.isalignedstruct
    assert dtype.itemsize == plain.itemsize
    assert field_names(dtype) == plain.names
    assert {name: dtype.fields[name] for name in plain.names} == dict(plain.fields or {})


def test_record_dtype__adds_fields_only_for_padding() -> None:
    assert record_dtype(NO_GAPS).names == ("count", "cells", "rng")
    gaps = {"_padding_1": 3, "_padding_14": 2}
    dtype = record_dtype(FIELDS)
    assert {name: dtype[name].itemsize for name in set(dtype.names) - {*field_names(dtype)}} == gaps


def test_zero_records__are_zero_in_every_byte() -> None:
    records = zero_records(5, record_dtype(FIELDS))
    assert records.shape == (5,)
    assert records.tobytes() == bytes(records.nbytes)
