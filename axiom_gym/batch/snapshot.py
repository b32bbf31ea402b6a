"""Snapshots: the state of a batch as bytes.

Layout: the magic line `AXGYM3`, the length of the header as 8 hex digits, the header as JSON, then
the memory of each array. The header holds game, version, options, sizes and a CRC-32 of the arrays,
so that bytes of another game and damaged bytes are refused.
"""

from __future__ import annotations

import dataclasses
import json
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_gym.batch.records import GameRecords
from axiom_gym.errors import StateError

_MAGIC = b"AXGYM3\n"
"""The digit increases when this layout changes, or the set of saved arrays."""
_DIGITS = 8


def save(records: GameRecords) -> bytes:
    """Return all games with their episodes and generators as bytes."""
    return pack(_find_facts(records), _find_arrays(records))


def restore(records: GameRecords, data: bytes) -> None:
    """Copy saved bytes into the buffers, all or nothing, without observations and masks.

    Raises:
        StateError: as for `unpack`.
    """
    unpack(data, _find_facts(records), _find_arrays(records))


def _find_facts(records: GameRecords) -> dict[str, Any]:
    """Return the facts that must be equal in the batches that save and restore."""
    return {
        "game": records.game.info.name,
        "version": records.game.info.version,
        "options": dataclasses.asdict(records.config),
        "num_envs": records.num_envs,
    }


def _find_arrays(records: GameRecords) -> list[npt.NDArray[Any]]:
    names = ("states", "episodes", "cycles", "streams", "rewards", "terminated", "truncated")
    return [getattr(records.buffers, name) for name in names]


def pack(facts: dict[str, Any], arrays: Sequence[npt.NDArray[Any]]) -> bytes:
    """Return a header with `facts` (plain JSON values), followed by the bytes of `arrays`."""
    body = b"".join(array.tobytes() for array in arrays)
    header = json.dumps(
        {**facts, "bytes": len(body), "crc": zlib.crc32(body)}, sort_keys=True
    ).encode()
    return b"".join((_MAGIC, f"{len(header):0{_DIGITS}x}".encode(), header, body))


def unpack(data: bytes, facts: dict[str, Any], arrays: Sequence[npt.NDArray[Any]]) -> None:
    """Copy saved bytes into `arrays`, all or nothing.

    Raises:
        StateError: if the bytes are damaged, or their facts differ from `facts`; the message names
            the first difference.
    """
    header, body = _split(data)
    for key, expected in json.loads(json.dumps(facts)).items():
        if header.get(key) != expected:
            raise StateError(
                f"saved state has {key} {header.get(key)!r}, but this batch has {expected!r}."
            )
    expected = sum(array.nbytes for array in arrays)
    if len(body) != expected:
        raise StateError(f"saved state has {len(body)} bytes of arrays, expected {expected}.")
    offset = 0
    for array in arrays:
        part = np.frombuffer(body, dtype=array.dtype, count=array.size, offset=offset)
        array[...] = part.reshape(array.shape)
        offset += array.nbytes


def _split(data: bytes) -> tuple[dict[str, Any], bytes]:
    """Return the header and the array bytes of a snapshot, after checking both."""
    if not isinstance(data, bytes | bytearray | memoryview):
        raise StateError(f"a saved state is a bytes object, got {type(data).__name__}.")
    data = bytes(data)
    start = len(_MAGIC) + _DIGITS
    if not data.startswith(_MAGIC):
        raise StateError(
            "these bytes are not a saved state of Axiom Gym, or have another format; get them from "
            "`get_state()` of this version."
        )
    try:
        length = int(data[len(_MAGIC) : start], 16)
        header = json.loads(data[start : start + length])
        body = data[start + length :]
        sound = header["bytes"] == len(body) and header["crc"] == zlib.crc32(body)
    except (ValueError, KeyError, TypeError) as error:
        raise StateError(f"saved state is damaged: its header cannot be read ({error}).") from error
    if not sound:
        raise StateError("saved state is damaged or cut short: its checksum does not fit.")
    return header, body
