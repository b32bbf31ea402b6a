"""A template that compiles one function and keeps it on disk.

`axiom_gym.batch.driver` describes templates.
"""

from __future__ import annotations

from typing import Any

from axiom_gym.backend.null_kernel import function
from axiom_gym.kernel import entry

CACHE = False


@entry(CACHE)
def call(*args: Any) -> Any:
    """Call the function."""
    return function(*args)
