from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from axiom_gym.errors import ConfigError, UnknownOpponentError
from axiom_gym.opponents import OpponentPool, as_pool, call_policy

BOTS = ["random", "greedy"]


def first_legal(observations: Any, masks: Any, rng: np.random.Generator) -> Any:
    return masks.argmax(axis=-1)


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


# Pools


def test_pool__weighs_its_members_equally_by_default() -> None:
    pool = OpponentPool(["random", first_legal])
    assert pool.members == ["random", first_legal]
    assert pool.weights == [1.0, 1.0]
    assert pool.thresholds().tolist() == [0.5, 1.0]


def test_add__returns_the_place() -> None:
    pool = OpponentPool()
    assert [pool.add("random"), pool.add("greedy", 3)] == [0, 1]
    assert pool.thresholds().tolist() == [0.25, 1.0]


@pytest.mark.parametrize(
    ("weights", "thresholds"),
    [
        ([1, 2, 1], [0.25, 0.75, 1.0]),
        ([0, 5, 0], [0.0, 1.0, 1.0]),
        ([0.1] * 10, None),
        ([1e-300, 1e-300], [0.5, 1.0]),
    ],
)
def test_thresholds__are_cumulative_shares(
    weights: list[float], thresholds: list[float] | None
) -> None:
    found = OpponentPool(["random"] * len(weights), weights).thresholds()
    assert found[-1] == 1.0
    assert thresholds is None or found.tolist() == thresholds


def test_thresholds__follow_changes_of_the_weights() -> None:
    pool = OpponentPool(["random", "greedy"])
    pool.weights[0] = 0
    assert pool.thresholds().tolist() == [0.0, 1.0]
    pool.weights[:] = [3, 1]
    assert pool.thresholds().tolist() == [0.75, 1.0]


@pytest.mark.parametrize("weights", [[], [1], [1, 1, 1]])
def test_pool__needs_as_many_weights_as_members(weights: list[float]) -> None:
    with pytest.raises(ConfigError, match=f"2 opponents needs as many weights, got {len(weights)}"):
        OpponentPool(["random", "greedy"], weights)


@pytest.mark.parametrize("weight", [-1, -0.001, float("nan"), float("inf")])
def test_pool__refuses_negative_and_infinite_weights(weight: float) -> None:
    with pytest.raises(ConfigError, match="weight of an opponent must be 0 or more, got"):
        OpponentPool(["random"], [weight])
    with pytest.raises(ConfigError, match="weight of an opponent must be 0 or more, got"):
        OpponentPool().add("random", weight)


@pytest.mark.parametrize("weights", [[1, -1], [2, float("nan")], [float("inf"), 1], [1], [1, 1, 1]])
def test_thresholds__refuse_weights_that_were_set_wrongly(weights: list[float]) -> None:
    pool = OpponentPool(["random", "greedy"])
    pool.weights = weights
    with pytest.raises(ConfigError, match="2 opponents needs as many weights, each 0 or more"):
        pool.thresholds()


@pytest.mark.parametrize("size", [0, 1, 2])
def test_thresholds__need_a_member_that_can_be_drawn(size: int) -> None:
    pool = OpponentPool(["random"] * size, [0] * size)
    with pytest.raises(ConfigError, match="at least one member with a weight above 0"):
        pool.thresholds()


def test_as_pool__makes_a_pool_of_anything(model: Path, loaders: dict[str, Any]) -> None:
    loaders["zip"] = lambda: lambda path: first_legal
    assert as_pool("greedy", BOTS).members == ["greedy"]
    assert as_pool(first_legal, BOTS).members == [first_legal]
    assert as_pool(model, BOTS).members == [first_legal]
    assert as_pool(["random", str(model)], BOTS).members == ["random", first_legal]
    assert as_pool(("greedy", "greedy"), BOTS).weights == [1.0, 1.0]


def test_as_pool__keeps_a_pool_and_loads_its_members(model: Path, loaders: dict[str, Any]) -> None:
    loaders["zip"] = lambda: lambda path: first_legal
    pool = OpponentPool(["random", model], [1, 2])
    members = pool.members
    assert as_pool(pool, BOTS) is pool
    assert pool.members is members
    assert pool.members == ["random", first_legal]
    assert pool.weights == [1.0, 2.0]


@pytest.mark.parametrize("opponent", ["gredy", ["random", "gredy"], OpponentPool(["gredy"])])
def test_as_pool__refuses_unknown_members(opponent: Any) -> None:
    with pytest.raises(UnknownOpponentError, match="Did you mean 'greedy'"):
        as_pool(opponent, BOTS)


# Callables


@pytest.mark.parametrize("dtype", [np.int8, np.uint32, np.int64])
def test_call_policy__gives_int64(dtype: Any) -> None:
    masks = np.ones((4, 2, 3), np.int8)
    observations = np.zeros((4, 5), np.float32)
    rng = np.random.default_rng(0)
    seen: list[Any] = []

    def policy(*arguments: Any) -> Any:
        seen.extend(arguments)
        return np.arange(8, dtype=dtype).reshape(4, 2)

    actions = call_policy(policy, observations, masks, rng)
    assert actions.dtype == np.int64
    assert actions.tolist() == [[0, 1], [2, 3], [4, 5], [6, 7]]
    assert [id(one) for one in seen] == [id(observations), id(masks), id(rng)]


@pytest.mark.parametrize("answer", [[4, 5, 6], [[4], [5], [6]], np.array([4, 5, 6])])
def test_call_policy__takes_one_integer_for_a_single_sub_action(answer: Any) -> None:
    masks = np.ones((3, 1, 9), np.int8)
    actions = call_policy(lambda *_: answer, None, masks, np.random.default_rng(0))
    assert actions.tolist() == [[4], [5], [6]]


@pytest.mark.parametrize(
    "answer",
    [
        np.zeros((3, 2)),
        np.zeros((3, 2), np.bool_),
        np.zeros((2, 3), np.int64),
        np.zeros(6, np.int64),
        np.zeros(3, np.int64),
        np.zeros((3, 2, 2), np.int64),
        np.zeros((4, 2), np.int64),
        [["0", "1"]] * 3,
        None,
        7,
    ],
)
def test_call_policy__refuses_other_results(answer: Any) -> None:
    masks = np.ones((3, 2, 9), np.int8)
    with pytest.raises(ConfigError, match=r"must return integers of shape \(3, 2\), got"):
        call_policy(lambda *_: answer, None, masks, np.random.default_rng(0))
