"""Calls a config's callables with symbols, and keeps track of which value a field has where."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from axiom_gym.config.calls import takes_context
from axiom_gym.config.compiler.graph import Graph
from axiom_gym.config.compiler.nodes import Check, Node, reads
from axiom_gym.config.compiler.scheme import ABSENT, TICK, Field, Scheme, cooldown_key
from axiom_gym.config.compiler.symbols import Opaque, Symbol, SymbolicMapping, as_node
from axiom_gym.config.definitions import GameConfig
from axiom_gym.errors import TraceError

Bindings = dict[str, Node]
"""Which node each field of a symbolic state is."""


@dataclass(frozen=True, slots=True)
class View:
    """A symbolic state together with what it consists of."""

    mapping: SymbolicMapping
    node: Callable[[str], Node | None]
    """The value of a field, by its name; None if it is not compiled."""
    cooldowns: Callable[[], Bindings]
    """When each event may happen again, by its id."""
    names: list[str]
    """The fields that the state begins with."""


@dataclass(frozen=True, slots=True)
class Traced:
    """One call of a callable: what it was given, and what came out."""

    place: str
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    """As given; a `View` stands for a state."""
    result: Any
    checks: tuple[Check, ...]


class Tracer:
    """One pass over a config.

    Attributes:
        graph: the nodes.
        fields: the fields of the compiled state.
        scheme: what this pass finds out for the next one.
        versions: how often each field has changed up to here.
        calls: everything that was traced.
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
        keys = {event.id: cooldown_key(event) for event in config.events}
        self._cooldown_keys = {id: key for id, key in keys.items() if key in fields}

    # -- fields ------------------------------------------------------------------------------------

    def current(self, key: str) -> Node:
        """The value of a field at this point."""
        return self._node(key, self.versions[key])

    def _node(self, key: str, version: int) -> Node:
        field = self.fields[key]
        options = frozenset(field.options)
        return self.graph.read(
            key, version, field.kind, field.low, field.high, options, field.mixed
        )

    def change(self, key: str) -> None:
        """The field has a new value from here on."""
        self._changes += 1
        self.versions[key] = self._changes

    def merge(self, before: Mapping[str, int]) -> None:
        """After a block that may have been left out: what it changed has yet another value."""
        for key, version in before.items():
            if self.versions[key] != version:
                self.change(key)

    # -- what depends on what ----------------------------------------------------------------------

    def need(self, *nodes: Node) -> None:
        """Notes that the course of the game depends on these."""
        self._needed |= reads(nodes)

    def influence(self, key: str, node: Node) -> None:
        """Notes that this value goes into a field, and nowhere else."""
        self._influences.setdefault(key, set()).update(reads([node]))

    def live(self) -> set[str]:
        """The fields that matter: what is seen, and all that goes into it."""
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
        """The state at this point, or with other versions of its fields, for callables."""
        chosen = self.versions if versions is None else versions
        held = dict(chosen)  # as it is now
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
        mapping = _State(self.graph, self._names, find, new)
        return View(mapping, node, expiries, self._names)

    def _uncompiled(self) -> dict[str, Any]:
        """What the interpreter's state has and compiled code has not."""
        if not self._fixed:
            for key, value in self.scheme.start.items():
                if key in ("history", "meta"):
                    message = (
                        f"reads s[{key!r}], which compiled games do not have; keep what the rules "
                        "need in a field of the state: a number, a bool, or a Choice."
                    )
                else:
                    message = (
                        f"reads s[{key!r}], which starts as {value!r}; compiled fields are numbers "
                        "and bools, and strings or None declared in `choices` as Choice(...)."
                    )
                self._fixed[key] = Opaque(self.graph, message)
        return self._fixed

    def _find_other(self, key: str) -> Any:
        """A key that the first state does not have."""
        if key in self.scheme.assigned:
            raise self.graph.refuse(
                f"s[{key!r}] is given a value by an effect, but has none in the initial state; put "
                "one there, or declare it in `choices`."
            )
        raise KeyError(key)

    def _cooldowns(self, versions: Mapping[str, int]) -> SymbolicMapping:
        def find(name: str) -> Any:
            self.scheme.reads_cooldowns = True
            key = self._cooldown_keys[name]
            return Symbol(self.graph, self._node(key, versions[key]))

        return _Cooldowns(self.graph, list(self._cooldown_keys), find)

    # -- calls -------------------------------------------------------------------------------------

    def call_on(self, place: str, function: Any, view: View, context: Any) -> Traced:
        """Traces a callable of (state) or (state, context), or takes a constant as it is.

        Raises:
            TraceError: as `call`.
        """
        if isinstance(function, Mapping):
            return Traced(place, lambda: function, (), function, ())
        with_context = takes_context(function)
        return self.call(place, function, view, *((context,) if with_context else ()))

    def call(self, place: str, function: Callable[..., Any], *arguments: Any) -> Traced:
        """Traces one call.

        Raises:
            TraceError: with the place, what was done, and the remedy.
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
                f"{place} raised {type(error).__name__} while it was traced: {error}. If it needs "
                "plain values for that, it cannot be compiled."
            ) from error
        if self.graph.refusal is not None:  # raised, and caught by the function itself
            raise TraceError(f"{place} {self.graph.refusal}")
        traced = Traced(place, function, arguments, result, tuple(self.graph.checks))
        self._try_failures(traced, given)
        self.calls.append(traced)
        return traced

    def _try_failures(self, traced: Traced, given: list[Any]) -> None:
        """Makes sure that no exception of plain values is caught, of which a trace sees nothing."""
        for number, check in enumerate(traced.checks, start=1):
            if check.error is None:
                continue
            self.graph.checks, self.graph.failing = [], number
            try:
                traced.function(*given)
            except check.error:
                continue
            except Exception:
                pass  # another one in its place
            finally:
                self.graph.failing = 0
            raise TraceError(
                f"{traced.place} catches {check.error.__name__} ({check.problem}), and compiled "
                "games end the step there; leave out `try`, and avoid what it catches: "
                "a / max_(b, 1), table(key, values, default)."
            )

    def value(self, traced: Traced) -> tuple[Node, tuple[Check, ...]]:
        """The single number, bool or string that a call gave."""
        return self.at(traced.place, lambda: as_node(self.graph, traced.result)), traced.checks

    def condition(
        self, place: str, function: Any, view: View, context: Any = None
    ) -> tuple[Node, tuple[Check, ...]]:
        """Whether a condition holds."""
        traced = self.call_on(place, function, view, context)
        node = self.at(place, lambda: self.graph.truth(as_node(self.graph, traced.result)))
        return node, traced.checks

    def at(self, place: str, build: Callable[[], Any]) -> Any:
        """Builds something; if that cannot be compiled, the error says where."""
        try:
            return build()
        except TraceError as error:
            raise TraceError(f"{place} {error}") from None


class _State(SymbolicMapping):
    """A state, to which effects may add fields that it does not begin with."""

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
        """The names; `{**s}` takes them from here, and may well leave out fields of no use."""
        return dict.fromkeys(self._names).keys()

    def _complete(self) -> list[str]:
        if self._new:
            raise self._graph.refuse(
                f"looks at all fields, to which effects add {sorted(self._new)}; put these in the "
                "initial state, or name the fields one by one."
            )
        return self._names


class _Cooldowns(SymbolicMapping):
    """`s["cooldowns"]`, of which an entry may be there or not."""

    def __getitem__(self, name: str) -> Any:
        raise self._graph.refuse(
            f"s['cooldowns'][{name!r}] may not be there; write s['cooldowns'].get({name!r}, 0)."
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
            f"`{name!r} in s['cooldowns']` is known only in play; write "
            f"s['cooldowns'].get({name!r}, -1) >= 0."
        )

    def _refuse(self, *_: Any) -> NoReturn:
        raise self._graph.refuse(
            "looks at s['cooldowns'] as a whole, whose entries are known only in play; write "
            "s['cooldowns'].get('event', 0) for the events that matter."
        )

    __iter__ = __len__ = __bool__ = keys = items = values = copy = _refuse
    __or__ = __ror__ = __eq__ = _refuse
    __hash__ = None


def _line(function: Callable[..., Any], error: Exception) -> str:
    """The line of a callable's file in which an error began, for the end of its message."""
    code = getattr(function, "__code__", None)
    step = error.__traceback__
    while step is not None:
        if step.tb_frame.f_code is code and code is not None:
            return f" ({Path(code.co_filename).name}, line {step.tb_lineno})"
        step = step.tb_next
    return ""
