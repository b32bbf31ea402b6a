"""Pictures of everything that a callable can remember from call to call.

A rule must not change what outlives its call: global variables, closures, default arguments, the
object of a method, its context. A picture of these before the first call and one after the last are
equal if nothing was changed. Generators of random numbers and iterators are refused at sight,
because they change without a trace.
"""

from __future__ import annotations

import enum
import functools
import random
from collections import deque
from collections.abc import Iterator, Mapping
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from axiom_gym.config.compiler.graph import Graph
from axiom_gym.config.compiler.symbols import Symbol

_GENERATORS = (random.Random, np.random.Generator, np.random.RandomState, np.random.BitGenerator)
_SCALARS = (bool, int, float, complex, str, bytes, enum.Enum)
_LISTS = (list, tuple, set, frozenset, deque)
_MOST = 200_000
"""The number of objects in the pictures of one callable."""


class Memory:
    """The pictures of what one callable can remember.

    Args:
        graph: the graph, for refusals.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._pictures: dict[tuple[int, str], tuple[Any, Any]] = {}
        self._count = 0

    def note(self, owner: Any, name: str, value: Any) -> None:
        """Take a picture of a value, unless there is one.

        Args:
            owner: the object that holds the value, whose identity matters.
            name: the name of the value in the owner, for messages.
            value: the value.

        Raises:
            TraceError: for a generator of random numbers or an iterator.
        """
        key = (id(owner), name)
        if key not in self._pictures:
            self._pictures[key] = (value, self._picture(value, name, {}))

    def compare(self) -> None:
        """Check that nothing has changed.

        Raises:
            TraceError: for the first value that has; names it.
        """
        for (_, name), (value, before) in self._pictures.items():
            if self._picture(value, name, {}) != before:
                raise self._graph.refuse(
                    f"changes {name}, which lasts from call to call; return the change, and keep "
                    "it in a field of the state."
                )

    def _picture(self, value: Any, name: str, seen: dict[int, int]) -> Any:
        if type(value) is Symbol:
            return id(value.node)
        if value is None or isinstance(value, _SCALARS):
            return (type(value), repr(value))
        self._refuse_sources(value, name)
        if isinstance(value, (ModuleType, BuiltinFunctionType)):
            return id(value)
        if id(value) in seen or self._count > _MOST:
            return seen.get(id(value), len(seen))
        seen[id(value)] = len(seen)
        self._count += 1
        if isinstance(value, np.ndarray):
            return (value.shape, value.tobytes())
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


def _parts(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield what an object holds, with a key for each."""
    if isinstance(value, Mapping):
        for number, (key, part) in enumerate(value.items()):
            yield (number, 0), key
            yield (number, 1), part
    elif isinstance(value, (set, frozenset)):
        yield from enumerate(sorted(value, key=repr))
    elif isinstance(value, _LISTS):
        yield from enumerate(value)
    elif isinstance(value, MethodType):
        yield from (("self", value.__self__), ("function", value.__func__))
    elif isinstance(value, functools.partial):
        yield from (("function", value.func), ("args", value.args), ("named", value.keywords))
    elif isinstance(value, FunctionType):
        for name, cell in zip(value.__code__.co_freevars, value.__closure__ or (), strict=True):
            yield name, _content(cell)
        yield from (("defaults", value.__defaults__), ("named", value.__kwdefaults__))
    elif isinstance(value, type):
        yield from (
            (key, part)
            for key, part in vars(value).items()
            if isinstance(part, (*_SCALARS, list, dict, set))
        )
    else:
        yield from getattr(value, "__dict__", {}).items()
        for kind in type(value).__mro__:
            for name in getattr(kind, "__slots__", ()):
                if hasattr(value, name):
                    yield name, getattr(value, name)


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # not assigned yet
        return None
