"""One function compiled on its own and kept on disk.

A template, as `axiom_gym.batch.driver` is; see there.
"""

from __future__ import annotations

from typing import Any

from axiom_gym.backend.null_kernel import function
from axiom_gym.kernel import entry

CACHE = False


@entry(CACHE)
def call(*args: Any) -> Any:
    """Calls the function."""
    return function(*args)
