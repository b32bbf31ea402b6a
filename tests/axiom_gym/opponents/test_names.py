from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from axiom_gym.errors import ConfigError, UnknownOpponentError
from axiom_gym.opponents import call_policy, load_opponent, names
from axiom_gym.opponents.names import SinglePolicy, digest_agent, look_up

BOTS = ["random", "greedy"]

AGENTS = """
import numpy as np

def one(observation, mask, rng):
    return np.flatnonzero(mask)[-1]

def many(observations, masks, rng):
    return masks.argmax(axis=-1)

def vague(obs, mask, rng):
    return 0

def mixed(observation, masks, rng):
    return 0

class Last:
    def __call__(self, observation, mask, rng):
        return np.flatnonzero(mask)[-1]

class Needy:
    def __init__(self, depth): ...
    def __call__(self, observation, mask, rng): ...

NUMBER = 3
MADE = Last()
"""


def first_legal(observations: Any, masks: Any, rng: np.random.Generator) -> Any:
    return masks.argmax(axis=-1)


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


@pytest.fixture
def agents(tmp_path: Path) -> Path:
    path = tmp_path / "agents.py"
    path.write_text(AGENTS)
    return path


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.zip"
    path.touch()
    return path


@pytest.fixture
def loaders(monkeypatch: pytest.MonkeyPatch) -> dict[str, Callable[[Path], Any]]:
    """The loaders of saved models by suffix, empty at first."""
    known: dict[str, Callable[[Path], Any]] = {}

    def entry_points(group: str) -> list[Any]:
        assert group == "axiom_gym.policies"
        return [SimpleNamespace(name=name, load=lambda f=load: f()) for name, load in known.items()]

    monkeypatch.setattr("axiom_gym.opponents.names.entry_points", entry_points)
    return known


# Bots, callables and saved models


def test_load_opponent__leaves_names_and_callables_as_they_are() -> None:
    assert load_opponent("greedy", BOTS) == "greedy"
    assert load_opponent(first_legal, BOTS) is first_legal


@pytest.mark.parametrize("kind", [str, Path])
def test_load_opponent__loads_a_file_by_its_suffix(
    model: Path, loaders: dict[str, Any], kind: Callable[[Path], Any]
) -> None:
    asked: list[Path] = []

    def load(path: Path) -> Any:
        asked.append(path)
        return first_legal

    loaders["zip"] = lambda: load
    assert load_opponent(kind(model), BOTS) is first_legal
    assert asked == [model]


def test_load_opponent__takes_the_bot_where_a_file_has_its_name(
    model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(model.parent)
    Path("greedy").touch()
    assert load_opponent("greedy", BOTS) == "greedy"


@pytest.mark.parametrize("name", ["gredy", "models/gredy.zip", Path("gredy")])
def test_load_opponent__suggests_the_closest_bot(name: Any) -> None:
    with pytest.raises(UnknownOpponentError, match="Valid: 'greedy', 'random'") as caught:
        load_opponent(name, BOTS)
    message = str(caught.value)
    assert message.startswith(f"unknown opponent {str(name)!r}.")
    assert "Did you mean 'greedy'?" in message
    assert "Valid as well: the file of a saved model, a run directory" in message


def test_load_opponent__names_the_suffixes_that_can_be_loaded(
    model: Path, loaders: dict[str, Any]
) -> None:
    with pytest.raises(ConfigError, match=r"no package can load '.*model\.zip'.*suffixes: none"):
        load_opponent(model, BOTS)
    loaders.update(pt=None, onnx=None)
    with pytest.raises(ConfigError, match="known suffixes: onnx, pt"):
        load_opponent(model, BOTS)


def test_load_opponent__names_the_extra_that_is_missing(
    model: Path, loaders: dict[str, Any]
) -> None:
    def load() -> Any:
        raise ModuleNotFoundError("No module named 'torch'")

    loaders["zip"] = load
    with pytest.raises(ConfigError, match=r"pip install axiom-gym\[train\] \(No module named 'to"):
        load_opponent(str(model), BOTS)


@pytest.mark.parametrize("opponent", [None, 3, 0.5, {"greedy": 1.0}])
def test_load_opponent__refuses_other_values(opponent: Any) -> None:
    with pytest.raises(ConfigError, match="an opponent is a name, a path, a callable or a pool"):
        load_opponent(opponent, BOTS)


# Run directories


@pytest.mark.parametrize("kind", [str, Path])
def test_load_opponent__takes_the_model_of_a_run_directory(
    tmp_path: Path, loaders: dict[str, Any], kind: Callable[[Path], Any]
) -> None:
    asked: list[Path] = []

    def load(path: Path) -> Any:
        asked.append(path)
        return first_legal

    loaders["zip"] = lambda: load
    for name in ("model.zip", "best_model.zip"):
        (tmp_path / name).write_text(name)
        assert load_opponent(kind(tmp_path), BOTS) is first_legal
    assert asked == [tmp_path / "model.zip", tmp_path / "best_model.zip"]
    digest = hashlib.sha256(b"best_model.zip").hexdigest()[:16]
    assert digest_agent(kind(tmp_path), BOTS) == digest


def test_load_opponent__names_the_runs_in_a_directory_without_a_model(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"has no best_model.zip or model.zip\.$"):
        load_opponent(tmp_path, BOTS)
    for name in ("seed0", "seed1"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "model.zip").touch()
    with pytest.raises(ConfigError, match=r"Name one of these: \S*seed0, \S*seed1\."):
        load_opponent(tmp_path, BOTS)


def test_load_opponent__suggests_the_closest_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("race-1", "other"):
        (tmp_path / "runs" / name).mkdir(parents=True)
    with pytest.raises(UnknownOpponentError, match=r"The closest path is 'runs/race-1'\.$"):
        load_opponent("runs/race_1", BOTS)
    with pytest.raises(UnknownOpponentError, match=r"MODULE:FUNCTION\.$"):
        load_opponent("runs/zzz", BOTS)


# Functions


@pytest.mark.parametrize("name", ["one", "Last", "MADE"])
def test_load_opponent__calls_a_function_of_one_state_for_each_row(agents: Path, name: str) -> None:
    masks = np.array([[[1, 1, 0]], [[1, 0, 1]]], np.int8)
    policy = load_opponent(f"{agents}:{name}", BOTS)
    assert isinstance(policy, SinglePolicy)
    assert policy.name == f"agents.py:{name}"
    assert call_policy(policy, np.zeros((2, 4)), masks, rng()).tolist() == [[1], [2]]


def test_load_opponent__leaves_a_function_of_batches_as_it_is(agents: Path) -> None:
    policy = load_opponent(f"{agents}:many", BOTS)
    assert policy.__name__ == "many"  # type: ignore[union-attr]
    masks = np.array([[[0, 1], [1, 0]]], np.int8)
    assert call_policy(policy, None, masks, rng()).tolist() == [[1, 0]]  # type: ignore[arg-type]


def test_load_opponent__reads_the_names_of_a_callables_parameters() -> None:
    def decide(observation: Any, mask: Any, rng: Any) -> Any:
        seen.append((observation.shape, mask.shape))
        return mask.argmax(axis=-1)

    seen: list[Any] = []
    policy = load_opponent(decide, BOTS)
    assert isinstance(policy, SinglePolicy)
    assert policy.name == "decide"
    masks = np.eye(3, dtype=np.int8)[None].repeat(2, axis=0)
    assert call_policy(policy, np.zeros((2, 5)), masks, rng()).tolist() == [[0, 1, 2]] * 2
    assert call_policy(policy, np.zeros((1, 5)), masks[:1, 1:2], rng()).tolist() == [[1]]
    assert seen == [((5,), (3, 3))] * 2 + [((5,), (3,))]


@pytest.mark.parametrize(("answer", "allowed"), [([0], "2 integers"), (0.5, "2 integers")])
def test_single_policy__refuses_other_actions(answer: Any, allowed: str) -> None:
    policy = SinglePolicy(lambda observation, mask, rng: answer)
    with pytest.raises(ConfigError, match=f"must return {allowed}, got"):
        policy(np.zeros((1, 4), np.float32), np.ones((1, 2, 3), np.int8), rng())


@pytest.mark.parametrize("name", ["vague", "mixed"])
def test_load_opponent__refuses_ambiguous_parameters(agents: Path, name: str) -> None:
    with pytest.raises(ConfigError, match=r"Name them \(observation, mask, rng\) .* or "):
        load_opponent(f"{agents}:{name}", BOTS)


@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        ("ona", "no function 'ona' in .* Did you mean 'one'"),
        ("", "does not say which function"),
        ("NUMBER", "'NUMBER' in .* is no function, but int"),
        ("Needy", "must need no arguments"),
    ],
)
def test_load_opponent__names_the_mistake_in_a_target(
    agents: Path, name: str, pattern: str
) -> None:
    with pytest.raises(ConfigError, match=pattern):
        load_opponent(f"{agents}:{name}", BOTS)


def test_load_opponent__asks_for_the_function_of_a_file(
    agents: Path, loaders: dict[str, Any]
) -> None:
    with pytest.raises(ConfigError, match=r"agents.py:FUNCTION"):
        load_opponent(agents, BOTS)
    with pytest.raises(ConfigError, match=r"there is no file 'missing.py'"):
        load_opponent("missing.py:one", BOTS)


def test_load_opponent__takes_a_function_of_a_module(
    agents: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(agents.parent)
    monkeypatch.setitem(sys.modules, "agents", None)
    del sys.modules["agents"]
    assert isinstance(load_opponent("agents:one", BOTS), SinglePolicy)
    assert digest_agent("agents:one", BOTS) == digest_agent(f"{agents}:one", BOTS)


def test_digest__is_that_of_the_file(agents: Path) -> None:
    expected = hashlib.sha256(agents.read_bytes()).hexdigest()[:16]
    assert digest_agent(f"{agents}:one", BOTS) == expected
    assert digest_agent(agents, BOTS) == expected
    assert digest_agent("greedy", BOTS) == digest_agent(first_legal, BOTS) == ""


# People, and agents of other packages


def test_load_opponent__has_no_people() -> None:
    with pytest.raises(ConfigError, match="'human' plays on the terminal only: axiom-gym play"):
        load_opponent("human", BOTS)


def test_prefix__loads_an_agent_of_another_package(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("toy_agents")
    module.load = lambda text: SimpleNamespace(name=text)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "toy_agents", module)
    monkeypatch.setitem(names.PREFIXES, "toy", "toy_agents:load")
    monkeypatch.setitem(names.PREFIXES, "lost", "no_such_module:load")
    assert look_up("toy:some/model:v1", BOTS).name == "some/model:v1"
    assert digest_agent("toy:some/model:v1", BOTS) == ""
    with pytest.raises(ConfigError, match="'toy:x' plays only in a Match or a GameLoop"):
        load_opponent("toy:x", BOTS)
    with pytest.raises(ConfigError, match="'lost:x' needs no_such_module, which cannot be loaded"):
        load_opponent("lost:x", BOTS)
