"""Complete lives, interpreted and compiled, of both bots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from axiom_envs.life_sim import CONFIG, GAME, TASK
from axiom_envs.life_sim.bots import AT_PARENTS, IN_HOUSE, IS_CLERK, MOVES, NO_JOB
from axiom_envs.life_sim.constants import HOMES, JOBS
from axiom_gym.batch import Batch
from axiom_gym.config.compiled import CompiledConfig

BOTS = ("random", "planner")
YEARS = 60


class Lives:
    """Test double: many lives of one bot, with scores, years and counts of actions."""

    def __init__(self, bot: str, games: int) -> None:
        batch = Batch(GAME, games, on_illegal="raise")
        batch.reset(0)
        seats = np.zeros((games, 1), np.int16)
        self.scores = np.zeros(games)
        self.returns = np.zeros(games)
        self.years = np.zeros(games, np.int64)
        self.actions: Counter[str] = Counter()
        running = np.ones(games, np.bool_)
        while running.any():
            batch.act(bot, seats, 0)
            self.actions.update(MOVES[a] for a in batch.buffers.actions[running, 0, 0].tolist())
            batch.step()
            self._note(batch, running)

    def _note(self, batch: Batch, running: npt.NDArray[np.bool_]) -> None:
        self.returns[running] += batch.buffers.rewards[running, 0]
        self.years[running] += 1
        assert not batch.buffers.truncated.any()
        over = batch.buffers.terminated & running
        self.scores[over] = batch.outcomes()[over, 0]
        running &= ~over


@pytest.fixture(scope="module")
def lives() -> dict[str, Lives]:
    return {bot: Lives(bot, 1000) for bot in BOTS}


@pytest.fixture(scope="module")
def game(both: Callable[..., Any]) -> Any:
    return both(CONFIG, TASK, GAME)


@pytest.fixture(scope="module")
def compiled() -> CompiledConfig:
    return CompiledConfig(CONFIG, TASK)


def test_compiled__needs_no_checks_and_keeps_every_field(compiled: CompiledConfig) -> None:
    assert compiled.source.faults == []
    assert compiled.source.left_out == []


def test_planner__has_the_numbers_of_actions_and_strings(compiled: CompiledConfig) -> None:
    assert list(MOVES) == compiled.action_names
    codes = compiled.source.codes
    assert [codes[job] for job in JOBS] == list(range(len(JOBS)))
    assert (codes["none"], codes["clerk"]) == (NO_JOB, IS_CLERK)
    assert [codes[home] for home in HOMES] == list(range(AT_PARENTS, IN_HOUSE + 1))


@pytest.mark.parametrize("bot", BOTS)
def test_life__interpreted_equals_compiled(game: Any, bot: str) -> None:
    for seed in (3, 4):
        game.play(bot, seed)  # raises if the two differ


@pytest.mark.slow
@pytest.mark.compiled_only
def test_life__every_event_and_action_is_equal_interpreted_and_compiled(game: Any) -> None:
    seen: set[str] = set()
    for seed in range(60):
        for bot in BOTS:
            seen |= {entry.event_id for entry in game.play(bot, seed)["history"]}
    events = {event.id for event in CONFIG.events}
    assert events - seen == set()
    assert {action.id for action in CONFIG.actions} - seen == set()


@pytest.mark.compiled_only
def test_random__takes_every_action_and_has_low_scores(lives: dict[str, Lives]) -> None:
    played = lives["random"]
    assert set(played.actions) == set(MOVES)
    assert 7.0 < played.scores.mean() < 13.0
    assert 35 < played.years.mean() < 52


@pytest.mark.compiled_only
def test_planner__has_long_lives_and_high_scores(lives: dict[str, Lives]) -> None:
    played = lives["planner"]
    assert played.scores.mean() > 3 * lives["random"].scores.mean()
    assert np.quantile(played.scores, 0.05) > np.quantile(lives["random"].scores, 0.95)
    assert played.years.mean() > 59


@pytest.mark.compiled_only
@pytest.mark.parametrize("bot", BOTS)
def test_score__is_the_sum_of_the_rewards_within_its_bounds(
    lives: dict[str, Lives], bot: str
) -> None:
    played = lives[bot]
    assert played.returns == pytest.approx(played.scores, abs=1e-3)
    assert played.scores.min() >= GAME.info.min_outcome == 0.0
    assert played.scores.max() <= GAME.info.max_outcome == YEARS
    assert played.years.max() <= YEARS == GAME.info.max_length


def test_death__ends_a_life_early() -> None:
    batch = Batch(GAME, 1)
    batch.reset(0)
    batch.buffers.states["health"] = 0.1
    batch.refresh()
    batch.buffers.actions[:] = MOVES.index("wait")
    batch.step()
    assert batch.buffers.terminated[0]
    assert batch.buffers.states["age"][0] == 19


def test_planner__is_legal_in_random_states() -> None:
    batch = Batch(GAME, 300, on_illegal="raise")
    batch.reset(5)
    rng, states = np.random.default_rng(7), batch.buffers.states
    for name, attribute in CONFIG.attributes.items():
        states[name] = rng.uniform(attribute.min, attribute.max, 300)
    states["money"][:100] = rng.uniform(-20.0, 70.0, 100)
    states["job"] = rng.integers(0, len(JOBS), 300)
    states["home"] = rng.integers(AT_PARENTS, IN_HOUSE + 1, 300)
    for name in ("partner", "hospital"):
        states[name] = rng.random(300) < 0.3
    batch.refresh()
    batch.act("planner", np.zeros((300, 1), np.int16), 0)
    chosen = batch.buffers.actions[:, 0, 0]
    assert batch.buffers.masks[np.arange(300), 0, 0, chosen].all()
    assert len(set(chosen.tolist())) > 10
