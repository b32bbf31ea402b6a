"""The source of callables as syntax trees.

A callable without a source that can be found, or whose file has changed since it was loaded, has no
tree. Nothing is called.
"""

from __future__ import annotations

import ast
import functools
import inspect
import linecache
from collections import deque
from collections.abc import Callable, Iterator
from types import CodeType, MethodType
from typing import Any

Function = ast.Lambda | ast.FunctionDef

_Span = tuple[tuple[int, int], tuple[int, int]]
"""The first and last (line, column)."""


def find_tree(function: Callable[..., Any]) -> Function | None:
    """Return the syntax tree of a function or method, or None if it has none."""
    plain = function.__func__ if isinstance(function, MethodType) else function
    code = getattr(plain, "__code__", None)
    return _find_tree(code) if inspect.isfunction(plain) and code is not None else None


def first_parameters(function: Callable[..., Any], tree: Function, count: int) -> list[str]:
    """Return the names of the first `count` parameters, without the `self` of a method."""
    names = [one.arg for one in (*tree.args.posonlyargs, *tree.args.args)]
    skipped = int(isinstance(function, MethodType))
    return names[skipped : skipped + count]


def walk(tree: ast.AST, names: list[str]) -> Iterator[ast.AST]:
    """Yield the nodes of a function in which these names have the same meaning."""
    waiting = deque([tree])
    while waiting:
        node = waiting.popleft()
        yield node
        waiting += (one for one in ast.iter_child_nodes(node) if not _redefines(one, names))


def _redefines(node: ast.AST, names: list[str]) -> bool:
    """Return True for a function with a parameter of one of these names."""
    if not isinstance(node, (ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef)):
        return False
    return any(isinstance(one, ast.arg) and one.arg in names for one in ast.walk(node.args))


@functools.lru_cache(maxsize=4096)
def _find_tree(code: CodeType) -> Function | None:
    functions, codes = _parse("".join(linecache.getlines(code.co_filename)))
    spans = list(_spans(code)) if code in codes else []
    found = [
        node
        for node in functions.get(code.co_name, ())
        if spans and all(_is_inside(span, node) for span in spans)
    ]
    return min(found, key=_size, default=None)


@functools.lru_cache(maxsize=64)
def _parse(source: str) -> tuple[dict[str, list[Function]], frozenset[CodeType]]:
    """Return a file's functions by name, and its code objects, which tell if it has changed."""
    try:
        tree = ast.parse(source)
        module = compile(tree, "<source>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return {}, frozenset()
    functions: dict[str, list[Function]] = {}
    for node in ast.walk(tree):
        if isinstance(node, (ast.Lambda, ast.FunctionDef)):
            functions.setdefault(getattr(node, "name", "<lambda>"), []).append(node)
    return functions, frozenset(_codes(module))


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _spans(code: CodeType) -> Iterator[_Span]:
    """Yield the places of a function's instructions, without those that have no source."""
    for line, end_line, column, end_column in code.co_positions():
        if line is None or end_line is None or column is None or end_column is None:
            continue
        if (line, column) != (end_line, end_column):
            yield (line, column), (end_line, end_column)


def _is_inside(span: _Span, node: Function) -> bool:
    """Return True for a place inside of a function; making the function is outside of it."""
    start, end = whole = _span(node)
    return start <= span[0] and span[1] <= end and span != whole


def _span(node: Function) -> _Span:
    end_line, end_column = node.end_lineno, node.end_col_offset
    assert end_line is not None
    assert end_column is not None
    return (node.lineno, node.col_offset), (end_line, end_column)


def _size(node: Function) -> tuple[int, int]:
    """Return a measure by which an inner function is less than the outer one."""
    (line, column), (end_line, end_column) = _span(node)
    return end_line - line, end_column - column if end_line == line else -column
