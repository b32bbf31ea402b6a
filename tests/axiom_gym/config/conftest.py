"""Fixtures: the configs of the recorded games, and the modules that compare and generate games."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest

from axiom_gym.config.definitions import GameConfig


def _load(name: str) -> ModuleType:
    """Return a module of this folder, which is no package."""
    full_name = f"axiom_{name}"
    if full_name not in sys.modules:
        path = Path(__file__).with_name(f"{name}.py")
        spec = importlib.util.spec_from_file_location(full_name, path)
        assert spec is not None
        assert spec.loader is not None
        sys.modules[full_name] = module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return sys.modules[full_name]


class Recorded(NamedTuple):
    """A config with the settings of its recorded games."""

    config: GameConfig
    runs: int
    probe: Mapping[str, Any] | None = None
    """The context of the second list of available actions."""


@pytest.fixture(scope="session")
def recorded() -> dict[str, Recorded]:
    """The configs of all recorded games, by name."""
    towns, odd = _load("vector_configs"), _load("odd_configs")
    return {
        "quickstart": Recorded(towns.quickstart, 40),
        "stress_town": Recorded(towns.stress_town, 40, {"amount": 200}),
        "kingdom": Recorded(towns.kingdom, 40),
        "broken_lab": Recorded(odd.broken_lab, 40, {"kind": "safe", "amount": 1}),
        "badphase_a": Recorded(odd.badphase_a, 10),
        "exact_roll_a": Recorded(odd.exact_roll_a, 1),
    }


@pytest.fixture(scope="session")
def quickstart(recorded: dict[str, Recorded]) -> GameConfig:
    """A small config with aging and expenses, work and a doctor, flu and birthdays."""
    return recorded["quickstart"].config


@pytest.fixture(scope="session")
def parity() -> ModuleType:
    """The module that plays a config interpreted and compiled, and compares both."""
    return _load("parity")


@pytest.fixture(scope="session")
def generated() -> ModuleType:
    """The module that generates random configs."""
    _load("ordinary")
    _load("expressions")
    return _load("generated")
