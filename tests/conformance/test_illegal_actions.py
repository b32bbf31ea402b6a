"""The three policies for illegal actions, in the batch and in all environments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from axiom_gym.errors import ActionError, IllegalActionError

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
    low = batch.game.forfeit_reward(batch.config)
    expected = np.full(batch.num_players, -low / max(others, 1), np.float32)
    expected[actor] = low
    assert np.allclose(batch.buffers.rewards[0], expected)
    assert batch.buffers.terminated.tolist() == [True, False]
    assert not batch.buffers.truncated.any()
    offenders = np.zeros((2, batch.num_players))
    offenders[0, actor] = 1
    assert np.array_equal(batch.buffers.episodes["offenders"], offenders)


def test_forfeit__is_no_better_than_a_loss_if_all_offend(variant: Any) -> None:
    if variant.is_sequential:
        pytest.skip("one player offends at a time")
    batch = variant.batch(on_illegal="forfeit", autoreset="disabled")
    batch.reset(3)
    batch.buffers.actions[:] = -1
    batch.step()
    assert batch.buffers.terminated[0]
    low = batch.game.forfeit_reward(batch.config)
    assert low <= min(-1, variant.info.min_outcome)
    assert np.all(batch.buffers.rewards == np.float32(low))


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


def _make_illegal(form: Any, mask: Any, action: Any) -> Any:
    """Return a legal action of a learner with its first sub-action masked; None if none is."""
    masked = np.flatnonzero(np.atleast_2d(mask)[0, : form.choices[0]] == 0)
    if not len(masked):
        return None
    return np.array([masked[0], *action[1:]]) if form.shape else masked[0]


@pytest.mark.parametrize("policy", ["forfeit", "noop", "raise"])
def test_single_env__treats_a_masked_action_by_its_policy(variant: Any, policy: str) -> None:
    env = variant.single(on_illegal=policy)
    over, chosen = True, None
    for _ in range(2000):
        if over:
            _, info = env.reset(seed=3)
        assert type(info["illegal_action"]) is np.bool_
        assert not info["illegal_action"]
        chosen = _make_illegal(env._form, info["action_mask"], env.sample_action())
        if chosen is not None:
            break
        *_, terminated, truncated, info = env.step(env.sample_action())
        over = terminated or truncated
    if chosen is None:
        pytest.skip("no action of this game is ever masked")
    saved = env.get_state()["batch"]
    if policy == "raise":
        with pytest.raises(IllegalActionError):
            env.step(chosen)
        assert env.get_state()["batch"] == saved
        return
    _, reward, terminated, _, info = env.step(chosen)
    assert info["illegal_action"]
    if policy == "forfeit":
        assert terminated
        assert reward == np.float32(env.batch.game.forfeit_reward(env.batch.config))


@pytest.mark.parametrize("mode", ["next_step", "same_step", "disabled"])
def test_vector_env__tells_of_a_masked_action(variant: Any, mode: str) -> None:
    """The default policy ends the episode of the offender, and of nobody else."""
    env = variant.vector(3, autoreset_mode=mode, seat="random")
    _, infos = env.reset(seed=3)
    over, chosen = np.zeros(3, np.bool_), None
    for _ in range(2000):
        actions = env.sample_actions()
        chosen = _make_illegal(env.form, infos["action_mask"][1], actions[1])
        if chosen is not None and not over.any():
            break
        *_, terminated, truncated, infos = env.step(actions)
        over = terminated | truncated
        if mode == "disabled" and over.any():
            _, infos = env.reset(options={"reset_mask": over})
            over[:] = False
    if chosen is None:
        pytest.skip("no action of this game is ever masked")
    assert infos["illegal_action"].tolist() == [False] * 3
    actions[1] = chosen
    _, rewards, terminated, _, infos = env.step(actions)
    assert infos["illegal_action"].tolist() == [False, True, False]
    assert terminated[1]
    assert rewards[1] == np.float32(env.batch.game.forfeit_reward(env.batch.config))


@pytest.mark.parametrize("policy", ["forfeit", "noop", "raise"])
@pytest.mark.parametrize("bad", [-1, "choices", FAR])
def test_envs__refuse_an_action_out_of_range(variant: Any, policy: str, bad: Any) -> None:
    single, vector = variant.single(on_illegal=policy), variant.vector(2, on_illegal=policy)
    single.reset(seed=3)
    vector.reset(seed=3)
    choices = vector.form.choices[-1]
    value = choices if bad == "choices" else bad
    actions = vector.sample_actions()
    actions.reshape(2, -1)[1, -1] = value
    envs = single, vector
    saved = [env.get_state()["batch"] for env in envs]
    for step, given, name in (
        (single.step, actions[1], "the learner"),
        (vector.step, actions, "environment 1"),
    ):
        text = f"the action of {name} holds {value}; allowed is 0 to {choices - 1}. Choose"
        with pytest.raises(ActionError, match=text):
            step(given)
    assert [env.get_state()["batch"] for env in envs] == saved


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
    assert infos[first]["illegal_action"]
    assert not any(infos[other]["illegal_action"] for other in others)
    if policy == "forfeit":
        assert rewards[first] == env.batch.game.forfeit_reward(env.batch.config)
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
