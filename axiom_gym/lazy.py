"""Names of a package that are imported when they are first asked for (PEP 562)."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Sequence
from typing import Any


def lazy_names(
    package: str, names: Sequence[str], modules: Sequence[str]
) -> Callable[[str], object]:
    """Return the `__getattr__` of a package.

    Args:
        package: its `__name__`.
        names: the names that it exports.
        modules: full names of the modules to search, in this order; list those that import little
            first. A module may also have a name because it imports it: that is the same object.
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
