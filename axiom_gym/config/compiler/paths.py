"""The paths through a callable: every side of every decision is followed once.

A callable is called with symbols. When it asks for the truth of one (in an `if`, for example), the
path chooses a side. The callable is then called again for each side that no path has taken yet,
and all paths together make a tree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from axiom_gym.config.compiler.nodes import Check, Node

MOST_PATHS = 4096
"""The number of paths through one callable that are followed."""

DEEPEST = 400
"""The number of decisions on one path."""

MOST_OPERATIONS = 100_000
"""The number of operations on one path."""


class TooManyPathsError(Exception):
    """A callable has more paths, or more decisions on a path, than are followed."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """The end of a path: a result, or the exception that the callable raised."""

    checks: tuple[Check, ...]
    """The checks since the last decision."""
    result: Any = None
    raised: Exception | None = None


@dataclass(frozen=True, slots=True)
class Branch:
    """A decision, and what follows on both of its sides."""

    checks: tuple[Check, ...]
    """The checks since the decision before it."""
    condition: Node
    yes: Tree
    no: Tree


Tree = Leaf | Branch


def leaves(tree: Tree) -> Iterator[Leaf]:
    """Yield the ends of all paths."""
    waiting = [tree]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Leaf):
            yield part
        else:
            waiting += (part.no, part.yes)


def all_checks(tree: Tree) -> Iterator[Check]:
    """Yield the checks of all paths."""
    yield from tree.checks
    if isinstance(tree, Branch):
        yield from all_checks(tree.yes)
        yield from all_checks(tree.no)


def map_leaves(tree: Tree, change: Callable[[Any], Any]) -> Tree:
    """Return the tree with `change(result)` as the result of each path that has one."""
    if isinstance(tree, Leaf):
        return tree if tree.raised is not None else replace(tree, result=change(tree.result))
    yes, no = map_leaves(tree.yes, change), map_leaves(tree.no, change)
    return Branch(tree.checks, tree.condition, yes, no)


@dataclass(frozen=True, slots=True)
class _Step:
    """A decision on a path."""

    condition: Node
    value: bool
    checks: int
    """The number of checks before it."""


class Path:
    """One path: the decisions that it takes from a script, and those that follow.

    Args:
        script: the values of the first decisions.
    """

    def __init__(self, script: Sequence[bool]) -> None:
        self._script = script
        self._operations = 0
        self.steps: list[_Step] = []

    def count(self) -> None:
        """Count an operation, so that a loop that never ends is found."""
        self._operations += 1
        if self._operations > MOST_OPERATIONS:
            raise TooManyPathsError(f"takes more than {MOST_OPERATIONS:,} operations on one path")

    def choose(self, condition: Node, first: bool, checks: int) -> bool:
        """Return the side of a decision that this path takes.

        Args:
            condition: the condition.
            first: the side to take beyond the script.
            checks: the number of checks before the decision.
        """
        number = len(self.steps)
        if number >= DEEPEST:
            raise TooManyPathsError(f"takes more than {DEEPEST} decisions one after the other")
        value = self._script[number] if number < len(self._script) else first
        self.steps.append(_Step(condition, value, checks))
        return value


Follow = Callable[[Path], tuple[Leaf, Sequence[Check]]]
"""A function that follows a path, and returns its end and all of its checks."""


def explore(follow: Follow) -> Tree:
    """Follow all paths, and return them as a tree.

    Raises:
        TooManyPathsError: if there are more than `MOST_PATHS`.
    """
    return _Explorer(follow).grow(())


class _Explorer:
    def __init__(self, follow: Follow) -> None:
        self._follow = follow
        self._paths = 0

    def grow(self, script: tuple[bool, ...]) -> Tree:
        """Follow the path of a script, and all paths that leave it after the script's end."""
        self._paths += 1
        if self._paths > MOST_PATHS:
            raise TooManyPathsError(f"has more than {MOST_PATHS:,} paths")
        path = Path(script)
        leaf, checks = self._follow(path)
        steps = path.steps
        values = tuple(step.value for step in steps)
        begin = steps[-1].checks if steps else 0
        tree: Tree = Leaf(tuple(checks[begin:]), leaf.result, leaf.raised)
        for i in reversed(range(len(script), len(steps))):
            other = self.grow((*values[:i], not values[i]))
            yes, no = (tree, other) if values[i] else (other, tree)
            begin = steps[i - 1].checks if i else 0
            tree = Branch(tuple(checks[begin : steps[i].checks]), steps[i].condition, yes, no)
        return tree
