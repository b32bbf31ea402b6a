"""Operators that Python groups in another way than they look, in the source of callables."""

from __future__ import annotations

import ast
import inspect
import linecache
from collections.abc import Callable, Iterator
from typing import Any

from axiom_gym.config.definitions import GameConfig
from axiom_gym.config.places import callables
from axiom_gym.config.problems import Problem, Problems
from axiom_gym.config.source_checks import at
from axiom_gym.config.sources import find_tree
from axiom_gym.config.task import Task


def check_operators(config: GameConfig, task: Task | None = None) -> Problems:
    """Warn of `a > 3 & b < 5` and of `~flag`, also in functions that callables use."""
    seen: set[int] = set()
    for placed in callables(config, task):
        for function in _with_used(placed.function, seen):
            for message, line in _doubtful(function):
                yield Problem(placed.path, f"{message}{at(function, line)}.")


def _with_used(function: Callable[..., Any], seen: set[int]) -> Iterator[Callable[..., Any]]:
    """Yield a function, and the functions of the same file that it names, each once."""
    function = getattr(function, "__func__", function)
    if not inspect.isfunction(function) or id(function) in seen:
        return
    seen.add(id(function))
    yield function
    names, code = inspect.getclosurevars(function), function.__code__
    for used in (*names.nonlocals.values(), *names.globals.values()):
        if inspect.isfunction(used) and used.__code__.co_filename == code.co_filename:
            yield from _with_used(used, seen)


def _doubtful(function: Callable[..., Any]) -> Iterator[tuple[str, int]]:
    """Yield a message and a line for each doubtful operator."""
    tree = find_tree(function)
    lines = linecache.getlines(function.__code__.co_filename) if tree else []
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert):
            if not isinstance(node.operand, ast.Constant):
                shown = ast.unparse(node.operand)
                message = f"`~{shown}` is true for every bool; write `not {shown}`"
                yield message, node.lineno
        elif isinstance(node, ast.Compare):
            for side in (node.left, *node.comparators):
                if _is_bitwise(side) and not _has_brackets(side, lines):
                    yield _explained(node, side), node.lineno


def _is_bitwise(node: ast.expr) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, (ast.BitAnd, ast.BitOr))


def _explained(node: ast.Compare, side: ast.expr) -> str:
    assert isinstance(side, ast.BinOp)
    operator, word = ("&", "and") if isinstance(side.op, ast.BitAnd) else ("|", "or")
    written, grouped = ast.unparse(node), ast.unparse(side)
    meaning = written.replace(grouped, f"({grouped})", 1)
    return (
        f"`{written}` means `{meaning}`, because {operator} binds more tightly than comparisons; "
        f"write `{word}`, or brackets around each part"
    )


def _has_brackets(node: ast.expr, lines: list[str]) -> bool:
    """Return True if the source has brackets around an expression."""
    assert node.end_lineno is not None
    start, end = lines[node.lineno - 1].encode(), lines[node.end_lineno - 1].encode()
    before = "".join(lines[: node.lineno - 1]).encode() + start[: node.col_offset]
    after = end[node.end_col_offset :] + "".join(lines[node.end_lineno :]).encode()
    return before.rstrip().endswith(b"(") and after.lstrip().startswith(b")")
