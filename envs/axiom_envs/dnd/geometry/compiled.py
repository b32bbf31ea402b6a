"""Kernels for callers in Python: compiled at the first call, and cached on disk."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from axiom_gym.backend.codegen import compile_function


@cache
def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a kernel in compiled form."""
    return compile_function(function, f"dnd_{function.__name__}")
