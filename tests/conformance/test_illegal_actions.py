"""The three policies for illegal actions, in the batch and in all environments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from axiom_gym.errors import IllegalActionError

FAR = 2**62


def _actor(batch: Any) -> int:
    """Return the seat whose actions are in row 0 of game 0."""
    return max(int(batch.buffers.acting[0]), 0)


def _masked_action(batch: Any) -> int | None:
    """Return an action that the first mask forbids, or a later one; None if no mask ever does."""
    choices = batch.layout.num_choices[0]
    for _ in range(2000):
        over = batch.buffers.episodes["ended"] != 0
        masked = np.flatnonzero(batch.buffers.masks[0, 0, 0, :choices] == 0)
        over[0] |= not batch.alive().all()
        if len(masked) and not over.any():
            return int(masked[0])
        if over.any():
            batch.reset(which=over)
        batch.sample_actions()
        batch.step()
    return None


@pytest.fixture(params=["below", "above", "far", "masked"])
def offend(request: pytest.FixtureRequest) -> Callable[[Any], None]:
    """Write an illegal action for the first player to act in game 0, and legal ones otherwise."""
    kind = request.param

    def act(batch: Any) -> None:
        choices = batch.layout.num_choices[0]
        action = {"below": -1, "above": choices, "far": FAR}.get(kind)
        if action is None:
            action = _masked_action(batch)
        if action is None:
            pytest.skip("no action of this game is ever masked")
        batch.sample_actions()
        batch.buffers.actions[0, 0, 0] = action

    return act


@pytest.mark.boundscheck
def test_raise__leaves_every_byte_untouched(
    variant: Any, offend: Callable[[Any], None], snapshot: Callable[..., Any]
) -> None:
    batch = variant.batch(2, on_illegal="raise", autoreset="disabled")
    batch.reset(3)
    offend(batch)
    before, state = snapshot(batch), batch.get_state()
    agent, action = batch.agents[_actor(batch)], batch.buffers.actions[0, 0, 0]
    with pytest.raises(IllegalActionError, match=f"game 0: sub-action 0 of {agent} is {action},"):
        batch.step()
    after = snapshot(batch)
    assert all(np.array_equal(before[name], after[name]) for name in before)
    assert batch.get_state() == state
    batch.sample_actions()
    batch.step()


@pytest.mark.boundscheck
def test_forfeit__ends_the_game_and_the_others_share_the_loss(
    variant: Any, offend: Callable[[Any], None]
) -> None:
    batch = variant.batch(2, on_illegal="forfeit", autoreset="disabled")
    batch.reset(3)
    offend(batch)
    actor = _actor(batch)
    batch.step()
    others = batch.num_players - 1
    expected = np.full(batch.num_players, 1 / max(others, 1), np.float32)
    expected[actor] = -1
    assert np.allclose(batch.buffers.rewards[0], expected)
    assert batch.buffers.terminated.tolist() == [True, False]
    assert not batch.buffers.truncated.any()
    offenders = np.zeros((2, batch.num_players))
    offenders[0, actor] = 1
    assert np.array_equal(batch.buffers.episodes["offenders"], offenders)


def test_forfeit__pays_nobody_if_all_of_several_offend(variant: Any) -> None:
    if variant.is_sequential:
        pytest.skip("one player offends at a time")
    batch = variant.batch(on_illegal="forfeit", autoreset="disabled")
    batch.reset(3)
    batch.buffers.actions[:] = -1
    batch.step()
    assert batch.buffers.terminated[0]
    assert np.all(batch.buffers.rewards == (-1 if variant.is_alone else 0))


@pytest.mark.boundscheck
def test_noop__leaves_the_order_out_and_plays_on(
    variant: Any, offend: Callable[[Any], None], snapshot: Callable[..., Any]
) -> None:
    """The turn is the same as without the sub-action, whatever the illegal action was."""
    batch = variant.batch(on_illegal="noop", autoreset="disabled")
    batch.reset(3)
    offend(batch)
    actor = _actor(batch)
    twin, orders = batch.clone(), batch.buffers.actions.copy()
    orders[0, 0, 0] = -1
    twin.buffers.actions[...] = orders
    batch.step()
    twin.step()
    first, second = snapshot(batch), snapshot(twin)
    assert all(np.array_equal(first[name], second[name]) for name in first)
    assert np.flatnonzero(batch.buffers.episodes["offenders"][0]).tolist() == [actor]
    if variant.is_sequential:
        assert batch.get_state() == twin.get_state()
        assert batch.buffers.acting[0] == actor
    batch.sample_actions()
    batch.step()
    assert not batch.buffers.episodes["offenders"].any()


# -- in the environments ---------------------------------------------------------------------------


def _bad_action(env: Any) -> Any:
    """Return an action of the single-agent environments that is outside of the action space."""
    space = getattr(env, "single_action_space", env.action_space)
    bad = np.full(space.shape, -1)
    return np.stack([bad] * env.num_envs) if hasattr(env, "num_envs") else bad


def test_single_env__tells_of_an_illegal_action(variant: Any) -> None:
    env = variant.single()
    _, info = env.reset(seed=3)
    assert info["illegal_action"] is False
    *_, info = env.step(_bad_action(env))
    assert info["illegal_action"] is True
    forfeits = variant.single(on_illegal="forfeit")
    forfeits.reset(seed=3)
    _, reward, terminated, truncated, info = forfeits.step(_bad_action(env))
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert info["episode_return"] == -1.0
    raises = variant.single(on_illegal="raise")
    raises.reset(seed=3)
    saved = raises.get_state()["batch"]
    with pytest.raises(IllegalActionError):
        raises.step(_bad_action(env))
    assert raises.get_state()["batch"] == saved


@pytest.mark.parametrize("mode", ["next_step", "same_step", "disabled"])
def test_vector_env__tells_of_an_illegal_action(variant: Any, mode: str) -> None:
    env = variant.vector(3, autoreset_mode=mode, on_illegal="forfeit", seat="random")
    _, infos = env.reset(seed=3)
    assert infos["illegal_action"].tolist() == [False] * 3
    actions = env.sample_actions()
    actions[1] = _bad_action(env)[1]
    _, rewards, terminated, _, infos = env.step(actions)
    assert infos["illegal_action"].tolist() == [False, True, False]
    others = [False, False] if not variant.loses_players else terminated[[0, 2]].tolist()
    assert terminated.tolist() == [others[0], True, others[1]]
    assert rewards[1] == -1


def _masked_dict(env: Any, agent: str, action: int) -> Any:
    """Return a legal action of an agent with its first sub-action replaced."""
    mask = env.action_masks()[agent].astype(np.int8)
    chosen = env.action_space(agent).sample(mask)
    if np.shape(chosen) == ():
        return action
    chosen[0] = action
    return chosen


@pytest.mark.parametrize("policy", ["noop", "forfeit", "raise"])
def test_parallel_env__treats_a_masked_action_by_its_policy(variant: Any, policy: str) -> None:
    env = variant.parallel(on_illegal=policy)
    env.reset(seed=3)
    action = _masked_action(env.batch)
    if action is None:
        pytest.skip("no action of this game is ever masked")
    env.set_state(env.get_state())
    first, *others = env.agents
    actions = {agent: env.sample_actions()[agent] for agent in others}
    actions[first] = _masked_dict(env, first, action)
    if policy == "raise":
        saved = env.get_state()
        with pytest.raises(IllegalActionError, match=first):
            env.step(actions)
        assert env.get_state() == saved
        return
    _, rewards, terminations, _, infos = env.step(actions)
    assert infos[first]["illegal_action"] is True
    assert [infos[other]["illegal_action"] for other in others] == [False] * len(others)
    if policy == "forfeit":
        assert rewards[first] == -1.0
        assert all(terminations.values())
        assert not env.agents


def test_aec_env__refuses_an_illegal_action_when_it_is_given(variant: Any) -> None:
    """The policy "raise" refuses it before the turn is played, and the agent can act again."""
    env = variant.aec(on_illegal="raise")
    env.reset(seed=3)
    action = _masked_action(env.batch)
    if action is None:
        pytest.skip("no action of this game is ever masked")
    env.agent_selection = env.possible_agents[_actor(env.batch)]
    saved = env.get_state()
    env.set_state(saved)
    agent = env.agent_selection
    with pytest.raises(IllegalActionError, match=agent):
        env.step(_masked_dict(env, agent, action))
    assert env.agent_selection == agent
    after_turns = int(env.batch.buffers.episodes["length"][0])
    after = env.get_state()
    assert after["sub_actions"].tobytes() == saved["sub_actions"].tobytes()
    assert after["batch"] == saved["batch"]
    env.step(env.action_space(agent).sample(env.observe(agent)["action_mask"]))
    plays_at_once = variant.is_alone or variant.is_sequential
    assert plays_at_once or env.agent_selection != agent
    assert env.batch.buffers.episodes["length"][0] == (after_turns + plays_at_once)
