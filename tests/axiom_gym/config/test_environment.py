"""Environments of configs: spaces, names, faults and checkers."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from axiom_gym.batch import Batch
from axiom_gym.config import (
    Action,
    Attribute,
    Choice,
    Event,
    GameConfig,
    PassiveModifier,
    Task,
    as_game,
    create_engine,
    make_env,
    make_vec,
)
from axiom_gym.config.compiled import CompiledConfig
from axiom_gym.config.validation import validate
from axiom_gym.errors import ConfigError, TraceError
from axiom_gym.game import KernelGame
from axiom_gym.records import field_names

WORKSHOP = GameConfig(
    name="workshop",
    initial_state=lambda: {"wood": 4, "skill": 1.5, "open": True, "debt": -3},
    attributes={"wood": Attribute(0, 8), "skill": Attribute(-1.0, 3.0)},
    choices={"tool": Choice("axe", "saw", None)},
    passive_modifiers=[PassiveModifier("dues", lambda s: {"debt": s["debt"] * 2})],
    actions=[
        Action("cut", label="Cut wood", contexts=[{"amount": 1}, {"amount": 3}],
               conditions=[lambda s, ctx: s["wood"] >= ctx["amount"]],
               effects=[lambda s, ctx: {"wood": -ctx["amount"], "skill": 0.25}]),
        Action("swap", effects=[{"tool": "saw"}]),
        Action("Swap", effects=[{"open": False}]),
        Action("divide", effects=[lambda s: {"skill": 1 / s["wood"]}]),
    ],
    events=[
        Event("find", base_probability=0.4, cooldown=4, effects=[{"wood": 2}]),
        Event("rain", base_probability=0.2, cooldown=0),
    ],
    restrictions=[lambda s: s["debt"] > 0],
)  # fmt: skip
TASK = Task(
    reward=lambda before, after: after["skill"] - before["skill"],
    terminated=lambda s: s["skill"] >= 3,
    max_ticks=12,
    actions_per_tick=2,
    score=lambda s: s["skill"],
)
CUT, CUT_3, SAW, CLOSE, DIVIDE, WAIT = range(6)


@pytest.fixture(scope="module")
def workshop() -> KernelGame:
    return as_game(WORKSHOP, TASK, title="Workshop")


def test_layout__has_a_name_for_every_feature(workshop: KernelGame) -> None:
    layout = workshop.layout(workshop.config())
    assert layout.feature_names == (
        "wood", "skill", "tool=axe", "tool=saw", "tool=None", "debt",
        "cooldown of find", "actions in this tick", "tick / max_ticks",
    )  # fmt: skip
    assert layout.observation_shape == (len(layout.feature_names),)
    assert (layout.observation_low, layout.observation_high) == (-1.0, 1.0)
    assert layout.num_choices == (6,)


def test_observation__encodes_the_state(parity: ModuleType) -> None:
    compiled = CompiledConfig(WORKSHOP, TASK)
    pair = parity.Pair(compiled, 3)
    for action in (SAW, CUT, WAIT):
        pair.step(action)
    seen = np.zeros(len(compiled.source.features), np.float32)
    pair.kernel.observe(pair.record, 0, seen, None)
    named = dict(zip((f.name for f in compiled.source.features), seen.tolist(), strict=True))
    state = pair.interpreted.engine.get_state()
    assert named["wood"] == state["wood"] / 8
    assert named["skill"] == (state["skill"] + 1) / 4
    assert [named[f"tool={option}"] for option in ("axe", "saw", None)] == [0, 1, 0]
    assert named["debt"] == pytest.approx(state["debt"] / (1 - state["debt"]))
    assert named["actions in this tick"] == 0
    assert named["tick / max_ticks"] == pytest.approx(2 / 12)
    left = state["cooldowns"].get("find", state["tick"]) - state["tick"]
    assert named["cooldown of find"] == left / 4
    assert "cooldown of rain" not in named


def test_unused_fields__are_no_features(workshop: KernelGame) -> None:
    names = workshop.layout(workshop.config()).feature_names
    assert "open" not in names  # nothing depends on it
    assert "debt" in names


def test_facts__follow_from_config_and_task(workshop: KernelGame) -> None:
    info = workshop.info
    assert (info.name, info.title, info.max_length) == ("workshop", "Workshop", 24)
    assert info.chance
    unlimited = Task(reward=TASK.reward, terminated=lambda s: False)
    assert as_game(GameConfig(lambda: {}), unlimited).info.max_length is None
    assert not as_game(GameConfig(lambda: {}), unlimited).info.chance


def test_game__whose_task_never_ends_is_refused() -> None:
    endless = Task(reward=TASK.reward)
    remedy = r"task: never ends an episode; give max_ticks, .* or terminated, "
    with pytest.raises(ConfigError, match=remedy) as caught:
        as_game(WORKSHOP, endless)
    assert caught.value.problems == validate(WORKSHOP, endless)  # type: ignore[attr-defined]
    assert validate(WORKSHOP, TASK) == []


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("2048", "game_2048"),
        ("Über/Spiel", "game__ber_spiel"),
        ("a" * 300, "a" * 40),
        ("A b", "a_b"),
    ],
)
def test_name__is_valid_for_games(name: str, plain: str) -> None:
    assert as_game(GameConfig(lambda: {}, name=name), TASK).info.name == plain


@pytest.mark.parametrize("name", ["2048", "../up", "ﬁne", '"""', "x" * 300])
def test_name__of_any_kind_gives_importable_modules(name: str) -> None:
    config = GameConfig(lambda: {"n": 1}, {"n": Attribute(0, 9)}, name=name)
    batch = Batch(as_game(config, TASK_OF_NOTHING))
    assert field_names(batch.buffers.states.dtype) == ("n", "tick", "total", "rng")


def test_actions__have_unique_keys(workshop: KernelGame) -> None:
    assert workshop.sub_action_key is not None
    keys = [workshop.sub_action_key(None, 0, 0, action) for action in range(6)]
    assert len(set(keys)) == 6
    assert keys[CUT] == "cut(amount=1)"
    assert keys == [key.lower() for key in keys]


def test_actions__are_described(workshop: KernelGame) -> None:
    describe = workshop.describe_sub_action
    assert describe is not None
    assert describe(None, 0, 0, CUT_3) == "Cut wood (amount 3)"
    assert describe(None, 0, 0, DIVIDE) == "divide"
    assert describe(None, 0, 0, WAIT) == "wait"
    assert describe(None, 0, 0, -1) == "wait"


def test_state__is_described(parity: ModuleType, workshop: KernelGame) -> None:
    text = workshop.describe_state(parity.Pair(CompiledConfig(WORKSHOP, TASK)).record)
    assert text.startswith("tick 0\n")
    assert "  tool   axe" in text


@pytest.mark.boundscheck
def test_single__passes_gymnasiums_checker() -> None:
    env = make_env(WORKSHOP, TASK)
    assert env.action_space == gymnasium.spaces.Discrete(6)
    check_env(env, skip_render_check=True)


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_vector__plays_like_the_single_environment(mode: AutoresetMode) -> None:
    envs = make_vec(WORKSHOP, TASK, num_envs=3, autoreset_mode=mode)
    singles = [make_env(WORKSHOP, TASK) for _ in range(3)]
    observations, _ = envs.reset(seed=5)
    for i, env in enumerate(singles):
        assert np.array_equal(env.reset(seed=5 + i)[0], observations[i])
    alive = [True] * 3
    for turn in range(30):
        actions = np.array([turn % 2, SAW if turn % 3 else WAIT, WAIT])
        seen, rewards, ends, cuts, infos = envs.step(actions)
        for i, env in enumerate(singles):
            if not alive[i]:
                continue
            one, reward, end, cut, info = env.step(int(actions[i]))
            assert (reward, end, cut) == (rewards[i], ends[i], cuts[i])
            alive[i] = not (end or cut)
            if alive[i]:
                assert np.array_equal(one, seen[i])
                assert np.array_equal(info["action_mask"], infos["action_mask"][i])
        if mode is AutoresetMode.DISABLED and not all(alive):
            break
    assert not all(alive)


def test_mask__matches_the_interpreters_actions() -> None:
    env = make_env(WORKSHOP, TASK)
    _, info = env.reset(seed=1)
    assert info["action_mask"].tolist() == [1, 1, 1, 1, 1, 1]
    _, _, _, _, info = env.step(CUT_3)
    assert info["action_mask"].tolist()[:2] == [1, 0]


# Faults

FAULT_TEXT = "action 'divide', actions[3].effects[0]: division by zero in (1 / s['wood'])"


def test_fault__is_reported_by_the_single_environment() -> None:
    env = make_env(WORKSHOP, TASK)
    env.reset(seed=1)
    env.step(CUT)
    assert env.step(CUT_3)[1] == 0.25
    before = env.unwrapped.batch.buffers.states.copy()
    seen, reward, terminated, truncated, info = env.step(DIVIDE)
    assert (reward, terminated, truncated) == (0, False, True)
    assert info["fault"] == FAULT_TEXT
    assert info["episode_return"] == 0.5
    assert seen[0] == 0
    assert env.unwrapped.batch.buffers.states.tobytes() == before.tobytes()


@pytest.mark.boundscheck
@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_fault__is_reported_only_for_its_game_of_a_batch(mode: AutoresetMode) -> None:
    envs = make_vec(WORKSHOP, TASK, num_envs=3, autoreset_mode=mode)
    envs.reset(seed=1)
    for actions in ([SAW, CUT, SAW], [SAW, CUT_3, SAW]):
        envs.step(np.array(actions))
    seen, rewards, terminated, truncated, infos = envs.step(np.array([CUT, DIVIDE, DIVIDE]))
    assert rewards.tolist() == [0.25, 0, 0.25]
    assert not terminated.any()
    assert truncated.tolist() == [False, True, False]
    final = infos["final_info"] if mode is AutoresetMode.SAME_STEP else infos
    assert final["fault"].tolist() == [None, FAULT_TEXT, None]
    assert final["_fault"].tolist() == [False, True, False]
    assert seen[[0, 2], 0].tolist() == [3 / 8, 4 / 8]
    if mode is AutoresetMode.SAME_STEP:
        assert infos["final_obs"][1][0] == 0
        assert seen[1, 0] == 4 / 8


def test_illegal__action_that_the_mask_forbids() -> None:
    env = make_env(WORKSHOP, TASK, on_illegal="forfeit")
    env.reset(seed=1)
    env.step(CUT_3)
    _, reward, terminated, _, info = env.step(CUT_3)
    assert (reward, terminated, info["illegal_action"]) == (-1, True, True)


# Errors


def test_make_env__lists_all_mistakes_of_the_config() -> None:
    bad = GameConfig(lambda: {}, {"a": Attribute(5, 1), "b": Attribute(0, 1, default=9)})
    with pytest.raises(ConfigError, match="2 problems"):
        make_env(bad, TASK)


def test_make_env__names_callables_that_cannot_be_traced() -> None:
    bad = GameConfig(lambda: {"n": 1}, actions=[Action("act", conditions=[lambda s: ~s["n"]])])
    with pytest.raises(TraceError, match=r"action 'act', actions\[0\]\.conditions\[0\]: uses ~"):
        make_vec(bad, TASK)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"reward": 5}, r"task.reward: must be a callable of \(state before the step, .*, got 5"),
        ({"terminated": True}, r"task.terminated: must be a callable of \(state\), got True"),
        ({"score": 3}, r"task.score: must be a callable of \(state\), got 3"),
        ({"reward": lambda s: 0}, r"task.reward: .*; it takes \(s\)"),
        ({"terminated": lambda s, ctx: 0}, r"task.terminated: .*; it takes \(s, ctx\)"),
        ({"score": lambda: 0}, r"task.score: must be a callable of \(state\); it takes \(\)"),
        ({"maxTicks": 5}, "Task has no keyword 'maxTicks'. Did you mean 'max_ticks'"),
        ({"max_ticks": -1}, "task.max_ticks must be an integer from 0"),
        ({"max_ticks": 1.5}, "task.max_ticks"),
        ({"actions_per_tick": 0}, "task.actions_per_tick must be an integer from 1"),
    ],
)
def test_task__refuses(parts: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        Task(**{"reward": lambda before, after: 0, **parts})


# Very small and very large configs


def test_config__without_anything(parity: ModuleType) -> None:
    pair = parity.play(GameConfig(lambda: {}), TASK_OF_NOTHING, (0, 0))
    assert pair.state == {"tick": 2, "cooldowns": {}}
    assert pair.compiled.action_names == ["wait"]


def test_quantities__are_the_compiled_fields_of_states() -> None:
    game, made = as_game(WORKSHOP, TASK), CompiledConfig(WORKSHOP, TASK)
    start = create_engine(WORKSHOP, seed=1).get_state()
    states = [start, {**start, "wood": 2, "tool": None, "debt": -6}]
    records = np.array([made.encode(state, 1) for state in states], made.kernel.STATE)
    assert game.quantities is not None
    found = game.quantities(None, records)
    assert found["wood"].tolist() == [4, 2]
    assert found["debt"].tolist() == [-3, -6]
    assert found["tool=axe"].tolist() == [True, False]
    assert found["tool=None"].tolist() == [False, True]
    assert set(found) == {"wood", "skill", "debt", "tool=axe", "tool=saw", "tool=None"}


def test_action_names__have_contexts() -> None:
    game = as_game(WORKSHOP, TASK)
    assert game.action_names is not None
    ((*names,),) = game.action_names(None)
    assert names == [
        "Cut wood (amount 1)", "Cut wood (amount 3)", "swap", "Swap", "divide", "wait"
    ]  # fmt: skip


def large(actions: int, events: int) -> GameConfig:
    return GameConfig(
        lambda: {},
        {f"a{i}": Attribute(0, 50, default=i % 50) for i in range(40)},
        actions=[
            Action(f"act{i}", effects=[lambda s, i=i: {f"a{i % 40}": s[f"a{(i + 1) % 40}"] % 7}],
                   conditions=[lambda s, i=i: s[f"a{i % 40}"] > i % 50])
            for i in range(actions)
        ],
        events=[
            Event(f"event{i}", base_probability=0.2, cooldown=2 if i % 2 else None,
                  conditions=[lambda s, i=i: s[f"a{i % 40}"] < 45],
                  effects=[lambda s, i=i: {f"a{i % 40}": 1 - s[f"a{(i + 3) % 40}"] % 3}])
            for i in range(events)
        ],
        name="large",
    )  # fmt: skip


def test_config__with_hundreds_of_actions_and_events(parity: ModuleType) -> None:
    pair = parity.Pair(CompiledConfig(large(300, 500), TASK_OF_LARGE))
    for action in (0, 299, 300, 150, 7):
        pair.step(action)  # raises if the two differ


TASK_OF_NOTHING = Task(reward=lambda before, after: 1, max_ticks=9)
TASK_OF_LARGE = Task(reward=lambda before, after: after["a3"] - before["a3"], max_ticks=50)


@pytest.mark.slow
def test_config__with_thousands_of_discrete_actions(parity: ModuleType) -> None:
    contexts = [{"amount": i} for i in range(3000)]
    config = GameConfig(
        lambda: {},
        {"n": Attribute(0, 9000)},
        actions=[Action("add", contexts=contexts, effects=[lambda s, ctx: {"n": ctx["amount"]}])],
    )
    pair = parity.Pair(CompiledConfig(config, Task(reward=lambda before, after: 0)))
    for action in (0, 2999, 3000, 1500):
        pair.step(action)  # raises if the two differ
