from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

from axiom_envs import quantaris
from axiom_gym.adapters.pettingzoo import AxiomAECEnv, AxiomParallelEnv
from axiom_gym.registry import get_game

MODULES = ("types", "events", "hashing", "rules")


@pytest.mark.parametrize("name", quantaris.__all__)
def test_package__exports_the_very_object_of_its_module(name: str) -> None:
    exported = getattr(quantaris, name)
    home = getattr(exported, "__module__", "")
    if home.startswith("axiom_envs.quantaris."):
        assert getattr(importlib.import_module(home), name) is exported


@pytest.mark.parametrize("module", MODULES)
def test_package__exports_all_public_functions_and_classes(module: str) -> None:
    home = importlib.import_module(f"axiom_envs.quantaris.compat.{module}")
    own = {
        name
        for name, value in vars(home).items()
        if not name.startswith("_") and getattr(value, "__module__", None) == home.__name__
    }
    helpers = {"ActionFields", "Undefined", "js_text", "read_action"}
    assert own - helpers <= set(quantaris.__all__)


def test_package__exports_the_constants_of_the_rules() -> None:
    types = importlib.import_module("axiom_envs.quantaris.compat.types")
    constants = {name for name in vars(types) if name.isupper() and not name.startswith("_")}
    assert constants <= set(quantaris.__all__)
    assert quantaris.BOARD_SIZE == types.BOARD_SIZE == 9


def test_package__lists_what_it_exports() -> None:
    assert sorted(dir(quantaris)) == sorted(quantaris.__all__)
    assert len(set(quantaris.__all__)) == len(quantaris.__all__)
    assert not hasattr(quantaris, "nothing")


def test_package__is_the_registered_game_and_a_pettingzoo_module() -> None:
    assert quantaris.GAME is get_game("quantaris-v0")
    assert type(quantaris.parallel_env(preset="v0.1")) is AxiomParallelEnv
    assert type(quantaris.env()) is type(quantaris.raw_env()) is AxiomAECEnv
    assert quantaris.env(preset="v0.1").batch.config.ruleset == "0.1"


def test_import__loads_nothing_before_it_is_asked_for() -> None:
    code = """
import sys
import axiom_envs.quantaris as quantaris
heavy = ("numba", "gymnasium", "pettingzoo", "axiom_envs.quantaris.compat.rules")
print([name for name in (*heavy, "numpy", "axiom_gym") if name in sys.modules])
found = quantaris.GAME, quantaris.Player, quantaris.MoveEvent, quantaris.hash_state
print([name for name in ("numba", "axiom_envs.quantaris.compat.rules") if name in sys.modules])
"""
    process = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert process.stdout.split() == ["[]", "[]"]
