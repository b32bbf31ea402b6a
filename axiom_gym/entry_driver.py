"""One function compiled on its own and kept on disk. A template, as `axiom_gym.driver` is; see there."""

from __future__ import annotations

from typing import Any

import numba

from axiom_gym.null_kernel import function

CACHE = False


@numba.njit(nogil=True, cache=CACHE)
def call(*args: Any) -> Any:
    """Calls the function."""
    return function(*args)
