"""The place of the action mask in PettingZoo's forms, and the spaces that follow from it."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from types import ModuleType
from typing import Any

import gymnasium
import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, seed_test

from axiom_gym.adapters.pettingzoo import aec_env, env, parallel_env
from axiom_gym.errors import ConfigError
from axiom_gym.registry import game_ids

PLACES = ["obs", "info", "both"]
FORMS = [env, parallel_env]


def start(one: Any) -> tuple[Any, Any]:
    """Reset an environment of either form; return the first agent's observation and info."""
    shown = one.reset(seed=1) or (None, one.infos)
    name = one.agents[0]
    return (shown[0][name] if shown[0] else one.observe(name)), shown[1][name]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("make", FORMS)
def test_mask__is_in_one_place_or_both(
    pennies: ModuleType, make: Callable[..., Any], place: str
) -> None:
    one = make(pennies.GAME, forced=1, mask_in=place)
    seen, info = start(one)
    assert one.observation_space("player_0").contains(seen)
    assert isinstance(seen, dict) == (place != "info")
    assert ("action_mask" in info) == (place != "obs")
    parts = [part for part in (seen, info) if isinstance(part, dict)]
    found = [part["action_mask"] for part in parts if "action_mask" in part]
    assert len(found) == (2 if place == "both" else 1)
    assert all(mask.tolist() == one.action_masks()["player_0"].tolist() for mask in found)
    assert {"illegal_action", "episode_return", "episode_length"} == set(info) - {"action_mask"}


def test_mask__is_in_both_by_default(pennies: ModuleType) -> None:
    seen, info = start(parallel_env(pennies.GAME))
    assert seen["action_mask"].tolist() == info["action_mask"].tolist()


@pytest.mark.parametrize("make", FORMS)
def test_observation__is_the_same_array_in_every_place(
    pennies: ModuleType, make: Callable[..., Any]
) -> None:
    box, _ = start(make(pennies.GAME, mask_in="info"))
    full, _ = start(make(pennies.GAME))
    assert np.array_equal(box, full["observation"])
    space = make(pennies.GAME, mask_in="info").observation_space("player_0")
    assert type(space) is gymnasium.spaces.Box


@pytest.mark.parametrize("make", FORMS)
def test_mask_in__refuses_other_values(pennies: ModuleType, make: Callable[..., Any]) -> None:
    with pytest.raises(ConfigError, match=r"mask_in 'observation'.*Valid: 'both', 'info', 'obs'"):
        make(pennies.GAME, mask_in="observation")


@pytest.mark.parametrize("place", PLACES)
def test_plain_game__has_its_mask_in_the_same_places(race: ModuleType, place: str) -> None:
    one = aec_env(race.Race, players=3, mask_in=place)
    seen, info = start(one)
    assert one.observation_space(one.agents[0]).contains(seen)
    assert isinstance(seen, dict) == (place != "info")
    assert ("action_mask" in info) == (place != "obs")


@pytest.mark.parametrize("form", ["sub_actions", "joint"])
@pytest.mark.parametrize("place", PLACES)
def test_stock_tests__pass_with_the_mask_in_every_place(
    pennies: ModuleType, brawl: ModuleType, place: str, form: str
) -> None:
    for game, options in ((pennies.TRIO, {"forced": 1}), (brawl.GAME, {"players": 3})):
        more = {"mask_in": place, "actions": form, **options}
        with warnings.catch_warnings():
            for text in ("Observation", "Action space", "Agent's m"):
                warnings.filterwarnings("ignore", message=text)
            api_test(env(game, **more), num_cycles=20)
            if game is pennies.TRIO:
                parallel_api_test(parallel_env(game, **more), num_cycles=20)
        seed_test(lambda game=game, more=more: env(game, **more), num_cycles=10)


@pytest.mark.parametrize("place", PLACES)
def test_infos__always_have_the_same_keys(raft: ModuleType, place: str) -> None:
    """This includes agents that are eliminated, and the end of an episode."""
    one = parallel_env(raft.GAME, danger=70, turns=4, mask_in=place)
    keys = set()
    for seed in range(5):
        _, infos = one.reset(seed=seed)
        while True:
            keys |= {(*sorted(info),) for info in infos.values()}
            if not one.agents:
                break
            *_, infos = one.step(one.sample_actions())
    assert len(keys) == 1


@pytest.mark.parametrize("game_id", game_ids())
def test_spaces__have_writable_bounds(game_id: str) -> None:
    """Libraries that wrap arrays without a copy, such as torch, refuse or warn of others."""
    one = env(game_id)
    agent = one.possible_agents[0]
    spaces = [*one.observation_space(agent).values(), one.action_space(agent), one.state_space]
    for space in spaces:
        for name in ("low", "high", "nvec"):
            array = getattr(space, name, None)
            assert not isinstance(array, np.ndarray) or array.flags.writeable, (space, name)
