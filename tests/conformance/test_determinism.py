from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from axiom_gym.errors import ConfigError

EPISODES = 5
GAMES = Path(__file__).parents[1] / "games"


def _same(first: list[dict[str, Any]], second: list[dict[str, Any]]) -> bool:
    return len(first) == len(second) and all(
        np.array_equal(one[name], other[name])
        for one, other in zip(first, second, strict=True)
        for name in one
    )


@pytest.mark.boundscheck
def test_batch__plays_whole_episodes_again_from_the_same_seed(
    variant: Any, play: Callable[..., Any]
) -> None:
    games = [variant.batch(2), variant.batch(2)]
    for batch in games:
        batch.reset(5)
    ended = np.zeros(2)
    while ended.min() < EPISODES:
        first, second = (play(batch, 10) for batch in games)
        assert _same(first, second)
        ended += sum(taken["terminated"] | taken["truncated"] for taken in first)
    for batch in games:
        batch.reset(5)
    assert _same(*(play(batch, 30) for batch in games))


def test_batch__plays_otherwise_from_another_seed(variant: Any, play: Callable[..., Any]) -> None:
    first, second = variant.batch(), variant.batch()
    first.reset(5)
    second.reset(6)
    assert not _same(play(first, 30), play(second, 30))


def test_batch__goes_on_from_its_generators_without_a_seed(
    variant: Any, play: Callable[..., Any]
) -> None:
    first, second, anew = variant.batch(2), variant.batch(2), variant.batch(2)
    for batch in (first, second, anew):
        batch.reset(5)
        play(batch, 20)
    first.reset()
    second.reset()
    anew.reset(5)
    played = play(first, 20)
    assert _same(played, play(second, 20))
    assert not _same(played, play(anew, 20))


def test_batch__takes_0_and_the_largest_seed_and_wraps(
    variant: Any, play: Callable[..., Any]
) -> None:
    two, zero, again = variant.batch(2), variant.batch(), variant.batch()
    two.reset(2**32 - 1)
    zero.reset(0)
    again.reset(np.int64(0))
    own = [{name: rows[1:2] for name, rows in one.items()} for one in play(two, 20)]
    assert _same(own, play(zero, 20))
    assert _same(own, play(again, 20))


def test_batch__takes_a_seed_for_each_game(variant: Any, play: Callable[..., Any]) -> None:
    listed, row = variant.batch(3), variant.batch(3)
    listed.reset([7, 8, 9])
    row.reset(7)
    assert _same(play(listed, 20), play(row, 20))


@pytest.mark.parametrize("seed", [-1, 2**32, 1.5, "3", True, [1], [1, -1]])
def test_batch__refuses_a_seed_that_is_none(variant: Any, seed: Any) -> None:
    with pytest.raises(ConfigError, match="seed"):
        variant.batch(2).reset(seed)


@pytest.mark.parametrize("form", ["parallel", "aec"])
def test_pettingzoo__plays_again_from_the_same_seed(variant: Any, form: str) -> None:
    """Compare what PettingZoo's parallel seed test does not: values that could differ."""

    def log(seed: int) -> Iterator[Any]:
        env = getattr(variant, form)()
        env.reset(seed=seed)
        for agent in env.possible_agents:
            env.action_space(agent).seed(seed)
        for _ in range(60):
            if form == "aec":
                agent = env.agent_selection
                yield agent, env.rewards, env.observe(agent)["observation"].tobytes()
                mask = env.infos[agent]["action_mask"]
                over = env.terminations[agent] or env.truncations[agent]
                env.step(None if over else env.action_space(agent).sample(mask))
            else:
                observations, rewards, *ends, _ = env.step(env.sample_actions())
                yield rewards, ends, [o["observation"].tobytes() for o in observations.values()]
            if not env.agents:
                env.reset()

    first = list(log(3))
    assert first == list(log(3))
    assert first != list(log(4))


@pytest.fixture(scope="session")
def plain_python(state_hashes: Any) -> Iterator[Callable[[Any], str]]:
    """Hash a variant's games in a process without a compiler; one process for all variants."""
    path = os.pathsep.join([str(GAMES), os.environ.get("PYTHONPATH", "")])
    with subprocess.Popen(
        [sys.executable, state_hashes.__file__],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": path},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        stdin, stdout = process.stdin, process.stdout
        assert stdin is not None
        assert stdout is not None

        def ask(variant: Any) -> str:
            print(json.dumps([variant.game_id, variant.options]), file=stdin, flush=True)
            return stdout.readline().strip()

        yield ask
        stdin.close()


@pytest.mark.compiled_only
def test_kernel__gives_the_same_bits_compiled_and_as_plain_python(
    variant: Any, state_hashes: Any, plain_python: Callable[[Any], str]
) -> None:
    if not variant.game.compiled:
        pytest.skip("plain Python anyway")
    compiled = state_hashes.hash_of(variant.game_id, variant.options)
    assert compiled == plain_python(variant)


@pytest.mark.compiled_only
def test_random_players__are_equal(variant: Any) -> None:
    """The mean return of every player lies within its 99 % interval around 0."""
    if not variant.info.zero_sum:
        pytest.skip("not a zero-sum game")
    if variant.is_sequential:
        pytest.skip("the first to act may have an advantage")
    batch = variant.batch(512)
    batch.reset(1)
    returns = []
    for _ in range(300):
        batch.sample_actions()
        batch.step()
        over = batch.buffers.terminated
        returns.append(batch.buffers.episodes["final_returns"][over].copy())
    sample = np.concatenate(returns)
    assert len(sample) >= 2000
    margin = 2.576 * sample.std(axis=0) / np.sqrt(len(sample))
    assert np.all(np.abs(sample.mean(axis=0)) < margin)
