"""Support for old names, which keep working for one minor version and warn when they are used."""

from __future__ import annotations

import functools
import sys
import warnings
from collections.abc import Callable, Mapping
from typing import Any


def warn_renamed(old: str, new: str, stacklevel: int = 3) -> None:
    """Warn that a name has changed.

    Args:
        old: the name that was used.
        new: the name to use instead.
        stacklevel: the argument of `warnings.warn`, counted from here; 3 means the caller's caller.
    """
    message = f"{old} is now {new}; the old name will be removed in the next minor version."
    warnings.warn(message, DeprecationWarning, stacklevel=stacklevel)


def renamed_names(module: str, names: Mapping[str, str]) -> Callable[[str], Any]:
    """Return a `__getattr__` for a module in which old names still work.

    Args:
        module: the module's `__name__`.
        names: old name -> new name.
    """

    def find(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        warn_renamed(f"{module}.{name}", f"{module}.{names[name]}")
        return getattr(sys.modules[module], names[name])

    return find


def renamed_fields(**names: str) -> Callable[[type[Any]], Any]:
    """Return a decorator for a class whose constructor and instances still accept old field names.

    Args:
        **names: old name = new name.
    """

    def decorate(cls: type[Any]) -> type[Any]:
        make = cls.__init__

        @functools.wraps(make)
        def init(self: Any, *args: Any, **given: Any) -> None:
            for old in names.keys() & given.keys():
                warn_renamed(f"{cls.__name__}({old}=...)", f"{cls.__name__}({names[old]}=...)")
                given[names[old]] = given.pop(old)
            make(self, *args, **given)

        cls.__init__ = init
        renamed_members(**names)(cls)
        return cls

    return decorate


def renamed_members(**names: str) -> Callable[[type[Any]], Any]:
    """Return a decorator for a class whose instances still have old names of members.

    Args:
        **names: old name = new name.
    """

    def decorate(cls: type[Any]) -> type[Any]:
        for old, new in names.items():
            setattr(cls, old, _renamed_member(cls.__name__, old, new))
        return cls

    return decorate


def _renamed_member(owner: str, old: str, new: str) -> property:
    """Return a property that reads a member by its old name."""

    def get(self: Any) -> Any:
        warn_renamed(f"{owner}.{old}", f"{owner}.{new}")
        return getattr(self, new)

    return property(get)
