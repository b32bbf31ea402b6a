from __future__ import annotations

import copy
import dataclasses
import itertools
import pickle
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from axiom_gym.batch import Batch
from axiom_gym.errors import ResetNeededError, StateError
from axiom_gym.records import field_names

MODES = ("next_step", "same_step", "disabled")
RECORDS = ("states", "episodes", "cycles", "streams")
FORMS = ("single", "vector", "parallel", "aec")


def _same(first: list[dict[str, Any]], second: list[dict[str, Any]]) -> bool:
    return all(
        np.array_equal(one[name], other[name])
        for one, other in zip(first, second, strict=True)
        for name in one
    )


def _started(variant: Any, play: Callable[..., Any], steps: int = 30, **more: Any) -> Batch:
    batch: Batch = variant.batch(3, **more)
    batch.reset(4)
    play(batch, steps)
    return batch


@pytest.mark.boundscheck
@pytest.mark.parametrize("autoreset", MODES)
def test_set_state__goes_back(variant: Any, play: Callable[..., Any], autoreset: str) -> None:
    batch = _started(variant, play, autoreset=autoreset)
    saved, fresh = batch.get_state(), variant.batch(3, autoreset=autoreset)
    played = play(batch, 80)
    batch.set_state(saved)
    assert _same(play(batch, 80), played)
    fresh.set_state(saved)
    assert _same(play(fresh, 80), played)


def test_set_state__restores_what_was_seen(
    variant: Any, play: Callable[..., Any], snapshot: Callable[..., Any]
) -> None:
    batch = _started(variant, play)
    saved, before = batch.get_state(), snapshot(batch)
    play(batch, 7)
    batch.set_state(saved)
    assert _same([snapshot(batch)], [before])
    assert batch.get_state() == saved


@pytest.mark.parametrize("autoreset", MODES)
def test_clone__plays_on_alone(variant: Any, play: Callable[..., Any], autoreset: str) -> None:
    batch = _started(variant, play, autoreset=autoreset, max_turns=20)
    twin = batch.clone()
    before = batch.get_state()
    played = play(twin, 60)
    assert batch.get_state() == before
    assert _same(play(batch, 60), played)


def test_clone__of_a_batch_before_its_reset_needs_one(variant: Any) -> None:
    with pytest.raises(ResetNeededError):
        variant.batch().clone().step()
    with pytest.raises(ResetNeededError):
        variant.batch().get_state()


@pytest.mark.parametrize("by", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_batch__is_pickled_with_all_it_holds(
    variant: Any, play: Callable[..., Any], by: Callable[[Any], Any]
) -> None:
    batch = _started(variant, play, num_threads=2)
    twin = by(batch)
    assert _same(play(twin, 60), play(batch, 60))
    batch.close()
    twin.close()


def _mark_gaps(records: npt.NDArray[Any]) -> None:
    """Set every byte that belongs to no field of the game."""
    is_gap = np.ones(records.dtype.itemsize, np.bool_)
    for name in field_names(records.dtype):
        kind, offset = records.dtype.fields[name][:2]
        is_gap[offset : offset + kind.itemsize] = False
    records.view(np.uint8).reshape(-1, len(is_gap))[:, is_gap] = 0xAB


def _from_pickle(batch: Batch) -> Batch:
    twin: Batch = pickle.loads(pickle.dumps(batch))
    return twin


def _from_state(batch: Batch) -> Batch:
    twin = batch.clone()
    twin.reset(7)
    twin.set_state(batch.get_state())
    return twin


@pytest.mark.parametrize("by", [Batch.clone, copy.deepcopy, _from_pickle, _from_state])
def test_batch__is_copied_with_every_byte_of_its_records(
    variant: Any, play: Callable[..., Any], by: Callable[[Batch], Batch]
) -> None:
    batch = _started(variant, play)
    records = [getattr(batch.buffers, name) for name in RECORDS]
    for array in records:
        _mark_gaps(array)
    twin = by(batch)
    assert [getattr(twin.buffers, name).tobytes() for name in RECORDS] == [
        array.tobytes() for array in records
    ]
    assert twin.get_state() == batch.get_state()


def _plain(value: Any) -> Any:
    """Convert nested results into values that can be compared."""
    if isinstance(value, np.ndarray) and value.dtype != object:
        return value.shape, value.tobytes()
    if isinstance(value, dict):
        return {key: _plain(entry) for key, entry in value.items()}
    if isinstance(value, np.ndarray | list | tuple):
        return [_plain(entry) for entry in value]
    return value


def _play_env(env: Any, turns: int) -> list[Any]:
    """Return the results of random actions in an environment of any form, with resets as needed."""
    if not hasattr(env, "possible_agents"):
        return _play_single_agent(env, turns)
    for agent in env.possible_agents:
        env.action_space(agent).seed(1)
    given = []
    for _ in range(turns):
        if not env.agents:
            given.append(_plain(env.reset()))
        elif hasattr(env, "agent_iter"):
            *_, terminated, truncated, _ = last = env.last()
            over = terminated or truncated
            env.step(None if over else env.action_space(env.agent_selection).sample())
            given.append(_plain([last, env.rewards, env.agents]))
        else:
            actions = {agent: env.action_space(agent).sample() for agent in env.agents}
            given.append(_plain(env.step(actions)))
    return given


def _play_single_agent(env: Any, turns: int) -> list[Any]:
    env.action_space.seed(1)
    given, over = [], not hasattr(env, "num_envs") and env._over
    for _ in range(turns):
        result = env.reset() if over else env.step(env.action_space.sample())
        given.append(_plain(result))
        over = not hasattr(env, "num_envs") and not over and (result[2] or result[3])
    return given


def _make(variant: Any, form: str, opponents: str = "few") -> Any:
    """An environment of short episodes, with opponents that are drawn where there are any."""
    options: dict[str, Any] = {"max_turns": 20}
    if form == "vector":
        options["num_envs"] = 3
    if form in ("single", "vector"):
        options |= {"opponent": variant.opponents(opponents), "seat": "random"}
    return getattr(variant, form)(**options)


def _opponents_forms_and_leads() -> Iterator[Any]:
    """From a beginning, and with all opponents, only in the slow run."""
    for opponents, form, lead in itertools.product(("few", "every"), FORMS, (0, 31)):
        if opponents == "few" or form in ("single", "vector"):
            marks = [] if (opponents, lead) == ("few", 31) else [pytest.mark.slow]
            yield pytest.param(opponents, form, lead, marks=marks)


@pytest.mark.parametrize(("opponents", "form", "lead"), list(_opponents_forms_and_leads()))
def test_env__goes_back_to_a_saved_state(
    variant: Any, opponents: str, form: str, lead: int
) -> None:
    env, fresh = _make(variant, form, opponents), _make(variant, form, opponents)
    env.reset(seed=4)
    _play_env(env, lead)
    saved = env.get_state()
    played = _play_env(env, 60)
    env.set_state(saved)
    assert _play_env(env, 60) == played
    fresh.set_state(saved)
    assert _play_env(fresh, 60) == played


@pytest.mark.parametrize(("opponents", "form", "lead"), list(_opponents_forms_and_leads()))
def test_env__is_pickled_with_all_it_holds(
    variant: Any, opponents: str, form: str, lead: int
) -> None:
    env = _make(variant, form, opponents)
    env.reset(seed=4)
    _play_env(env, lead)
    twin, other = pickle.loads(pickle.dumps(env)), copy.deepcopy(env)
    played = _play_env(env, 60)
    assert _play_env(twin, 60) == played
    assert _play_env(other, 60) == played


@pytest.mark.parametrize("form", FORMS)
def test_env__is_pickled_before_its_first_reset(variant: Any, form: str) -> None:
    env = _make(variant, form)
    twin = pickle.loads(pickle.dumps(env))
    for one in (env, twin):
        one.reset(seed=3)
    assert _play_env(twin, 20) == _play_env(env, 20)


# -- bytes that do not fit -------------------------------------------------------------------------


def _check_refused(batch: Batch, data: Any, match: str) -> None:
    """Check that the bytes are refused for this reason, and that the batch is unchanged."""
    before = [getattr(batch.buffers, name).tobytes() for name in batch.buffers._fields]
    with pytest.raises(StateError, match=match):
        batch.set_state(data)
    assert [getattr(batch.buffers, name).tobytes() for name in batch.buffers._fields] == before


def test_set_state__refuses_another_game_and_another_version(
    variant: Any, play: Callable[..., Any]
) -> None:
    batch, other = _started(variant, play), variant.batch(3)
    other.reset(4)
    for change, match in ({"version": 99}, "version 99"), ({"name": "other"}, "game 'other'"):
        info = dataclasses.replace(variant.info, **change)
        other.game = dataclasses.replace(variant.game, info=info)
        _check_refused(batch, other.get_state(), match)


def test_set_state__refuses_other_options(variant: Any, play: Callable[..., Any]) -> None:
    batch = _started(variant, play)
    for preset in variant.game.presets:
        other = Batch(variant.game_id, 3, preset=preset)
        if other.config != batch.config:
            other.reset(4)
            _check_refused(batch, other.get_state(), "options")
            return
    pytest.skip("no preset has other options")


def test_set_state__refuses_another_number_of_games(variant: Any, play: Callable[..., Any]) -> None:
    batch, other = _started(variant, play), variant.batch(2)
    other.reset(4)
    _check_refused(batch, other.get_state(), "num_envs 2")


def test_set_state__refuses_damaged_bytes(variant: Any, play: Callable[..., Any]) -> None:
    batch = _started(variant, play)
    data = batch.get_state()
    for place in np.linspace(0, len(data) - 1, 60).astype(int).tolist():
        for bit in (1, 128):
            damaged = bytearray(data)
            damaged[place] ^= bit
            _check_refused(batch, bytes(damaged), "saved state")
    for short in (b"", data[:5], data[:40], data[:-1], data + b"0"):
        _check_refused(batch, short, "saved state")
    for nothing in (None, "text", 3):
        _check_refused(batch, nothing, "bytes object")
    batch.set_state(data)


@pytest.mark.parametrize("form", FORMS)
def test_env__refuses_the_state_of_another_form(variant: Any, form: str) -> None:
    env = _make(variant, form)
    env.reset(seed=4)
    for other in variant.forms:
        if {form, other} == {"single", "vector"} or form == other:
            continue
        stranger = _make(variant, other)
        stranger.reset(seed=5)
        with pytest.raises(StateError):
            env.set_state(stranger.get_state())
    with pytest.raises(StateError):
        env.set_state(None)
