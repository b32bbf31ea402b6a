"""The tracer, which calls a config's callables with symbols and tracks the versions of fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from axiom_gym.config.calls import takes_context
from axiom_gym.config.compiler.call import Call
from axiom_gym.config.compiler.graph import Graph
from axiom_gym.config.compiler.merge import merge_value
from axiom_gym.config.compiler.nodes import Check, Node, reads
from axiom_gym.config.compiler.paths import Leaf, Tree, all_checks, leaves
from axiom_gym.config.compiler.scheme import TICK, Field, Scheme, cooldown_key, parameter_key
from axiom_gym.config.compiler.states import (
    Bindings,
    Cooldowns,
    Opaque,
    SymbolicMapping,
    SymbolicState,
    View,
)
from axiom_gym.config.compiler.symbols import Symbol, as_node, symbol
from axiom_gym.config.definitions import GameConfig
from axiom_gym.config.derived import rules_with_cooldown
from axiom_gym.config.parameters import Values
from axiom_gym.errors import TraceError


@dataclass(frozen=True, slots=True)
class Traced:
    """All paths through one callable: its arguments, and the tree of its results."""

    place: str
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    """The arguments, with a `View` for a state."""
    tree: Tree

    @property
    def results(self) -> list[Any]:
        """The results of all paths that do not raise an exception."""
        return [leaf.result for leaf in leaves(self.tree) if leaf.raised is None]

    @property
    def checks(self) -> list[Check]:
        """The checks of all paths."""
        return list(all_checks(self.tree))


class Tracer:
    """The tracer of one pass over a config.

    Attributes:
        config: the config.
        graph: the nodes.
        fields: the fields of the compiled state.
        scheme: the facts about fields, which this pass extends for the next one.
        versions: the current version of each field; each change makes a new one.
        calls: all traced calls.
    """

    def __init__(self, config: GameConfig, scheme: Scheme, fields: dict[str, Field]) -> None:
        self.config = config
        self.scheme = scheme
        self.fields = fields
        self.graph = Graph()
        self.versions = dict.fromkeys(fields, 0)
        self.calls: list[Traced] = []
        self._traced: dict[tuple[Any, ...], Traced] = {}
        self._changes = 0
        self._fixed: dict[str, Any] = {}
        self._influences: dict[str, set[str]] = {}
        self._needed: set[str] = set()
        self._own = {key for key in fields if key == TICK or not key.startswith("<")}
        self._names = list(dict.fromkeys([*scheme.start, *filter(self._own.__contains__, fields)]))
        keys = {event.id: cooldown_key(event) for event in rules_with_cooldown(config)}
        self._cooldown_keys = {id: key for id, key in keys.items() if key in fields}

    # -- fields ------------------------------------------------------------------------------------

    def current(self, key: str) -> Node:
        """Return the node of a field's value at this point."""
        return self._node(key, self.versions[key])

    def _node(self, key: str, version: int) -> Node:
        field = self.fields[key]
        options = frozenset(field.options)
        return self.graph.read(
            key, version, field.kind, field.low, field.high, options, field.mixed
        )

    def change(self, key: str) -> None:
        """Give a field a new version."""
        self._changes += 1
        self.versions[key] = self._changes

    def merge(self, before: Mapping[str, int]) -> None:
        """Give new versions to the fields that a conditional block changed."""
        for key, version in before.items():
            if self.versions[key] != version:
                self.change(key)

    # -- what depends on what ----------------------------------------------------------------------

    def need(self, *nodes: Node) -> None:
        """Note that the game depends on these nodes."""
        self._needed |= reads(nodes)

    def influence(self, key: str, node: Node) -> None:
        """Note that a field's value depends on a node."""
        self._influences.setdefault(key, set()).update(reads([node]))

    def live(self) -> set[str]:
        """Return the fields that are observed or needed, and all fields that they depend on."""
        roles = ("attribute", "choice", "cooldown", "engine")
        live = {TICK, *self._needed}
        live |= {key for key, field in self.fields.items() if field.role in roles}
        waiting = list(live)
        while waiting:
            for key in self._influences.get(waiting.pop(), set()) - live:
                live.add(key)
                waiting.append(key)
        return live & set(self.fields)

    # -- symbolic states ---------------------------------------------------------------------------

    def view(self, versions: Mapping[str, int] | None = None) -> View:
        """Return the symbolic state at this point.

        Args:
            versions: the version of each field; by default the current ones.
        """
        chosen = self.versions if versions is None else versions
        held = dict(chosen)  # a copy, because `versions` changes later
        cooldowns = self._cooldowns(held)

        def node(key: str) -> Node | None:
            return self._node(key, held[key]) if key in self._own else None

        def find(key: str) -> Any:
            found = node(key)
            if found is not None:
                return symbol(self.graph, found)
            if key == "cooldowns":
                return cooldowns
            fixed = self._uncompiled()
            return fixed[key] if key in fixed else self._find_other(key)

        def expiries() -> Bindings:
            return {id: self._node(key, held[key]) for id, key in self._cooldown_keys.items()}

        new = self.scheme.assigned.difference(self._names)
        keys = {name: parameter_key(name) for name in self.config.parameters}
        params = Values({name: self._node(key, 0) for name, key in keys.items()})
        mapping = SymbolicState(self.graph, self._names, find, new)
        mapping.params = SymbolicMapping(
            self.graph, list(params), lambda name: symbol(self.graph, params[name])
        )
        return View(mapping, node, expiries, self._names, params, tuple(held.values()))

    def _uncompiled(self) -> dict[str, Any]:
        """Return opaque values for the parts of the state that compiled code does not have."""
        if not self._fixed:
            for key, value in self.scheme.start.items():
                if key in ("history", "meta"):
                    message = (
                        f"reads s[{key!r}], which compiled games do not have; keep the facts that "
                        "rules need in a field of the state: a number, a bool, or a Choice."
                    )
                else:
                    message = (
                        f"reads s[{key!r}], which starts as {value!r}; compiled fields are numbers "
                        "and bools, and strings or None declared in `choices` as Choice(...)."
                    )
                self._fixed[key] = Opaque(self.graph, message)
        return self._fixed

    def _find_other(self, key: str) -> Any:
        """Raise the error for a key that the initial state does not have."""
        if key in self.scheme.assigned:
            raise self.graph.refuse(
                f"s[{key!r}] is set by an effect, but has no value in the initial state; add one, "
                "or declare the field in `choices`."
            )
        raise KeyError(key)

    def _cooldowns(self, versions: Mapping[str, int]) -> SymbolicMapping:
        def find(name: str) -> Any:
            self.scheme.reads_cooldowns = True
            key = self._cooldown_keys[name]
            return Symbol(self.graph, self._node(key, versions[key]))

        return Cooldowns(self.graph, list(self._cooldown_keys), find)

    def probability(self) -> Symbol:
        """Return a symbol for an unknown probability, with the range 0..1."""
        return Symbol(self.graph, self.graph.read("<probability>", 0, "float", 0.0, 1.0))

    # -- calls -------------------------------------------------------------------------------------

    def call_on(self, place: str, function: Any, view: View, context: Any) -> Traced:
        """Trace a callable of (state) or (state, context), or take a constant delta as it is.

        Raises:
            TraceError: as for `call`.
        """
        if isinstance(function, Mapping):
            return Traced(place, lambda: function, (), Leaf((), function))
        with_context = takes_context(function)
        return self.call(place, function, view, *((context,) if with_context else ()))

    def call(self, place: str, function: Callable[..., Any], *arguments: Any) -> Traced:
        """Trace all paths of one callable.

        Args:
            place: the place of the callable, for messages.
            function: the callable.
            *arguments: its arguments, with a `View` for a state.

        Raises:
            TraceError: if it cannot be traced; names the place, the operation and the remedy.
        """
        key = (id(function), *map(_identity, arguments))
        known = self._traced.get(key)
        if known is not None:  # a condition is asked for by the mask, by the step, and after it
            return replace(known, place=place)
        call = Call(self.graph, place, function, arguments)
        traced = self._traced[key] = Traced(place, function, arguments, call.trace())
        self.calls.append(traced)
        return traced

    def value(self, traced: Traced) -> tuple[Node, tuple[Check, ...]]:
        """Return the node of a call's result, and its checks.

        Raises:
            TraceError: if the result is not a number, bool, string or None.
        """
        return self._merge(traced, lambda result: as_node(self.graph, result))

    def condition(
        self, place: str, function: Any, view: View, context: Any = None
    ) -> tuple[Node, tuple[Check, ...]]:
        """Trace a condition; return its node, a bool, and its checks."""
        traced = self.call_on(place, function, view, context)
        return self._merge(traced, self._truth)

    def _truth(self, result: Any) -> Node:
        if type(result) is Symbol:
            return self.graph.truth(as_node(self.graph, result))
        return self.graph.constant(bool(result))

    def _merge(
        self, traced: Traced, convert: Callable[[Any], Node]
    ) -> tuple[Node, tuple[Check, ...]]:
        node, checks = self.at(traced.place, lambda: merge_value(self.graph, traced.tree, convert))
        return (self.graph.constant(False) if node is None else node), checks

    def at(self, place: str, build: Callable[[], Any]) -> Any:
        """Call `build`, and add the place to its TraceError."""
        try:
            return build()
        except TraceError as error:
            raise TraceError(f"{place} {error}") from None


def _identity(argument: Any) -> Any:
    """Return what makes two arguments the same for a trace; a `Traced` keeps the objects alive."""
    if isinstance(argument, View):
        return argument.versions
    return argument.node if type(argument) is Symbol else id(argument)
