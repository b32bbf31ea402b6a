"""Agents of PettingZoo's forms who are eliminated in a simultaneous game that continues."""

from __future__ import annotations

import copy
import pickle
import warnings
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test
from pettingzoo.utils.conversions import aec_to_parallel, parallel_to_aec

from axiom_gym.adapters.pettingzoo import AxiomAECEnv, AxiomParallelEnv, env, parallel_env
from axiom_gym.adapters.spaces import ChoiceSpace, SubActionSpace
from axiom_gym.batch import Batch
from axiom_gym.errors import ActionError, ResetNeededError

SAFE, DEADLY = (0, 0), (0, 1)
"""Sub-actions of a player aboard, with sharks: none bails, and the bucket is one too many."""
NAMES = ["player_0", "player_1", "player_2"]


@pytest.fixture
def sharks(raft: ModuleType) -> AxiomParallelEnv:
    """Three players aboard, for six turns."""
    one = parallel_env(raft.GAME, preset="sharks", turns=6, render_mode="ansi")
    one.reset(seed=1)
    return one


def play(one: AxiomParallelEnv, *deadly: int) -> Any:
    """Play a turn in which these players go overboard."""
    actions = dict.fromkeys(one.agents, SAFE)
    actions.update({NAMES[seat]: DEADLY for seat in deadly})
    return one.step(actions)


def rewards_of(one: AxiomParallelEnv | AxiomAECEnv, agents: list[str]) -> dict[str, float]:
    """Return the rewards that the batch has for these agents."""
    paid = one.batch.buffers.rewards[0].tolist()
    return {agent: paid[one.possible_agents.index(agent)] for agent in agents}


# -- the parallel form -----------------------------------------------------------------------------


def test_parallel__lets_eliminated_agents_leave(sharks: AxiomParallelEnv) -> None:
    play(sharks)
    first = sharks.batch.buffers.episodes["returns"][0].copy()
    seen, rewards, terminations, truncations, infos = play(sharks, 1)
    assert terminations == {"player_0": False, "player_1": True, "player_2": False}
    assert set(truncations.values()) == {False}
    assert sharks.agents == ["player_0", "player_2"]
    assert rewards == rewards_of(sharks, NAMES)
    assert list(seen) == list(infos) == NAMES
    assert seen["player_1"]["observation"].tolist() == sharks.batch.views()[1].tolist()
    assert infos["player_1"]["episode_return"] == first[1] + rewards["player_1"]
    assert infos["player_1"]["episode_length"] == 2
    assert infos["player_0"]["episode_return"] == first[0] + rewards["player_0"]


def test_parallel__continues_with_the_remaining_agents(
    sharks: AxiomParallelEnv, raft: ModuleType
) -> None:
    """An agent that has left gets no rewards; each of its sub-actions is the lowest legal one."""
    play(sharks, 0)
    result: Any = None
    for turn in range(2, 7):
        assert list(sharks.sample_actions()) == list(sharks.action_masks()) == NAMES[1:]
        result = play(sharks)
        assert all(list(part) == NAMES[1:] for part in result)
        assert sharks.batch.buffers.states["given"][0, 0].tolist() == [raft.SWIM, 1]
        assert sharks.batch.buffers.rewards[0, 0] == 0
        assert sharks.agents == ([] if turn == 6 else NAMES[1:])
        assert not sharks.batch.buffers.episodes["offenders"].any()
    _, _, terminations, truncations, infos = result
    assert set(terminations.values()) == {True}
    assert set(truncations.values()) == {False}
    assert [info["episode_length"] for info in infos.values()] == [6, 6]


def test_parallel__truncates_all_remaining_agents(raft: ModuleType) -> None:
    """This includes an agent that is eliminated in the turn in which the limit ends the game."""
    one = parallel_env(raft.GAME, preset="sharks", max_turns=2)
    one.reset(seed=1)
    play(one, 0)
    _, _, terminations, truncations, _ = play(one, 2)
    assert terminations == {"player_1": False, "player_2": False}
    assert truncations == {"player_1": True, "player_2": True}
    assert one.agents == []


def test_parallel__needs_actions_of_the_remaining_agents(sharks: AxiomParallelEnv) -> None:
    everybody = dict.fromkeys([*sharks.agents, "player_9"], SAFE)
    play(sharks, 0)
    saved = sharks.get_state()
    for wrong in (everybody, {"player_1": SAFE}, {"player_0": (2, 1), "player_1": SAFE}, {}):
        with pytest.raises(ActionError, match=r"each of \['player_1', 'player_2'\]"):
            sharks.step(wrong)
    assert sharks.get_state() == saved


@pytest.mark.parametrize("late", [SAFE, (99, "nonsense"), None])
def test_parallel__ignores_actions_of_agents_that_have_left(
    sharks: AxiomParallelEnv, late: Any, plain: Any
) -> None:
    play(sharks, 0)
    twin = copy.deepcopy(sharks)
    shown = sharks.step({"player_0": late, "player_1": SAFE, "player_2": DEADLY})
    assert plain(shown) == plain(twin.step({"player_1": SAFE, "player_2": DEADLY}))
    assert "player_0" not in shown[0]


def test_parallel__is_over_when_all_have_left(sharks: AxiomParallelEnv) -> None:
    """The game itself could continue; saving, rendering and observing still work."""
    play(sharks, 0)
    _, rewards, terminations, *_ = play(sharks, 1, 2)
    assert terminations == {"player_1": True, "player_2": True}
    assert rewards == rewards_of(sharks, ["player_1", "player_2"])
    assert sharks.agents == []
    assert not sharks.batch.buffers.terminated[0]
    assert sharks.step({}) == ({}, {}, {}, {}, {})
    for call in (lambda: sharks.step({"player_0": SAFE}), sharks.sample_actions):
        with pytest.raises(ResetNeededError, match="the episode is over"):
            call()
    assert "aboard []" in sharks.render()
    assert sharks.state_space.contains(sharks.state())
    saved = sharks.get_state()
    sharks.reset(seed=2)
    assert sharks.agents == NAMES
    assert sharks.set_state(saved) == ({}, {})
    assert sharks.agents == []
    sharks.reset()
    assert sharks.agents == NAMES


@pytest.mark.parametrize("deadly", [(), (0,), (2,), (0, 1)])
def test_parallel__restores_which_agents_have_left(
    sharks: AxiomParallelEnv, raft: ModuleType, deadly: tuple[int, ...], plain: Any
) -> None:
    seen, _, _, _, infos = play(sharks, *deadly)
    agents = [name for seat, name in enumerate(NAMES) if seat not in deadly]
    fresh = parallel_env(raft.GAME, preset="sharks", turns=6)
    shown = fresh.set_state(sharks.get_state())
    assert plain(shown) == plain([{a: part[a] for a in agents} for part in (seen, infos)])
    twins = [fresh, pickle.loads(pickle.dumps(sharks)), copy.deepcopy(sharks)]
    assert [one.agents for one in twins] == [agents] * 3
    assert np.array_equal(fresh.state(), sharks.state())
    for _ in range(5):
        actions = sharks.sample_actions()
        if not actions:
            break
        expected = plain(sharks.step(actions))
        assert all(plain(one.step(actions)) == expected for one in twins)
        if not sharks.agents:
            break


@pytest.mark.slow
@pytest.mark.parametrize("form", ["sub_actions", "joint"])
def test_parallel__equals_the_batch_for_the_remaining_agents(raft: ModuleType, form: str) -> None:
    """64 players are eliminated one after the other."""
    one = parallel_env(raft.GAME, preset="crowd", actions=form)
    batch = Batch(raft.GAME, preset="crowd", autoreset="disabled", on_illegal="raise")
    one.reset(seed=3)
    batch.reset(3)
    counts = [64]
    while one.agents:
        agents, rows = list(one.agents), batch.buffers.actions[0]
        seats = [one.possible_agents.index(agent) for agent in agents]
        actions = one.sample_actions()
        rows[:] = batch.buffers.masks[0].argmax(axis=2)
        given = np.array([actions[agent] for agent in agents])
        rows[seats] = given if form == "sub_actions" else np.stack(np.divmod(given, 4), axis=1)
        seen, rewards, terminations, truncations, infos = one.step(actions)
        batch.step()
        over = bool(batch.buffers.terminated[0])
        assert rewards == rewards_of(one, agents)
        for seat, agent in zip(seats, agents, strict=True):
            view = batch.buffers.observations[0, seat]
            assert np.array_equal(seen[agent]["observation"], view)
            assert terminations[agent] == (over or not batch.alive()[seat])
            assert not truncations[agent]
            assert not infos[agent]["illegal_action"]
        assert one.agents == [a for a in agents if not terminations[a]]
        counts.append(len(one.agents))
    assert len(set(counts)) > 8


@pytest.mark.slow
def test_parallel__reports_an_illegal_action_to_the_last_of_64(raft: ModuleType) -> None:
    one = parallel_env(raft.GAME, preset="crowd", danger=0)
    one.reset(seed=1)
    for offender in ("player_0", "player_31", "player_63"):
        *_, infos = one.step({**dict.fromkeys(one.agents, SAFE), offender: (2, 0)})
        assert [agent for agent, info in infos.items() if info["illegal_action"]] == [offender]


# -- the AEC form ----------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["sub_actions", "joint"])
@pytest.mark.parametrize(
    "options",
    [{"danger": 70}, {"max_turns": 4}, pytest.param({"preset": "crowd"}, marks=pytest.mark.slow)],
)
def test_aec__is_the_parallel_form_one_agent_at_a_time(
    raft: ModuleType, form: str, options: dict[str, Any], plain: Any
) -> None:
    parallel = parallel_env(raft.GAME, actions=form, **options)
    aec = env(raft.GAME, actions=form, **options)
    seen, infos = parallel.reset(seed=5)
    aec.reset(seed=5)
    owed = dict.fromkeys(aec.agents, 0.0)
    while parallel.agents:
        actions = parallel.sample_actions()
        for agent in list(parallel.agents):
            assert aec.agent_selection == agent
            last = (seen[agent], owed[agent], False, False, infos[agent])
            assert plain(aec.last()) == plain(last)
            aec.step(actions[agent])
        seen, owed, terminations, truncations, infos = parallel.step(actions)
        assert aec.rewards == owed
        assert (aec.terminations, aec.truncations) == (terminations, truncations)
        assert plain(aec.infos) == plain(infos)
        for agent in [a for a in seen if a not in parallel.agents]:
            assert aec.agent_selection == agent
            ends = terminations[agent], truncations[agent]
            assert plain(aec.last()) == plain((seen[agent], owed[agent], *ends, infos[agent]))
            with pytest.raises(ActionError, match="only action is None"):
                aec.step(SAFE)
            aec.step(None)
            assert set(aec.rewards.values()) <= {0.0}
            kept = (aec.rewards, aec.infos, aec.terminations, aec.truncations)
            assert all(set(one) == set(aec.agents) for one in kept)
        assert aec.agents == parallel.agents
    with pytest.raises(ResetNeededError, match="the episode is over"):
        aec.step(None)


def _walk(one: Any, actions: Callable[[str], Any], turns: int) -> Iterator[Any]:
    """Return what an AEC environment shows before and after each action."""
    for _ in range(turns):
        if not one.agents:
            one.reset()
        agent = one.agent_selection
        last = one.last()
        one.step(None if last[2] or last[3] else actions(agent))
        yield agent, last[:4], dict(one.rewards), sorted(one.agents), dict(one.terminations)


def test_aec__is_what_pettingzoo_makes_of_the_parallel_form(raft: ModuleType, plain: Any) -> None:
    native = env(raft.GAME, danger=70, turns=8)
    stock = parallel_to_aec(parallel_env(raft.GAME, danger=70, turns=8))
    draws = np.random.default_rng(1)
    drawn: list[Any] = []

    def draw(agent: str) -> Any:
        drawn.append(draws.integers(0, (2, 4)))
        return drawn[-1]

    native.reset(seed=1)
    stock.reset(seed=1)
    walks = _walk(native, draw, 300), _walk(stock, lambda agent: drawn[-1], 300)
    for one, other in zip(*walks, strict=True):
        assert plain(one) == plain(other)


def test_parallel__is_what_pettingzoo_makes_of_the_aec_form(raft: ModuleType, plain: Any) -> None:
    native = parallel_env(raft.GAME, danger=70, turns=8)
    stock = aec_to_parallel(env(raft.GAME, danger=70, turns=8))
    for seed in range(5):
        native.reset(seed=seed)
        stock.reset(seed=seed)
        while native.agents:
            actions = native.sample_actions()
            assert plain(native.step(actions)[:4]) == plain(stock.step(actions)[:4])
            assert native.agents == stock.agents


def test_aec__saves_a_turn_whose_agents_leave(raft: ModuleType, plain: Any) -> None:
    """Save before each action, also those of eliminated agents who have yet to leave."""
    one, other = (env(raft.GAME, preset="sharks", turns=4) for _ in range(2))
    one.reset(seed=1)
    script = iter([SAFE, DEADLY, DEADLY, None, None, SAFE, DEADLY, None])
    for action in script:
        other.set_state(one.get_state())
        assert (other.agents, other.agent_selection) == (one.agents, one.agent_selection)
        assert plain((other.last(), other.infos)) == plain((one.last(), one.infos))
        assert other.terminations == one.terminations
        one.step(action)
        other.step(action)
        assert plain(other.get_state()) == plain(one.get_state())
    assert one.agents == other.agents == []
    assert not one.batch.buffers.terminated[0]
    other.reset(seed=2)
    other.set_state(one.get_state())
    assert other.agents == []


def test_aec__pays_an_agent_all_rewards_since_its_last_action(raft: ModuleType) -> None:
    one = env(raft.GAME, preset="sharks")
    one.reset(seed=1)
    for action in (SAFE, DEADLY, SAFE):
        one.step(action)
    first = rewards_of(one, NAMES)
    assert one.agent_selection == "player_1"
    assert one.last()[1] == first["player_1"]
    one.step(None)
    for agent in ("player_0", "player_2"):
        assert one.agent_selection == agent
        assert one.last()[1] == first[agent]
        one.step(SAFE)
    assert one.batch.buffers.episodes["length"].tolist() == [2]


def test_aec__keeps_agents_of_a_sequential_game_to_the_end(brawl: ModuleType) -> None:
    one = env(brawl.GAME, preset="sudden", players=3)
    one.reset(seed=1)
    one.step(1)
    assert not one.batch.alive().all()
    assert one.agents == one.possible_agents
    assert not any(one.terminations.values())


# -- PettingZoo's own tests ------------------------------------------------------------------------


@pytest.fixture(params=["masked", "unmasked"])
def actions(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Play legal actions, or any actions of the action space."""
    if request.param == "unmasked":
        for kind in (ChoiceSpace, SubActionSpace):
            drawn = kind.__bases__[0].sample
            monkeypatch.setattr(kind, "sample", lambda space, mask=None, drawn=drawn: drawn(space))


@pytest.mark.usefixtures("actions")
@pytest.mark.parametrize("form", ["sub_actions", "joint"])
@pytest.mark.parametrize(
    "options",
    [
        {"danger": 70},
        {"preset": "sharks"},
        {"turns": 3},
        pytest.param({"preset": "crowd"}, marks=pytest.mark.slow),
    ],
)
def test_stock_tests__pass_for_games_whose_agents_leave(
    raft: ModuleType, form: str, options: dict[str, Any]
) -> None:
    more = {"actions": form, **options}
    with warnings.catch_warnings():
        for text in ("Observation is not a NumPy", "Observation space for each", "Action space"):
            warnings.filterwarnings("ignore", message=text)
        parallel_api_test(parallel_env(raft.GAME, **more), num_cycles=60)
        api_test(env(raft.GAME, **more), num_cycles=20)
    seed_test(lambda: env(raft.GAME, **more), num_cycles=10)
    parallel_seed_test(lambda: parallel_env(raft.GAME, **more), num_cycles=10)
