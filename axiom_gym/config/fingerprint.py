"""A hash of a game's rules, which ties a saved game to its config.

If a callable can be traced, its expressions are hashed. The hash is then independent of variable
names, formatting and the version of Python. Otherwise its bytecode is hashed, which differs between
minor versions of Python. Labels and texts are not hashed.
"""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterator, Mapping
from types import CodeType
from typing import Any

from axiom_gym.config.calls import takes_context
from axiom_gym.config.compiler.nodes import Node, bare, parts_first
from axiom_gym.config.compiler.paths import Leaf, Tree
from axiom_gym.config.compiler.scheme import Scheme, first_scheme, make_fields
from axiom_gym.config.compiler.states import Opaque
from axiom_gym.config.compiler.symbols import Symbol
from axiom_gym.config.compiler.tracer import Tracer
from axiom_gym.config.definitions import Action, Event, GameConfig
from axiom_gym.config.ending import end_conditions
from axiom_gym.config.task import Task
from axiom_gym.errors import AxiomError


def fingerprint(config: GameConfig) -> str:
    """Return 16 hex digits of a hash of a game's rules.

    Raises:
        ConfigError: if the config has mistakes; lists all of them.
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
    if config.parameters:
        yield repr(sorted(config.parameters.items()))
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
    for name, condition in end_conditions(config):
        yield f"{name} {describe(condition)}"
    for name, phase in sorted(config.custom_phases.items()):
        yield f"phase {name!r} {describe.phase(phase)}"


def _owner(owner: Action | Event, describe: _Describer) -> Iterator[str]:
    yield f"{type(owner).__name__} {owner.id!r} {sorted(owner.meta.items())!r}"
    if isinstance(owner, Event):
        yield f"{owner.trigger!r} {owner.base_probability!r} {owner.cooldown!r}"
        if owner.once or owner.after is not None:
            yield f"once {owner.once!r} after {owner.after!r}"
    elif owner.costs or owner.cooldown is not None or owner.uses is not None:
        costs = {key: describe(cost) for key, cost in sorted(owner.costs.items())}
        yield f"costs {costs!r} cooldown {owner.cooldown!r} uses {owner.uses!r}"
    for name in ("restrictions", "conditions", "effects"):
        yield name
        for function in getattr(owner, name):
            yield describe(function)


class _Describer:
    """Descriptions of callables as text, for the hash."""

    def __init__(self, config: GameConfig, scheme: Scheme) -> None:
        task = Task(reward=lambda before, after: 0.0)
        self._config = config
        self._tracer = Tracer(config, scheme, make_fields(config, task, scheme))

    def __call__(self, function: Any) -> str:
        """Describe a constant, or a callable of (state) or (state, context)."""
        if not callable(function):
            return _shown(function)
        if takes_context(function):
            return _bytecode(function)  # contexts are unknown: `apply_action` takes any
        return self._traced(function, self._tracer.view())

    def probability(self, function: Any, event: Event) -> str:
        """Describe a probability modifier, for one event."""
        return self._traced(function, self._tracer.view(), self._tracer.probability(), event)

    def phase(self, function: Any) -> str:
        """Describe a custom phase."""
        view = self._tracer.view()
        return self._traced(function, view, self._config, view.mapping["tick"])

    def _traced(self, function: Any, *arguments: Any) -> str:
        try:
            return _shown_paths(self._tracer.call("", function, *arguments).tree)
        except AxiomError:
            return _bytecode(function)


def _shown_paths(tree: Tree) -> str:
    """Return the text of all paths through a callable."""
    if isinstance(tree, Leaf):
        return _shown(tree.result) if tree.raised is None else type(tree.raised).__name__
    condition, sides = _expression(tree.condition), (tree.yes, tree.no)
    return repr([condition, *map(_shown_paths, sides)])


def _shown(value: Any) -> str:
    """Return the text of a value or a traced result, the same for equal results."""
    if isinstance(value, Symbol):
        return _expression(bare(value.node))
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
    """Return a digest of an expression; visits shared parts once, and does not recurse."""
    numbers: dict[Node, int] = {}
    digest = hashlib.sha256()
    for node in parts_first(root):
        parts = [numbers[arg] for arg in node.args]
        numbers[node] = len(numbers)
        digest.update(f"{node.op} {node.payload!r} {parts}\n".encode())
    return digest.hexdigest()


def _bytecode(function: Any) -> str:
    """Return a callable's code, closure and defaults as text, for this version of Python."""
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
    if isinstance(value, frozenset):  # as in `x in {1, 2}`; its order differs between processes
        return repr(sorted(map(repr, value)))
    return repr(value)
