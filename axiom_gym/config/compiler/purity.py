"""Pictures of everything that a callable can remember from call to call.

A rule must not change what outlives its call: global variables, closures, default arguments, the
object of a method, its context. A picture of these before the first call and one after the last are
equal if nothing was changed. Generators of random numbers and iterators are refused at sight,
because they change without a trace.
"""

from __future__ import annotations

import array
import functools
import os
import random
import sys
from collections import deque
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from axiom_gym.config.compiler.graph import Graph
from axiom_gym.config.compiler.substitutes import SUBSTITUTES
from axiom_gym.config.compiler.symbols import Symbol

_GENERATORS = (random.Random, np.random.Generator, np.random.RandomState, np.random.BitGenerator)
_SCALARS = (bool, int, float, complex, str, bytes)
_LISTS = (list, tuple, deque)
_BUFFERS = (bytearray, memoryview, array.array)
_LIBRARY = str(Path(os.__file__).parent)
_MOST = 200_000
"""The number of objects in the pictures of one callable."""


class Memory:
    """The pictures of what one callable can remember.

    Args:
        graph: the graph, for refusals.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._pictures: dict[tuple[int, str], tuple[Any, Any, Any]] = {}
        self._count = 0

    def note(self, owner: Any, name: str, value: Any) -> None:
        """Take a picture of a value, unless there is one.

        Args:
            owner: the object that holds the value, whose identity matters; if it is a dict of
                variables, the name must also keep its value.
            name: the name of the value in the owner, for messages.
            value: the value.

        Raises:
            TraceError: for a generator of random numbers or an iterator.
        """
        key = (id(owner), name)
        if key not in self._pictures:
            self._pictures[key] = (owner, value, self._picture(value, name, {}))

    def compare(self) -> None:
        """Check that nothing has changed.

        Raises:
            TraceError: for the first value that has; names it.
        """
        for (_, name), (owner, value, before) in self._pictures.items():
            now = owner.get(name, value) if isinstance(owner, dict) else value
            if _is_substitute(value, now):
                now = value
            if self._picture(now, name, {}) != before:
                raise self._graph.refuse(
                    f"changes {name}, which lasts from call to call; return the change, and keep "
                    "it in a field of the state."
                )

    def _picture(self, value: Any, name: str, seen: dict[int, int]) -> Any:
        if type(value) is Symbol:
            return id(value.node)
        if value is None or type(value) in _SCALARS:
            return (type(value), repr(value))
        self._refuse_sources(value, name)
        if isinstance(value, (ModuleType, BuiltinFunctionType)):
            return id(value)
        if id(value) in seen or self._count > _MOST:
            return seen.get(id(value), len(seen))
        seen[id(value)] = len(seen)
        self._count += 1
        if isinstance(value, np.ndarray) and not value.dtype.hasobject:
            return (value.shape, value.tobytes())
        if isinstance(value, _BUFFERS):
            return (id(value), bytes(value))
        parts = [(key, self._picture(part, name, seen)) for key, part in _parts(value)]
        return (id(value), parts)

    def _refuse_sources(self, value: Any, name: str) -> None:
        if isinstance(value, _GENERATORS) or value is np.random:
            raise self._graph.refuse(
                f"uses {name!r} for random numbers of its own; in a compiled game only events are "
                "random."
            )
        if isinstance(value, Iterator) and not isinstance(value, type):
            raise self._graph.refuse(
                f"uses {name!r}, an iterator, which changes when it is read; make a list of it."
            )


def _is_substitute(value: Any, original: Any) -> bool:
    """Return True if a name held a substitute while the callable was traced."""
    return SUBSTITUTES.get(id(original)) is value or getattr(original, "__wrapped__", None) is value


def _parts(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield what an object holds, with a key for each."""
    if isinstance(value, type):
        yield from _parts_of_class(value)
        return
    if isinstance(value, Mapping):
        for number, (key, part) in enumerate(value.items()):
            yield (number, 0), key
            yield (number, 1), part
    elif isinstance(value, (set, frozenset)):
        yield from enumerate(sorted(value, key=repr))
    elif isinstance(value, _LISTS):
        yield from enumerate(value)
    elif isinstance(value, np.ndarray):
        yield "entries", value.tolist()
    elif isinstance(value, MethodType):
        yield from (("self", value.__self__), ("function", value.__func__))
    elif isinstance(value, functools.partial):
        yield from (("function", value.func), ("args", value.args), ("named", value.keywords))
    elif isinstance(value, property):
        yield "function", value.fget
    elif isinstance(value, FunctionType):
        for name, cell in zip(value.__code__.co_freevars, value.__closure__ or (), strict=True):
            yield name, _content(cell)
        yield from (("defaults", value.__defaults__), ("named", value.__kwdefaults__))
    for base in _SCALARS:
        if isinstance(value, base):  # of a subclass, such as a member of an IntEnum
            yield base, base.__repr__(value)
    yield from _attributes(value)


def _attributes(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the attributes of an object, and its class unless it is one of a library."""
    yield from getattr(value, "__dict__", {}).items()
    for kind in type(value).__mro__:
        slots = vars(kind).get("__slots__", ())
        for slot in (slots,) if isinstance(slots, str) else slots:
            private = slot.startswith("__") and not slot.endswith("__")
            name = f"_{kind.__name__.lstrip('_')}{slot}" if private else slot
            if hasattr(value, name):
                yield name, getattr(value, name)
    if not is_library(type(value).__module__):
        yield "class", type(value)


def _parts_of_class(kind: type) -> Iterator[tuple[Any, Any]]:
    """Yield the attributes and methods of a class and of its bases."""
    for number, one in enumerate(kind.__mro__):
        if not is_library(one.__module__):
            for name, part in vars(one).items():
                special = name.startswith("__") and name.endswith("__")
                if not special or isinstance(part, FunctionType):
                    yield (number, name), part


def is_library(module: str) -> bool:
    """Return True for modules of Python, NumPy and this package, which keep no state of rules."""
    package = module.partition(".")[0]
    if package in ("numpy", "axiom_gym"):
        return True
    path = getattr(sys.modules.get(module), "__file__", None)  # a game can have any name
    is_named = package in sys.stdlib_module_names and package != "__main__"
    return is_named and (path is None or path.startswith(_LIBRARY))


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # not assigned yet
        return None
