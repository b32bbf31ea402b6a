"""Mistakes that the source of callables shows: options and fields that do not exist."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from axiom_gym.config.definitions import ENGINE_KEYS, Choice, GameConfig
from axiom_gym.config.places import Placed, callables
from axiom_gym.config.problems import Problem, Problems, did_you_mean, items
from axiom_gym.config.sources import Function, find_tree, first_parameters, walk
from axiom_gym.config.task import Task

Options = Mapping[str, tuple[str | None, ...]]


class Written(NamedTuple):
    """An entry of a delta that a callable returns."""

    key: str | None
    """The key; None for all keys of the state."""
    value: ast.expr


def check_sources(config: GameConfig, task: Task | None = None) -> Problems:
    """Check the options of choices, and the keys of deltas."""
    options = {key: one.options for key, one in items(config.choices) if isinstance(one, Choice)}
    for placed in callables(config, task):
        tree = find_tree(placed.function)
        if tree is not None:
            states = first_parameters(placed.function, tree, placed.states)
            yield from _check_comparisons(placed, tree, states, options)
            for key, value in written(placed, tree, states):
                yield from _check_entry(placed, key, value, options)


def _check_entry(placed: Placed, key: str | None, value: ast.expr, options: Options) -> Problems:
    """Check an entry of a delta."""
    line = at(placed.function, value.lineno)
    if key is None:
        message = f"returns the whole state{line}, but a delta is added to the attributes"
        yield Problem(placed.path, f"{message}; return only the changes.")
    elif key in ENGINE_KEYS:
        message = f"is one of the engine's own fields, {', '.join(ENGINE_KEYS)}; leave it out"
        yield Problem(f"{placed.path}[{key!r}]", f"{message}{line}.")
    elif isinstance(value, ast.Constant) and isinstance(value.value, str):
        yield from _check_option(placed, f"sets {key!r} to", key, value, options)


def _check_option(
    placed: Placed, what: str, key: str, node: ast.Constant, options: Options
) -> Problems:
    value, known = node.value, options.get(key)
    if known is not None and value not in known:
        hint = did_you_mean(value, [one for one in known if one is not None])
        allowed = ", ".join(map(repr, known))
        message = (
            f"{what} {value!r}, but its options are {allowed}{at(placed.function, node.lineno)}."
        )
        yield Problem(placed.path, f"{message}{hint}")


def at(function: Any, line: int) -> str:
    """Return " (FILE, line N)" for a line of a function or method."""
    code = getattr(function, "__func__", function).__code__
    return f" ({Path(code.co_filename).name}, line {line})"


def _check_comparisons(
    placed: Placed, tree: Function, states: list[str], options: Options
) -> Problems:
    for key, node in _compared(tree, states):
        yield from _check_option(placed, f"compares {key!r} with", key, node, options)


def _compared(tree: Function, states: list[str]) -> Iterator[tuple[str, ast.Constant]]:
    """Yield each comparison of a field with a string, as (field, string)."""
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    if any(isinstance(name.ctx, ast.Store) and name.id in states for name in names):
        return  # a name that stands for other values too
    for node in walk(tree, states):
        if not isinstance(node, ast.Compare):
            continue
        sides = [node.left, *node.comparators]
        for left, operator, right in zip(sides, node.ops, sides[1:], strict=False):
            key = _field(left, states) or _field(right, states)
            if key is not None:
                yield from ((key, value) for value in _strings(left, operator, right))


def _strings(left: ast.expr, operator: ast.cmpop, right: ast.expr) -> list[ast.Constant]:
    """Return the strings that one side is compared with."""
    found: Sequence[ast.expr | None] = []
    if isinstance(operator, (ast.Eq, ast.NotEq)):
        found = [left, right]
    elif isinstance(operator, (ast.In, ast.NotIn)):  # codespell:ignore notin
        found = _entries(right)
    return [one for one in found if isinstance(one, ast.Constant) and isinstance(one.value, str)]


def read(tree: Function, states: list[str]) -> Iterator[tuple[str, int]]:
    """Yield (field, line) for each field that `s["field"]` reads."""
    for node in walk(tree, states):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
            key = _field(node, states)
            if key is not None:
                yield key, node.lineno


def _field(node: ast.expr, states: list[str]) -> str | None:
    """Return the key of `s["key"]` or `s.get("key")`, else None."""
    match node:
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str(key))):
            return key if name in states else None
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id=name), attr="get"),
            args=[ast.Constant(value=str(key)), *_],
        ):
            return key if name in states else None
    return None


def _entries(node: ast.expr) -> Sequence[ast.expr | None]:
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        return node.elts
    return node.keys if isinstance(node, ast.Dict) else []


def written(placed: Placed, tree: Function, states: list[str]) -> Iterator[Written]:
    """Yield the keys that a callable writes, as far as it returns dicts with constant keys."""
    if not placed.returns_delta:
        return
    returned: list[ast.expr | None] = []
    if isinstance(tree, ast.Lambda):
        returned.append(tree.body)
    else:
        returned += [node.value for node in _own_nodes(tree) if isinstance(node, ast.Return)]
    while returned:
        match returned.pop():
            case ast.IfExp(body=yes, orelse=no):
                returned += [yes, no]
            case ast.BoolOp(values=values):
                returned += values
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                returned += [left, right]
            case ast.Dict(keys=keys, values=values):
                for key, value in zip(keys, values, strict=True):
                    if isinstance(key, ast.Constant) and isinstance(key.value, str):
                        yield Written(key.value, value)
                    elif key is None and _is_state(value, states):
                        yield Written(None, value)
            case ast.expr() as whole if _is_state(whole, states):
                yield Written(None, whole)


def _is_state(node: ast.expr, states: list[str]) -> bool:
    return isinstance(node, ast.Name) and node.id in states


def _own_nodes(tree: ast.FunctionDef) -> Iterator[ast.AST]:
    """Yield the nodes of a function without those of the functions inside of it."""
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, (ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef)):
            waiting += ast.iter_child_nodes(node)
