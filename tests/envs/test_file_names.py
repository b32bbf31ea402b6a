"""Every file name has the same meaning in all games; CONTRIBUTING lists them."""

from __future__ import annotations

import ast
import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

import axiom_envs
from axiom_gym.kernel import KERNEL_FUNCTIONS, OPTIONAL_FUNCTIONS

FOLDERS = sorted(path.parent for path in Path(axiom_envs.__path__[0]).glob("*/game.py"))
WITH_KERNEL = [folder for folder in FOLDERS if (folder / "kernel.py").is_file()]
LIGHT = ("constants", "catalogue", "config", "features", "log", "game")
"""Modules that import neither Numba nor PyTorch."""


def id_of(folder: Path) -> str:
    return folder.name


def loaded_by(names: list[str], unwanted: list[str]) -> list[str]:
    """Return the unwanted modules that a new process has loaded after importing `names`."""
    code = (
        "import importlib, json, sys\n"
        f"for name in {names}: importlib.import_module(name)\n"
        f"print(json.dumps([name for name in {unwanted} if name in sys.modules]))"
    )
    process = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    found: list[str] = json.loads(process.stdout)
    return found


@pytest.mark.parametrize("folder", WITH_KERNEL, ids=id_of)
def test_kernel__holds_the_functions_of_the_contract_and_no_other(folder: Path) -> None:
    tree = ast.parse((folder / "kernel.py").read_text(encoding="utf-8"))
    functions = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    public = {name for name in functions if not name.startswith("_")}
    assert public
    assert public <= {*KERNEL_FUNCTIONS, *OPTIONAL_FUNCTIONS}


@pytest.mark.parametrize("folder", WITH_KERNEL, ids=id_of)
def test_state__holds_the_record(folder: Path) -> None:
    tree = ast.parse((folder / "state.py").read_text(encoding="utf-8"))
    targets = [t for node in tree.body if isinstance(node, ast.Assign) for t in node.targets]
    names = {target.id for target in targets if isinstance(target, ast.Name)}
    names |= {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert names & {"STATE", "state_dtype"}


@pytest.mark.parametrize("folder", FOLDERS, ids=id_of)
def test_bots_and_render__hold_what_the_game_names(folder: Path) -> None:
    package = f"axiom_envs.{folder.name}"
    game = importlib.import_module(f"{package}.game").GAME
    assert {place.partition(":")[0] for place in game.bots.values()} <= {f"{package}.bots"}
    assert game.painter in ("", f"{package}.render:paint")


def test_constants_and_facts__are_read_without_a_compiler() -> None:
    names = [
        f"axiom_envs.{folder.name}.{name}"
        for folder in FOLDERS
        for name in LIGHT
        if (folder / f"{name}.py").is_file()
    ]
    assert loaded_by(names, ["numba", "torch"]) == []


def test_packages__import_nothing_before_it_is_asked_for() -> None:
    names = [f"axiom_envs.{folder.name}" for folder in FOLDERS]
    assert loaded_by(names, ["numpy", "axiom_gym"]) == []
