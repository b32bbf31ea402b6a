"""Ticks: passive modifiers, events, probabilities and cooldowns."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest

from axiom_gym.config.definitions import (
    MILESTONE,
    PASSIVE,
    RANDOM,
    Action,
    Attribute,
    Event,
    GameConfig,
    PassiveModifier,
)
from axiom_gym.config.engine import Engine, create_engine
from axiom_gym.rng import SeededRNG


def game(**parts: Any) -> GameConfig:
    """Return a config with the attribute `x` from 0 to 100, which starts at 10."""
    start = parts.pop("start", {"x": 10})
    attributes = {"x": Attribute(0, 100), **parts.pop("attributes", {})}
    return GameConfig(initial_state=lambda: dict(start), attributes=attributes, **parts)


def play(**parts: Any) -> Engine:
    return create_engine(game(**parts), seed=1)


def texts(engine: Engine) -> list[str]:
    return [entry.text for entry in engine.get_state()["history"]]


# Ticks


def test_passives__are_applied_in_order_without_entries() -> None:
    passives = [
        PassiveModifier("more", {"x": 2}),
        PassiveModifier("twice", lambda s: {"x": s["x"]}, lambda s: s["x"] == 12),
        PassiveModifier("odd", {"x": 1}, lambda s: s["tick"] % 2),
    ]
    engine = play(passive_modifiers=passives, restrictions=[lambda s: True])
    assert [engine.tick()["x"] for _ in range(3)] == [25, 27, 30]
    assert texts(engine) == []


def test_ticks__run_phases_in_order_and_repeatedly() -> None:
    parts: dict[str, Any] = {
        "passive_modifiers": [PassiveModifier("twice", lambda s: {"x": s["x"]})],
        "events": [Event("m", "milestone", effects=[{"x": 1}])],
    }
    assert play(tick_order=[MILESTONE, PASSIVE, MILESTONE], **parts).tick()["x"] == 23
    assert play(tick_order=[PASSIVE, PASSIVE], **parts).tick()["x"] == 40
    assert play(tick_order=[], **parts).tick() == {**play().get_state(), "tick": 1}


def draws(engine: Engine, operation: Callable[[], Any]) -> int:
    """Return the count of numbers that an operation draws."""
    other = SeededRNG(engine.rng.state)
    operation()
    for count in range(1000):
        if other.state == engine.rng.state:
            return count
        other.next()
    raise AssertionError


def test_random__draws_once_for_each_event_at_any_probability() -> None:
    events = [
        Event("always", cooldown=2),
        Event("never"),
        Event("blocked", base_probability=1, restrictions=[lambda s: True]),
        Event("closed", base_probability=1, conditions=[lambda s: False]),
        Event("milestone", "milestone"),
        Event("none"),
    ]
    chances = {"always": 7.5, "never": -3}
    parts: dict[str, Any] = {
        "events": events,
        "probability_modifiers": [lambda s, p, event: chances.get(event.id, p)],
    }
    engine = play(actions=[Action("go")], **parts)
    assert draws(engine, engine.tick) == 5
    assert {entry.event_id for entry in engine.get_state()["history"]} == {"always", "milestone"}
    assert draws(engine, engine.tick) == 5
    assert draws(engine, lambda: engine.apply_action("go")) == 0
    assert draws(engine, engine.undo) == 0
    engine = play(**parts, restrictions=[lambda s: True])
    assert draws(engine, engine.tick) == 5
    assert texts(engine) == []


def test_random__fires_if_the_draw_is_below_the_probability() -> None:
    rng = SeededRNG(1)
    numbers = [rng.next() for _ in range(4)]
    above = [math.nextafter(number, 1) for number in numbers]
    chances = [numbers[0], above[1], numbers[2], above[3]]
    engine = play(events=[Event(f"e{i}", base_probability=p) for i, p in enumerate(chances)])
    assert [entry.event_id for entry in engine.tick()["history"]] == ["e1", "e3"]


def test_random__twice_in_a_tick_draws_and_fires_twice() -> None:
    events = [Event("a", base_probability=1), Event("b", base_probability=1, cooldown=1)]
    engine = play(events=events, tick_order=[RANDOM, RANDOM])
    assert draws(engine, engine.tick) == 4
    assert [entry.event_id for entry in engine.get_state()["history"]] == ["a", "b", "a"]
    assert [e.event_id for e in engine.tick()["history"][3:]] == ["a", "b", "a"]


def test_modifiers__get_the_unclamped_result_of_the_previous_one() -> None:
    seen = []

    def spy(s: Mapping[str, Any], p: float, event: Event) -> float:
        seen.append((event.id, event.meta.get("tag"), p))
        return p

    def tagged(s: Mapping[str, Any], p: float, event: Event) -> float:
        return p - 0.9 if event.meta.get("tag") == "good" else p

    events = [
        Event("a", base_probability=0.5, meta={"tag": "good"}),
        Event("b", base_probability=0.5),
        Event("c", base_probability=1, conditions=[lambda s: False]),
        Event("d", "milestone"),
    ]
    modifiers = [lambda s, p, e: p * 3, spy, tagged, lambda s, p, e: np.float64(p - 0.6)]
    engine = play(events=events, probability_modifiers=[*modifiers, spy])
    assert draws(engine, engine.tick) == 3
    ends = [1.5 - 0.9 - 0.6, 1.5 - 0.6]
    assert seen == [("a", "good", 1.5), ("a", "good", ends[0]), ("b", None, 1.5), ("b", None, 0.9)]
    assert ends[1] == 0.9


def test_modifiers__get_the_base_probability_unchanged() -> None:
    seen = []

    def spy(s: Mapping[str, Any], p: float, event: Event) -> float:
        seen.append(p)
        return 0.0

    events = [Event("a", base_probability=0.75), Event("b", base_probability=1), Event("c")]
    engine = play(events=events, probability_modifiers=[spy])
    assert engine.tick()["history"] == []
    assert seen == [0.75, 1, 0]


def test_conditions__see_effects_of_earlier_events() -> None:
    events = [
        Event("first", base_probability=1, effects=[{"x": 5}]),
        Event("second", base_probability=1, conditions=[lambda s: s["x"] == 15]),
        Event("third", base_probability=1, restrictions=[lambda s: s["x"] == 15]),
    ]
    assert [entry.event_id for entry in play(events=events).tick()["history"]] == [
        "first",
        "second",
    ]


# Cooldowns


@pytest.mark.parametrize(
    ("cooldown", "ticks"),
    [
        *((given, [1, 2, 3, 4, 5, 6, 7]) for given in (None, 0, 0.5, 1)),
        (2, [1, 3, 5, 7]),
        (2.5, [1, 4, 7]),
        (1000, [1]),
    ],
)
@pytest.mark.parametrize("trigger", ["random", "milestone"])
def test_cooldown__blocks_an_event(trigger: str, cooldown: float | None, ticks: list[int]) -> None:
    engine = play(events=[Event("e", trigger, base_probability=1, cooldown=cooldown)])
    first = engine.tick()
    assert first["cooldowns"] == ({} if cooldown is None else {"e": 1 + cooldown})
    for _ in range(6):
        state = engine.tick()
    assert [entry.tick for entry in state["history"]] == ticks


def test_cooldown__that_is_negative_is_stored() -> None:
    engine = create_engine(game(events=[Event("e", "milestone", cooldown=-2)]), original=True)
    engine.tick()
    assert engine.tick()["cooldowns"] == {"e": 0}
    assert len(engine.get_state()["history"]) == 2


def test_cooldown__ends_at_the_start_of_a_tick() -> None:
    event = Event("e", "milestone", conditions=[lambda s: s["tick"] == 1], cooldown=2)
    engine = play(events=[event])
    assert [engine.tick()["cooldowns"] for _ in range(3)] == [{"e": 3}, {"e": 3}, {}]


def test_cooldown__is_shared_by_events_of_one_id() -> None:
    events = [
        Event("e", "milestone", "one", cooldown=3, conditions=[lambda s: s["tick"] != 4]),
        Event("e", "milestone", "two", cooldown=1),
    ]
    engine = play(events=events)
    for _ in range(6):
        state = engine.tick()
    assert [(entry.tick, entry.text) for entry in state["history"]] == [
        (1, "one"),
        (4, "two"),
        (5, "one"),
    ]


def test_cooldown__of_an_event_does_not_block_an_action_of_its_id() -> None:
    engine = play(
        events=[Event("e", "milestone", "event", cooldown=3)], actions=[Action("e", text="action")]
    )
    engine.apply_action("e")
    assert engine.get_state()["cooldowns"] == {}
    engine.tick()
    assert engine.apply_action("e")["cooldowns"] == {"e": 4}
    assert texts(engine) == ["action", "event", "action"]
