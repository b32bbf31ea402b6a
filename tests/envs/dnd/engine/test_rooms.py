"""Rooms of the engine import downwards only, and no files import each other in a cycle.

Imports in functions and under TYPE_CHECKING count too.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import pytest

ENGINE = "axiom_envs.dnd.engine"
ROOMS = ("world", "values", "creature", "rules", "features", "encounter", "saves")
"""From the ground up; a file imports from its own room and from those below it."""

ONLY_AS_TYPES = {
    "creature.entity": "events, handlers, values and dice name the creature that they belong to",
    "rules.reactions": "an entity lists its reactions, which are asked with an attack",
}
"""Imports of higher rooms that are allowed under TYPE_CHECKING, with reasons."""

ONLY_IN_FUNCTIONS = {
    ("encounter.encounter", "encounter.scenarios"): "`Encounter.from_preset` is a shorthand",
}
"""Imports within a room that close a cycle and are deferred to a function, with reasons."""

BELOW = ("constants", "data", "geometry", "grid", "maps", "generator")
"""The modules of `axiom_envs.dnd` below the engine."""


class Import(NamedTuple):
    """An import of one module by another, both named within the engine."""

    importer: str
    imported: str
    where: str
    """ "top", "function" or "types"."""


def _folder() -> Path:
    spec = find_spec(ENGINE)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent


def _scan(node: ast.AST, where: str = "top") -> Iterator[tuple[ast.ImportFrom, str]]:
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.ImportFrom():
                yield child, where
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                yield from _scan(child, "types")
            case ast.FunctionDef() if where != "types":
                yield from _scan(child, "function")
            case _:
                yield from _scan(child, where)


@cache
def modules() -> dict[str, ast.Module]:
    """Return the engine's modules by their names within it; "" is the package itself."""
    found = {}
    for path in sorted(_folder().rglob("*.py")):
        parts = path.relative_to(_folder()).with_suffix("").parts
        name = ".".join(parts).removesuffix("__init__").removesuffix(".")
        found[name] = ast.parse(path.read_text(encoding="utf-8"))
    return found


@cache
def imports() -> tuple[Import, ...]:
    found = []
    for importer, tree in modules().items():
        for node, where in _scan(tree):
            module = node.module or ""
            if node.level or (module != ENGINE and not module.startswith(f"{ENGINE}.")):
                continue
            base = module.removeprefix(ENGINE).removeprefix(".")
            for alias in node.names:
                inner = f"{base}.{alias.name}".removeprefix(".")
                found.append(Import(importer, inner if inner in modules() else base, where))
    return tuple(found)


def room(module: str) -> str:
    return module.partition(".")[0]


def test_modules__are_in_rooms() -> None:
    assert {room(name) for name in modules()} == {*ROOMS, "conditions", ""}
    assert len(imports()) > 300


def test_rooms__import_only_from_lower_rooms() -> None:
    rank = {name: k for k, name in enumerate(ROOMS)}
    upward = [
        one
        for one in imports()
        if room(one.importer) in rank
        if rank.get(room(one.imported), len(ROOMS)) > rank[room(one.importer)]
    ]
    assert [
        one for one in upward if one.where != "types" or one.imported not in ONLY_AS_TYPES
    ] == []
    assert {one.imported for one in upward} == set(ONLY_AS_TYPES)


def test_files__have_no_import_cycles() -> None:
    graph: dict[str, set[str]] = {name: set() for name in modules()}
    late = set()
    for one in imports():
        if one.where == "types":
            continue
        if one.where == "function" and one[:2] in ONLY_IN_FUNCTIONS:
            late.add(one[:2])
        else:
            graph[one.importer].add(one.imported)
    order = list(TopologicalSorter(graph).static_order())  # raises for a cycle, and names it
    assert sorted(order) == sorted(modules())
    assert late == set(ONLY_IN_FUNCTIONS)


@pytest.mark.parametrize("name", BELOW)
def test_what_lies_below__imports_nothing_of_the_engine(name: str) -> None:
    place = _folder().parent / name
    files = sorted(place.rglob("*.py")) or [place.with_suffix(".py")]
    texts = {file.name: file.read_text(encoding="utf-8") for file in files}
    assert [one for one, text in texts.items() if f"{ENGINE}" in text] == []
