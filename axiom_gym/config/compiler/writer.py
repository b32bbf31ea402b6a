"""The writer of Python source, which computes repeated subexpressions once."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from axiom_gym.config.c_library import FUNCTIONS
from axiom_gym.config.compiler.nodes import Node

_CALLS = {"min": "lesser", "max": "greater", "floor": "floor_int", "to_int": "int", "abs": "abs"}
_CALLS |= {name: name for name in FUNCTIONS}
# Both sides are cheap bools, and Numba compiles code without jumps faster.
_SIGNS = {"and": "&", "or": "|"}
_LEAVES = ("const", "read")
_SHORT = 12
"""The number of operations in an expression that is computed even if it is not needed."""
_CHAIN = 64
"""The number of `elif` in a chain; Python and Numba process long chains recursively."""
_REST = "\0"
_BLOCKS = 60
_LEVELS = 30
"""The greatest depth of brackets; Python's limit is 200."""


class Writer:
    """A writer of the body of one function.

    Args:
        variable: a function from a node that reads a field to the variable with its value.
        codes: the numbers of the strings and None.
    """

    def __init__(self, variable: Callable[[Node], str], codes: Mapping[str | None, int]) -> None:
        self.lines: list[str] = []
        self._variable = variable
        self._codes = codes
        self._depth = 1
        self._scopes: list[dict[Node, str]] = [{}]
        self._unknown: dict[str | None, int] = {}
        self._temporaries = 0
        self._blocks = 0

    def line(self, text: str) -> None:
        """Write a line at the current depth."""
        self.lines.append("    " * self._depth + text)

    @contextmanager
    def block(self, header: str) -> Iterator[None]:
        """Write a header, and indent the lines of the block below it."""
        self.line(header)
        self._blocks += 1
        before = len(self.lines)
        self._depth += 1
        self._scopes.append({})
        yield
        if len(self.lines) == before:
            self.line("pass")
        self._scopes.pop()
        self._depth -= 1

    def rest(self) -> None:
        """Mark a place for `refresh`, if many blocks were written since the last mark."""
        if self._blocks >= _BLOCKS:
            self._blocks = 0
            self.line(_REST)

    def refresh(self, variables: list[str]) -> list[str]:
        """Return the lines, with `x = x` for each variable at the marked places.

        Numba searches for the last assignment to a variable recursively, block by block. Without
        new assignments, the recursion would be too deep in a long function.
        """
        lines = []
        for line in self.lines:
            indent, mark, _ = line.partition(_REST)
            lines += [f"{indent}{x} = {x}" for x in variables] if mark else [line]
        return lines

    def compute(self, roots: list[Node]) -> list[str]:
        """Return the source of each expression; assign shared parts to variables first."""
        uses: Counter[Node] = Counter(roots)
        order: dict[Node, None] = {}
        for root in roots:
            self._count(root, uses, order)
        levels: dict[Node, int] = {}
        for node in order:
            levels[node] = 1 + max((levels.get(arg, 0) for arg in node.args), default=0)
            if _is_lazy(node):
                self._choose(node)
                levels[node] = 0
            elif node.op not in _LEAVES and (uses[node] > 1 or levels[node] > _LEVELS):
                self._keep(node)
                levels[node] = 0
        return [self.text(root) for root in roots]

    def _count(self, root: Node, uses: Counter[Node], order: dict[Node, None]) -> None:
        """Count the uses of each node, and list nodes with parts before those that use them."""
        waiting = [root]
        counted = set[Node]()
        while waiting:
            node = waiting[-1]
            if node in order or self._known(node) is not None:
                waiting.pop()
            elif node in counted:
                order[waiting.pop()] = None
            else:
                counted.add(node)
                parts = node.args[:1] if _is_lazy(node) else node.args
                uses.update(parts)
                waiting += reversed(parts)

    def _keep(self, node: Node) -> None:
        name = self._name()
        self.line(f"{name} = {strip(self.text(node))}")
        self._scopes[-1][node] = name

    def _choose(self, node: Node) -> None:
        """Write a value as an `if`, so that only the side that is taken is computed."""
        name = self._name()
        header = "if"
        last = node
        for count, last in enumerate(self._chain(node)):
            if count == _CHAIN:
                break
            with self.block(f"{header} {strip(self.text(last.args[0]))}:"):
                self._set(name, last.args[1])
            header, last = "elif", last.args[2]
        with self.block("else:"):
            self._set(name, last)
        self._scopes[-1][node] = name

    def _chain(self, node: Node) -> Iterator[Node]:
        """Yield a choice, and those in its other side that an `elif` can continue."""
        yield node
        while True:
            node = node.args[2]
            if not _is_lazy(node) or self._known(node) or _is_long(node.args[0]):
                return
            if not node.args[0].total:
                return
            yield node

    def _set(self, name: str, node: Node) -> None:
        (text,) = self.compute([node])
        self.line(f"{name} = {strip(text)}")

    def _name(self) -> str:
        self._temporaries += 1
        return f"t{self._temporaries - 1}"

    def _known(self, node: Node) -> str | None:
        for scope in reversed(self._scopes):
            if node in scope:
                return scope[node]
        return None

    def text(self, node: Node) -> str:
        """Return an expression, in brackets if it is more than a name or a call."""
        known = self._known(node)
        if known is not None:
            return known
        if node.op == "const":
            return self._constant(node)
        if node.op == "read":
            return self._variable(node)
        args = [self.text(arg) for arg in node.args]
        match node.op:
            case "known":
                return args[0]
            case "to_float":
                return f"float({strip(args[0])})"
            case "where":
                return f"({args[1]} if {tested(args[0])} else {args[2]})"
            case "not":
                return f"(not {args[0]})"
            case "negate":
                return f"(-{args[0]})"
        if node.op in _CALLS:
            return f"{_CALLS[node.op]}({', '.join(strip(arg) for arg in args)})"
        return f"({args[0]} {_SIGNS.get(node.op, node.op)} {args[1]})"

    def _constant(self, node: Node) -> str:
        value = node.payload
        if node.kind == "choice":
            if value in self._codes:
                return str(self._codes[value])
            # No field can hold this string, but rules may compare it with another such string.
            return f"({-1 - self._unknown.setdefault(value, len(self._unknown))})"
        if node.kind == "float" and not math.isfinite(value):
            return "np.nan" if math.isnan(value) else f"({'-' if value < 0 else ''}np.inf)"
        return f"({value!r})" if node.kind in ("int", "float") and value < 0 else repr(value)


def _is_lazy(node: Node) -> bool:
    """Return True for a choice of two values of which one cannot or should not always be computed.

    Short sides are computed in one expression, which costs less than a jump.
    """
    if node.op != "where":
        return False
    sides = node.args[1:]
    return not all(side.total for side in sides) or any(map(_is_long, sides))


def _is_long(node: Node) -> bool:
    """Return True for an expression of more than `_SHORT` operations."""
    waiting, count = [node], 0
    while waiting and count <= _SHORT:
        part = waiting.pop()
        count += part.op not in _LEAVES
        waiting += part.args
    return count > _SHORT


def comment(text: object) -> str:
    """Return a text on one line, with unprintable characters escaped."""
    words = " ".join(str(text).split())
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in words)


def tested(text: str) -> str:
    """Return an expression for the place between `if` and `else`.

    Outer brackets are removed, except around another conditional expression.
    """
    return text if " if " in text else strip(text)


def strip(text: str) -> str:
    """Remove the outermost brackets if they enclose the complete text."""
    if not (text.startswith("(") and text.endswith(")")):
        return text
    depth = 0
    for place, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if depth == 0 and place < len(text) - 1:
            return text
    return text[1:-1]
