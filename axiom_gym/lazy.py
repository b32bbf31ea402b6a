"""Names and submodules of a package that are imported at their first use (PEP 562)."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Sequence
from typing import Any


def lazy_names(
    package: str, names: Sequence[str], modules: Sequence[str]
) -> Callable[[str], object]:
    """Return a `__getattr__` that imports the names of a package at their first use.

    Args:
        package: the package's `__name__`.
        names: the names that the package exports.
        modules: the full names of the modules to search, in this order. A name comes from the first
            module that defines or imports it, so list modules with few imports first.
    """

    def find(name: str) -> Any:
        if name in names:
            for module in modules:
                home = importlib.import_module(module)
                if hasattr(home, name):
                    setattr(sys.modules[package], name, getattr(home, name))
                    return getattr(home, name)
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return find


def lazy_modules(package: str, modules: Sequence[str]) -> Callable[[str], object]:
    """Return a `__getattr__` that imports the submodules of a package at their first use.

    Args:
        package: the package's `__name__`.
        modules: the names of the submodules, relative to the package.
    """

    def find(name: str) -> Any:
        if name in modules:
            return importlib.import_module(f"{package}.{name}")
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return find
