"""Names in `__all__` exist, and a module has no other public definitions."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from pettingzoo.test import max_cycles_test

from axiom_gym.errors import IncompatibleGameError
from axiom_gym.registry import game_ids

PACKAGES = ["axiom_gym", "axiom_envs", "axiom_training"]


def modules() -> dict[str, ast.Module]:
    """Return every module of the project, parsed and not imported."""
    found = {}
    for package in PACKAGES:
        spec = find_spec(package)  # installed, from this repository or from a wheel
        assert spec is not None
        assert spec.origin is not None
        source = Path(spec.origin).parents[1]
        for path in sorted((source / package).rglob("*.py")):
            name = ".".join(path.relative_to(source).with_suffix("").parts)
            tree = ast.parse(path.read_text(encoding="utf-8"))
            found[name.removesuffix(".__init__")] = tree
    return found


MODULES = modules()


def bound(body: list[ast.stmt], imported: bool) -> Iterator[str]:
    """Return names that statements bind: those of definitions, or those of imports."""
    for node in body:
        match node:
            case ast.FunctionDef() | ast.ClassDef() if not imported:
                yield node.name
            case ast.Assign(targets=targets) if not imported:
                names = (name for target in targets for name in ast.walk(target))
                yield from (name.id for name in names if isinstance(name, ast.Name))
            case ast.AnnAssign(target=ast.Name(id=name)) if not imported:
                yield name
            case ast.Import() | ast.ImportFrom() if imported:
                yield from (alias.asname or alias.name for alias in node.names)
            case ast.If():
                yield from bound([*node.body, *node.orelse], imported)


def exported(tree: ast.Module) -> list[str] | None:
    """Return the value of `__all__`, if there is one."""
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id="__all__")]):
                names: list[str] = ast.literal_eval(node.value)
                return names
    return None


EXPORTING = [name for name, tree in MODULES.items() if exported(tree) is not None]


def test_exports__are_declared_where_a_package_has_names_of_its_own() -> None:
    missing = [
        name
        for name, tree in MODULES.items()
        if name in PACKAGES or name.rpartition(".")[0] == "axiom_envs"
        if exported(tree) is None and any(not n.startswith("_") for n in bound(tree.body, False))
    ]
    assert missing == []
    assert "axiom_gym" in EXPORTING


@pytest.mark.parametrize("name", EXPORTING)
def test_exports__are_there(name: str) -> None:
    tree = MODULES[name]
    known = {*bound(tree.body, False), *bound(tree.body, True)}
    absent = [one for one in exported(tree) or [] if one not in known]
    if absent:
        # Lazy names are created on access.
        module = importlib.import_module(name)
        absent = [one for one in absent if not hasattr(module, one)]
    assert absent == []


@pytest.mark.parametrize("name", EXPORTING)
def test_exports__are_listed_once_and_are_public(name: str) -> None:
    names = exported(MODULES[name]) or []
    assert names
    assert len(set(names)) == len(names)
    assert [one for one in names if one.startswith("_") and one != "__version__"] == []


# A kernel exports the names of its contract; its other definitions are their helpers.
@pytest.mark.parametrize("name", [name for name in EXPORTING if not name.endswith(".kernel")])
def test_exports__hold_every_public_definition(name: str) -> None:
    tree = MODULES[name]
    public = {one for one in bound(tree.body, False) if not one.startswith("_")}
    assert sorted(public - {*(exported(tree) or [])}) == []


@pytest.mark.parametrize("name", EXPORTING)
def test_exports__can_be_imported_by_a_star(name: str) -> None:
    module = importlib.import_module(name)
    names: dict[str, object] = {}
    exec(f"from {name} import *", names)
    assert set(module.__all__) <= set(names)


@pytest.mark.parametrize("name", ["axiom_gym", "axiom_gym.adapters"])
def test_lazy_submodules__are_known_to_type_checkers(name: str) -> None:
    body = MODULES[name].body
    assert set(dir(importlib.import_module(name))) <= {*bound(body, False), *bound(body, True)}


def test_modules__name_no_other_modules_private_names() -> None:
    wrong = []
    for module, tree in MODULES.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("axiom_"):
                private = [n.name for n in node.names if n.name.startswith("_")]
                private = [one for one in private if one != "__version__"]
                wrong += [f"{module}: {node.module}.{one}" for one in private]
    assert wrong == []


@pytest.mark.parametrize("name", [name.rpartition("-")[0] for name in game_ids()])
def test_game_package__is_a_pettingzoo_module(name: str) -> None:
    package = importlib.import_module(f"axiom_envs.{name}")
    env = package.env(max_cycles=7, render_mode="ansi", mask_in="info")
    assert env.batch.game is package.GAME
    assert env.batch.max_turns == 7
    assert package.raw_env is package.env
    assert {"env", "raw_env", "parallel_env"} <= set(package.__all__)
    if package.GAME.is_sequential:
        with pytest.raises(IncompatibleGameError, match=r"Use the AEC form, env\(\)"):
            package.parallel_env()
    else:
        assert package.parallel_env(max_cycles=7).possible_agents == env.possible_agents


def test_max_cycles_test__passes_for_the_packages_of_games() -> None:
    """It needs a simultaneous game, and most agents to live as long as the limit."""
    for name in ("quantaris", "quickstart"):
        max_cycles_test(importlib.import_module(f"axiom_envs.{name}"))
