from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from axiom_gym.batch.snapshot import pack, unpack
from axiom_gym.errors import StateError
from axiom_gym.kernel import record_dtype, zero_records

FACTS = {"game": "pennies", "version": 3, "options": {"stop": 64}, "num_envs": 2}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
ARRAYS = st.lists(
    hnp.arrays(
        st.sampled_from([np.int8, np.uint32, np.int64, np.float32, np.bool_]),
        hnp.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=4),
    ),
    max_size=4,
)


def saved() -> tuple[bytes, list[Any]]:
    records = zero_records(2, record_dtype([("hp", np.int8), ("rng", np.uint32)]))
    records["hp"], records["rng"] = [3, -4], [1, 2**32 - 1]
    arrays = [records, np.arange(6, dtype=np.float32).reshape(2, 3)]
    return pack(FACTS, arrays), arrays


def empty_like(arrays: list[Any]) -> list[Any]:
    return [np.zeros(array.shape, array.dtype) for array in arrays]


@given(facts=st.dictionaries(st.text(), JSON, max_size=3), arrays=ARRAYS)
def test_unpack__gives_back_what_pack_took(facts: dict[str, Any], arrays: list[Any]) -> None:
    facts = {key: value for key, value in facts.items() if key not in ("bytes", "crc")}
    found = empty_like(arrays)
    unpack(pack(facts, arrays), facts, found)
    for array, copy in zip(arrays, found, strict=True):
        assert copy.tobytes() == array.tobytes()


def test_unpack__fills_records_and_arrays_that_are_no_block() -> None:
    data, arrays = saved()
    found = empty_like(arrays)
    wide = np.zeros((2, 6), np.float32)
    unpack(data, FACTS, [found[0], wide[:, ::2]])
    assert found[0].tobytes() == arrays[0].tobytes()
    assert wide[:, ::2].tolist() == arrays[1].tolist()
    assert not wide[:, 1::2].any()


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_unpack__takes_any_bytes(kind: type[Any]) -> None:
    data, arrays = saved()
    found = empty_like(arrays)
    unpack(kind(data), FACTS, found)
    assert found[0].tobytes() == arrays[0].tobytes()


def test_unpack__takes_facts_that_json_writes_in_another_way() -> None:
    facts = {"options": {"labels": ("a", "b"), "nested": {"depth": 1}}}
    arrays = saved()[1]
    found = empty_like(arrays)
    unpack(pack(facts, arrays), facts, found)
    assert found[0].tobytes() == arrays[0].tobytes()


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ({"game": "chess"}, "has game 'pennies', but this batch has 'chess'"),
        ({"version": 4}, "has version 3, but this batch has 4"),
        ({"options": {"stop": 65}}, r"has options \{'stop': 64\}"),
        ({"num_envs": 3}, "has num_envs 2, but this batch has 3"),
        ({"further": 1}, "has further None"),
    ],
)
def test_unpack__refuses_other_facts(facts: dict[str, Any], message: str) -> None:
    data, arrays = saved()
    found = empty_like(arrays)
    with pytest.raises(StateError, match=message):
        unpack(data, {**FACTS, **facts}, found)
    assert not found[1].any()


def test_unpack__refuses_arrays_of_another_size() -> None:
    data, arrays = saved()
    found = [*empty_like(arrays), np.zeros(1, np.int8)]
    with pytest.raises(StateError, match="has 40 bytes of arrays, expected 41"):
        unpack(data, FACTS, found)


@pytest.mark.parametrize("value", [None, 3, "AXGYM3\n", [1, 2]])
def test_unpack__refuses_what_is_no_bytes(value: Any) -> None:
    with pytest.raises(StateError, match="is a bytes object"):
        unpack(value, FACTS, [])


@pytest.mark.parametrize("data", [b"", b"AXGYM2\n00000000", b"AXGYM4\n00000000", b"PK\x03\x04"])
def test_unpack__refuses_other_formats(data: bytes) -> None:
    with pytest.raises(StateError, match="not a saved state of Axiom Gym"):
        unpack(data, FACTS, [])


def test_unpack__refuses_every_truncation() -> None:
    data, arrays = saved()
    for length in range(len(data)):
        with pytest.raises(StateError):
            unpack(data[:length], FACTS, empty_like(arrays))


def test_unpack__refuses_further_bytes() -> None:
    data, arrays = saved()
    with pytest.raises(StateError, match="checksum"):
        unpack(data + b"\0", FACTS, empty_like(arrays))


@given(place=st.integers(0, len(saved()[0]) - 1), change=st.integers(1, 255))
def test_unpack__never_takes_a_damaged_byte_for_sound(place: int, change: int) -> None:
    data, arrays = saved()
    damaged = bytearray(data)
    damaged[place] ^= change
    found = empty_like(arrays)
    try:
        unpack(bytes(damaged), FACTS, found)
    except StateError:
        assert not found[1].any()
    else:
        # Damage that does not change the meaning of the header, such as a digit in upper case.
        assert found[0].tobytes() == arrays[0].tobytes()


@pytest.mark.parametrize("header", [b"[]", b"3", b"{}", b'{"bytes": 0}', b"nonsense", b"\xff"])
def test_unpack__refuses_a_header_that_is_none(header: bytes) -> None:
    data = b"AXGYM3\n" + f"{len(header):08x}".encode() + header
    with pytest.raises(StateError, match="damaged"):
        unpack(data, FACTS, [])


def test_pack__writes_a_header_that_people_can_read() -> None:
    data, _ = saved()
    length = int(data[7:15], 16)
    header = json.loads(data[15 : 15 + length])
    assert header["game"] == "pennies"
    assert header["bytes"] == len(data) - 15 - length == 40
