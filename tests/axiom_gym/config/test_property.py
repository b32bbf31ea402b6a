"""Random configs, on which the interpreter and the kernel agree bit for bit.

Errors found here become small tests in `compiler/test_found.py`.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Mapping
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, example, given, settings

from axiom_gym.config.compiled import CompiledConfig
from axiom_gym.errors import CallableError, ConfigError, TraceError
from axiom_gym.kernel import ENDED, FAULT, ILLEGAL, RUNNING, TRUNCATED

EXAMPLES = 200
WORDS = {RUNNING: "running", ENDED: "ended", TRUNCATED: "truncated", ILLEGAL: "illegal"}
STEADY = settings(
    max_examples=EXAMPLES,
    derandomize=True,
    deadline=None,
    database=None,
    phases=(Phase.explicit, Phase.generate, Phase.shrink),
    suppress_health_check=list(HealthCheck),
)


def play(parity: ModuleType, case: Any, tally: Counter[str], compiled: Any = None) -> None:
    """Play a case until its end, or until its operations are used up."""
    compiled = compiled or CompiledConfig(*case.build())
    pair = parity.Pair(compiled, case.seed, parameters=case.parameters)
    for operation in case.operations:
        code = pair.step(operation % len(compiled.action_names))
        tally[WORDS.get(code, "fault" if code == FAULT else "too large")] += 1
        if code not in (RUNNING, ILLEGAL, FAULT):
            return


SOURCE = """
config = GameConfig(
    initial_state=lambda: {"n": 3},
    attributes={"n": Attribute(0, 9)},
    actions=[Action("use", conditions=[lambda s: s["n"] != 2], effects=[lambda s: {"n": -1}])],
    events=[Event("luck", base_probability=0.5, effects=[{"n": -9}])],
)
task = Task(reward=lambda before, after: 6 / before["n"])
"""


LIMITS = """
config = GameConfig(
    initial_state=lambda: {"n": 3},
    attributes={"n": Attribute(0, 9), "gold": Attribute(-2, 20, default=4)},
    actions=[
        Action("pay", costs={"gold": 3, "n": lambda s: s["n"] / 4}, effects=[{"n": Set(5.5)}]),
        Action("rest", cooldown=2, uses=3, effects=[{"gold": 2}]),
    ],
    events=[
        Event("luck", base_probability=0.5, once=True, effects=[{"gold": 5}]),
        Event("echo", trigger="milestone", after="luck", cooldown=3, effects=[{"n": 1}]),
        Event("late", trigger="milestone", after=3, effects=[lambda s: {"n": Set(s["gold"])}]),
    ],
    end=lambda s: s["gold"] == -2,
    win=lambda s: s["gold"] >= 15,
    score=lambda s: s["n"],
)
task = Task(reward=lambda before, after: after["gold"] - before["gold"], actions_per_tick=2)
"""
"""Costs, cooldowns, uses, the order of events, new values, and the end of a config."""


def ending(how: str) -> str:
    """Return the same source, with an end of the episode."""
    return f"{SOURCE}task = Task(task.reward, {how})"


@pytest.mark.parametrize("examples", [40, pytest.param(EXAMPLES, marks=pytest.mark.slow)])
def test_generated__configs_agree(parity: ModuleType, generated: ModuleType, examples: int) -> None:
    tally: Counter[str] = Counter()

    # Generated cases depend on the loaded modules, and some kinds of ends are rare in them:
    # one example of each kind is always played.
    @settings(STEADY, max_examples=examples)
    @example(generated.Case(SOURCE, 1, (1, 1, 1, 1)))
    @example(generated.Case(LIMITS, 1, (0, 1, 1, 2, 1, 2, 0, 1, 2, 2, 1)))
    @example(generated.Case(LIMITS, 2, (1, 2, 2, 1, 2, 2, 1, 2, 2, 1, 2)))
    @example(generated.Case(ending("max_ticks=2"), 1, (1, 1)))
    @example(generated.Case(ending("terminated=lambda s: s['tick'] == 2"), 1, (1, 1)))
    @given(generated.cases())
    def check(case: Any) -> None:
        tally["cases"] += 1
        try:
            compiled = CompiledConfig(*case.build())
        except ConfigError as error:  # `end` or `win` raises on the initial state
            tally["mistakes"] += "must not raise on the initial state" not in str(error)
            tally["refused"] += 1
            return
        except TraceError as error:
            tally["false alarms"] += "that its trace does not" in str(error)
            tally["refused"] += 1
            return
        play(parity, case, tally, compiled)

    check()
    assert tally["cases"] >= examples
    assert not tally["false alarms"]
    assert not tally["mistakes"]
    assert tally["refused"] < tally["cases"] / 3
    assert tally["too large"] < tally["running"] / 5
    assert all(tally[word] for word in [*WORDS.values(), "fault"])


def run(parity: ModuleType, compiled: Any, operations: Any, kernel: Any = None) -> None:
    pair = parity.Pair(compiled, 1, kernel)
    for operation in operations:
        pair.step(operation)


SLIPS = {
    "step": ("rng = advance(rng)", "rng = advance(rng + 1)"),
    "mask": ("= 1  # wait", "= 0  # wait"),
    "state": ("s_tick += 1", "s_tick += 2"),
    "observe": ("squashed(s_tick)", "squashed(s_tick + 1)"),
    "reward": ("rewards[0] = reward", "rewards[0] = reward + 1.0"),
    "outcome": ("returns[0] = s_total", "returns[0] = s_total + 1.0"),
    "illegal": ("return ILLEGAL", "return RUNNING"),
    "fault": ("before_n == 0", "before_n == 99"),
}


@pytest.mark.parametrize("name", SLIPS)
def test_comparison__detects_every_kind_of_error(
    parity: ModuleType, generated: ModuleType, name: str
) -> None:
    case = generated.Case(SOURCE, 1, (0, 0, 1, 1))
    compiled = CompiledConfig(*case.build())
    before, after = SLIPS[name]
    assert before in compiled.source.text
    kernel = parity.plain_kernel(compiled.source.text.replace(before, after))
    run(parity, compiled, case.operations)
    with pytest.raises((parity.DisagreementError, ZeroDivisionError)):
        run(parity, compiled, case.operations, kernel)


def test_faults__are_distinguished_from_numbers_that_are_too_large(
    parity: ModuleType, generated: ModuleType
) -> None:
    source = """
config = GameConfig(
    initial_state=lambda: {"n": 2**47},
    passive_modifiers=[PassiveModifier("double", lambda s: {"n": 2 * s["n"]})],
)
task = Task(reward=lambda before, after: after["n"] - before["n"])
"""
    tally: Counter[str] = Counter()
    play(parity, generated.Case(source, 1, (0, 0, 0)), tally)
    assert tally == {"running": 1, "too large": 1}


def test_interpreter__error_without_a_fault_is_a_difference(
    parity: ModuleType, generated: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = generated.Case(SOURCE, 1, (1,))
    pair = parity.Pair(CompiledConfig(*case.build()), 1)

    def fail() -> None:
        raise CallableError("no tick today")

    monkeypatch.setattr(pair.interpreted.engine, "tick", fail)
    with pytest.raises(parity.DisagreementError, match="fault"):
        pair.step(1)


@pytest.mark.slow
@pytest.mark.compiled_only
@pytest.mark.parametrize("number", range(3))
def test_generated__configs_agree_when_compiled(
    parity: ModuleType, generated: ModuleType, number: int
) -> None:
    """Some of the largest configs are compiled by Numba, each with many games."""
    compiled, parameters = largest(generated, parity)[number]
    kernel = parity.compiled_kernel(compiled.kernel)
    tally: Counter[str] = Counter()
    for seed in range(20):
        operations = tuple((seed * 7 + i * i) % 11 for i in range(12))
        pair = parity.Pair(compiled, seed, kernel, parameters)
        for operation in operations:
            code = pair.step(operation % len(compiled.action_names))
            tally[str(code)] += 1
            if code not in (RUNNING, ILLEGAL, FAULT):
                break
    assert tally[str(RUNNING)] > 20


@pytest.mark.slow
@pytest.mark.compiled_only
def test_limits__agree_when_compiled(parity: ModuleType, generated: ModuleType) -> None:
    compiled, codes = CompiledConfig(*generated.Case(LIMITS, 0, ()).build()), set()
    for seed in range(40):
        pair = parity.Pair(compiled, seed, compiled.kernel)
        for i in range(30):
            code = pair.step((seed * 5 + i * i // 2) % 3)
            codes.add(code)
            if code not in (RUNNING, ILLEGAL):
                break
    assert codes == {RUNNING, ILLEGAL, ENDED}


@functools.cache
def largest(
    generated: ModuleType, parity: ModuleType
) -> list[tuple[CompiledConfig, Mapping[str, Any]]]:
    """Return the configs with the longest kernels among those that last several steps.

    They are two of any kind, and one for which other values of parameters were drawn.
    """
    found: list[tuple[CompiledConfig, Mapping[str, Any]]] = []

    @settings(STEADY, max_examples=80)
    @given(generated.cases())
    def collect(case: Any) -> None:
        if "terminated" in case.source or "max_ticks" in case.source:
            return
        try:
            compiled = CompiledConfig(*case.build())
        except (ConfigError, TraceError):
            return
        pair = parity.Pair(compiled, parameters=case.parameters)
        if {pair.step(len(compiled.action_names) - 1) for _ in range(6)} == {RUNNING}:
            found.append((compiled, case.parameters))

    collect()
    found.sort(key=lambda one: len(one[0].source.text))
    return [*found[-2:], next(one for one in reversed(found) if one[1])]
