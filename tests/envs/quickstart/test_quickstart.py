"""Quickstart, the game of the tutorial."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from axiom_envs import quickstart
from axiom_envs.quickstart import CONFIG, GAME, TASK
from axiom_gym.batch import Batch
from axiom_gym.config.compiled import CompiledConfig
from axiom_gym.config.engine import Engine, create_engine
from axiom_gym.config.validation import validate
from axiom_gym.rng import SeededRNG

WORK, SEE_DOCTOR, WAIT = range(3)


@pytest.fixture(scope="module")
def game(both: Callable[..., Any]) -> Any:
    return both(CONFIG, TASK, GAME)


def test_config__has_no_mistakes_and_needs_no_checks() -> None:
    assert validate(CONFIG) == []
    compiled = CompiledConfig(CONFIG, TASK)
    assert compiled.source.faults == []
    assert compiled.action_names == ["work", "see_doctor", "wait"]


def test_module__exports_config_task_and_game() -> None:
    assert dir(quickstart) == ["CONFIG", "GAME", "TASK", "env", "parallel_env", "raw_env"]
    assert GAME.info.name == "quickstart"
    with pytest.raises(AttributeError, match="nothing"):
        quickstart.nothing  # noqa: B018


def test_play__interpreted_equals_compiled(game: Any) -> None:
    seen = {entry.event_id for seed in (1, 2) for entry in game.play("random", seed)["history"]}
    assert seen == {"work", "see_doctor", "flu", "birthday"}


def test_texts() -> None:
    engine = create_engine(CONFIG, 7)
    engine.apply_action("work")
    engine.apply_action("see_doctor")
    engine.tick()
    state = engine.tick()
    texts = [entry.text for entry in state["history"] if entry.event_id != "flu"]
    assert texts == [
        "You worked a full day.",
        "The doctor patches you up.",
        "Happy birthday! You are now 20.",
    ]
    assert (state["age"], state["money"]) == (20, 450)


def test_flu_and_birthday__change_health_and_have_cooldowns() -> None:
    pauses = set()
    for seed in range(10):
        engine, health, last_flu = create_engine(CONFIG, seed), 80, 0
        for tick in range(1, 60):
            before = len(engine.get_state()["history"])
            state = engine.tick()
            happened = [entry.event_id for entry in state["history"][before:]]
            assert ("birthday" in happened) == (state["age"] % 10 == 0)
            if "flu" in happened:
                pauses |= {tick - last_flu} if last_flu else set()
                health, last_flu = max(health - 10, 0), tick
            health += 5 * ("birthday" in happened)
            assert state["health"] == health
    assert min(pauses) == 5


def test_doctor__needs_money() -> None:
    state = create_engine(CONFIG).get_state()
    for money, available in ((99, False), (100, True)):
        engine = Engine(CONFIG, state | {"money": money}, SeededRNG(0))
        assert engine.is_available("see_doctor") is available


def test_task__terminates_at_health_zero() -> None:
    assert TASK.terminated is not None
    assert [bool(TASK.terminated({"health": h})) for h in (0, 1)] == [True, False]


def test_reward__is_for_health_and_earned_money() -> None:
    before, after = {"health": 50, "money": 100}, {"health": 60, "money": 200}
    assert TASK.reward(before, after) == pytest.approx(0.006 + 0.01)


def _returns(choose: Callable[[Batch], Any], games: int = 200) -> Any:
    """Return the return of each game, (games,)."""
    batch = Batch(GAME, games)
    batch.reset(0)
    returns, running = np.zeros(games), np.ones(games, np.bool_)
    while running.any():
        batch.buffers.actions[:, 0, 0] = choose(batch)
        batch.step()
        over = (batch.buffers.terminated | batch.buffers.truncated) & running
        returns[over] = batch.buffers.episodes["final_returns"][over, 0]
        running &= ~over
    return returns


@pytest.mark.compiled_only
def test_returns__are_higher_with_visits_to_the_doctor() -> None:
    def careful(batch: Batch) -> Any:
        states = batch.buffers.states
        return np.where((states["health"] <= 80) & (states["money"] >= 100), SEE_DOCTOR, WORK)

    idle, greedy, wise = (
        _returns(choose) for choose in (lambda batch: WAIT, lambda batch: WORK, careful)
    )
    assert idle.mean() < greedy.mean() < wise.mean()
    assert wise.max() <= GAME.info.max_outcome
    assert idle.min() >= GAME.info.min_outcome
