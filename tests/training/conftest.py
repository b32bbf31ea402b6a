"""The games that training is tested with, small runs, and Python processes of their own."""

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
"""A run whose iterations have 64 agent-steps and take a few milliseconds."""

torch.set_num_threads(1)


def _load(name: str) -> ModuleType:
    """A module of `tests/games`, under the name by which another process finds it on its path."""
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, GAMES / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        sys.modules[name] = module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return sys.modules[name]


@pytest.fixture(scope="module")
def probe() -> Iterator[ModuleType]:
    """The module of the probe game, whose games are registered as long as a module is tested."""
    module = _load("probe")
    ids = [registry.register(game) for game in module.GAMES]
    yield module
    for game_id in ids:
        del registry._registered[game_id]


@pytest.fixture(scope="module")
def climb() -> Iterator[ModuleType]:
    """The module of the game for one player, which is registered as long as a module is tested."""
    module = _load("climb_game")
    game_id = registry.register(module.GAME)
    yield module
    del registry._registered[game_id]


@pytest.fixture(scope="module")
def brawl() -> Iterator[ModuleType]:
    """The module of the sequential game, which is registered as long as a module is tested."""
    module = _load("brawl_game")
    game_id = registry.register(module.GAME)
    yield module
    del registry._registered[game_id]


@pytest.fixture
def tiny(probe: ModuleType) -> Callable[..., TrainConfig]:
    """Makes the configuration of a small run of the probe game, with changes."""

    def make(**changes: Any) -> TrainConfig:
        return TrainConfig(
            **{**TINY, **({} if "minutes" in changes else {"steps": 640}), **changes}
        )

    return make


@pytest.fixture
def trainer(tiny: Callable[..., TrainConfig], tmp_path: Path) -> Callable[..., Trainer]:
    """Makes a small run of the probe game, in `tmp_path / "run"` if no other name is given."""

    def make(name: str = "run", **changes: Any) -> Trainer:
        return Trainer(tiny(**changes), tmp_path / name)

    return make


@pytest.fixture
def make_model(probe: ModuleType) -> Callable[..., ModelPolicy]:
    """Makes a policy for a game, with random weights."""

    def make(
        game: Any = probe.GAME, seed: int = 0, deterministic: bool = False, **options: Any
    ) -> ModelPolicy:
        facts = ModelFacts.of(game, options, (8,))
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
    """Makes observations and masks of the probe game: (R, 4) float32 and (R, K, 4) int8."""

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
    """Variables for another process that finds the probe game as the module `probe`."""
    path = os.pathsep.join([str(GAMES), os.environ.get("PYTHONPATH", "")])
    return {**os.environ, "PYTHONPATH": path, "PYTHONWARNINGS": "ignore"}


@pytest.fixture(scope="session")
def python(environment: dict[str, str]) -> Callable[[str], str]:
    """Runs code in a new Python process that knows the probe game; returns what it prints."""

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
