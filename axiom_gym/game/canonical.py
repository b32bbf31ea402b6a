"""Values as plain JSON: without loss for hashes, and in a readable form for actions in a replay.

The canonical form of a value does not depend on the process, on the order in which a mapping or a
set was filled, or on whether a number is Python's or NumPy's.

    None, booleans, numbers, strings       themselves
    tuples, lists and other sequences      a list
    mappings                               an object; as pairs under "@map" if a key is not a string
    sets                                   a sorted list under "@set"
    dataclasses, named tuples, objects     an object of their fields, their class under "@class"
    enums                                  class and name under "@enum"
    NumPy arrays                           shape and values under "@array"; a record by its fields

Fields of a dataclass with `compare=False` are left out. A class can define its fields by a method
`canonical_fields() -> Mapping[str, Any]`.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
from collections.abc import Mapping, Sequence, Set
from enum import Enum
from functools import cache
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from axiom_gym.errors import GameError
from axiom_gym.records import field_names


class StateHash(NamedTuple):
    """Hashes of a state that are the same in every process."""

    whole: str
    """A digest of the whole state, 16 hex digits."""
    names: tuple[str, ...] = ()
    """The state's fields in alphabetical order; empty if it has none, like a tuple or a number."""
    fields: str = ""
    """A digest of each field, 4 hex digits, one after the other."""


def state_digest(state: Any) -> str:
    """Return 16 hex digits for a state, the same in every process and for equal states.

    Raises:
        GameError: for a state with a part that has no canonical form.
    """
    return _digest(canonical(state), 8)


def hash_fields(state: Any) -> StateHash:
    """Return the digests of a state and of each field, which show where two states differ.

    Raises:
        GameError: for a state with a part that has no canonical form.
    """
    form = canonical(state)
    if not isinstance(form, dict):
        return StateHash(_digest(form, 8))
    names = tuple(sorted(name for name in form if not name.startswith("@")))
    fields = "".join(_digest(form[name], 2) for name in names)
    return StateHash(_digest(form, 8), names, fields)


def _digest(form: Any, size: int) -> str:
    return hashlib.blake2b(_dump(form).encode(), digest_size=size).hexdigest()


def _dump(form: Any) -> str:
    return json.dumps(form, sort_keys=True, separators=(",", ":"))


def canonical(value: Any) -> Any:
    """Return the canonical form of a value, which consists of JSON values only.

    Raises:
        GameError: for a value that has none, such as a function or a generator, or that contains
            itself.
    """
    try:
        return _form(value)
    except RecursionError:
        raise GameError(
            f"a {type(value).__name__} has no canonical form: it contains itself, or is nested too "
            "deep; leave the reference out with dataclasses.field(compare=False)."
        ) from None


def _form(value: Any) -> Any:
    if value is None or type(value) in (bool, int, str):
        return value
    if isinstance(value, Enum):
        return {"@enum": [type(value).__name__, value.name]}
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else {"@float": repr(float(value))}
    if isinstance(value, int | str):
        return int(value) if isinstance(value, int) else str(value)
    if isinstance(value, np.ndarray | np.generic):
        return _array(value)
    if isinstance(value, bytes | bytearray):
        return {"@bytes": bytes(value).hex()}
    fields = _fields(value)
    if fields is not None:
        return {"@class": type(value).__name__, **_object(fields)}
    if isinstance(value, Mapping):
        return _object(value)
    if isinstance(value, Set):
        return {"@set": sorted(map(_form, value), key=_dump)}
    if isinstance(value, Sequence):
        return [_form(entry) for entry in value]
    return {"@class": type(value).__name__, **_object(_attributes(value))}


def _object(entries: Mapping[Any, Any]) -> dict[str, Any]:
    """Return entries by name; as pairs if a key is not a string, or starts like a mark with @."""
    if all(type(key) is str and not key.startswith("@") for key in entries):
        return {key: _form(value) for key, value in entries.items()}
    pairs = [[_form(key), _form(value)] for key, value in entries.items()]
    return {"@map": sorted(pairs, key=_dump)}


def _array(value: Any) -> Any:
    """Return an array by its values, without its dtype, which may depend on the machine."""
    if value.dtype.names is not None and value.ndim == 0:
        return {"@record": {name: _form(value[name]) for name in field_names(value.dtype)}}
    if value.ndim == 0:
        item = value.item()
        return _refuse(value) if isinstance(item, np.generic | np.ndarray) else _form(item)
    entries = [_form(entry) for entry in value.ravel()]
    return {"@array": [list(value.shape), entries]}


def _fields(value: Any) -> Mapping[str, Any] | None:
    """Return the fields of a value, None if its class does not declare any."""
    if isinstance(value, type):
        return None
    if hasattr(value, "canonical_fields"):
        declared: Mapping[str, Any] = value.canonical_fields()
        return declared
    if dataclasses.is_dataclass(value):
        return {name: getattr(value, name) for name in _compared(value.__class__)}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return dict(zip(value._fields, value, strict=True))
    return None


@cache
def _compared(kind: type) -> tuple[str, ...]:
    """Return the names of a dataclass's fields that take part in comparisons."""
    return tuple(field.name for field in dataclasses.fields(kind) if field.compare)


def _attributes(value: Any) -> Mapping[str, Any]:
    """Return the attributes of an object whose class is written in Python."""
    if callable(value) or isinstance(value, ModuleType):
        _refuse(value)
    try:
        state = value.__getstate__()
    except TypeError:
        _refuse(value)
    if state is None and hasattr(value, "__dict__"):
        return {}
    # With slots, the state is a pair of the dict, or None, and the slots.
    parts = state if isinstance(state, tuple) else (state,)
    if state is None or not all(part is None or isinstance(part, dict) for part in parts):
        _refuse(value)
    return {name: entry for part in parts if part for name, entry in part.items()}


def _refuse(value: Any) -> Any:
    raise GameError(
        f"a {type(value).__name__} has no canonical form; states and actions are made of "
        "dataclasses, mappings, sequences, sets, enums, numbers, strings and NumPy arrays. Leave "
        "it out with dataclasses.field(compare=False), or give the class canonical_fields()."
    )


def to_json(value: Any) -> Any:
    """Return a value as readable JSON: a dataclass by its fields, an enum by its value.

    Raises:
        GameError: for a value that JSON cannot represent.
    """
    if value is None or type(value) in (bool, int, str):
        return value
    if isinstance(value, Enum):
        return to_json(value.value)
    if isinstance(value, float) and math.isfinite(value):
        return float(value)
    if isinstance(value, int | str):
        return int(value) if isinstance(value, int) else str(value)
    if isinstance(value, np.ndarray | np.generic) and value.dtype.kind in "biufU":
        return to_json(value.tolist())
    fields = None if isinstance(value, tuple) else _fields(value)
    if fields is None and isinstance(value, Mapping):
        fields = value
    if fields is not None and all(isinstance(key, str) for key in fields):
        return {key: to_json(entry) for key, entry in fields.items()}
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        return [to_json(entry) for entry in value]
    raise GameError(
        f"{value!r} cannot be written as JSON; use dataclasses, mappings with string keys, "
        "sequences, enums, finite numbers and strings, or give the game encode_action() and "
        "decode_action()."
    )
