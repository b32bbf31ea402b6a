"""Episodes on the interpreter: the same steps, ticks and ends as in the compiled kernel."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

from axiom_gym.config import Action, Attribute, Event, GameConfig, Task, as_game
from axiom_gym.config.compiled import CompiledConfig
from axiom_gym.config.engine import create_engine
from axiom_gym.config.episode import Episode
from axiom_gym.errors import CallableError, EngineError
from axiom_gym.game.prompt_keys import find_collision
from axiom_gym.kernel import ENDED, EVENT_COLUMNS, TRUNCATED

FARM = GameConfig(
    name="farm",
    initial_state=lambda: {"hay": 3},
    attributes={"hay": Attribute(0, 20)},
    actions=[
        Action("mow", text=lambda s: f"You mow; there was {s['hay']}.", effects=[{"hay": 2}]),
        Action("feed", conditions=[lambda s: s["hay"] >= 2], effects=[{"hay": -2}]),
        Action("u", effects=[{"hay": -1}]),
    ],
    events=[
        Event("rain", base_probability=0.4, text="Rain spoils hay.", effects=[{"hay": -1}]),
        Event("sun", base_probability=0.3, text="The sun shines.", effects=[{"hay": 1}]),
    ],
)
TASK = Task(
    reward=lambda before, after: after["hay"] - before["hay"],
    terminated=lambda s: s["hay"] >= 16,
    max_ticks=9,
    actions_per_tick=2,
)


def list_events(compiled: CompiledConfig, before: Any, action: int) -> list[int]:
    """Return the kinds of the rows of a turn's event log."""
    log = np.zeros((9, EVENT_COLUMNS), np.int16)
    compiled.kernel.step(before, np.array([[action]]), np.zeros(1, np.float32), log, None)
    return log[1 : 1 + int(log[0, 0]), 0].tolist()  # type: ignore[no-any-return]


def start(seed: int, task: Task | None = TASK) -> Episode:
    return Episode(create_engine(FARM, seed, clock=lambda: 0.0), task)


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_episode__is_the_compiled_game(parity: ModuleType, seed: int) -> None:
    pair, episode, game = (
        parity.Pair(CompiledConfig(FARM, TASK), seed),
        start(seed),
        as_game(FARM, TASK),
    )
    assert game.describe_turn is not None
    picks, told, code = np.random.default_rng(seed), 0, 0
    while code not in (ENDED, TRUNCATED):
        action = int(picks.choice([k for k in range(4) if episode.is_legal(k)]))
        before = pair.record.copy()
        code = pair.step(action)
        entries = episode.step(action)
        texts = [entry.text for entry in entries if entry.text]
        kinds = list_events(pair.compiled, before.copy(), action)
        fired = [entry.event_id for entry in entries if entry.event_id in ("rain", "sun")]
        assert [game.event_kinds[kind] for kind in kinds] == fired
        assert game.describe_turn(before, [[action]]) == texts
        told += len(texts)
        known: dict[str, Any] = episode.engine.get_state()
        assert {key: known[key] for key in ("hay", "tick")} == {
            key: pair.state[key] for key in ("hay", "tick")
        }
    assert episode.over == ("terminated" if code == ENDED else "truncated")
    assert episode.score == pair.interpreted.score()
    assert told > 5


def test_episode__restores_generator_and_place_in_the_tick() -> None:
    episode = start(7)
    episode.step(0)
    moment = episode.get_moment()
    first = [[entry.event_id for entry in episode.step(0)] for _ in range(6)]
    episode.restore(moment)
    assert [[entry.event_id for entry in episode.step(0)] for _ in range(6)] == first
    assert (episode.steps, episode.engine.get_state()["tick"]) == (7, 3)


def test_episode__is_unchanged_by_what_fails() -> None:
    task = Task(reward=lambda before, after: 1 / (4 - after["hay"]), actions_per_tick=9)
    episode = start(1, task)
    with pytest.raises(EngineError, match="conditions not met"):
        episode.step(1) and episode.step(1)
    assert (episode.steps, episode.score) == (1, pytest.approx(1 / 3))
    episode.step(0)
    before = episode.get_moment()
    task_fails = Episode(create_engine(FARM), Task(reward=lambda before, after: 1 / 0))
    with pytest.raises(CallableError, match="the task failed: ZeroDivisionError"):
        task_fails.step(0)
    assert task_fails.engine.get_state()["hay"] == 3
    assert episode.get_moment() == before


def test_sub_action_key__is_never_a_key_of_the_prompt() -> None:
    game = as_game(FARM, TASK)
    assert game.sub_action_key is not None
    keys = [game.sub_action_key(None, 0, 0, action) for action in range(4)]
    assert keys == ["mow", "feed", "u#2", "wait"]
    assert not any(map(find_collision, keys))
