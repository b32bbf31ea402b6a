"""The merging of the paths of a callable: into one expression, or into one delta where possible."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from axiom_gym.config.compiler.graph import Graph
from axiom_gym.config.compiler.nodes import Check, Node, bare, is_constant
from axiom_gym.config.compiler.paths import Branch, Leaf, Tree
from axiom_gym.config.compiler.ranges import Span
from axiom_gym.config.compiler.symbols import Symbol, as_node
from axiom_gym.config.definitions import Set

Checks = tuple[Check, ...]


def merge_value(
    graph: Graph, tree: Tree, convert: Callable[[Any], Node]
) -> tuple[Node | None, Checks]:
    """Return the result of all paths as one expression, and their checks.

    Args:
        graph: the graph.
        tree: the paths.
        convert: a function from a path's result to a node.

    Returns:
        The node, or None if every path raises an exception; and the checks in order.
    """
    if isinstance(tree, Leaf):
        if tree.raised is not None:
            return None, (*tree.checks, fault(graph, tree.raised))
        return convert(tree.result), tree.checks
    yes, yes_checks = merge_value(graph, tree.yes, convert)
    no, no_checks = merge_value(graph, tree.no, convert)
    checks = guard(graph, tree.condition, yes_checks, no_checks)
    return join(graph, tree.condition, yes, no), (*tree.checks, *checks)


def merge_deltas(graph: Graph, tree: Tree) -> Tree:
    """Return the tree with sides joined that give values for the same fields.

    The results of its leaves are mappings, and none of its leaves is an exception.
    """
    if isinstance(tree, Leaf):
        if tree.raised is not None:
            return Leaf((*tree.checks, fault(graph, tree.raised)), {}, tree.raised)
        return tree
    yes, no = merge_deltas(graph, tree.yes), merge_deltas(graph, tree.no)
    for side, other, holds in ((yes, no, True), (no, yes, False)):
        if isinstance(side, Leaf) and side.raised is not None:
            given = (side.checks, ()) if holds else ((), side.checks)
            return _after((*tree.checks, *guard(graph, tree.condition, *given)), other)
    if isinstance(yes, Leaf) and isinstance(no, Leaf):
        joined = _join_deltas(graph, tree.condition, yes.result, no.result)
        if joined is not None:
            checks = guard(graph, tree.condition, yes.checks, no.checks)
            return Leaf((*tree.checks, *checks), joined)
    return Branch(tree.checks, tree.condition, yes, no)


def fault(graph: Graph, raised: Exception) -> Check:
    """Return the check that always fails, where a callable raises an exception."""
    problem = f"{type(raised).__name__}: {raised}"
    return Check(graph.constant(True), problem, type(raised))


def _after(checks: Checks, tree: Tree) -> Tree:
    return replace(tree, checks=(*checks, *tree.checks))


def _join_deltas(
    graph: Graph, condition: Node, yes: Mapping[Any, Any], no: Mapping[Any, Any]
) -> dict[Any, Any] | None:
    """Return one delta for both sides, or None if they have different keys or kinds."""
    if set(yes) != set(no):
        return None
    joined = {}
    for key, value in yes.items():
        sides = (value, no[key])
        sets = [isinstance(side, Set) for side in sides]
        nodes = [_try_node(graph, side.value if isinstance(side, Set) else side) for side in sides]
        kinds = {node.kind == "choice" for node in nodes if node is not None}
        if None in nodes or len(kinds) > 1 or sets[0] != sets[1]:
            return None
        node = join(graph, condition, *nodes)
        assert node is not None
        new = node.payload if node.op == "const" else Symbol(graph, node)
        joined[key] = Set(new) if sets[0] else new
    return joined


def _try_node(graph: Graph, value: Any) -> Node | None:
    is_plain = type(value) is Symbol or value is None or isinstance(value, (int, float, str))
    return as_node(graph, value) if is_plain else None


def guard(graph: Graph, condition: Node, yes: Sequence[Check], no: Sequence[Check]) -> Checks:
    """Return the checks of both sides; those that the sides do not share need the condition."""
    shared = 0
    while shared < min(len(yes), len(no)) and yes[shared] == no[shared]:
        shared += 1
    opposite = graph.apply("not", condition)
    guarded = [_guarded(graph, condition, check) for check in yes[shared:]]
    guarded += [_guarded(graph, opposite, check) for check in no[shared:]]
    return (*yes[:shared], *guarded)


def _guarded(graph: Graph, condition: Node, check: Check) -> Check:
    return replace(check, fails=both(graph, condition, check.fails))


def both(graph: Graph, first: Node, second: Node) -> Node:
    """Return `first and second`; the second is not computed where the first is false."""
    if second.total or second.op == "const":
        return graph.apply("and", first, second)
    return graph.apply("where", first, second, graph.constant(False))


def either(graph: Graph, first: Node, second: Node) -> Node:
    """Return `first or second`; the second is not computed where the first is true."""
    if second.total or second.op == "const":
        return graph.apply("or", first, second)
    return graph.apply("where", first, graph.constant(True), second)


def join(graph: Graph, condition: Node, yes: Node | None, no: Node | None) -> Node | None:
    """Return the value of the side that a condition selects; None stands for an exception."""
    if yes is None or no is None or yes is no:
        return no if yes is None else yes
    if bare(yes) is bare(no):
        span = Span(min(yes.low, no.low), max(yes.high, no.high))
        return graph.known(bare(yes), span)
    if yes.kind == no.kind == "bool":
        opposite = graph.apply("not", condition)
        if is_constant(yes, True):
            return either(graph, condition, no)
        if is_constant(no, False):
            return both(graph, condition, yes)
        if is_constant(yes, False):
            return both(graph, opposite, no)
        if is_constant(no, True):
            return either(graph, opposite, yes)
    return graph.apply("where", condition, yes, no)
