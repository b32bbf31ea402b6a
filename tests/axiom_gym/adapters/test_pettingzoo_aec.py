"""The AEC form: turns, hidden actions, and how agents leave."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest
from pettingzoo.utils.conversions import aec_to_parallel, parallel_to_aec
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from axiom_gym.adapters.pettingzoo import env, parallel_env
from axiom_gym.errors import ActionError, ResetNeededError


@pytest.mark.parametrize("form", ["sub_actions", "joint"])
def test_aec__is_the_parallel_form_one_agent_at_a_time(
    game: Any, form: str, plain: Any, sample: Any
) -> None:
    parallel, aec = parallel_env(game, actions=form), env(game, actions=form)
    for episode in range(4):
        seen, infos = parallel.reset(seed=episode)
        aec.reset(seed=episode)
        rewards = dict.fromkeys(aec.agents, 0.0)
        while parallel.agents:
            actions = sample(parallel, seen)
            for agent in list(aec.agents):
                assert aec.agent_selection == agent
                last = aec.last()
                assert plain(last) == plain(
                    (seen[agent], rewards[agent], False, False, infos[agent])
                )
                aec.step(actions[agent])
            seen, rewards, terminations, truncations, infos = parallel.step(actions)
            assert aec.rewards == rewards
            assert (aec.terminations, aec.truncations) == (terminations, truncations)
        for agent in aec.possible_agents:
            assert aec.agent_selection == agent
            ends = terminations[agent], truncations[agent]
            assert plain(aec.last()) == plain((seen[agent], rewards[agent], *ends, infos[agent]))
            aec.step(None)
            assert agent not in aec.agents
            assert set(aec.rewards) == set(aec.infos) == set(aec.agents)
        assert not aec.agents


def test_aec__is_what_pettingzoo_makes_of_the_parallel_form(game: Any, plain: Any) -> None:
    native, stock = env(game), parallel_to_aec(parallel_env(game))
    native.reset(seed=1)
    stock.reset(seed=1)
    for _ in range(100):
        if not native.agents:
            native.reset()
            stock.reset()
        assert native.agent_selection == stock.agent_selection
        (seen, *ends), (other, *other_ends) = native.last(), stock.last()
        assert plain(seen) == plain(other)
        assert ends[:3] == other_ends[:3]
        over = ends[1] or ends[2]
        action = None
        if not over:
            action = native.action_space(native.agent_selection).sample(seen["action_mask"])
        native.step(action)
        stock.step(action)
        assert native.rewards == stock.rewards
        assert native.agents == stock.agents


def test_parallel__is_what_pettingzoo_makes_of_the_aec_form(
    game: Any, plain: Any, sample: Any
) -> None:
    native, stock = parallel_env(game), aec_to_parallel(env(game))
    seen, _ = native.reset(seed=1)
    stock.reset(seed=1)
    while native.agents:
        actions = sample(native, seen)
        result, other = native.step(actions), stock.step(actions)
        seen = result[0]
        assert plain(result[:4]) == plain(other[:4])


def test_aec__hides_actions_from_other_agents(game: Any, plain: Any) -> None:
    one = env(game)
    one.reset(seed=1)
    views = [plain(one.observe(agent)) for agent in one.possible_agents]
    infos, state = plain(one.infos), one.state().tolist()
    for agent in one.possible_agents[:-1]:
        one.step(one.action_space(agent).sample())
        assert [plain(one.observe(other)) for other in one.possible_agents] == views
        assert (plain(one.infos), one.state().tolist()) == (infos, state)
        assert set(one.rewards.values()) == {0.0}


def test_aec__keeps_given_actions_in_a_saved_state(game: Any, plain: Any) -> None:
    one, other = env(game), env(game)
    one.reset(seed=1)
    one.step(one.action_space("player_0").sample())
    other.set_state(one.get_state())
    assert other.agent_selection == "player_1"
    for agent in one.possible_agents[1:]:
        action = one.action_space(agent).sample()
        one.step(action)
        other.step(action)
    assert plain(one.get_state()) == plain(other.get_state())
    assert one.state().tolist() == other.state().tolist()


def test_aec__saves_an_episode_whose_agents_leave(pennies: ModuleType, plain: Any) -> None:
    one, other = env(pennies.TRIO, preset="short"), env(pennies.TRIO, preset="short")
    one.reset(seed=1)
    for agent in one.possible_agents:
        one.step(one.action_space(agent).sample())
    for left in range(4):
        other.set_state(one.get_state())
        assert other.agents == one.agents == one.possible_agents[left:]
        assert plain(other.infos) == plain(one.infos)
        assert (other.rewards, other.terminations) == (one.rewards, one.terminations)
        if left < 3:
            assert plain(other.last()) == plain(one.last())
            one.step(None)


def test_aec__takes_only_none_after_the_end(pennies: ModuleType) -> None:
    one = env(pennies.GAME, preset="short")
    one.reset(seed=1)
    for agent in one.possible_agents:
        with pytest.raises(ActionError, match="dtype object"):
            one.step(None)
        one.step(one.action_space(agent).sample())
    with pytest.raises(ActionError, match="only action is None"):
        one.step([0, 0])
    one.step(None)
    one.step(None)
    with pytest.raises(ResetNeededError, match="the episode is over"):
        one.step(None)
    with pytest.raises(ResetNeededError, match="the episode is over"):
        one.last()


def test_aec__sums_rewards_since_an_agents_last_action(pennies: ModuleType) -> None:
    one = env(pennies.TRIO, preset="endless")
    one.reset(seed=1)
    paid = dict.fromkeys(one.agents, 0.0)
    for agent in one.agent_iter(60):
        _, reward, *_ = one.last(observe=False)
        assert reward == paid[agent]
        paid[agent] = 0.0
        one.step(one.action_space(agent).sample())
        for name, reward in one.rewards.items():
            paid[name] += reward


@pytest.mark.parametrize(
    "name",
    ["agents", "num_agents", "agent_selection", "rewards", "terminations", "truncations", "infos"],
)
def test_aec__has_no_episode_before_its_first_reset(name: str) -> None:
    one = env("quantaris")
    with pytest.raises(AttributeError, match=f"{name} exists only after reset"):
        getattr(one, name)
    assert not hasattr(one, "no_such_attribute")
    for call in (one.last, one.state, one.agent_iter, one.render, one.action_masks):
        with pytest.raises(ResetNeededError, match="no episode has begun"):
            call()
    with pytest.raises(ResetNeededError, match="no episode has begun"):
        one.observe("player_0")


def test_agent_iter__needs_a_step_for_each_agent(pennies: ModuleType) -> None:
    one = env(pennies.GAME, preset="endless")
    one.reset(seed=1)
    for agent in one.agent_iter():
        assert agent == "player_0"
        break
    turns = one.agent_iter()
    assert next(turns) == "player_0"
    with pytest.raises(ActionError, match="player_0 has not acted"):
        next(turns)
    turns = one.agent_iter()
    next(turns)
    one.reset()
    assert next(turns) == "player_0"


def test_agent_iter__ends_after_max_iter_steps(pennies: ModuleType) -> None:
    one = env(pennies.TRIO, preset="endless")
    one.reset(seed=1)
    acted = []
    for agent in one.agent_iter(max_iter=5):
        acted.append(agent[-1])
        one.step([0, 0])
    assert "".join(acted) == "01201"
    assert list(one.agent_iter(max_iter=0)) == []


def test_aec__can_be_wrapped(game: Any) -> None:
    one = OrderEnforcingWrapper(env(game, max_turns=4))
    one.reset(seed=1)
    for agent in one.agent_iter():
        seen, _, terminated, truncated, _ = one.last()
        mask = seen["action_mask"]
        one.step(None if terminated or truncated else one.action_space(agent).sample(mask))
    assert not one.agents
