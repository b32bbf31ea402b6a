"""A hash of a game's rules, by which a saved game knows its config.

Callables that can be traced count as the expressions that they compute, so that renaming, layout
and another version of Python change nothing. Others count as their bytecode, which is of one minor
version of Python. Labels and texts are no rules.
"""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterator, Mapping
from types import CodeType
from typing import Any

from axiom_gym.config.calls import takes_context
from axiom_gym.config.compiler.nodes import Node, parts_first
from axiom_gym.config.compiler.scheme import Scheme, first_scheme, make_fields
from axiom_gym.config.compiler.symbols import Opaque, Symbol
from axiom_gym.config.compiler.tracer import Tracer
from axiom_gym.config.definitions import Action, Event, GameConfig
from axiom_gym.config.task import Task
from axiom_gym.errors import AxiomError


def fingerprint(config: GameConfig) -> str:
    """16 hex digits that change with the rules of a game.

    Raises:
        ConfigError: if the config has mistakes, all of them.
    """
    scheme = first_scheme(config)
    digest = hashlib.sha256()
    for part in _parts(config, scheme):
        digest.update(part.encode() + b"\n")
    return digest.hexdigest()[:16]


def _parts(config: GameConfig, scheme: Scheme) -> Iterator[str]:
    start = {key: value for key, value in scheme.start.items() if key != "history"}
    yield repr(sorted(start.items()))
    yield repr(sorted(config.attributes.items()))
    yield repr(sorted(config.choices.items()))
    yield repr(tuple(config.tick_order))
    describe = _Describer(config, scheme)
    for modifier in config.passive_modifiers:
        yield f"passive {modifier.id!r}"
        yield describe(modifier.condition)
        yield describe(modifier.delta)
    for action in config.actions:
        yield from _owner(action, describe)
    for event in config.events:
        yield from _owner(event, describe)
    for restriction in config.restrictions:
        yield f"restriction {describe(restriction)}"
    for change in config.probability_modifiers:
        for event in config.events:
            yield f"probability {describe.probability(change, event)}"
    for name, phase in sorted(config.custom_phases.items()):
        yield f"phase {name!r} {describe.phase(phase)}"


def _owner(owner: Action | Event, describe: _Describer) -> Iterator[str]:
    yield f"{type(owner).__name__} {owner.id!r} {sorted(owner.meta.items())!r}"
    if isinstance(owner, Event):
        yield f"{owner.trigger!r} {owner.base_probability!r} {owner.cooldown!r}"
    for name in ("restrictions", "conditions", "effects"):
        yield name
        for function in getattr(owner, name):
            yield describe(function)


class _Describer:
    """Says in text what a callable does."""

    def __init__(self, config: GameConfig, scheme: Scheme) -> None:
        task = Task(reward=lambda before, after: 0.0)
        self._config = config
        self._tracer = Tracer(config, scheme, make_fields(config, task, scheme))

    def __call__(self, function: Any) -> str:
        """A constant, or a callable of (state) or (state, context)."""
        if not callable(function):
            return _shown(function)
        if takes_context(function):
            return _bytecode(function)  # the contexts are not known
        return self._traced(function, self._tracer.view())

    def probability(self, function: Any, event: Event) -> str:
        """A probability modifier, for one event."""
        graph = self._tracer.graph
        chance = Symbol(graph, graph.read("<probability>", 0, "float", 0.0, 1.0))
        return self._traced(function, self._tracer.view(), chance, event)

    def phase(self, function: Any) -> str:
        """A custom phase."""
        view = self._tracer.view()
        return self._traced(function, view, self._config, view.mapping["tick"])

    def _traced(self, function: Any, *arguments: Any) -> str:
        try:
            return _shown(self._tracer.call("", function, *arguments).result)
        except AxiomError:
            return _bytecode(function)


def _shown(value: Any) -> str:
    """A value or the result of a trace, in one form whatever made it."""
    if isinstance(value, Symbol):
        return _expression(value.node)
    if isinstance(value, (str, bool, int, float)) or value is None:
        return repr(value)
    if isinstance(value, Opaque):
        return "unchanged"
    if isinstance(value, Mapping):
        return repr({str(key): _shown(entry) for key, entry in value.items()})
    if isinstance(value, (tuple, list)):
        return repr([_shown(entry) for entry in value])
    return type(value).__name__


def _expression(root: Node) -> str:
    """All of an expression, however deep it is and however often parts of it occur."""
    numbers: dict[Node, int] = {}
    digest = hashlib.sha256()
    for node in parts_first(root):
        parts = [numbers[arg] for arg in node.args]
        numbers[node] = len(numbers)
        digest.update(f"{node.op} {node.payload!r} {parts}\n".encode())
    return digest.hexdigest()


def _bytecode(function: Any) -> str:
    """What a callable is made of, for this version of Python."""
    code = getattr(function, "__code__", None)
    if code is None:
        return f"{type(function).__name__} {getattr(function, '__qualname__', '')}"
    cells = [_cell(cell.cell_contents) for cell in function.__closure__ or ()]
    version = ".".join(platform.python_version_tuple()[:2])
    return f"{version} {_code(code)} {cells} {[_cell(d) for d in function.__defaults__ or ()]}"


def _cell(value: Any) -> str:
    return _bytecode(value) if hasattr(value, "__code__") else _shown(value)


def _code(code: CodeType) -> str:
    constants = [_constant(c) for c in code.co_consts]
    return f"{code.co_code.hex()} {code.co_names} {constants}"


def _constant(value: Any) -> str:
    if isinstance(value, CodeType):
        return _code(value)
    if isinstance(value, frozenset):  # `in {1, 2}`, in an order of this process
        return repr(sorted(map(repr, value)))
    return repr(value)
