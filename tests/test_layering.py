"""Imports go one way: axiom_training -> axiom_envs -> axiom_gym. Each library has its place."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest


def _folder(package: str) -> Path:
    """Return the folder of a package that is installed, from this repository or from a wheel."""
    spec = find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent


PACKAGES = {name: _folder(name) for name in ("axiom_gym", "axiom_envs", "axiom_training")}

FORBIDDEN = {
    "axiom_gym": {"axiom_envs", "axiom_training"},
    "axiom_envs": {"axiom_training"},
    "axiom_training": set[str](),
}
"""Packages that no module of a package may import."""

PLACES = {
    "gymnasium": (
        *("axiom_gym.adapters.", "axiom_training.networks"),
        "axiom_training.unpickling",
    ),
    "pettingzoo": ("axiom_gym.adapters.",),
    "pyspiel": ("axiom_gym.adapters.openspiel_game",),
    "openenv": ("axiom_gym.adapters.openenv",),
    "ray": ("axiom_gym.adapters.rllib_env",),
    "torch": ("axiom_training.", "axiom_gym.adapters.sb3"),
    "stable_baselines3": ("axiom_training.", "axiom_gym.adapters.sb3"),
    "sb3_contrib": ("axiom_training.", "axiom_gym.adapters.sb3"),
}
"""The only modules that may import a library: full names, or prefixes.

Networks need Gymnasium because its spaces describe them to stable-baselines3, in its files too.
"""

ROOMS = (
    *("root", "game", "backend", "registry", "batch", "opponents", "replay", "play", "text"),
    *("render", "config", "adapters", "check", "balance", "commands", "top"),
)
"""The packages of the core, lowest first. A module in no folder belongs to the root or to `TOP`."""

TOP = ("axiom_gym", "axiom_gym.cli")
"""Modules that may import everything: the package itself and the command line."""

UPWARD = {
    ("axiom_gym.kernel", "axiom_gym.backend.numba_internals"): "imports nothing of ours",
    ("axiom_gym.game", "axiom_gym.play.game_loop"): "a public name, imported lazily",
    ("axiom_gym.game", "axiom_gym.play.match_config"): "a public name, imported lazily",
    ("axiom_gym.game", "axiom_gym.play.kernel_object"): "a public name, imported lazily",
    ("axiom_gym.game", "axiom_gym.play.result"): "a public name, imported lazily",
    ("axiom_gym.game", "axiom_gym.replay.playback"): "a public name, imported lazily",
    ("axiom_gym.config.environment", "axiom_gym.adapters.gymnasium"): "`make_env`, `make_vec`",
}
"""Imports of a higher package of the core, each with its reason."""

LIGHT = ["numba", "torch", "stable_baselines3", "axiom_envs", "axiom_training"]
"""Libraries that are imported only when a game is made."""


@cache
def imports() -> dict[str, set[str]]:
    """Return the imports of each module, including those in functions and for types."""
    found = {}
    for package, folder in PACKAGES.items():
        for path in folder.rglob("*.py"):
            parts = [package, *path.relative_to(folder).with_suffix("").parts]
            is_package = parts[-1] == "__init__"
            name = ".".join(parts[:-1] if is_package else parts)
            parent = name if is_package else name.rpartition(".")[0]
            found[name] = set(_imports(ast.parse(path.read_text(encoding="utf-8")), parent))
    return found


def _imports(tree: ast.AST, package: str) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Import():
                yield from (alias.name for alias in node.names)
            case ast.ImportFrom():
                above = package.rsplit(".", node.level - 1)[0] if node.level else ""
                base = ".".join(filter(None, [above, node.module]))
                yield from (f"{base}.{alias.name}" for alias in node.names)
            case ast.Call(args=[ast.Constant(value=str(name)), *_]):
                function = node.func.attr if isinstance(node.func, ast.Attribute) else node.func
                if getattr(function, "id", function) in ("import_module", "__import__"):
                    yield name


@cache
def core() -> dict[str, set[str]]:
    """Return the modules of the core that each of its modules imports.

    The package itself is left out, since it is imported before any of them.
    """
    found = {}
    for module in (name for name in imports() if name.startswith("axiom_gym")):
        names = {
            name if name in imports() else name.rpartition(".")[0] for name in imports()[module]
        }
        found[module] = {name for name in names if name.startswith("axiom_gym.")} - {module}
    return found


def room(module: str) -> str:
    if module in TOP:
        return "top"
    name = module.split(".")[1]
    return name if name in ROOMS else "root"


@cache
def reached(module: str) -> set[str]:
    """Return the modules of the core that an import of this one may load, itself if in a circle."""
    waiting, found = list(core()[module]), set[str]()
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += core()[name]
    return found


def importers(library: str) -> list[str]:
    return sorted(
        module
        for module, names in imports().items()
        if any(name == library or name.startswith(f"{library}.") for name in names)
    )


def run(code: str) -> list[str]:
    """Return what code prints as JSON in a new process."""
    process = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert process.returncode == 0, process.stderr
    found: list[str] = json.loads(process.stdout)
    return found


@pytest.mark.parametrize("package", PACKAGES)
def test_packages__are_found(package: str) -> None:
    assert package in imports()
    assert importers("numpy")


@pytest.mark.parametrize("package", FORBIDDEN)
def test_packages__import_only_what_lies_below_them(package: str) -> None:
    wrong = [
        f"{module} imports {name}"
        for module, names in imports().items()
        for name in names
        if module.partition(".")[0] == package and name.partition(".")[0] in FORBIDDEN[package]
    ]
    assert wrong == []


def test_rooms__import_only_what_lies_below_them() -> None:
    upward = {
        (module, name)
        for module, names in core().items()
        for name in names
        if ROOMS.index(room(name)) > ROOMS.index(room(module))
    }
    assert sorted(upward - set(UPWARD)) == []
    assert sorted(set(UPWARD) - upward) == [], "these exceptions are needed no more"


def test_rooms__have_no_circle_between_them() -> None:
    circles = [
        f"{module} and {name}"
        for module in core()
        for name in reached(module)
        if room(name) != room(module) and module in reached(name)
    ]
    assert circles == []


def test_rooms__are_all_folders_of_the_core() -> None:
    folders = {path.parent.name for path in PACKAGES["axiom_gym"].glob("*/__init__.py")}
    assert folders | {"root", "top"} == set(ROOMS)


@pytest.mark.parametrize("library", PLACES)
def test_libraries__are_imported_only_in_their_places(library: str) -> None:
    found = importers(library)
    assert found
    assert [module for module in found if not module.startswith(PLACES[library])] == []


def test_import_axiom_gym__loads_no_compiler_and_no_game() -> None:
    code = (
        f"import axiom_gym, json, sys; print(json.dumps([m for m in {LIGHT} if m in sys.modules]))"
    )
    assert run(code) == []


def test_facts_of_a_game__are_read_without_a_compiler() -> None:
    code = (
        "import json, sys\n"
        "from axiom_gym import registry\n"
        "games = [registry.get_game(name) for name in registry.game_ids()]\n"
        "assert all(game.layout(game.config()).num_choices for game in games)\n"
        "print(json.dumps([m for m in ('numba', 'torch') if m in sys.modules]))"
    )
    assert run(code) == []


@pytest.mark.parametrize("package", PACKAGES)
def test_packages__are_typed(package: str) -> None:
    assert (PACKAGES[package] / "py.typed").is_file()
