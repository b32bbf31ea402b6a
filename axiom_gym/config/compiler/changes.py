"""The code that applies deltas and new states, as assignments in a compiled function."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import Any

from axiom_gym.config.compiler.body import Body
from axiom_gym.config.compiler.merge import merge_deltas
from axiom_gym.config.compiler.nodes import FIELD_LIMIT, Node, bare, reads
from axiom_gym.config.compiler.paths import Leaf, Tree, map_leaves
from axiom_gym.config.compiler.scheme import TICK, Field
from axiom_gym.config.compiler.symbols import Symbol, as_node
from axiom_gym.config.compiler.tracer import Traced
from axiom_gym.config.compiler.writer import strip
from axiom_gym.config.definitions import ENGINE_KEYS, NOT_OWN, Set
from axiom_gym.errors import TraceError

Compute = Callable[[Mapping[str, Any], str], dict[str, Node]]
"""A function from changes and their place to the new values of fields."""


class Changes:
    """The code in a body that applies deltas and new states."""

    def __init__(self, body: Body, live: set[str]) -> None:
        self._body = body
        self._tracer = body.tracer
        self._graph = body.tracer.graph
        self._live = live

    def apply(self, traced: Traced) -> None:
        """Apply a delta: add to attributes and clamp them, replace any other field."""
        tree = map_leaves(traced.tree, lambda result: self._delta(result, traced))
        self._apply_tree(tree, traced.place, self._new_values)

    def take(self, traced: Traced) -> None:
        """Apply the state that a custom phase returned, without clamping."""
        tree = map_leaves(traced.tree, lambda result: self._changed(result, traced))
        self._apply_tree(tree, traced.place, self._replaced)

    def _apply_tree(self, tree: Tree, place: str, compute: Compute) -> None:
        merged = self._tracer.at(place, lambda: merge_deltas(self._graph, tree))
        self._write_tree(merged, place, compute)

    def _write_tree(self, tree: Tree, place: str, compute: Compute) -> None:
        """Write each decision as an `if`, and each delta as assignments."""
        if isinstance(tree, Leaf):
            self._graph.checks = list(tree.checks)
            self._assign(compute(tree.result, place), place.removesuffix(":"))
            return
        tracer, writer = self._tracer, self._body.writer
        with ExitStack() as stack:
            self._body.demand(tree.checks, place.removesuffix(":"), stack)
        tracer.need(tree.condition)
        (text,) = writer.compute([tree.condition])
        with self._body.branch():
            before = dict(tracer.versions)
            with writer.block(f"if {strip(text)}:"):
                self._write_tree(tree.yes, place, compute)
            changed = {k: v for k, v in tracer.versions.items() if v != before[k]}
            tracer.versions.update(before)
            with writer.block("else:"):
                self._write_tree(tree.no, place, compute)
            for key, version in changed.items():
                if tracer.versions[key] == before[key]:
                    tracer.versions[key] = version

    def _delta(self, result: Any, traced: Traced) -> dict[str, Any]:
        if not isinstance(result, Mapping):
            raise TraceError(
                f"{traced.place} a delta must be a mapping such as {{'health': -10}}, got "
                f"{result!r}."
            )
        for key in result:
            _check_key(key, traced)
            if key in ENGINE_KEYS:
                raise TraceError(f"{traced.place} {NOT_OWN.format(key=key)}")
        return dict(result)

    def _new_values(self, delta: Mapping[str, Any], place: str) -> dict[str, Node]:
        new: dict[str, Node] = {}
        for key, value in delta.items():
            if key in self._tracer.scheme.attributes:
                new[key] = self._tracer.at(place, lambda k=key, v=value: self._add(k, v))  # type: ignore[misc]
            else:
                given = value.value if isinstance(value, Set) else value
                self._replace(new, key, given, place)
        return new

    def _changed(self, result: Any, traced: Traced) -> dict[str, Any]:
        """Return the fields that a phase changes."""
        if not (isinstance(result, tuple) and len(result) == 2 and isinstance(result[0], Mapping)):
            raise TraceError(
                f"{traced.place} a phase must return PhaseResult(state), got {result!r}."
            )
        given, returned = traced.arguments[0].mapping, result[0]
        missing = [key for key in self._tracer.scheme.start if key not in returned]
        if missing:
            raise TraceError(
                f"{traced.place} returns a state without {missing}; return {{**state, ...}}."
            )
        changed: dict[str, Any] = {}
        for key, value in {} if returned is given else returned.items():
            _check_key(key, traced)
            if key in self._tracer.scheme.start and _is_same(value, given[key]):
                continue
            if key in ENGINE_KEYS and key != TICK:
                raise TraceError(
                    f"{traced.place} writes {key!r}, which compiled games do not have; keep what "
                    "the rules need in a field of the state."
                )
            if key in self._tracer.scheme.attributes:
                self._tracer.scheme.unclamped.add(key)
            if key == TICK:
                self._tracer.scheme.writes_tick = True
            changed[key] = value
        return changed

    def _replaced(self, fields: Mapping[str, Any], place: str) -> dict[str, Node]:
        new: dict[str, Node] = {}
        for key, value in fields.items():
            self._replace(new, key, value, place)
        return new

    def _add(self, key: str, change: Any) -> Node:
        """Return the new value of an attribute, within its bounds."""
        graph = self._graph
        sets = isinstance(change, Set)
        delta = as_node(graph, change.value if sets else change)
        if delta.kind == "choice":
            raise graph.refuse(f"adds {change!r} to the attribute {key!r}, which needs a number.")
        graph.check_finite(delta, _not_finite(key))
        attribute = self._tracer.scheme.attributes[key]
        if sets:
            total = graph.as_number(delta)
        else:
            total = graph.apply("+", self._tracer.current(key), delta)
        low, high = graph.constant(attribute.min), graph.constant(attribute.max)
        # The same comparisons as in the interpreter: if bounds cross, the result is the upper one.
        return graph.apply("min", graph.apply("max", total, low), high)

    def _replace(self, new: dict[str, Node], key: str, value: Any, place: str) -> None:
        scheme = self._tracer.scheme
        scheme.assigned.add(key)
        field = self._tracer.fields.get(key)
        if field is None:
            if isinstance(value, (Symbol, float)):
                self._check_unknown(key, as_node(self._graph, value))
            return
        if key not in self._live and not isinstance(value, Symbol):
            return  # nothing depends on it
        new[key] = self._tracer.at(place, lambda: self._fitting(field, value))

    def _check_unknown(self, key: str, node: Node) -> None:
        """Check a value for a field that is not compiled, because the interpreter checks it too.

        There is no check if the value depends on other fields that are not compiled.
        """
        if reads([node]) <= self._live:
            self._graph.check_finite(node, _not_finite(key))

    def _fitting(self, field: Field, value: Any) -> Node:
        """Return a value as a node.

        The options of a choice are checked here; `_checked` makes all other checks.
        """
        node = as_node(self._graph, value)
        if field.role == "choice" and not node.options <= frozenset(field.options):
            outside = sorted(map(repr, node.options - frozenset(field.options)))
            raise self._graph.refuse(
                f"sets {field.key!r} to {' or '.join(outside)}; its options are "
                f"{', '.join(map(repr, field.options))}."
            )
        return node

    def _assign(self, new: dict[str, Node], place: str) -> None:
        """Write checks and assignments; all of them read the state before the assignments."""
        tracer = self._tracer
        with ExitStack() as stack:
            self._body.demand(self._graph.checks, place, stack)
            for key, node in new.items():
                tracer.at(f"{place}:", lambda k=key, n=node: tracer.scheme.takes(k, n))  # type: ignore[misc]
                tracer.influence(key, node)
                if key in self._live:
                    new[key] = self._checked(tracer.fields[key], node, place, stack)
                else:
                    self._graph.checks = []
                    self._check_unknown(key, node)
                    self._body.demand(self._graph.checks, place, stack)
        self._write(
            {
                key: node
                for key, node in new.items()
                if key in self._live and bare(node) is not tracer.current(key)
            }
        )

    def _checked(self, field: Field, node: Node, place: str, stack: ExitStack) -> Node:
        """Return the value in the field's kind, with checks that the field can hold it."""
        graph = self._graph
        node = self._cast(field, node)
        if field.clamped:
            return node
        graph.checks = []
        graph.check_finite(node, _not_finite(field.key))
        if field.kind == "int" or field.key == TICK:
            node = graph.limit(node, FIELD_LIMIT, f"{field.key} becomes a number beyond 2**48")
        self._body.demand(graph.checks, place, stack, field.key)
        return node

    def _cast(self, field: Field, node: Node) -> Node:
        """Return a number in the field's kind; if it does not fit, another pass follows."""
        if field.kind == "float":
            return self._graph.as_float(self._graph.as_number(node))
        return self._graph.as_number(node) if field.kind == "int" else node

    def _write(self, new: dict[str, Node]) -> None:
        if not new:
            return
        body, tracer = self._body, self._tracer
        texts = [strip(text) for text in body.writer.compute(list(new.values()))]
        body.used.update(new)
        earlier: set[str] = set()
        tangled = False
        for key, node in new.items():
            tangled |= bool(reads([node]) & earlier)
            earlier.add(key)
        if tangled:
            names = ", ".join(body.local(key) for key in new)
            body.writer.line(f"{names} = {', '.join(texts)}")
        else:
            for key, text in zip(new, texts, strict=True):
                body.writer.line(f"{body.local(key)} = {text}")
        for key in new:
            tracer.change(key)


def _check_key(key: object, traced: Traced) -> None:
    if not isinstance(key, str):
        raise TraceError(f"{traced.place} the name of a field must be a string, got {key!r}.")


def _not_finite(key: str) -> str:
    return f"{key} gets a number that is not finite"


def _is_same(value: Any, given: Any) -> bool:
    if type(value) is Symbol and type(given) is Symbol:
        return bare(value.node) is given.node
    return value is given
