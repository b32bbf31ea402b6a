"""Evaluation of expressions on plain values, with the interpreter's results."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from axiom_gym.config.compiler.nodes import Node, compute


class Values:
    """The values of expressions in one state.

    Args:
        read: a function from a node that reads a field to the field's value; called once for each.
    """

    def __init__(self, read: Callable[[Node], Any]) -> None:
        self._read = read
        self._known: dict[Node, Any] = {}

    def fields(self) -> dict[str, Any]:
        """Return the values of the fields read so far."""
        return {n.payload[0]: value for n, value in self._known.items() if n.op == "read"}

    def __getitem__(self, node: Node) -> Any:
        """Return the value of an expression; it is arbitrary if one of its checks fails."""
        waiting = [node]  # a stack instead of recursion, because expressions can be deep
        while waiting:
            missing = [arg for arg in waiting[-1].args if arg not in self._known]
            if missing:
                waiting += missing
            else:
                done = waiting.pop()
                if done not in self._known:
                    self._known[done] = self._compute(done)
        return self._known[node]

    def _compute(self, node: Node) -> Any:
        args = [self._known[arg] for arg in node.args]
        match node.op:
            case "const":
                return node.payload
            case "read":
                return self._read(node)
            case "known":
                return args[0]
            case "to_float":
                return float(args[0])
            case "to_int":
                return int(args[0])
        try:
            return compute(node.op, args)
        except (ArithmeticError, ValueError):
            return math.nan
