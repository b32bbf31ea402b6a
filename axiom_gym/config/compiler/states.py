"""Symbolic mappings: the state, its cooldowns, and the parts of it that are not compiled."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from axiom_gym.config.compiler.graph import Graph
from axiom_gym.config.compiler.nodes import Node
from axiom_gym.config.compiler.scheme import ABSENT
from axiom_gym.config.compiler.symbols import as_node


class Opaque:
    """A part of the state that compiled rules cannot read, but may return unchanged."""

    __slots__ = ("graph", "message")

    def __init__(self, graph: Graph, message: str) -> None:
        self.graph = graph
        self.message = message

    def _refuse(self, *_: Any) -> NoReturn:
        raise self.graph.refuse(self.message)

    __bool__ = __len__ = __iter__ = __getitem__ = __contains__ = __eq__ = __hash__ = _refuse
    __add__ = __radd__ = __or__ = __ror__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse
    __str__ = __format__ = __call__ = __sub__ = __mul__ = __truediv__ = _refuse

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        self._refuse()


class SymbolicMapping(Mapping[str, Any]):
    """A read-only mapping of symbols, in place of the interpreter's mapping of values.

    Args:
        graph: the graph of the symbols.
        names: the keys that always exist.
        find: a function name -> value, which raises KeyError or TraceError.
    """

    def __init__(self, graph: Graph, names: list[str], find: Callable[[str], Any]) -> None:
        self._graph = graph
        self._names = names
        self._find = find

    def __getitem__(self, name: str) -> Any:
        return self._find(name)

    def get(self, name: str, default: Any = None) -> Any:
        try:
            return self._find(name)
        except KeyError:
            return default

    def __contains__(self, name: object) -> bool:
        try:
            self._find(str(name))
        except KeyError:
            return False
        return True

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __bool__(self) -> bool:
        return len(self) > 0

    def __or__(self, other: Mapping[str, Any]) -> dict[str, Any]:
        return {**self, **other}

    def __ror__(self, other: Mapping[str, Any]) -> dict[str, Any]:
        return {**other, **self}

    def copy(self) -> dict[str, Any]:
        return dict(self)

    def __setitem__(self, name: str, value: Any) -> NoReturn:
        raise self._graph.refuse(
            f"writes to s[{name!r}]; return the change instead, {{{name!r}: ...}}."
        )

    def __eq__(self, other: object) -> bool:
        raise self._graph.refuse(
            "compares a complete state or its cooldowns; compare the fields that matter."
        )

    __hash__ = None  # type: ignore[assignment]


class SymbolicState(SymbolicMapping):
    """A symbolic state; effects may add fields that the initial state does not have."""

    params: SymbolicMapping

    def __init__(
        self, graph: Graph, names: list[str], find: Callable[[str], Any], new: set[str]
    ) -> None:
        super().__init__(graph, names, find)
        self._new = new

    def __iter__(self) -> Iterator[str]:
        return iter(self._complete())

    def __len__(self) -> int:
        return len(self._complete())

    def keys(self) -> Any:
        """Return the names of the initial state, for `{**s}`, which may omit added fields."""
        return dict.fromkeys(self._names).keys()

    def _complete(self) -> list[str]:
        if self._new:
            raise self._graph.refuse(
                f"iterates over all fields, but effects add {sorted(self._new)}; add these to the "
                "initial state, or name the fields one by one."
            )
        return self._names


class Cooldowns(SymbolicMapping):
    """The symbolic `s["cooldowns"]`, whose entries may be missing: paths decide which are there."""

    def _has(self, name: object) -> bool:
        if name not in self._names:
            return False
        expiry = self._find(str(name))
        absent = self._graph.constant(ABSENT)
        return self._graph.decide(self._graph.apply("!=", as_node(self._graph, expiry), absent))

    def __getitem__(self, name: str) -> Any:
        if not self._has(name):
            raise KeyError(name)
        return self._find(name)

    def get(self, name: str, default: Any = None) -> Any:
        return self._find(name) if self._has(name) else default

    def __contains__(self, name: object) -> bool:
        return self._has(name)

    def __iter__(self) -> Iterator[str]:
        return iter([name for name in self._names if self._has(name)])

    def __len__(self) -> int:
        return len(list(iter(self)))

    def keys(self) -> Any:
        return dict.fromkeys(self).keys()


Bindings = dict[str, Node]
"""Nodes by name."""


@dataclass(frozen=True, slots=True)
class View:
    """A symbolic state, as a mapping for callables and as nodes for the compiler."""

    mapping: SymbolicMapping
    node: Callable[[str], Node | None]
    """A function from a field's name to its node, or None if it is not compiled."""
    cooldowns: Callable[[], Bindings]
    """A function that returns the node of the tick at which each cooldown ends, by event id."""
    names: list[str]
    """The names of the fields of the initial state."""
    params: Bindings
    """The nodes of the parameters, by name."""
    versions: tuple[int, ...]
    """The versions of all fields: two views with the same ones are equal."""
