from __future__ import annotations

import pickle
from collections.abc import Callable
from types import ModuleType
from typing import Any

import gymnasium
import numpy as np
import pytest

from axiom_gym.adapters.pettingzoo import (
    AxiomAECEnv,
    AxiomParallelEnv,
    env,
    parallel_env,
    raw_env,
)
from axiom_gym.adapters.spaces import ChoiceSpace, SubActionSpace
from axiom_gym.errors import (
    ActionError,
    ConfigError,
    ResetNeededError,
    StateError,
    UnknownNameError,
)
from axiom_gym.game.joint import JointActions

FORMS = [parallel_env, env]


# -- the forms -------------------------------------------------------------------------------------


def test_functions__make_the_two_forms(game: Any) -> None:
    assert type(parallel_env(game)) is AxiomParallelEnv
    assert type(env(game)) is type(raw_env(game)) is AxiomAECEnv
    assert type(env("quantaris", preset="v0.1")) is AxiomAECEnv


@pytest.mark.parametrize("make", FORMS)
def test_env__has_the_facts_of_its_game(game: Any, make: Callable[..., Any]) -> None:
    one = make(game)
    assert one.possible_agents == list(game.info.agents)
    assert one.max_num_agents == len(game.info.agents)
    assert str(one) == one.metadata["name"] == f"{game.info.name}_v{game.info.version}"
    assert one.metadata["is_parallelizable"] is True
    assert one.unwrapped is one
    one.reset(seed=1)
    assert one.num_agents == len(one.agents) == len(game.info.agents)
    one.agents.clear()
    assert one.possible_agents == list(game.info.agents)


def test_env__takes_max_cycles_as_max_turns(pennies: ModuleType, sample: Any) -> None:
    one = parallel_env(pennies.GAME, preset="endless", max_cycles=3)
    seen, _ = one.reset(seed=1)
    for turn in range(1, 4):
        seen, _, terminations, truncations, infos = one.step(sample(one, seen))
        assert set(terminations.values()) == {False}
        assert set(truncations.values()) == {turn == 3}
    assert infos["player_0"]["episode_length"] == 3
    with pytest.raises(ConfigError, match="another name"):
        parallel_env(pennies.GAME, max_cycles=3, max_turns=4)


# -- spaces and masks ------------------------------------------------------------------------------


@pytest.mark.parametrize("make", FORMS)
def test_spaces__are_the_same_objects_and_one_for_each_agent(
    game: Any, make: Callable[..., Any]
) -> None:
    one = make(game)
    for spaces in (one.observation_space, one.action_space):
        assert len({id(spaces(agent)) for agent in one.possible_agents}) == one.max_num_agents
        assert all(spaces(agent) is spaces(agent) for agent in one.possible_agents)
        with pytest.raises(UnknownNameError, match="'player_9'"):
            spaces("player_9")


def test_masks__are_concatenated_for_unequal_sub_actions(pennies: ModuleType) -> None:
    """The side has 2 choices, the stake 3; player 0 is forced to one side and to stake 0."""
    one = parallel_env(pennies.GAME, forced=0, preset="endless")
    seen, infos = one.reset(seed=1)
    side = one.batch.buffers.states["forced_side"][0]
    assert seen["player_0"]["action_mask"].tolist() == [1 - side, side, 1, 0, 0]
    assert seen["player_1"]["action_mask"].tolist() == [1, 1, 1, 1, 1]
    assert infos["player_0"]["action_mask"].tolist() == [1 - side, side, 1, 0, 0]
    assert one.action_masks()["player_0"].tolist() == [not side, bool(side), True, False, False]
    space = one.action_space("player_0")
    drawn = {tuple(space.sample(seen["player_0"]["action_mask"]).tolist()) for _ in range(20)}
    assert drawn == {(side, 0)}


def test_masks__of_joint_actions_are_products(pennies: ModuleType) -> None:
    one = parallel_env(pennies.GAME, forced=0, preset="endless", actions="joint")
    seen, infos = one.reset(seed=1)
    expected = JointActions((2, 3)).masks(one.batch.buffers.masks[0])
    for seat, agent in enumerate(one.possible_agents):
        assert one.action_space(agent) == gymnasium.spaces.Discrete(6)
        assert np.array_equal(seen[agent]["action_mask"], expected[seat])
        assert np.array_equal(infos[agent]["action_mask"], expected[seat])
    side = one.batch.buffers.states["forced_side"][0]
    assert np.flatnonzero(seen["player_0"]["action_mask"]).tolist() == [3 * side]


def test_masks__change_with_the_position(game: Any) -> None:
    for form in ("sub_actions", "joint"):
        one = parallel_env(game, actions=form)
        one.reset(seed=2)
        for _ in range(30):
            if not one.agents:
                one.reset()
            seen, *_ = one.step(one.sample_actions())
            masks = one.batch.buffers.masks[0]
            for seat, agent in enumerate(one.possible_agents):
                choices = one.batch.layout.num_choices
                rows = [row[:n] for row, n in zip(masks[seat], choices, strict=True)]
                flat = np.concatenate(rows)
                if form == "joint":
                    flat = JointActions(choices).masks(masks)[seat]
                assert np.array_equal(seen[agent]["action_mask"], flat)
                assert one.observation_space(agent).contains(seen[agent])


def test_choice_space__samples_legal_actions_uniformly() -> None:
    space, mask = ChoiceSpace(5, seed=1), np.array([0, 1, 0, 1, 1], np.int8)
    drawn = np.array([space.sample(mask) for _ in range(3000)])
    assert drawn.dtype == np.int64
    counts = np.bincount(drawn, minlength=5)
    assert counts[mask == 0].sum() == 0
    assert np.all(np.abs(counts[mask == 1] - 1000) < 5 * np.sqrt(1000 * 2 / 3))
    again = ChoiceSpace(5, seed=1)
    assert [again.sample(mask) for _ in range(9)] == drawn[:9].tolist()


def test_choice_space__is_gymnasiums_otherwise() -> None:
    space, plain = ChoiceSpace(5, seed=2), gymnasium.spaces.Discrete(5, seed=2)
    assert space == plain
    assert [space.sample() for _ in range(5)] == [plain.sample() for _ in range(5)]
    assert space.sample(np.zeros(5, np.int8)) == plain.sample(np.zeros(5, np.int8)) == 0
    weights = np.array([0, 0, 0, 0, 1.0])
    assert space.sample(probability=weights) == 4
    for mask in (np.ones(4, np.int8), np.ones(5, np.bool_), [1] * 5):
        with pytest.raises(AssertionError, match="sample mask"):
            space.sample(mask)


def test_sub_action_space__is_a_multi_discrete() -> None:
    space, plain = SubActionSpace([2, 3]), gymnasium.spaces.MultiDiscrete([2, 3])
    assert space == plain
    flat = np.array([0, 1, 1, 0, 0], np.int8)
    assert space.sample(flat).tolist() == [1, 0]
    assert space.sample((flat[:2], flat[2:])).tolist() == [1, 0]
    assert space.sample(probability=np.array([0, 1, 0, 0, 1.0])).tolist() == [1, 2]
    for one in (space, plain):
        one.seed(3)
    copied = pickle.loads(pickle.dumps(space))
    assert np.array_equal(space.sample(), plain.sample())
    space.sample()
    assert space.contains(copied.sample())
    with pytest.raises(AssertionError):
        space.sample(flat[:4])


def test_state__is_the_first_players_view_with_perfect_information() -> None:
    one = parallel_env("quantaris")
    seen, _ = one.reset(seed=1)
    assert np.array_equal(one.state(), seen["player_0"]["observation"])
    assert one.state_space.contains(one.state())


def test_state__is_otherwise_all_views(pennies: ModuleType) -> None:
    one = env(pennies.TRIO)
    one.reset(seed=1)
    parts = [one.observe(agent)["observation"] for agent in one.possible_agents]
    assert one.state().tolist() == np.concatenate(parts).tolist()
    assert one.state_space.shape == (15,)


# -- steps -----------------------------------------------------------------------------------------


def test_step__gives_plain_python_values(game: Any, sample: Any) -> None:
    one = parallel_env(game)
    seen, infos = one.reset(seed=3)
    while one.agents:
        keys = {"action_mask", "illegal_action", "episode_return", "episode_length"}
        assert all(set(info) == keys for info in infos.values())
        assert {type(info["illegal_action"]) for info in infos.values()} == {np.bool_}
        agents = one.agents
        seen, rewards, terminations, truncations, infos = one.step(sample(one, seen))
        for part in (seen, rewards, terminations, truncations, infos):
            assert list(part) == agents
        assert {type(reward) for reward in rewards.values()} == {float}
        assert {type(end) for end in (*terminations.values(), *truncations.values())} == {bool}
        assert len(set(terminations.values())) == len(set(truncations.values())) == 1
    episode = one.batch.buffers.episodes[0]
    for seat, info in enumerate(infos.values()):
        assert info["episode_return"] == episode["final_returns"][seat]
        assert info["episode_length"] == episode["final_length"]
        assert (type(info["episode_return"]), type(info["episode_length"])) == (float, int)


def test_step__takes_any_integers(pennies: ModuleType, plain: Any) -> None:
    given = []
    forms: list[Any] = [[1, 2], (1, 2), np.array([1, 2], np.uint8), np.array([1, 2], np.int64)]
    for action in forms:
        one = parallel_env(pennies.GAME)
        one.reset(seed=1)
        given.append(plain(one.step({"player_0": action, "player_1": [0, 0]})))
    assert all(other == given[0] for other in given)
    joint: list[Any] = [5, np.int32(5), np.uint8(5), np.array(5)]
    for number in joint:
        one = parallel_env(pennies.GAME, actions="joint")
        one.reset(seed=1)
        _, rewards, *_ = one.step({"player_1": 0, "player_0": number})
        assert list(rewards.values()) == list(given[0][1].values())


def test_joint_actions__are_their_sub_actions(pennies: ModuleType) -> None:
    joint, separate = parallel_env(pennies.GAME, actions="joint"), parallel_env(pennies.GAME)
    for number in range(6):
        joint.reset(seed=number)
        separate.reset(seed=number)
        first = joint.step({"player_0": number, "player_1": 5 - number})
        second = separate.step(
            {"player_0": divmod(number, 3), "player_1": divmod(5 - number, 3)},
        )
        assert first[1:4] == second[1:4]


@pytest.mark.parametrize("form", ["sub_actions", "joint"])
def test_sample_actions__are_legal(pennies: ModuleType, form: str) -> None:
    one = parallel_env(pennies.TRIO, forced=1, preset="endless", actions=form, on_illegal="raise")
    with pytest.raises(ResetNeededError):
        one.sample_actions()
    one.reset(seed=1)
    drawn = set()
    for _ in range(60):
        actions = one.sample_actions()
        assert all(one.action_space(agent).contains(actions[agent]) for agent in one.agents)
        drawn.add(repr(actions["player_0"]))
        one.step(actions)
    assert len(drawn) == 6


@pytest.mark.parametrize("policy", ["noop", "forfeit", "raise"])
@pytest.mark.parametrize("make", FORMS)
def test_step__refuses_actions_outside_of_the_space(
    pennies: ModuleType, make: Callable[..., Any], policy: str, plain: Any
) -> None:
    wrong = [[2, 0], [0, 3], [-1, 0]]
    for form, bad in [*(("sub_actions", one) for one in wrong), ("joint", 6)]:
        one = make(pennies.GAME, on_illegal=policy, actions=form)
        one.reset(seed=1)
        saved = plain(one.get_state())
        last = one.possible_agents[-1]
        good = one.action_space(last).sample()
        with pytest.raises(ActionError, match=r"player_0 holds -?\d; allowed is 0 to"):
            one.step(bad if make is env else {last: good, "player_0": bad})
        assert plain(one.get_state()) == saved


@pytest.mark.parametrize(
    "actions",
    [
        {"player_0": [0, 0]},
        {},
        {"player_0": [0, 0], "player_1": [0, 0], "player_2": [0, 0]},
        {"player_0": [0, 0], "player_9": [0, 0]},
        [[0, 0], [0, 0]],
        None,
    ],
)
def test_parallel_step__needs_actions_of_exactly_these_agents(
    pennies: ModuleType, actions: Any, plain: Any
) -> None:
    one = parallel_env(pennies.GAME)
    one.reset(seed=1)
    saved = plain(one.get_state())
    with pytest.raises(ActionError, match="entry for each of"):
        one.step(actions)
    assert plain(one.get_state()) == saved


def test_parallel_step__without_actions_after_the_end_returns_empty_dicts(
    pennies: ModuleType,
) -> None:
    one = parallel_env(pennies.GAME)
    with pytest.raises(ResetNeededError, match="no episode has begun"):
        one.step({})
    one.reset(seed=1)
    while one.agents:
        one.step(one.sample_actions())
    assert one.step({}) == ({}, {}, {}, {}, {})
    with pytest.raises(ResetNeededError, match="over"):
        one.step({"player_0": [0, 0], "player_1": [0, 0]})


# -- drawing and saving ----------------------------------------------------------------------------


@pytest.mark.parametrize("make", FORMS)
def test_human_mode__prints_every_position(
    pennies: ModuleType, make: Callable[..., Any], capsys: pytest.CaptureFixture[str]
) -> None:
    one = make(pennies.GAME, preset="endless", render_mode="human")
    one.reset(seed=1)
    for _ in range(2):
        for agent in [None] if make is parallel_env else one.possible_agents:
            one.step([0, 0] if agent else {name: [0, 0] for name in one.agents})
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(",")[0] for line in lines] == ["turn 0", "turn 1", "turn 2"]
    assert one.render() is None


@pytest.mark.parametrize("make", FORMS)
def test_render__draws_by_its_mode(pennies: ModuleType, make: Callable[..., Any]) -> None:
    for mode in ("ansi", "rgb_array"):
        one = make("quantaris", render_mode=mode)
        one.reset(seed=1)
        drawn = one.render()
        assert isinstance(drawn, str) if mode == "ansi" else drawn.dtype == np.uint8
    one = make(pennies.GAME, render_mode="rgb_array")
    one.reset(seed=1)
    with pytest.raises(ConfigError, match="draws no pictures"):
        one.render()
    one = make(pennies.GAME)
    one.reset(seed=1)
    with pytest.warns(UserWarning, match="without a render_mode"):
        assert one.render() is None


@pytest.mark.parametrize("make", FORMS)
def test_set_state__names_what_is_missing(game: Any, make: Callable[..., Any], plain: Any) -> None:
    one = make(game)
    one.reset(seed=1)
    saved = plain(one.get_state())
    for wrong in ({}, b"", {"batch": b"", "more": 1}):
        with pytest.raises(StateError, match=r"is a dict of \['"):
            one.set_state(wrong)
    with pytest.raises(StateError, match="not a saved state"):
        one.set_state({**one.get_state(), "batch": b""})
    assert plain(one.get_state()) == saved
