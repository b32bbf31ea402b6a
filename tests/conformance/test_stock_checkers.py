"""The checkers of Gymnasium, PettingZoo and stable-baselines3.

The tests have no assertions of their own: a checker raises an error for a wrong environment.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import (
    api_test,
    max_cycles_test,
    parallel_api_test,
    parallel_seed_test,
    render_test,
    seed_test,
)
from pettingzoo.test.state_test import state_test

from axiom_gym.registry import gymnasium_id

# Warnings of `api_test` for every environment with action masks whose name it does not know.
EXPECTED = (
    "Observation numpy array is all zeros",  # an empty board
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be",
    "Action space for each agent probably should be",
)


# Observations of a plain Python game have no bounds.
UNBOUNDED = pytest.mark.filterwarnings("ignore:.*A Box observation space m")


@pytest.fixture(params=["sub_actions", pytest.param("joint", marks=pytest.mark.slow)])
def actions(request: pytest.FixtureRequest) -> str:
    form: str = request.param
    return form


@pytest.fixture
def tolerant() -> Iterator[None]:
    """Ignore these warnings; all others remain errors."""
    with warnings.catch_warnings():
        for text in EXPECTED:
            warnings.filterwarnings("ignore", message=text)
        yield


def _single(variant: Any, **more: Any) -> Any:
    env_id = gymnasium_id(variant.game_id)
    return gymnasium.make(env_id, **variant.options, **more).unwrapped


@UNBOUNDED
@pytest.mark.parametrize("render_mode", ["ansi", "rgb_array"])
def test_gymnasium__check_env(variant: Any, actions: str, render_mode: str) -> None:
    env = _single(variant, actions=actions, render_mode=render_mode)
    if render_mode not in env.metadata["render_modes"]:
        pytest.skip("the game draws no pictures")
    check_env(env)


@UNBOUNDED
@pytest.mark.slow
def test_gymnasium__check_env_with_every_opponent(variant: Any) -> None:
    for opponent in variant.every_opponent:
        check_env(_single(variant, opponent=opponent, seat="random", render_mode="ansi"))


@pytest.mark.usefixtures("tolerant")
def test_pettingzoo__api_test(variant: Any, actions: str) -> None:
    api_test(variant.aec(actions=actions), num_cycles=200)


def test_pettingzoo__parallel_api_test(variant: Any, actions: str) -> None:
    parallel_api_test(variant.parallel(actions=actions), num_cycles=200)


def test_pettingzoo__seed_tests(variant: Any, actions: str) -> None:
    seed_test(lambda: variant.aec(actions=actions), num_cycles=100)
    if variant.is_sequential:
        return
    parallel_seed_test(lambda: variant.parallel(actions=actions), num_cycles=100)


def test_pettingzoo__max_cycles_test(variant: Any, actions: str) -> None:
    if variant.is_sequential:
        pytest.skip("the test wants a parallel form")
    if variant.loses_players:
        pytest.skip("the test wants most agents to live as long as the limit")
    forms = {"env": variant.aec, "parallel_env": variant.parallel}
    max_cycles_test(
        SimpleNamespace(
            **{name: functools.partial(make, actions=actions) for name, make in forms.items()}
        )
    )


def test_pettingzoo__render_test(variant: Any) -> None:
    render_test(variant.aec)


def test_pettingzoo__state_test(variant: Any) -> None:
    state_test(variant.aec(), variant.parallel(), num_cycles=60)


def test_sb3__check_env(variant: Any, actions: str) -> None:
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    env = _single(variant, actions=actions)
    with warnings.catch_warnings():
        if len(env.observation_space.shape) == 3:
            # Observations with three axes are planes, which it takes for pictures.
            warnings.filterwarnings("ignore", message=".*image")
        checker.check_env(env)
