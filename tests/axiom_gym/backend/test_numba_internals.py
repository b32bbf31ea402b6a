"""Canary tests: each one names the private part of Numba that a new version has broken."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest

from axiom_gym.backend import numba_internals
from axiom_gym.kernel import record_dtype

pytestmark = pytest.mark.compiled_only

VERSION = f"Numba {numba.__version__}"
WHERE = "see axiom_gym/backend/numba_internals.py"


def allocate(n: int) -> float:
    return float(np.zeros(n).sum())


def first(record: Any) -> int:
    return int(record.x)


@pytest.mark.parametrize("flags", ["NO_MEMORY_RUNTIME", "NO_PYTHON_ENTRY"])
def test_flags__are_known(flags: str) -> None:
    compiled = numba.njit(**getattr(numba_internals, flags))(first)
    try:
        compiled.compile((numba.typeof(np.zeros(1, record_dtype([("x", np.int32)]))[0]),))
    except KeyError as error:
        pytest.fail(f"{VERSION} does not know a flag of {flags}: {error}; {WHERE}.")


def test_no_memory_runtime__forbids_to_allocate() -> None:
    try:
        numba.njit(**numba_internals.NO_MEMORY_RUNTIME)(allocate)(3)
    except numba.core.errors.NumbaError:
        return
    pytest.fail(f"{VERSION} lets kernels allocate in spite of NO_MEMORY_RUNTIME; {WHERE}.")


def test_records__are_named_by_their_fields() -> None:
    compiled = numba.njit(first)
    record = np.zeros(1, record_dtype([("x", np.int32), ("rng", np.uint32)]))[0]
    assert compiled(record) == 0
    (code,) = compiled.inspect_llvm().values()
    _, (digest,) = numba_internals._name_in_symbols(numba.typeof(record))
    assert digest in code, (
        f"{VERSION} does not take the names of records from `Record.mangling_args`: functions of "
        f"different games, loaded from the cache, could take each other's place; {WHERE}."
    )


def test_entry_point__checks_no_types() -> None:
    compiled = numba.njit(abs_of := lambda number: abs(number))
    assert numba_internals.entry_point(abs_of, (-3,)) is abs_of
    assert numba_internals.entry_point(compiled, (-3,)) is compiled
    assert compiled(-3) == 3
    found = numba_internals.entry_point(compiled, (-3,))
    assert found is not compiled, (
        f"{VERSION} keeps no `overloads[types].entry_point`: each step would look at the types of "
        f"its arguments, six times the time of a step; {WHERE}."
    )
    assert found(-4) == 4
