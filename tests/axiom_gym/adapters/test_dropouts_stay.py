"""Eliminated agents that stay until the episode ends for all, with `dropouts="stay"`."""

from __future__ import annotations

import copy
import pickle
import warnings
from types import ModuleType
from typing import Any

import pytest
from pettingzoo.test import api_test, parallel_api_test, seed_test

from axiom_gym.adapters.pettingzoo import AxiomParallelEnv, env, parallel_env
from axiom_gym.errors import ActionError, ConfigError, ResetNeededError

SAFE, DEADLY = (0, 0), (0, 1)
NAMES = ["player_0", "player_1", "player_2"]
SWIMMING = [0, 0, 1, 0, 1, 0, 0]
"""The flat mask of the lowest legal sub-actions of a player overboard."""


@pytest.fixture
def sharks(raft: ModuleType) -> AxiomParallelEnv:
    """Three players aboard, for six turns."""
    one = parallel_env(raft.GAME, preset="sharks", turns=6, dropouts="stay")
    one.reset(seed=1)
    return one


def play(one: AxiomParallelEnv, *deadly: int) -> Any:
    """Play a turn in which these players go overboard."""
    actions = dict.fromkeys(one.agents, SAFE)
    actions.update({NAMES[seat]: DEADLY for seat in deadly})
    return one.step(actions)


@pytest.mark.parametrize("place", ["obs", "info", "both"])
def test_parallel__keeps_eliminated_agents_to_the_end(raft: ModuleType, place: str) -> None:
    one = parallel_env(raft.GAME, preset="sharks", turns=6, dropouts="stay", mask_in=place)
    one.reset(seed=1)
    play(one, 1)
    for turn in range(2, 7):
        seen, rewards, terminations, truncations, infos = play(one)
        assert list(seen) == list(rewards) == list(infos) == NAMES
        assert rewards["player_1"] == 0.0
        for part in (seen, infos) if place == "both" else (seen if place == "obs" else infos,):
            mask = part["player_1"]["action_mask"]
            assert mask.tolist() == SWIMMING
            assert one.action_space("player_1").sample(mask).tolist() == [2, 1]
        assert one.batch.buffers.states["given"][0, 1].tolist() == [raft.SWIM, 1]
        assert not infos["player_1"]["illegal_action"]
        assert infos["player_1"]["episode_length"] == turn
        assert set(terminations.values()) == {turn == 6}
        assert set(truncations.values()) == {False}
        assert one.agents == ([] if turn == 6 else NAMES)


def test_parallel__truncates_all_together(raft: ModuleType) -> None:
    one = parallel_env(raft.GAME, preset="sharks", max_turns=2, dropouts="stay")
    one.reset(seed=1)
    play(one, 0)
    _, _, terminations, truncations, _ = play(one)
    assert terminations == dict.fromkeys(NAMES, False)
    assert truncations == dict.fromkeys(NAMES, True)
    assert one.agents == []


def test_parallel__ends_when_all_are_eliminated(sharks: AxiomParallelEnv) -> None:
    """The game itself could continue."""
    play(sharks, 0)
    _, _, terminations, truncations, _ = play(sharks, 1, 2)
    assert terminations == dict.fromkeys(NAMES, True)
    assert truncations == dict.fromkeys(NAMES, False)
    assert not sharks.batch.buffers.terminated[0]
    assert sharks.step({}) == ({}, {}, {}, {}, {})
    with pytest.raises(ResetNeededError):
        sharks.step({"player_0": 0})
    saved = sharks.get_state()
    sharks.reset(seed=2)
    assert sharks.agents == NAMES
    sharks.set_state(saved)
    assert sharks.agents == []


def test_parallel__ends_by_truncation_if_the_limit_is_reached_as_all_fall(
    raft: ModuleType,
) -> None:
    one = parallel_env(raft.GAME, preset="sharks", max_turns=1, dropouts="stay")
    one.reset(seed=1)
    _, _, terminations, truncations, _ = play(one, 0, 1, 2)
    assert set(terminations.values()) == {False}
    assert set(truncations.values()) == {True}


@pytest.mark.parametrize("policy", ["noop", "forfeit", "raise"])
def test_actions_of_eliminated_agents__have_no_effect(raft: ModuleType, policy: str) -> None:
    """Their range is checked, as everyone's."""
    options = {"preset": "sharks", "turns": 6, "dropouts": "stay", "on_illegal": policy}
    ones = [parallel_env(raft.GAME, **options) for _ in range(2)]
    for one, action in zip(ones, [(1, 3), (2, 1)], strict=True):
        one.reset(seed=1)
        play(one, 0)
        one.step({"player_0": action, "player_1": SAFE, "player_2": SAFE})
        with pytest.raises(ActionError, match="player_0 holds 9"):
            one.step({"player_0": (9, 0), "player_1": SAFE, "player_2": SAFE})
    assert ones[0].batch.buffers.states.tobytes() == ones[1].batch.buffers.states.tobytes()
    assert not ones[0].batch.buffers.episodes["offenders"].any()


@pytest.mark.parametrize("form", ["sub_actions", "joint"])
@pytest.mark.parametrize("policy", ["noop", "raise"])
def test_stay__plays_the_same_game_as_leave(raft: ModuleType, form: str, policy: str) -> None:
    more = {"danger": 70, "actions": form, "on_illegal": policy}
    stay = parallel_env(raft.GAME, dropouts="stay", **more)
    leave = parallel_env(raft.GAME, **more)
    for seed in range(5):
        stay.reset(seed=seed)
        leave.reset(seed=seed)
        while leave.agents:
            actions = stay.sample_actions()
            assert list(actions) == stay.possible_agents
            left = {agent: actions[agent] for agent in leave.agents}
            rewards = stay.step(actions)[1]
            for agent, reward in leave.step(left)[1].items():
                assert rewards.pop(agent) == reward
            assert not any(rewards.values())
        assert stay.agents == []
        assert stay.batch.buffers.states.tobytes() == leave.batch.buffers.states.tobytes()


@pytest.mark.parametrize("form", ["sub_actions", "joint"])
def test_aec__is_the_parallel_form_one_agent_at_a_time(
    raft: ModuleType, form: str, plain: Any
) -> None:
    more: dict[str, Any] = {"danger": 70, "actions": form, "dropouts": "stay"}
    parallel, aec = parallel_env(raft.GAME, **more), env(raft.GAME, on_illegal="raise", **more)
    seen, infos = parallel.reset(seed=5)
    aec.reset(seed=5)
    while parallel.agents:
        actions = parallel.sample_actions()
        for agent in list(parallel.agents):
            assert aec.agent_selection == agent
            assert plain(aec.observe(agent)) == plain(seen[agent])
            assert plain(aec.infos[agent]) == plain(infos[agent])
            aec.step(actions[agent])
        seen, rewards, terminations, truncations, infos = parallel.step(actions)
        assert (aec.rewards, aec.terminations) == (rewards, terminations)
        assert aec.truncations == truncations
    for agent in parallel.possible_agents:
        assert aec.agent_selection == agent
        aec.step(None)
    assert aec.agents == []


def test_aec__takes_any_action_of_an_eliminated_agent(raft: ModuleType) -> None:
    """A policy that ignores masks does not end the game of the others."""
    one = env(raft.GAME, preset="sharks", turns=6, dropouts="stay", on_illegal="raise")
    one.reset(seed=1)
    for action in (DEADLY, SAFE, SAFE, SAFE, SAFE, SAFE):
        one.step(action)
    assert one.batch.buffers.episodes["length"].tolist() == [2]
    assert one.agents == NAMES


def test_copies__know_who_is_eliminated(sharks: AxiomParallelEnv, plain: Any) -> None:
    play(sharks, 1)
    fresh = copy.deepcopy(sharks)
    fresh.reset(seed=3)
    fresh.set_state(sharks.get_state())
    twins = [fresh, pickle.loads(pickle.dumps(sharks)), copy.deepcopy(sharks)]
    expected = plain(sharks.action_masks())
    assert all(plain(one.action_masks()) == expected for one in twins)
    shown = plain(play(sharks, 2))
    assert all(plain(play(one, 2)) == shown for one in twins)


def test_sequential_game__has_no_agents_that_leave(brawl: ModuleType) -> None:
    """Both values are allowed, so that one loop can make all games."""
    one = env(brawl.GAME, preset="sudden", players=3, dropouts="stay")
    one.reset(seed=1)
    one.step(1)
    assert not one.batch.alive().all()
    assert one.agents == one.possible_agents


def test_dropouts__refuses_other_values(raft: ModuleType) -> None:
    with pytest.raises(ConfigError, match=r"dropouts 'keep'.*Valid: 'leave', 'stay'"):
        parallel_env(raft.GAME, dropouts="keep")


@pytest.mark.parametrize("options", [{"danger": 70}, {"preset": "sharks"}, {"turns": 3}])
def test_stock_tests__pass(raft: ModuleType, options: dict[str, Any]) -> None:
    more = {"dropouts": "stay", **options}
    with warnings.catch_warnings():
        for text in ("Observation is not a NumPy", "Observation space for each", "Action space"):
            warnings.filterwarnings("ignore", message=text)
        parallel_api_test(parallel_env(raft.GAME, **more), num_cycles=60)
        api_test(env(raft.GAME, **more), num_cycles=20)
    seed_test(lambda: env(raft.GAME, **more), num_cycles=10)
