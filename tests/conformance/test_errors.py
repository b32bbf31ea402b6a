"""Wrong use of every environment raises an error of `axiom_gym.errors` and changes nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from axiom_gym.errors import (
    ActionError,
    AxiomError,
    ClosedEnvironmentError,
    ConfigError,
    ResetNeededError,
    UnknownGameError,
    UnknownNameError,
)

FORMS = ("single", "vector", "parallel", "aec")


def _make(variant: Any, form: str, **more: Any) -> Any:
    size = {"num_envs": 3} if form == "vector" else {}
    return getattr(variant, form)(**size, **more)


def _action(env: Any) -> Any:
    """Return an action that `step` accepts during an episode without eliminated players."""
    if not hasattr(env, "possible_agents"):
        return env.action_space.sample()
    if hasattr(env, "agent_iter"):
        return env.action_space(env.possible_agents[0]).sample()
    return {agent: env.action_space(agent).sample() for agent in env.possible_agents}


def _play(env: Any) -> None:
    """Play an episode to its end, until all agents have left."""
    while env.agents if hasattr(env, "possible_agents") else not env._over:
        if hasattr(env, "agent_iter"):
            agent = env.agent_selection
            has_ended = env.terminations[agent] or env.truncations[agent]
            env.step(None if has_ended else env.action_space(agent).sample())
        elif hasattr(env, "possible_agents"):
            env.step({agent: env.action_space(agent).sample() for agent in env.agents})
        else:
            env.step(_action(env))


def _wrap(env: Any, action: Any) -> Any:
    """Return actions in which `action` replaces that of one game or agent."""
    if hasattr(env, "agent_iter") or not hasattr(env, "possible_agents"):
        return action
    return {**_action(env), env.possible_agents[-1]: action}


@pytest.mark.parametrize("form", FORMS)
def test_step__needs_a_reset_first(variant: Any, form: str) -> None:
    env = _make(variant, form)
    with pytest.raises(ResetNeededError, match="reset"):
        env.step(_action(env))
    with pytest.raises(ResetNeededError, match="reset"):
        env.get_state()


@pytest.mark.parametrize("form", ["single", "parallel", "aec"])
def test_step__needs_a_reset_after_the_end(variant: Any, form: str) -> None:
    env = _make(variant, form, max_turns=2)
    env.reset(seed=1)
    _play(env)
    with pytest.raises(ResetNeededError, match="reset"):
        env.step(_action(env))
    env.reset()
    env.step(_action(env))


def test_step__of_the_vector_env_needs_a_reset_where_nothing_else_does(variant: Any) -> None:
    env = variant.vector(3, autoreset_mode="disabled", max_turns=1)
    env.reset(seed=1)
    env.step(env.sample_actions())
    with pytest.raises(ResetNeededError, match="game 0 has ended"):
        env.step(env.sample_actions())


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("started", [True, False])
def test_env__is_no_more_after_close(variant: Any, form: str, started: bool) -> None:
    env = _make(variant, form, render_mode="ansi")
    saved = None
    if started:
        env.reset(seed=1)
        saved = env.get_state()
    action = _action(env)
    env.close()
    env.close()
    calls = [
        lambda: env.step(action),
        lambda: env.reset(),
        lambda: env.render(),
        lambda: env.get_state(),
        lambda: env.set_state(saved),
    ]
    if hasattr(env, "possible_agents"):
        calls += [lambda: env.state(), lambda: env.action_masks()]
    for call in calls:
        with pytest.raises(ClosedEnvironmentError, match="closed"):
            call()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("actions", ["sub_actions", "joint"])
def test_step__names_a_wrong_shape_or_dtype(variant: Any, form: str, actions: str) -> None:
    env = _make(variant, form, actions=actions)
    env.reset(seed=1)
    saved = env.get_state()
    space = env.action_space
    if hasattr(env, "possible_agents"):
        space = env.action_space(env.possible_agents[0])
    shape = space.shape
    wrong = [
        (np.zeros((*shape, 2), np.int64), "shape"),
        (np.zeros((7, *shape), np.int64), "shape"),
        (np.zeros(shape, np.float32), "dtype"),
        (np.zeros(shape, np.bool_), "dtype"),
        (np.full(shape, None), "dtype"),
        (np.full(shape, "1"), "dtype"),
        ([], "dtype|shape"),
        ({}, "dtype"),
        (None, "dtype"),
    ]
    for action, word in wrong:
        with pytest.raises(ActionError, match=word):
            env.step(_wrap(env, action))
    assert repr(env.get_state()) == repr(saved)
    env.step(_action(env))


@pytest.mark.parametrize("form", FORMS)
def test_env__names_the_option_that_does_not_fit(variant: Any, form: str) -> None:
    def check(kind: type[AxiomError], match: str, **more: Any) -> None:
        with pytest.raises(kind, match=match):
            _make(variant, form, **more)

    check(UnknownNameError, "no_such_option", no_such_option=1)
    check(UnknownNameError, "render mode 'video'", render_mode="video")
    check(UnknownNameError, "action form", actions="both")
    check(UnknownNameError, "illegal-action policy", on_illegal="repair")
    check(ConfigError, "max_turns", max_turns=-1)
    check(ConfigError, "max_turns", max_turns=1.5)
    if "preset" not in variant.options:
        check(UnknownNameError, "preset", preset="no such preset")


@pytest.mark.parametrize("form", ["single", "parallel", "aec"])
@pytest.mark.parametrize("name", ["num_envs", "num_threads"])
def test_env__has_no_options_of_a_batch(variant: Any, form: str, name: str) -> None:
    with pytest.raises(ConfigError, match=name):
        _make(variant, form, **{name: 2})


def test_make__knows_no_other_game(variant: Any) -> None:
    close = variant.game_id.partition("-")[0] + "s"
    with pytest.raises(UnknownGameError, match="Did you mean"):
        type(variant)(close, {}).batch()
