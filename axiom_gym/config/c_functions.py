"""Functions of the C library for kernels, with the bits that Python's `math` gives.

Numba's own forms may be folded, vectorized, or replaced (`pow(x, 2.0)` by `x * x`), and then differ
in the last bit. Compiled kernels therefore call the library that Python uses, under names that LLVM
does not know. Code that was compiled and kept by another process finds the names as well, because
it imports this module.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import llvmlite.binding
from numba import types
from numba.extending import overload

from axiom_gym.backend.numba_internals import NO_MEMORY_RUNTIME, NO_PYTHON_ENTRY
from axiom_gym.config.c_library import ARITIES, FUNCTIONS, find

_FLAGS: Any = {**NO_MEMORY_RUNTIME, **NO_PYTHON_ENTRY}


def _provide(name: str) -> Callable[..., float]:
    """Return a function for kernels, compiled or as plain Python."""
    function, found = FUNCTIONS[f"c_{name}"], find(name)
    if found is not None:
        symbol = f"axiom_gym_c_{name}"
        llvmlite.binding.add_symbol(symbol, ctypes.cast(found, ctypes.c_void_p).value)
        signature = types.float64(*[types.float64] * ARITIES[name])
        external = types.ExternalFunction(symbol, signature)
        choose = _with_one if ARITIES[name] == 1 else _with_two
        overload(function, jit_options=_FLAGS)(choose(external))
    return function


# Numba compares the names and annotations of both functions.


def _with_one(external: Any) -> Any:
    return lambda x: lambda x: external(x)


def _with_two(external: Any) -> Any:
    return lambda x, y: lambda x, y: external(x, y)


c_exp = _provide("exp")
c_log = _provide("log")
c_log2 = _provide("log2")
c_log10 = _provide("log10")
c_sin = _provide("sin")
c_cos = _provide("cos")
c_tan = _provide("tan")
c_pow = _provide("pow")
