"""RLlib's multi-agent interface of games, without Ray."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

from axiom_gym.adapters import rllib
from axiom_gym.adapters.pettingzoo import env, parallel_env
from axiom_gym.adapters.rllib import MultiAgentGame
from axiom_gym.errors import ActionError, ConfigError


def choose(game: MultiAgentGame, seen: dict[str, Any]) -> dict[str, int]:
    """Return a random legal action for each agent that observes."""
    spaces = game.action_spaces
    return {a: int(spaces[a].sample(s["action_mask"].astype(np.int8))) for a, s in seen.items()}


def play(game: MultiAgentGame, seed: int | None) -> list[Any]:
    """Play an episode; return what each step returned, first the reset."""
    steps: list[Any] = [game.reset(seed)]
    while len(steps) == 1 or not (steps[-1][2]["__all__"] or steps[-1][3]["__all__"]):
        steps.append(game.step(choose(game, steps[-1][0])))
    return steps


@pytest.mark.parametrize("name", ["raft", "brawl"])
def test_observations__have_the_keys_of_rllibs_masking_module(
    request: pytest.FixtureRequest, name: str
) -> None:
    game = MultiAgentGame(request.getfixturevalue(name).GAME, players=3)
    for seen, *_ in play(game, 1):
        for agent, one in seen.items():
            assert list(one) == ["observations", "action_mask"]
            assert one["action_mask"].dtype == np.float32
            assert game.observation_spaces[agent].contains(one)
    assert list(game.observation_spaces) == list(game.action_spaces) == game.possible_agents


@pytest.mark.parametrize("options", [{}, {"max_turns": 3}])
def test_simultaneous_game__is_pettingzoos_parallel_form(
    raft: ModuleType, options: dict[str, Any]
) -> None:
    options = {"danger": 70, "on_illegal": "raise", **options}
    game = MultiAgentGame(raft.GAME, **options)
    other = parallel_env(raft.GAME, actions="joint", dropouts="stay", **options)
    seen, _ = game.reset(4)
    other.reset(seed=4)
    while other.agents:
        actions = choose(game, seen)
        seen, rewards, terminations, truncations, infos = game.step(actions)
        expected = other.step(actions)
        assert rewards == expected[1]
        assert list(infos) == list(seen) == game.possible_agents
        for agent, one in seen.items():
            assert np.array_equal(one["observations"], expected[0][agent]["observation"])
            assert np.array_equal(one["action_mask"], expected[0][agent]["action_mask"])
        assert {a: terminations[a] for a in game.possible_agents} == expected[2]
        over = not other.agents
        truncated = any(expected[3].values())
        assert (terminations["__all__"], truncations["__all__"]) == (
            over and not truncated,
            over and truncated,
        )


@pytest.mark.parametrize("options", [{}, {"max_turns": 3}])
def test_sequential_game__shows_the_agent_to_act(
    brawl: ModuleType, options: dict[str, Any]
) -> None:
    game = MultiAgentGame(brawl.GAME, players=3, on_illegal="raise", **options)
    returns = dict.fromkeys(game.possible_agents, 0.0)
    steps = play(game, 1)
    assert len(steps) > 3
    for seen, *_ in steps[:-1]:
        assert len(seen) == 1
        assert next(iter(seen.values()))["action_mask"].any()
    for _, rewards, *_ in steps[1:]:
        for agent, reward in rewards.items():
            returns[agent] += reward
    seen, _, terminations, truncations, infos = steps[-1]
    assert list(seen) == list(infos) == game.possible_agents
    assert len({*terminations.values()}) == len({*truncations.values()}) == 1
    assert terminations["__all__"] != truncations["__all__"]
    assert truncations["__all__"] == bool(options)
    assert returns == {a: pytest.approx(info["episode_return"]) for a, info in infos.items()}


def test_reset__is_seeded_by_its_argument(raft: ModuleType) -> None:
    """Without a seed the generators continue, since RLlib passes a seed only once."""
    game = MultiAgentGame(raft.GAME, danger=70)

    def waves(*seeds: int | None) -> list[bytes]:
        found = []
        for seed in seeds:
            game.reset(seed)
            for _ in range(2):
                game.step(dict.fromkeys(game.possible_agents, 0))
            found.append(game.env.batch.buffers.states.tobytes())
        return found

    first = waves(1, None, None)
    assert first == waves(1, None, None)
    assert len(set(first)) == 3
    assert waves(2) != waves(1)


def test_step__needs_actions_of_all_that_observe(raft: ModuleType, brawl: ModuleType) -> None:
    for module in (raft, brawl):
        game = MultiAgentGame(module.GAME)
        game.reset(1)
        with pytest.raises(ActionError):
            game.step({})


def test_eliminated_agents__can_leave(raft: ModuleType) -> None:
    game = MultiAgentGame(raft.GAME, preset="sharks", dropouts="leave", turns=2)
    game.reset(1)
    _, _, terminations, _, _ = game.step({"player_0": 1, "player_1": 0, "player_2": 0})
    assert terminations == {
        **dict.fromkeys(["player_1", "player_2", "__all__"], False),
        "player_0": True,
    }
    seen, _, terminations, truncations, _ = game.step({"player_1": 0, "player_2": 0})
    assert list(seen) == ["player_1", "player_2"]
    assert (terminations["__all__"], truncations["__all__"]) == (True, False)


def test_game__has_its_masks_in_observations(raft: ModuleType) -> None:
    with pytest.raises(ConfigError, match="leave out 'mask_in'"):
        MultiAgentGame(raft.GAME, mask_in="info")


def test_spaces__are_those_of_pettingzoo(raft: ModuleType) -> None:
    game, other = MultiAgentGame(raft.GAME), env(raft.GAME, actions="joint")
    for agent in other.possible_agents:
        assert game.action_spaces[agent] == other.action_space(agent)
        found = game.observation_spaces[agent]["observations"]
        assert found == other.observation_space(agent)["observation"]


@pytest.mark.parametrize("function", [rllib.configure, rllib.configure_multi_agent])
def test_configure__says_what_to_install(function: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ConfigError, match=r"pip install 'axiom-gym\[rllib\]'"):
        function(None, "connect_four")
