"""Kernels for callers in Python: compiled when first called, and kept on disk."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from axiom_gym.backend.codegen import compile_function


@cache
def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel, compiled."""
    return compile_function(function, f"dnd_{function.__name__}")
