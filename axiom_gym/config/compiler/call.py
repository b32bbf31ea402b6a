"""The tracing of one callable, from its arguments to the tree of its paths."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path as FilePath
from typing import Any

from axiom_gym.config.compiler.graph import Graph
from axiom_gym.config.compiler.nodes import Check, Node
from axiom_gym.config.compiler.paths import Leaf, Path, TooManyPathsError, Tree, explore, leaves
from axiom_gym.config.compiler.purity import Memory
from axiom_gym.config.compiler.states import SymbolicMapping, View
from axiom_gym.config.compiler.symbols import Symbol, as_node
from axiom_gym.config.compiler.watch import RestartError, Watch
from axiom_gym.config.definitions import GameConfig, Set
from axiom_gym.errors import TraceError

_MISUSES = (
    TypeError,
    AttributeError,
    NameError,
    RecursionError,
    MemoryError,
    SyntaxError,
    ImportError,
)
"""Exceptions that can come from a symbol where the callable needs a plain value."""


class Call:
    """A callable that is called with symbols, once for each of its paths."""

    def __init__(
        self, graph: Graph, place: str, function: Callable[..., Any], arguments: Sequence[Any]
    ) -> None:
        """Prepare a call.

        Args:
            graph: the graph of the symbols.
            place: the place of the callable in the config, for messages.
            function: the callable.
            arguments: its arguments, with a `View` for a state.
        """
        self._graph = graph
        self._place = place
        self._function = function
        self._arguments = arguments
        self._memory = Memory(graph)
        self._watch = Watch(graph, self._memory)

    def trace(self) -> Tree:
        """Return the tree of all paths.

        Raises:
            TraceError: if the callable cannot be compiled; names the place, the operation, the
                remedy, and the line.
        """
        graph = self._graph
        graph.identities, graph.raising = set(), False
        try:
            self._note_memory()
            tree = self._explore()
            self._memory.compare()
        except TraceError as error:
            raise (
                error
                if str(error).startswith(self._place)
                else TraceError(f"{self._place} {error}")
            ) from None
        finally:
            graph.begin(None)
            graph.identities, graph.raising = set(), False
        raised = [leaf.raised for leaf in leaves(tree)]
        if None not in raised:  # most likely a mistake, and not a rule
            raise self._refusal(raised[0]) from raised[0]
        return tree

    def _note_memory(self) -> None:
        """Take pictures of the callable itself, and of its arguments besides symbols."""
        self._memory.note(self, "a variable of its own", self._function)
        for argument in self._arguments:
            if not isinstance(argument, (View, Symbol, GameConfig)):
                self._memory.note(self, "its argument", argument)

    def _explore(self) -> Tree:
        while True:
            try:
                return explore(self._follow)
            except RestartError:  # what runs in the callable needs more care than was taken
                continue
            except TooManyPathsError as error:
                raise TraceError(
                    f"{self._place} {error}; compute parts of it in other fields or phases, or "
                    "write parts of it with where(), min() and max()."
                ) from None

    def _follow(self, path: Path) -> tuple[Leaf, Sequence[Check]]:
        graph = self._graph
        graph.begin(path)
        graph.refusal = None
        given = [self._given(argument) for argument in self._arguments]
        try:
            result = self._watch.call(self._function, given)
            leaf = Leaf((), self._settle(result))
        except TooManyPathsError:
            raise
        except Exception as error:
            if isinstance(error, TraceError) or graph.refusal is not None:
                refusal = graph.refusal or error
                line = "" if str(refusal).endswith(")") else _line(self._function, error)
                raise TraceError(f"{self._place} {refusal}{line}") from None
            if isinstance(error, _MISUSES):
                raise self._refusal(error) from error
            leaf = Leaf((), None, error)
        if graph.refusal is not None:  # the function itself caught it
            raise TraceError(f"{self._place} {graph.refusal}")
        if self._watch.must_restart:  # as well
            raise RestartError
        return leaf, graph.checks

    def _given(self, argument: Any) -> Any:
        if type(argument) is Symbol:
            return Symbol(self._graph, argument.node)
        return argument.mapping if isinstance(argument, View) else argument

    def _refusal(self, error: BaseException | None) -> TraceError:
        return TraceError(
            f"{self._place} raised {type(error).__name__} while it was traced: {error}. A callable "
            "that works only on plain values cannot be compiled."
        )

    def _settle(self, result: Any) -> Any:
        """Return a result with the ranges that its numbers have on this path."""
        if type(result) is Symbol:
            return self._settled(result)
        if isinstance(result, SymbolicMapping):
            return result
        if isinstance(result, Set):
            return Set(self._settle(result.value))
        if isinstance(result, Mapping):
            return {key: self._settle(value) for key, value in result.items()}
        if isinstance(result, tuple) and len(result) == 2 and isinstance(result[0], Mapping):
            return (self._settle(result[0]), result[1])
        return result

    def _settled(self, value: Symbol) -> Any:
        graph = self._graph
        node: Node = as_node(graph, value)
        if node.kind in ("int", "float"):
            return Symbol(graph, graph.known(node, graph.facts.span(node)))
        truth = graph.facts.truth(node) if node.kind == "bool" else None
        if truth is not None:
            return truth
        return value


def _line(function: Callable[..., Any], error: Exception) -> str:
    """Return " (FILE, line N)" for the line of a callable that caused an error, or ""."""
    code = getattr(function, "__code__", None)
    step = error.__traceback__
    while step is not None:
        if step.tb_frame.f_code is code and code is not None:
            return f" ({FilePath(code.co_filename).name}, line {step.tb_lineno})"
        step = step.tb_next
    return ""
