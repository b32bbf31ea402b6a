"""Faults: they occur where the interpreter raises, and leave the state unchanged."""

from __future__ import annotations

import math
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from axiom_gym.config import (
    Action,
    Attribute,
    Choice,
    Event,
    GameConfig,
    PassiveModifier,
    PhaseResult,
    Task,
    floor,
    table,
    where,
)
from axiom_gym.kernel import ENDED, FAULT, ILLEGAL, RUNNING, TRUNCATED

IDLE = Task(reward=lambda before, after: 0)
LUCK = Event("luck", base_probability=0.5)


def config(**parts: Any) -> GameConfig:
    """Return a game whose `n` falls from 3 to 0 in three ticks; each tick starts with a draw."""
    count = PassiveModifier("count", {"n": -1})
    defaults: dict[str, Any] = {
        "initial_state": lambda: {"n": 3, "m": 10, "f": 1.0},
        "attributes": {"n": Attribute(0, 9), "m": Attribute(0, 99)},
        "choices": {"job": Choice("clerk", "boss")},
        "passive_modifiers": [count, *parts.pop("rules", ())],
        "events": [LUCK],
        "tick_order": ["randomEventPhase", "passiveModifierPhase", "milestoneEventPhase"],
    }
    return GameConfig(**{**defaults, **parts})


def divide(s: Any) -> Any:
    return 6 // s["n"]


def give(s: Any) -> Any:
    return {"m": divide(s)}


def phase(s: Any, config: Any, tick: Any) -> PhaseResult:
    return PhaseResult({**s, "m": divide(s)})


ORDER = ["randomEventPhase", "passiveModifierPhase", "own"]
# Place -> (config, task, number of the step in which n is 0 when the place is evaluated)
PLACES: dict[str, tuple[GameConfig, Task, int]] = {
    "passive modifier 'rule', passive_modifiers[1].delta": (
        config(rules=[PassiveModifier("rule", lambda s: {"m": divide(s)})]), IDLE, 3),
    "passive modifier 'rule', passive_modifiers[1].condition": (
        config(rules=[PassiveModifier("rule", {}, lambda s: divide(s) > 3)]), IDLE, 3),
    "event 'end', events[1].conditions[0]": (
        config(events=[LUCK, Event("end", "milestone", conditions=[lambda s: divide(s) > 3])]),
        IDLE, 3),
    "event 'end', events[1].effects[1]": (
        config(events=[LUCK, Event("end", "milestone", effects=[{"m": -5}, give])]),
        IDLE, 3),
    "event 'odd', events[1].restrictions[0]": (
        config(events=[LUCK, Event("odd", restrictions=[lambda s: divide(s) > 3])]), IDLE, 4),
    "event 'luck', probability_modifiers[0]": (
        config(probability_modifiers=[lambda s, p, e: p / s["n"]]), IDLE, 4),
    "event 'sure', events[1].effects[0]": (
        config(events=[LUCK, Event("sure", base_probability=1, effects=[give])]),
        IDLE, 4),
    "action 'act', actions[0].effects[1]": (
        config(actions=[Action("act", effects=[{"m": -5}, lambda s: {"m": divide(s)}])]), IDLE, 4),
    "action 'act', actions[0].conditions[0]": (
        config(actions=[Action("act", conditions=[lambda s: divide(s) > 0])]), IDLE, 3),
    "event 'luck', restrictions[0]": (config(restrictions=[lambda s: divide(s) < 0]), IDLE, 4),
    "phase 'own', custom_phases['own']": (
        config(custom_phases={"own": phase}, tick_order=ORDER), IDLE, 3),
    "task.reward": (config(), Task(reward=lambda before, after: 1 / after["n"]), 3),
    "task.terminated": (config(), Task(reward=IDLE.reward, terminated=lambda s: divide(s) < 0), 3),
}  # fmt: skip


@pytest.mark.parametrize("place", PLACES)
def test_division_by_zero__is_a_fault(parity: ModuleType, place: str) -> None:
    game, task, number = PLACES[place]
    pair = parity.play(game, task, (0,) * (number - 1))
    assert pair.codes == [RUNNING] * (number - 1)
    before, rng = pair.state, int(pair.record["rng"])
    assert pair.step(0) == FAULT
    assert pair.state == before
    drawn_first = not place.startswith(("action 'act', actions[0].effects", "event 'luck'"))
    assert (int(pair.record["rng"]) != rng) == drawn_first
    assert [fault.partition(": ")[0] for fault in pair.faults] == [place]
    assert pair.faults[0].partition(": ")[2].startswith("division by zero in (")
    assert pair.step(0) == FAULT


PROBLEMS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "floor": (lambda s: {"m": 6 // (s["n"] * 1.0)}, "division by zero in (6.0 // (s['n'] * 1.0))"),
    "modulo": (lambda s: {"m": s["m"] % s["n"]}, "division by zero in (s['m'] % s['n'])"),
    "table": (lambda s: {"m": table(s["n"], {1: 2, 2: 3})}, "s['n'] is not in the table"),
    "infinite": (
        lambda s: {"m": where(s["n"] > 0, 0.0, 1e308) * 10},
        "m gets a number that is not",
    ),
    "NaN": (lambda s: {"m": (where(s["n"] > 0, 0.0, 1e308) * 10) * 0}, "m gets a number that"),
    "infinite field": (lambda s: {"f": where(s["n"] > 0, 1.0, 1e308) * 10}, "f gets a number that"),
    "no floor": (lambda s: {"m": floor(where(s["n"] > 0, 1.0, 1e308) * 10)}, "is not finite"),
}


@pytest.mark.parametrize("name", PROBLEMS)
def test_fault__names_the_problem(parity: ModuleType, name: str) -> None:
    delta, problem = PROBLEMS[name]
    rules = [
        PassiveModifier("rule", delta),
        PassiveModifier("use", lambda s: {"m": where(s["f"] > 5, 1, 0)}),
    ]
    pair = parity.play(config(rules=rules), IDLE, (0, 0, 0))
    assert pair.codes == [RUNNING, RUNNING, FAULT]
    assert any(problem in fault for fault in pair.faults)


def test_where__evaluates_both_sides(parity: ModuleType) -> None:
    rule = PassiveModifier("rule", lambda s: {"m": where(s["n"] > 0, 6 // s["n"], 0)})
    assert parity.play(config(rules=[rule]), IDLE, (0, 0, 0)).codes[-1] == FAULT


def test_checks__follow_the_order_of_the_conditions(parity: ModuleType) -> None:
    guarded = Action("act", conditions=[lambda s: s["n"] > 0, lambda s: divide(s) > 0])
    assert parity.play(config(actions=[guarded]), IDLE, (1,) * 5).codes == [RUNNING] * 5
    reversed_order = Action("act", conditions=[lambda s: divide(s) > 0, lambda s: s["n"] > 0])
    assert parity.play(config(actions=[reversed_order]), IDLE, (1,) * 3).codes[-1] == FAULT


def test_event__whose_conditions_could_fail_and_do_not_hold(parity: ModuleType) -> None:
    never = Event("never", base_probability=1, conditions=[lambda s: 6 // (s["n"] + s["m"]) > 9],
                  effects=[{"m": 5}])  # fmt: skip
    pair = parity.play(config(events=[never]), IDLE, (0, 0))
    assert pair.state["m"] == 10
    assert "FAULT" in pair.compiled.source.text


def test_mask__is_not_computed_after_the_end(parity: ModuleType) -> None:
    act = Action("act", conditions=[lambda s: divide(s) > 0])
    ends = Task(reward=IDLE.reward, terminated=lambda s: s["n"] <= 0)
    assert parity.play(config(actions=[act]), ends, (1,) * 3).codes[-1] == ENDED
    stops = Task(reward=IDLE.reward, max_ticks=3)
    assert parity.play(config(actions=[act]), stops, (1,) * 3).codes[-1] == TRUNCATED


def test_several_actions__of_a_tick_have_separate_faults(parity: ModuleType) -> None:
    game = config(
        actions=[
            Action("less", effects=[{"n": -1}]),
            Action("share", effects=[lambda s: {"m": divide(s)}]),
        ]
    )
    pair = parity.play(game, Task(reward=IDLE.reward, actions_per_tick=3), (0, 0, 1))
    assert pair.codes == [RUNNING] * 3
    assert pair.state["n"] == 0
    assert [pair.step(action) for action in (1, 0, 1, 2)] == [FAULT, RUNNING, FAULT, RUNNING]


def test_score__that_cannot_be_computed_is_zero(parity: ModuleType) -> None:
    task = Task(reward=IDLE.reward, score=lambda s: 6 / s["n"])
    pair = parity.play(config(), task, (0, 0, 0))
    assert pair.codes == [RUNNING] * 3
    assert not pair.faults


def test_illegal__action_changes_nothing(parity: ModuleType) -> None:
    act = Action("act", conditions=[lambda s: s["n"] > 5], effects=[{"m": 1}])
    pair = parity.play(config(actions=[act]), IDLE)
    assert pair.codes == [ILLEGAL]


@pytest.mark.parametrize("limit", [2**48, -(2**48)])
def test_integers__beyond_2_48_are_faults_only_in_the_kernel(
    parity: ModuleType, limit: int
) -> None:
    step = int(math.copysign(1, limit))
    rule = PassiveModifier("grow", lambda s: {"f": s["f"] + step})
    game = config(
        initial_state=lambda: {"f": limit - step},
        rules=[rule],
        restrictions=[lambda s: s["f"] == 5],
    )
    pair = parity.play(game, IDLE, (0, 0))
    assert pair.codes == [RUNNING, FAULT + ILLEGAL]
    assert pair.faults == [
        "passive modifier 'grow', passive_modifiers[1].delta: f becomes a number beyond 2**48"
    ]
