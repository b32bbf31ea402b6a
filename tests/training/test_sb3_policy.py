"""Models that stable-baselines3 and sb3-contrib saved by themselves, as agents."""

from __future__ import annotations

import base64
import json
import pickle
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import gymnasium
import numpy as np
import pytest
import torch
from sb3_contrib import ARS, QRDQN, TRPO, MaskablePPO, RecurrentPPO
from stable_baselines3 import A2C, DQN, PPO, SAC
from stable_baselines3.common.vec_env import DummyVecEnv, VecCheckNan

import axiom_training
from axiom_gym.adapters.gymnasium import AxiomEnv, AxiomVectorEnv
from axiom_gym.adapters.sb3 import make_vec_env
from axiom_gym.errors import CheckpointError
from axiom_gym.play.match import Match
from axiom_training import GameFacts, Sb3Policy, load_policy, save_model
from axiom_training.evaluation import play_series

SMALL = {"policy_kwargs": {"net_arch": [8]}, "device": "cpu", "seed": 0}
ON_POLICY: dict[Any, dict[str, Any]] = {
    PPO: {"n_steps": 8, "batch_size": 8},
    MaskablePPO: {"n_steps": 8, "batch_size": 8},
    TRPO: {"n_steps": 8, "batch_size": 8},
    A2C: {},
}
VALUES: dict[Any, dict[str, Any]] = {
    DQN: {"buffer_size": 100, "learning_starts": 8},
    QRDQN: {"buffer_size": 100, "learning_starts": 8},
}

pytestmark = pytest.mark.usefixtures("probe")


def train(kind: Any, env: Any, path: Path, steps: int = 16, **more: Any) -> Any:
    """Train a tiny model and save it as stable-baselines3 does."""
    model = kind("MlpPolicy", env, **{**SMALL, **(ON_POLICY | VALUES).get(kind, {}), **more})
    if steps:
        model.learn(steps)
    model.save(path)
    return model


def load(path: Path, game: ModuleType, **options: Any) -> Sb3Policy:
    policy = load_policy(path)
    assert isinstance(policy, Sb3Policy)
    policy.check_game(game.GAME, game.ProbeConfig(**options))
    return policy


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


# Models of our environments


@pytest.mark.parametrize("kind", [*ON_POLICY, *VALUES])
def test_model__of_our_vec_env_plays_its_game(kind: Any, tmp_path: Path, probe: ModuleType) -> None:
    path = tmp_path / "model.zip"
    train(kind, make_vec_env("probe-v0", 2, turns=3, seed=1), path)
    facts = load(path, probe, turns=3).facts
    assert facts is not None
    assert (facts.game, facts.options["turns"], facts.actions) == ("probe-v0", 3, "sub_actions")
    assert play_series("probe-v0", [path, str(tmp_path)], 4, options={"turns": 3}).shape == (4, 2)
    with pytest.raises(CheckpointError, match=r"on probe-v0 with turns=3, but .* turns=2"):
        Match("probe-v0", [path, "random"], seed=0)
    with pytest.raises(CheckpointError, match=r"'model\.zip' plays probe-v0, not q"):
        AxiomVectorEnv("quantaris", 2, opponent=path)


@pytest.mark.parametrize(
    ("parity", "actions"), [(False, "joint"), (True, "joint"), (True, "sub_actions")]
)
def test_model__takes_actions_in_its_own_form(
    tmp_path: Path, probe: ModuleType, positions: Any, parity: bool, actions: str
) -> None:
    path = tmp_path / "model.zip"
    env = make_vec_env("probe-v0", 2, actions=actions, parity=parity)
    model = train(PPO, env, path, steps=0)
    policy = load(path, probe, parity=parity)
    policy.deterministic = True
    seen, masks = positions(8, parity)
    chosen = policy(seen, np.ones_like(masks) * (masks.any(axis=(0, 1))), rng())
    expected, _ = model.predict(seen, deterministic=True)
    np.testing.assert_array_equal(env._form.actions(chosen), expected)


@pytest.mark.parametrize("kind", [PPO, DQN, QRDQN])
def test_model__obeys_masks(kind: Any, tmp_path: Path, probe: ModuleType, positions: Any) -> None:
    path = tmp_path / "model.zip"
    model = train(kind, make_vec_env("probe-v0", 2), path, steps=0)
    policy, (seen, masks) = load(path, probe), positions(400)
    draws = [policy(seen, masks, rng(seed)) for seed in range(3)]
    for chosen in draws:
        assert (np.take_along_axis(masks, chosen[:, :, None], axis=2) == 1).all()
    assert (draws[0] != draws[1]).any() == (kind is PPO)
    best, _ = model.predict(seen, deterministic=True)
    policy.deterministic = True
    allowed = masks[np.arange(400), 0, best] == 1
    np.testing.assert_array_equal(policy(seen, masks, rng())[allowed, 0], best[allowed])


def test_model__learns_and_wins(tmp_path: Path) -> None:
    path = tmp_path / "model.zip"
    env = make_vec_env("probe-v0", 16, turns=8, seed=0)
    train(MaskablePPO, env, path, steps=2048, n_steps=32, batch_size=128, learning_rate=0.01)
    outcomes = play_series("probe-v0", [path, "random"], 100, options={"turns": 8})
    assert outcomes[:, 0].mean() > 0.8


def make_single(env: Any) -> Any:
    return DummyVecEnv([lambda: AxiomEnv("probe-v0")])


@pytest.mark.parametrize("wrap", [VecCheckNan, make_single])
def test_facts__come_through_wrappers_and_single_environments(
    wrap: Callable[[Any], Any], tmp_path: Path, probe: ModuleType
) -> None:
    train(PPO, wrap(make_vec_env("probe-v0", 2)), tmp_path / "model.zip", steps=0)
    facts = load(tmp_path / "model.zip", probe).facts
    assert facts is not None
    assert facts.game == "probe-v0"


# Models of other environments


class Other(gymnasium.Env[Any, Any]):
    def __init__(self, width: int = 4, actions: Any = 4) -> None:
        self.observation_space = gymnasium.spaces.Box(0, 1, (width,), np.float32)
        choices = actions if isinstance(actions, gymnasium.Space) else None
        self.action_space = choices or gymnasium.spaces.Discrete(actions)


def test_model__without_facts_plays_games_of_its_shapes(tmp_path: Path, probe: ModuleType) -> None:
    path = tmp_path / "model.zip"
    train(PPO, Other(), path, steps=0)
    assert load(path, probe).facts is None
    assert play_series("probe-v0", [path, "random"], 2).shape == (2, 2)


@pytest.mark.parametrize(
    ("env", "shown"),
    [
        (Other(width=5), r"shape \(5,\) and actions Discrete\(4\)"),
        (Other(actions=3), r"shape \(4,\) and actions Discrete\(3\)"),
        (Other(actions=gymnasium.spaces.Discrete(4, start=1)), r"Discrete\(4, start=1\)"),
        (Other(actions=gymnasium.spaces.MultiDiscrete([2, 2])), r"MultiDiscrete\(\[2 2\]\)"),
        (Other(actions=gymnasium.spaces.Box(-1, 1, (2,))), r"Box\(-1.0, 1.0, \(2,\)"),
    ],
)
def test_model__of_other_shapes_is_refused_with_both(env: Any, shown: str, tmp_path: Path) -> None:
    path = tmp_path / "model.zip"
    train(PPO, env, path, steps=0)
    own = r"probe-v0 has observations of shape \(4,\) and actions Discrete\(4\)"
    with pytest.raises(CheckpointError, match=f"{shown}.*, but {own}"):
        Match("probe-v0", [path, "random"], seed=0)


def test_model__must_know_its_game_before_it_plays(tmp_path: Path, positions: Any) -> None:
    train(PPO, Other(), tmp_path / "model.zip", steps=0)
    with pytest.raises(CheckpointError, match="must know its game before it plays"):
        load_policy(tmp_path / "model.zip")(*positions(2), rng())


@pytest.mark.parametrize("kind", [RecurrentPPO, SAC, ARS])
def test_model__of_other_algorithms(kind: Any, tmp_path: Path, probe: ModuleType) -> None:
    path = tmp_path / "model.zip"
    actions = gymnasium.spaces.Box(-1, 1, (2,)) if kind is SAC else 4
    name = "MlpLstmPolicy" if kind is RecurrentPPO else "MlpPolicy"
    kind(name, Other(actions=actions), device="cpu", seed=0).save(path)
    if kind is ARS:
        assert load(path, probe).deterministic
        assert play_series("probe-v0", [path, "random"], 2).shape == (2, 2)
        return
    with pytest.raises(CheckpointError, match=r"has the policy \w+, which cannot play: allowed"):
        load_policy(path)


# Saving with facts


def test_save_model__writes_the_game_of_any_algorithm(tmp_path: Path, probe: ModuleType) -> None:
    path = tmp_path / "model.zip"
    model = train(DQN, Other(), path, steps=0)
    save_model(model, str(path), GameFacts.of("probe-v0", {"turns": 5}))
    facts = load(path, probe, turns=5).facts
    assert facts is not None
    assert facts.options == {"turns": 5}
    with pytest.raises(CheckpointError, match="turns=5, but this game has turns=2"):
        load(path, probe)
    assert isinstance(DQN.load(path), DQN)


def test_package__exports_what_users_need() -> None:
    assert axiom_training.save_model is save_model
    assert all(hasattr(axiom_training, name) for name in axiom_training.__all__)


# Code in files


class Own(torch.nn.Module):
    """A network of another package."""


def replace_in_description(path: Path, key: str, value: Any) -> None:
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    described = json.loads(parts["data"])
    described[key] = value
    parts["data"] = json.dumps(described).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)


def pickled(value: Any) -> dict[str, str]:
    return {":serialized:": base64.b64encode(pickle.dumps(value)).decode()}


@pytest.mark.parametrize(
    "key", ["policy_class", "policy_kwargs", "observation_space", "action_space"]
)
def test_load_policy__runs_no_code_of_a_file(key: str, tmp_path: Path) -> None:
    path, mark = tmp_path / "model.zip", tmp_path / "mark"

    class Evil:
        def __reduce__(self) -> Any:
            return Path.touch, (mark,)

    train(PPO, Other(), path, steps=0)
    replace_in_description(path, key, pickled(Evil()))
    with pytest.raises(CheckpointError, match=rf"the {key} of model .* needs pathlib"):
        load_policy(path)
    assert not mark.exists()


@pytest.mark.parametrize(
    ("name", "module"),
    [
        ("runstring", "numpy.testing._private.utils"),
        ("load", "torch"),
        ("system", "os"),
        ("Own", __name__),
    ],
)
def test_load_policy__refuses_functions_and_foreign_classes(
    name: str, module: str, tmp_path: Path
) -> None:
    path = tmp_path / "model.zip"
    train(PPO, Other(), path, steps=0)
    data = b"c" + module.encode() + b"\n" + name.encode() + b"\n."
    replace_in_description(path, "policy_class", {":serialized:": base64.b64encode(data).decode()})
    with pytest.raises(CheckpointError, match=rf"policy_class of model .* needs {module}.{name}"):
        load_policy(path)


def test_load_policy__trusts_a_file_on_request(tmp_path: Path, probe: ModuleType) -> None:
    path = tmp_path / "model.zip"
    train(PPO, Other(), path, steps=0)
    own = {"net_arch": [8], "activation_fn": torch.nn.Tanh, "optimizer_class": make_optimizer}
    replace_in_description(path, "policy_kwargs", pickled(own))
    with pytest.raises(CheckpointError, match=r"needs .*make_optimizer, .*trust=True"):
        load_policy(path)
    policy = load_policy(path, trust=True)
    policy.check_game(probe.GAME, probe.ProbeConfig())


def make_optimizer(parameters: Any, **settings: Any) -> Any:
    return torch.optim.SGD(parameters, lr=0.1)


@pytest.mark.parametrize(
    ("key", "value", "pattern"),
    [
        ("policy_class", 3, "has the policy 3, which cannot play"),
        ("policy_kwargs", {"depth": 3}, "cannot be built: .*'depth'"),
        ("policy_kwargs", {"net_arch": [9]}, "cannot be built: .*size mismatch"),
        ("action_space", {":serialized:": "abcd"}, "cannot be read|needs"),
    ],
)
def test_load_policy__names_the_mistake(key: str, value: Any, pattern: str, tmp_path: Path) -> None:
    path = tmp_path / "model.zip"
    train(PPO, Other(), path, steps=0)
    replace_in_description(path, key, value)
    with pytest.raises(CheckpointError, match=f"(?s){pattern}"):
        load_policy(path)
