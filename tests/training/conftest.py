"""Fixtures: games for tests of training, small runs, and new Python processes."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import torch

from axiom_gym.registry import games as registry
from axiom_training.config import TrainConfig
from axiom_training.facts import ModelFacts
from axiom_training.networks import make_policy
from axiom_training.policy import ModelPolicy
from axiom_training.trainer import Trainer

GAMES = Path(__file__).parents[1] / "games"

TINY: dict[str, Any] = {
    "game": "probe-v0",
    "num_games": 12,
    "share_latest": 0.34,
    "share_pool": 0.33,
    "share_bots": 0.33,
    "rollout_turns": 4,
    "batch_size": 16,
    "epochs": 2,
    "network": (8,),
    "snapshot_every": 2,
    "pool_size": 2,
    "evaluate_every": 0.003,
    "evaluation_games": 10,
    "final_games": 20,
}
"""The options of a run with iterations of 64 agent-steps, which take a few milliseconds."""

torch.set_num_threads(1)


def _load(name: str) -> ModuleType:
    """Import a module of `tests/games` under the name that other processes use."""
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, GAMES / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        sys.modules[name] = module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return sys.modules[name]


@pytest.fixture(scope="module")
def probe() -> Iterator[ModuleType]:
    """Yield the module of the probe game; its games are registered during a test module."""
    module = _load("probe")
    ids = [registry.register(game) for game in module.GAMES]
    yield module
    for game_id in ids:
        del registry._registered[game_id]


@pytest.fixture(scope="module")
def climb() -> Iterator[ModuleType]:
    """Yield the module of the game for one player, registered during a test module."""
    module = _load("climb_game")
    game_id = registry.register(module.GAME)
    yield module
    del registry._registered[game_id]


@pytest.fixture(scope="module")
def brawl() -> Iterator[ModuleType]:
    """Yield the module of the sequential game, registered during a test module."""
    module = _load("brawl_game")
    game_id = registry.register(module.GAME)
    yield module
    del registry._registered[game_id]


@pytest.fixture
def tiny(probe: ModuleType) -> Callable[..., TrainConfig]:
    """Return a function that makes the configuration of a small run, with changes."""

    def make(**changes: Any) -> TrainConfig:
        return TrainConfig(
            **{**TINY, **({} if "minutes" in changes else {"steps": 640}), **changes}
        )

    return make


@pytest.fixture
def trainer(tiny: Callable[..., TrainConfig], tmp_path: Path) -> Callable[..., Trainer]:
    """Return a function that makes a small run, in `tmp_path / "run"` by default."""

    def make(name: str = "run", **changes: Any) -> Trainer:
        return Trainer(tiny(**changes), tmp_path / name)

    return make


@pytest.fixture
def make_model(probe: ModuleType) -> Callable[..., ModelPolicy]:
    """Return a function that makes a policy with random weights."""

    def make(
        game: Any = probe.GAME, seed: int = 0, deterministic: bool = False, **options: Any
    ) -> ModelPolicy:
        facts = ModelFacts.of(game, options, network=(8,))
        network = make_policy(facts.observation_shape, facts.num_choices, facts.network)
        generator = torch.Generator().manual_seed(seed)
        weights = {
            name: torch.randn(tensor.shape, generator=generator)
            for name, tensor in network.state_dict().items()
        }
        return ModelPolicy(facts, weights, "random weights", deterministic)

    return make


@pytest.fixture
def positions() -> Callable[..., tuple[Any, Any]]:
    """Return a function that makes observations (R, 4) float32 and masks (R, K, 4) int8."""

    def make(rows: int, parity: bool = False) -> tuple[Any, Any]:
        numbers = np.arange(rows) % 4
        masks = np.ones((rows, 2 if parity else 1, 4), np.int8)
        masks[np.arange(rows), 0, (numbers + 1) % 4] = 0
        if parity:
            masks[:, 1, 2:] = 0
        return np.eye(4, dtype=np.float32)[numbers], masks

    return make


@pytest.fixture(scope="session")
def environment() -> dict[str, str]:
    """Return the environment variables of a process that finds the probe game as `probe`."""
    path = os.pathsep.join([str(GAMES), os.environ.get("PYTHONPATH", "")])
    return {**os.environ, "PYTHONPATH": path, "PYTHONWARNINGS": "ignore"}


@pytest.fixture(scope="session")
def python(environment: dict[str, str]) -> Callable[[str], str]:
    """Return a function that runs code in a new Python process and returns its output."""

    def run(code: str) -> str:
        prefix = "import probe\nfrom axiom_gym.registry import register\nregister(probe.GAME)\n"
        process = subprocess.run(
            [sys.executable, "-c", prefix + code],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert process.returncode == 0, process.stderr
        return process.stdout

    return run
