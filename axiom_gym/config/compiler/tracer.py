"""The tracer, which calls a config's callables with symbols and tracks the versions of fields."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from axiom_gym.config.calls import takes_context
from axiom_gym.config.compiler.graph import Graph
from axiom_gym.config.compiler.nodes import Check, Node, reads
from axiom_gym.config.compiler.scheme import (
    ABSENT,
    TICK,
    Field,
    Scheme,
    cooldown_key,
    parameter_key,
)
from axiom_gym.config.compiler.symbols import Opaque, Symbol, SymbolicMapping, as_node
from axiom_gym.config.definitions import GameConfig
from axiom_gym.config.derived import rules_with_cooldown
from axiom_gym.config.parameters import Values
from axiom_gym.errors import TraceError

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


@dataclass(frozen=True, slots=True)
class Traced:
    """One traced call of a callable: its arguments, its result and its checks."""

    place: str
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    """The arguments, with a `View` for a state."""
    result: Any
    checks: tuple[Check, ...]


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
                return Symbol(self.graph, found)
            if key == "cooldowns":
                return cooldowns
            fixed = self._uncompiled()
            return fixed[key] if key in fixed else self._find_other(key)

        def expiries() -> Bindings:
            return {id: self._node(key, held[key]) for id, key in self._cooldown_keys.items()}

        new = self.scheme.assigned.difference(self._names)
        keys = {name: parameter_key(name) for name in self.config.parameters}
        params = Values({name: self._node(key, 0) for name, key in keys.items()})
        mapping = _State(self.graph, self._names, find, new)
        mapping.params = SymbolicMapping(
            self.graph, list(params), lambda name: Symbol(self.graph, params[name])
        )
        return View(mapping, node, expiries, self._names, params)

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

        return _Cooldowns(self.graph, list(self._cooldown_keys), find)

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
            return Traced(place, lambda: function, (), function, ())
        with_context = takes_context(function)
        return self.call(place, function, view, *((context,) if with_context else ()))

    def call(self, place: str, function: Callable[..., Any], *arguments: Any) -> Traced:
        """Trace one call.

        Args:
            place: the place of the callable, for messages.
            function: the callable.
            *arguments: its arguments, with a `View` for a state.

        Raises:
            TraceError: if it cannot be traced; names the place, the operation and the remedy.
        """
        self.graph.checks, self.graph.refusal = [], None
        given = [arg.mapping if isinstance(arg, View) else arg for arg in arguments]
        try:
            result = function(*given)
        except TraceError as error:
            refusal = self.graph.refusal or error
            raise TraceError(f"{place} {refusal}{_line(function, error)}") from None
        except Exception as error:
            raise TraceError(
                f"{place} raised {type(error).__name__} while it was traced: {error}. A callable "
                "that works only on plain values cannot be compiled."
            ) from error
        if self.graph.refusal is not None:  # the function itself caught it
            raise TraceError(f"{place} {self.graph.refusal}")
        traced = Traced(place, function, arguments, result, tuple(self.graph.checks))
        self._try_failures(traced, given)
        self.calls.append(traced)
        return traced

    def _try_failures(self, traced: Traced, given: list[Any]) -> None:
        """Check that the callable does not catch the exceptions that plain values can raise.

        The callable is called once for each check that has an exception, which is raised there.
        """
        for number, check in enumerate(traced.checks, start=1):
            if check.error is None:
                continue
            self.graph.checks, self.graph.failing = [], number
            try:
                traced.function(*given)
            except check.error:
                continue
            except Exception:
                pass  # the callable replaced the exception with another one
            finally:
                self.graph.failing = 0
            raise TraceError(
                f"{traced.place} catches {check.error.__name__} ({check.problem}), but a compiled "
                "game ends the step there; remove `try`, and avoid the exception: "
                "a / max_(b, 1), table(key, values, default)."
            )

    def value(self, traced: Traced) -> tuple[Node, tuple[Check, ...]]:
        """Return the node of a call's result, and its checks.

        Raises:
            TraceError: if the result is not a number, bool, string or None.
        """
        return self.at(traced.place, lambda: as_node(self.graph, traced.result)), traced.checks

    def condition(
        self, place: str, function: Any, view: View, context: Any = None
    ) -> tuple[Node, tuple[Check, ...]]:
        """Trace a condition; return its node, a bool, and its checks."""
        traced = self.call_on(place, function, view, context)
        node = self.at(place, lambda: self.graph.truth(as_node(self.graph, traced.result)))
        return node, traced.checks

    def at(self, place: str, build: Callable[[], Any]) -> Any:
        """Call `build`, and add the place to its TraceError."""
        try:
            return build()
        except TraceError as error:
            raise TraceError(f"{place} {error}") from None


class _State(SymbolicMapping):
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


class _Cooldowns(SymbolicMapping):
    """The symbolic `s["cooldowns"]`, whose entries may be missing."""

    def __getitem__(self, name: str) -> Any:
        raise self._graph.refuse(
            f"s['cooldowns'][{name!r}] may be missing; write s['cooldowns'].get({name!r}, 0)."
        )

    def get(self, name: str, default: Any = None) -> Any:
        if default is None:
            raise self._graph.refuse(
                f"s['cooldowns'].get({name!r}) may be None; write .get({name!r}, 0)."
            )
        try:
            expiry = self._find(name)
        except KeyError:
            return default
        graph = self._graph
        present = graph.apply("!=", expiry.node, graph.constant(ABSENT))
        return Symbol(graph, graph.apply("where", present, expiry.node, as_node(graph, default)))

    def __contains__(self, name: object) -> bool:
        raise self._graph.refuse(
            f"`{name!r} in s['cooldowns']` is known only at run time; write "
            f"s['cooldowns'].get({name!r}, -1) >= 0."
        )

    def _refuse(self, *_: Any) -> NoReturn:
        raise self._graph.refuse(
            "uses s['cooldowns'] as a whole, but its entries are known only at run time; write "
            "s['cooldowns'].get('event', 0) for the events that matter."
        )

    __iter__ = __len__ = __bool__ = keys = items = values = copy = _refuse
    __or__ = __ror__ = __eq__ = _refuse
    __hash__ = None


def _line(function: Callable[..., Any], error: Exception) -> str:
    """Return " (FILE, line N)" for the line of a callable that caused an error, or ""."""
    code = getattr(function, "__code__", None)
    step = error.__traceback__
    while step is not None:
        if step.tb_frame.f_code is code and code is not None:
            return f" ({Path(code.co_filename).name}, line {step.tb_lineno})"
        step = step.tb_next
    return ""
