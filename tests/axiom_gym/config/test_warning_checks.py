"""Warnings about configs: what is allowed, but probably not meant."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from axiom_envs.life_sim import CONFIG as LIFE
from axiom_envs.life_sim import TASK as LIFE_TASK
from axiom_envs.quickstart import CONFIG as QUICKSTART
from axiom_envs.quickstart import TASK as QUICKSTART_TASK
from axiom_gym.config import trial
from axiom_gym.config.definitions import (
    MILESTONE,
    PASSIVE,
    RANDOM,
    Action,
    Attribute,
    Choice,
    Event,
    GameConfig,
    PassiveModifier,
    PhaseResult,
)
from axiom_gym.config.engine import create_engine
from axiom_gym.config.task import Task
from axiom_gym.config.warning_checks import find_warnings
from axiom_gym.errors import ConfigError

FILE = Path(__file__).name


@pytest.fixture(autouse=True)
def few_ticks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "_MOST_TICKS", 300)


def config(**parts: Any) -> GameConfig:
    defaults: dict[str, Any] = {
        "initial_state": lambda: {"seen": 1, "flag": True, "bag": []},
        "attributes": {"hp": Attribute(0, 9, default=5), "food": Attribute(0, 9)},
        "choices": {"job": Choice("clerk", "boss"), "rank": Choice("low", None)},
    }
    return GameConfig(**{**defaults, **parts})


def warnings(task: Task | None = None, **parts: Any) -> list[str]:
    return [str(problem) for problem in find_warnings(config(**parts), task)]


def when(*conditions: Any, **parts: Any) -> dict[str, Any]:
    """Return the parts of a config whose action has these conditions."""
    return {"actions": [Action("go", conditions=conditions, **parts)]}


def weak(s: Any) -> Any:
    return s["hp"] > 9 & s["seen"]


def is_weak(s: Any) -> Any:
    return weak(s)


def count_up(s: Any, c: Any, t: Any) -> Any:
    return PhaseResult({**s, "seen": s["seen"] + 1, "new": 1})


FIRST, BUS = "clark", "bus"


def is_any(s: Any, jobs: tuple[str, ...]) -> Any:
    return s["job"] != s["rank"] and s["job"] != BUS and any(job == s["job"] for job in jobs)


def rise(s: Any, c: Any, t: Any) -> Any:
    return PhaseResult({**s, "job": "boss" if s["job"] == "clerk" else "clerk"})


CASES: dict[str, tuple[dict[str, Any], list[str]]] = {
    "nothing": ({}, []),
    # Fields
    "constant key": (
        {"actions": [Action("a", effects=[{"hpp": 1}])]},
        ["actions[0].effects[0]: writes 'hpp', which neither initial_state nor attributes or "
         "choices have. Did you mean 'hp'?"],
    ),
    "key of a passive modifier": (
        {"passive_modifiers": [PassiveModifier("p", {"jobs": "boss", "bag": [1], "hp": 0})]},
        ["passive_modifiers[0].delta: writes 'jobs', which"],
    ),
    "key in the source": (
        {"actions": [Action("a", effects=[lambda s: {"hp": 1, "fod": s["sen"] + s["hp"]}])]},
        [f"actions[0].effects[0]: writes 'fod' ({FILE}, line ",
         "actions[0].effects[0]: reads 'sen'",
         "actions[0].effects[0]: action 'a': KeyError: 'sen' (simulated tick "],
    ),
    # Probabilities
    "no probability": (
        {"events": [Event("e"), Event("f", base_probability=0.1)]},
        ["events[0].base_probability: is 0, so that 'e' never fires; give a probability, or t"],
    ),
    "no probability after modifiers": (
        {"events": [Event("e"), Event("f")],
         "probability_modifiers": [lambda s, p, e: p + 0.5 * (e.id == "f")]},
        ["events[0].base_probability: is 0.0, which modifiers never make more than 0."],
    ),
    "milestone with a probability": (
        {"events": [Event("e", "milestone", base_probability=0.5, cooldown=3)]},
        ["events[0].base_probability: has no effect, because 'e' is a milestone, which fires "],
    ),
    "milestone at every tick": (
        {"events": [Event("e", "milestone", conditions=[lambda s: s["seen"] == 1]),
                    Event("f", "milestone", cooldown=2)]},
        ["events[0]: fires at every tick ('e'); give it conditions or a cooldown."],
    ),
    # Phases
    "no phases": (
        {"events": [Event("e", "milestone", cooldown=3), Event("f", base_probability=0.2)],
         "passive_modifiers": [PassiveModifier("p", {"hp": 1})], "tick_order": []},
        [f"tick_order: lacks '{PASSIVE}', without which the passive modifiers never happen; add it",
         f"tick_order: lacks '{RANDOM}', without which the random events",
         f"tick_order: lacks '{MILESTONE}', without which the milestone events"],
    ),
    # Operators
    "and between comparisons": (
        when(lambda s: s["hp"] > 3 & s["seen"] < 5),
        ["actions[0].conditions[0]: `s['hp'] > 3 & s['seen'] < 5` means `s['hp'] > (3 & s['seen']) "
         "< 5`, because & binds more tightly than comparisons; write `and`, or brackets around"],
    ),
    "or before a comparison": (
        when(lambda s: s["flag"] | s["seen"] == 1),
        ["actions[0].conditions[0]: `s['flag'] | s['seen'] == 1` means `(s['flag'] | s['seen'])"],
    ),
    "in a function that the callable uses": (
        when(is_weak, lambda s: weak(s)),
        ["actions[0].conditions[0]: `s['hp'] > 9 & s['seen']` means `s['hp'] > (9 & s['seen'])`"],
    ),
    "invert": (
        when(lambda s: ~s["flag"]),
        ["actions[0].conditions[0]: `~s['flag']` is true for every bool; write `not s['flag']` ("],
    ),
    "brackets": (
        when(lambda s: (s["hp"] > 3) & (s["seen"] < 5) | ((s["seen"] & 4) == 4),
             lambda s: max((s["seen"] | 4), 0) > (
                 s["seen"] & 1
             ), lambda s: (5 & ~1) == (4)),
        [],
    ),
    # Texts
    "text": (
        {"actions": [Action("a", text=lambda s: f"{1 // (s['seen'] - 1)}"),
                     Action("b", text=lambda s, c: c["n"], contexts=[{"n": "x"}, {"m": "x"}]),
                     Action("c", text=lambda s: 3)]},
        ["actions[0].text: raises on the initial state: ZeroDivisionError: ",
         "actions[1].text: raises on the initial state: KeyError: 'n'.",
         "actions[2].text: returns 3, but a text is a string."],
    ),
    # Games
    "condition that changes the state": (
        when(lambda s: s["bag"].append(1)),
        ["actions[0].conditions[0]: action 'go': TypeError: changes a list of the state, which"],
    ),
    "failure in an event": (
        {"events": [Event("e", base_probability=0.5, effects=[lambda s: {"hp": 1 // s["food"]}])]},
        ["events[0].effects[0]: event 'e' in randomEventPhase: ZeroDivisionError: "],
    ),
    "comparison with a string that is no option": (
        {**when(lambda s: s["job"] == FIRST or is_any(s, ("bos", "clerk"))),
         "custom_phases": {"own": rise}, "tick_order": ["own"]},
        [f"choices['job']: is compared with 'clark' ({FILE}, line ",
         f"choices['job']: is compared with 'bus' ({FILE}, line ",
         f"choices['job']: is compared with 'bos' ({FILE}, line "],
    ),
    "action that is never possible": (
        when(lambda s: s["hp"] > 9),
        ["actions[0]: action 'go' was never possible in 300 simulated ticks; check its conditions"],
    ),
    "context that is never possible": (
        when(lambda s, c: s["hp"] > c["n"], contexts=[{"n": 1}, {"n": 9}]),
        ["actions[0]: action 'go' with {'n': 9} was never possible in 300 simulated ticks; check"],
    ),
    "events that are never possible": (
        {"events": [Event("e", base_probability=0.5, restrictions=[lambda s: s["hp"] < 10]),
                    Event("f", "milestone", conditions=[lambda s: s["job"] == "boss"]),
                    Event("g", base_probability=1e-9)]},
        ["events[0]: event 'e' was never possible in 300 simulated ticks",
         "events[1]: event 'f' was never possible in 300 simulated ticks"],
    ),
    "states that only a stubborn player reaches": (
        {"actions": [Action("up", effects=[{"food": 1}]), Action("down", effects=[{"food": -2}]),
                     Action("win", conditions=[lambda s: s["food"] == 9])]},
        [],
    ),
    "a custom phase": (
        {"custom_phases": {"own": count_up}, "tick_order": ["own"],
         **when(lambda s: s["seen"] > 20)},
        [],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_warnings__find_each_mistake(name: str) -> None:
    parts, expected = CASES[name]
    found = warnings(**parts)
    assert len(found) == len(expected)
    for one, start in zip(found, expected, strict=True):
        assert one.startswith(start)


def test_warnings__of_a_task() -> None:
    never: Any = lambda s: s["hp"] > 100  # noqa: E731
    reward: Any = lambda a, b: 0  # noqa: E731
    message = "task.terminated: was never true in 300 simulated ticks; give max_ticks as well, so"
    assert warnings(Task(reward, never))[0].startswith(message)
    assert warnings(Task(reward, never, max_ticks=50)) == []
    assert warnings(Task(reward, lambda s: s["tick"] > 200)) == []
    failing = Task(lambda a, b: 1 / a["food"], lambda s: s["jobs"], 50, score=lambda s: "high")
    line = failing.reward.__code__.co_firstlineno
    found = warnings(failing)
    assert [one.split(" (simulated")[0] for one in found] == [
        f"task.terminated: reads 'jobs' ({FILE}, line {line}), which neither "
        "initial_state nor attributes or choices have. Did you mean 'job'?",
        "task.reward: ZeroDivisionError: division by zero",
    ]
    found = warnings(Task(reward, lambda s: False, 50, score=lambda s: s["job"]))
    assert found[0].startswith("task.score: ValueError: could not convert string to float: 'clerk'")


def test_warnings__are_the_same_each_time() -> None:
    parts = CASES["key in the source"][0]
    assert warnings(**parts) == warnings(**parts)


def test_warnings__need_a_config_without_mistakes() -> None:
    with pytest.raises(ConfigError, match="undo_depth"):
        find_warnings(config(undo_depth=None))


def test_warnings__of_our_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "_MOST_TICKS", 3000)
    assert find_warnings(QUICKSTART, QUICKSTART_TASK) == []
    assert find_warnings(LIFE, LIFE_TASK) == []


def test_engine__returns_to_an_earlier_state() -> None:
    engine = create_engine(config(passive_modifiers=[PassiveModifier("p", {"hp": -1})]))
    start = engine.current
    engine.tick()
    assert (start["hp"], engine.current["hp"]) == (5, 4)
    engine.restore(start)
    assert engine.current == start
    assert engine.tick()["hp"] == 4
