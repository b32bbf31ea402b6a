"""The private parts of Numba on which compiled games depend.

Numba may change them in any version. `pyproject.toml` therefore bounds its version, and
`tests/axiom_gym/backend/test_numba_internals.py` says which of them a new version has broken.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import numba
from numba import types

NO_MEMORY_RUNTIME = {"_nrt": False}
"""Kernels must not allocate, and without the memory runtime every view of an array is free.

With it, each view costs two atomic operations, a third of the time of a step. Allocating in a
kernel gives a Numba error that speaks of "NRT required", or of "returning of array".
"""

NO_PYTHON_ENTRY = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Functions that only compiled code calls need no code that unpacks the arguments of Python.

It takes an eighth of the time of compiling.
"""


def _name_in_symbols(record: types.Record) -> tuple[str, tuple[str]]:
    """Return what stands for a record's type in the names of compiled functions."""
    return "Record", (hashlib.sha256(record.name.encode()).hexdigest()[:16],)


# Numba itself puts a number there that counts the types of one process. Functions over different
# records, compiled and kept by different processes, can so have one name, and a third process that
# loads both runs the one that came first in the place of the other.
types.Record.mangling_args = property(_name_in_symbols)  # type: ignore[method-assign, assignment]


def entry_point(function: Callable[..., Any], args: tuple[Any, ...]) -> Callable[..., Any]:
    """Return the machine code compiled for the types of `args`, which checks no types.

    Looking at the types costs three microseconds for a batch, six times a step of one game.
    `function` itself is returned if it is not compiled, or was never called with these types.
    """
    overload = getattr(function, "overloads", {}).get(tuple(map(numba.typeof, args)))
    found: Callable[..., Any] = getattr(overload, "entry_point", function)
    return found
