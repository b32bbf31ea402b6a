"""A plain Python game as a PettingZoo environment."""

from __future__ import annotations

import copy
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from gymnasium.spaces import Discrete
from pettingzoo.test import api_test, seed_test
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from axiom_gym.adapters.object_aec import ObjectAECEnv
from axiom_gym.adapters.pettingzoo import aec_env
from axiom_gym.batch import Batch
from axiom_gym.errors import ActionError, ResetNeededError, UnknownNameError
from axiom_gym.game import KernelGameObject, Player
from axiom_gym.game.progress import Progress

TAKE = 1


def games(race: ModuleType, heap: ModuleType) -> dict[str, ObjectAECEnv]:
    return {
        "race": ObjectAECEnv(race.Race(), players=3, lives=2),
        "heap": ObjectAECEnv(heap.Heap()),
        "limited": ObjectAECEnv(race.Race(), players=4, max_turns=9),
    }


@pytest.mark.filterwarnings("ignore:.*(should be gymnasium.spaces|is not a NumPy array)")
@pytest.mark.parametrize("name", ["race", "heap", "limited"])
def test_env__passes_pettingzoos_tests(
    race: ModuleType, heap: ModuleType, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    api_test(games(race, heap)[name], num_cycles=100)
    seed_test(lambda: games(race, heap)[name], num_cycles=50)


def test_aec_env__makes_it(race: ModuleType) -> None:
    env = aec_env(race.Race(), players=3, goal=9)
    assert type(env) is ObjectAECEnv
    env.reset(seed=1)
    assert env.episodes.progress.state.goal == 9


def test_env__has_the_facts_of_its_game(race: ModuleType) -> None:
    env = ObjectAECEnv(race.Race(), players=3)
    assert str(env) == "race_v3"
    assert env.possible_agents == ["player_0", "player_1", "player_2"]
    assert env.max_num_agents == 3
    assert env.action_space("player_1") == Discrete(2)
    assert env.action_space("player_1") is env.action_space("player_1")
    assert env.action_space("player_1") is not env.action_space("player_2")
    assert env.observation_space("player_0")["observation"].shape == env.episodes.shape
    for space in (env.observation_space, env.action_space):
        with pytest.raises(UnknownNameError, match="unknown agent 'ann'"):
            space("ann")


def test_last__shows_observation_mask_and_info(heap: ModuleType) -> None:
    env = ObjectAECEnv(heap.Heap(), low=5, high=5)
    env.reset(seed=1)
    seen, reward, terminated, truncated, info = env.last()
    assert seen is not None
    assert seen["observation"].tolist() == [1, 0, 5, 0, 0]
    assert seen["action_mask"].tolist() == info["action_mask"].tolist() == [0, 1]
    assert (seen["observation"].dtype, seen["action_mask"].dtype) == (np.float32, np.int8)
    assert (reward, terminated, truncated, info["illegal_action"]) == (0.0, False, False, False)
    assert env.observation_space("player_0").contains(seen)
    for array in (*seen.values(), info["action_mask"]):
        array[:] = 9  # they are the caller's
    assert env.observe("player_0")["observation"].tolist() == [1, 0, 5, 0, 0]
    assert env.observe("player_1")["action_mask"].tolist() == [0, 0]


def test_step__selects_whoever_is_to_act(heap: ModuleType) -> None:
    env = ObjectAECEnv(heap.Heap(), low=6, high=6)
    env.reset(seed=1)
    movers = []
    for action in (1, 1, 0, 1, 1, 1):
        movers.append(env.agent_selection[-1])
        env.step(action)
    assert "".join(movers) == "000111"
    assert env.agent_selection == "player_1"


@pytest.mark.parametrize("name", ["race", "heap", "limited"])
def test_episode__ends_for_all_with_the_same_flag(
    race: ModuleType, heap: ModuleType, name: str
) -> None:
    env = games(race, heap)[name]
    for seed in range(8):
        env.reset(seed=seed)
        returns = dict.fromkeys(env.possible_agents, 0.0)
        ends = set()
        for agent in env.agent_iter():
            seen, reward, terminated, truncated, info = env.last()
            assert seen is not None
            returns[agent] += reward
            if terminated or truncated:
                ends.add((terminated, truncated))
                assert info["episode_return"] == returns[agent]
                env.step(None)
            else:
                assert seen["action_mask"].any()
                assert agent not in env.episodes.progress.out
                env.step(env.action_space(agent).sample(seen["action_mask"]))
        assert len(ends) == 1
        assert not env.agents
        assert sum(returns.values()) == pytest.approx(0)
        assert (ends == {(False, True)}) == (env.episodes.progress.reason == "max_turns")


def test_episode__is_the_games_own_with_this_seed(race: ModuleType) -> None:
    env = ObjectAECEnv(race.Race())
    for seed in (0, 11):
        players = [Player("player_0"), Player("player_1")]
        own = Progress(race.Race(), players, race.Race.metadata.options, seed=seed)
        env.reset(seed=seed)
        while own.reason is None:
            mover, actions = own.get_mover()
            assert env.agent_selection == mover
            own.advance(actions[1])
            env.step(0)  # the catalogue is sorted: roll, walk
            assert env.episodes.progress.state == own.state
        assert all(env.terminations.values())


def test_rewards__are_summed_since_an_agents_last_action(race: ModuleType) -> None:
    env = ObjectAECEnv(race.Race(), rewards=lambda before, after: {"player_0": 1, "player_1": 2})
    env.reset(seed=1)
    assert env.last()[1] == 0
    for _ in range(2):
        env.step(1)
    assert env.rewards == {"player_0": 1.0, "player_1": 2.0}
    assert (env.agent_selection, env.last()[1]) == ("player_0", 2.0)
    env.step(1)
    assert (env.agent_selection, env.last()[1]) == ("player_1", 4.0)


def test_step__refuses_what_is_no_action(heap: ModuleType) -> None:
    env = ObjectAECEnv(heap.Heap(), low=2, high=2)
    with pytest.raises(ResetNeededError, match="no episode has begun"):
        env.step(0)
    env.reset(seed=0)
    for action in (2, -1, None, 0.0, [0]):
        with pytest.raises(ActionError, match="action"):
            env.step(action)
    env.step(TAKE)
    env.step(TAKE)
    with pytest.raises(ActionError, match="the episode has ended for player_0; its only action"):
        env.step(TAKE)
    env.step(None)
    env.step(None)
    with pytest.raises(ResetNeededError, match="the episode is over"):
        env.step(None)
    env.reset()
    assert env.agents == ["player_0", "player_1"]


@pytest.mark.parametrize("name", ["agents", "agent_selection", "rewards", "infos"])
def test_env__has_no_episode_before_its_first_reset(heap: ModuleType, name: str) -> None:
    env = ObjectAECEnv(heap.Heap())
    with pytest.raises(AttributeError, match=f"{name} exists only after reset"):
        getattr(env, name)
    assert not hasattr(env, "no_such_attribute")
    for call in (lambda: env.observe("player_0"), env.render):
        with pytest.raises(ResetNeededError, match="no episode has begun"):
            call()


def test_env__can_be_copied_in_the_middle(race: ModuleType) -> None:
    env = ObjectAECEnv(race.Race())
    env.reset(seed=1)
    env.step(1)
    other = copy.deepcopy(env)
    while not any(env.terminations.values()):
        env.step(0)
        other.step(0)
    assert env.episodes.progress.state == other.episodes.progress.state
    assert other.rewards == env.rewards


def test_env__plays_a_kernel_game_as_its_batch_does() -> None:
    env, batch = aec_env(KernelGameObject("connect_four")), Batch("connect_four")
    env.reset(seed=3)
    batch.reset(3)
    while not any(env.terminations.values()):
        seat = batch.to_act()[0]
        assert env.agent_selection == f"player_{seat}"
        seen = env.observe(env.agent_selection)
        assert np.array_equal(seen["observation"], batch.buffers.observations[0, 0])
        assert np.array_equal(seen["action_mask"], batch.buffers.masks[0, 0, 0])
        column = int(np.flatnonzero(seen["action_mask"])[0])
        env.step(column)
        batch.buffers.actions[0] = column
        batch.step()
    assert list(env.rewards.values()) == batch.buffers.rewards[0].tolist()


def test_env__can_be_wrapped(race: ModuleType) -> None:
    env = OrderEnforcingWrapper(ObjectAECEnv(race.Race()))
    env.reset(seed=1)
    for agent in env.agent_iter():
        seen, _, terminated, truncated, _ = env.last()
        over = terminated or truncated
        env.step(None if over else env.action_space(agent).sample(seen["action_mask"]))
    assert not env.agents


def test_render__draws_by_its_mode(heap: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    env: Any = ObjectAECEnv(heap.Heap(), low=5, high=5, render_mode="ansi")
    env.reset(seed=0)
    assert env.render() == "(5, 0, 0)"
    env = ObjectAECEnv(heap.Heap(), low=5, high=5, render_mode="human")
    env.reset(seed=0)
    env.step(TAKE)
    assert capsys.readouterr().out == "(5, 0, 0)\n(4, 1, 0)\n"
    env = ObjectAECEnv(heap.Heap())
    env.reset(seed=0)
    with pytest.warns(UserWarning, match="without a render_mode"):
        assert env.render() is None
    with pytest.raises(UnknownNameError, match="unknown render mode 'rgb_array'"):
        ObjectAECEnv(heap.Heap(), render_mode="rgb_array")
