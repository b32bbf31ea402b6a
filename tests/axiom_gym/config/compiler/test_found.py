"""Former errors of the compiler, reduced to one small test each."""

from __future__ import annotations

import enum
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
    table,
    where,
)
from axiom_gym.config.compiled import CompiledConfig
from axiom_gym.errors import TraceError
from axiom_gym.kernel import FAULT, ILLEGAL, RUNNING

IDLE = Task(reward=lambda before, after: 0)


def start(**fields: Any) -> Any:
    return lambda: dict(fields)


def passive(delta: Any, **parts: Any) -> GameConfig:
    """Return a game with one passive modifier."""
    return GameConfig(passive_modifiers=[PassiveModifier("rule", delta)], **parts)


# Found by the property test


@pytest.mark.parametrize("bounds", [(-1e308, 1e308), (0.0, 5e-324), (0, 1e-310)])
def test_observation__of_very_wide_and_very_narrow_attributes(
    parity: ModuleType, bounds: tuple[float, float]
) -> None:
    # The scaled value was NaN or 0, or the source contained "inf".
    config = GameConfig(start(a=bounds[1]), {"a": Attribute(*bounds, default=bounds[0])})
    pair = parity.play(config, IDLE)
    assert pair.interpreted.engine.get_state()["a"] == bounds[1]


def test_where__as_a_condition_within_another_condition(parity: ModuleType) -> None:
    # "1 if a if c else b else 0" is a syntax error.
    config = GameConfig(
        start(a=1),
        {"a": Attribute(0, 9)},
        actions=[
            Action("one", conditions=[lambda s: where(s["a"] > 0, s["a"] < 5, s["tick"] > 3)]),
            Action(
                "two",
                conditions=[
                    lambda s: where(where(s["a"] > 0, s["a"] < 5, s["tick"] > 3), s["tick"], 3) > 2
                ],
            ),
        ],
    )
    parity.play(config, IDLE, (0, 1, 2, 2, 1))  # raises if the two differ


def test_integers__in_a_float_attribute_beyond_2_53(parity: ModuleType) -> None:
    # The interpreter continues with exact ints, but the kernel rounded.
    config = passive(
        {"a": 1}, initial_state=start(a=2**53 - 2), attributes={"a": Attribute(0, 1e17)}
    )
    pair = parity.play(config, IDLE, (0, 0))
    assert pair.codes == [RUNNING, FAULT + ILLEGAL]
    assert pair.interpreted.engine.get_state()["a"] == 2**53
    assert "start with a float such as 0.0" in pair.faults[0]


def test_integers__that_reach_a_float_field_later(parity: ModuleType) -> None:
    config = passive(lambda s: {"f": s["n"]}, initial_state=start(f=0.5, n=2**40 + 1))
    task = Task(reward=lambda before, after: (after["f"] * after["f"]) % 2)
    pair = parity.play(config, task)
    assert pair.codes == [FAULT + ILLEGAL]
    assert pair.faults == [
        "task.reward: (s['f'] * s['f']) is beyond 2**53, where integers and floats differ; if "
        "such values are intended, start with a float such as 0.0"
    ]


def test_integers__have_no_limit_in_float_arithmetic(parity: ModuleType) -> None:
    attributes = {"a": Attribute(0.0, 1e17)}
    config = passive({"a": 1}, initial_state=start(a=2.0**53 - 2), attributes=attributes)
    pair = parity.play(config, IDLE, (0, 0, 0))
    assert not pair.faults
    assert pair.state["a"] == 2.0**53


def test_products__of_ints_in_float_fields_are_no_false_alarm(parity: ModuleType) -> None:
    # It was refused with "differs from its trace", without the reason.
    config = GameConfig(start(), {"a": Attribute(-1e9, 1e9)})
    task = Task(reward=lambda before, after: before["tick"] * before["a"])
    assert "beyond 2**53" in parity.play(config, task, (0, 0)).faults[0]


def test_infinity__for_a_field_that_is_not_compiled(parity: ModuleType) -> None:
    # The interpreter refuses it, but the kernel continued.
    config = passive(
        lambda s: {"notes": s["a"] * 2},
        initial_state=start(notes=[1, 2], a=1e308),
        attributes={"a": Attribute(0.0, 1e308)},
    )
    pair = parity.play(config, IDLE)
    assert pair.codes == [FAULT]
    place = "passive modifier 'rule', passive_modifiers[0].delta"
    assert pair.faults == [f"{place}: notes gets a number that is not finite"]


def test_infinity__for_a_field_that_nothing_depends_on(parity: ModuleType) -> None:
    config = passive(
        lambda s: {"dead": s["a"] * 2},
        initial_state=start(dead=0.0, a=1e308),
        attributes={"a": Attribute(0.0, 1e308)},
    )
    pair = parity.play(config, IDLE)
    assert pair.codes == [FAULT]
    assert pair.compiled.source.left_out == ["dead"]


def test_mask__that_cannot_be_computed_at_the_start() -> None:
    # The result was 0, but the interpreter raises.
    config = GameConfig(
        start(a=0),
        {"a": Attribute(0, 9)},
        actions=[Action("share", conditions=[lambda s: s["tick"] > 5, lambda s: 1 / s["a"] > 0])],
    )
    CompiledConfig(config, IDLE)  # the second condition is not evaluated
    config = GameConfig(
        start(a=0),
        {"a": Attribute(0, 9)},
        actions=[Action("share", conditions=[lambda s: 1 / s["a"] > 0])],
    )
    message = (
        r"action 'share', actions\[0\]\.conditions\[0\], in the initial state: division by zero"
    )
    with pytest.raises(TraceError, match=message):
        CompiledConfig(config, IDLE)


# Found by review


def test_phase__that_returns_the_state_itself_can_fail(parity: ModuleType) -> None:
    # Its division was not checked.
    def failing(s: Any, config: Any, tick: Any) -> PhaseResult:
        _ = 1 / (3 - tick)
        return PhaseResult(s)

    parts: dict[str, Any] = {"initial_state": start(), "tick_order": ["own"]}
    pair = parity.play(GameConfig(**parts, custom_phases={"own": failing}), IDLE, (0, 0, 0))
    assert pair.codes == [RUNNING, RUNNING, FAULT]


def test_phase__may_add_a_field(parity: ModuleType) -> None:
    # It was refused, with a message about reading the field.
    def phase(s: Any, config: Any, tick: Any) -> PhaseResult:
        return PhaseResult({**s, "new": tick, "a": 5})

    config = GameConfig(
        start(), {"a": Attribute(0, 9)}, custom_phases={"own": phase}, tick_order=["own"]
    )
    assert parity.play(config, IDLE, (0, 0)).state["a"] == 5


def test_phase__with_a_key_that_is_no_string() -> None:
    config = GameConfig(
        start(),
        custom_phases={"own": lambda s, c, t: PhaseResult({**s, 5: 1})},
        tick_order=["own"],
    )
    with pytest.raises(
        TraceError, match=r"phase 'own'.* the name of a field must be a string, got 5"
    ):
        CompiledConfig(config, IDLE)


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 3


def test_constants__of_an_enum(parity: ModuleType) -> None:
    # They were written as "<Level.HIGH: 3>".
    config = passive(
        lambda s: {"a": where(s["a"] >= Level.HIGH, Level.LOW, 2)},
        initial_state=start(a=Level.LOW),
        attributes={"a": Attribute(Level.LOW, 9, default=Level.HIGH)},
    )
    assert parity.play(config, IDLE, (0, 0)).state["a"] == 5


def test_strings__that_no_field_holds_differ(parity: ModuleType) -> None:
    # All of them had the number -1.
    config = GameConfig(
        start(n=0),
        choices={"job": Choice("clerk", "boss")},
        actions=[
            Action(
                "compare",
                conditions=[
                    lambda s: (
                        where(s["tick"] > 1, "clerk", "one") == where(s["tick"] > 2, "clerk", "two")
                    )
                ],
            )
        ],
    )
    parity.play(config, IDLE, (0, 1, 1, 1, 0))  # raises if the two differ


def test_comparison__of_a_float_with_an_int_that_is_no_float() -> None:
    # 2**53 + 1 became 2**53.
    config = GameConfig(
        start(a=2.0**53),
        {"a": Attribute(0.0, 1e17)},
        actions=[Action("act", conditions=[lambda s: s["a"] == 2**53 + 1])],
    )
    with pytest.raises(TraceError, match=r"9007199254740993 may exceed 2\*\*53"):
        CompiledConfig(config, IDLE)


@pytest.mark.parametrize(
    "name", ["if", "lambda", "None", "is", "class", "rng", "T", "copy", "data"]
)
def test_fields__named_like_words_of_python_and_numpy(parity: ModuleType, name: str) -> None:
    config = passive({name: 1}, initial_state=start(), attributes={name: Attribute(0, 9)})
    assert parity.play(config, IDLE, (0, 0)).state[name] == 2


@pytest.mark.parametrize(
    "text", ['"""', "a\0b", "\ud800", "line\nbreak\u2028", "{x}", "\\", "'", "%s"]
)
def test_names__with_odd_characters(parity: ModuleType, text: str) -> None:
    config = GameConfig(
        start(**{text: 1}),
        {f"a{text}": Attribute(0, 9)},
        {f"c{text}": Choice(text, f"{text}{text}")},
        passive_modifiers=[PassiveModifier(text, {f"a{text}": 1})],
        actions=[
            Action(text, effects=[{f"c{text}": f"{text}{text}"}], contexts=[{text: text}, {}])
        ],
        events=[
            Event(
                text,
                base_probability=0.5,
                cooldown=2,
                conditions=[lambda s: 1 / (1 + s[text]) > 0],
                effects=[{text: -1}],
            )
        ],
        name=f"game {text}",
    )
    pair = parity.play(config, IDLE, (0, 1, 2, 2, 2, 2, 2))
    assert pair.compiled.source.text.isprintable() or "\n" in pair.compiled.source.text
    pair.compiled.source.text.encode()


def test_tick__with_a_fraction(parity: ModuleType) -> None:
    # A cooldown that started then was truncated to an integer.
    config = GameConfig(
        start(a=0),
        {"a": Attribute(0, 99)},
        events=[Event("hit", base_probability=1, cooldown=2, effects=[{"a": 1}])],
        custom_phases={"slow": lambda s, c, t: PhaseResult({**s, "tick": t - 0.75})},
        tick_order=["slow", "randomEventPhase"],
    )
    pair = parity.play(config, IDLE, (0,) * 12)
    assert pair.state["a"] == 3


def test_tick__far_below_zero(parity: ModuleType) -> None:
    config = GameConfig(
        start(a=0),
        {"a": Attribute(0, 99)},
        events=[Event("hit", base_probability=1, cooldown=1, effects=[{"a": 1}])],
        custom_phases={"back": lambda s, c, t: PhaseResult({**s, "tick": t - 1e300})},
        tick_order=["back", "randomEventPhase"],
    )
    assert parity.play(config, IDLE).codes == [FAULT + ILLEGAL]


@pytest.mark.parametrize("cooldown", [10**18, 2**63, 1e300])
def test_cooldown__that_is_too_long(cooldown: float) -> None:
    config = GameConfig(start(), events=[Event("once", cooldown=cooldown)])
    with pytest.raises(TraceError, match=r"event 'once' has a cooldown of .* write 10\*\*9"):
        CompiledConfig(config, IDLE)


@pytest.mark.parametrize("cooldown", [10**14, 1e14, 0, 0.0, 5e-324])
def test_cooldown__of_any_other_length(parity: ModuleType, cooldown: float) -> None:
    config = GameConfig(
        start(a=0),
        {"a": Attribute(0, 99)},
        events=[Event("once", base_probability=1, cooldown=cooldown, effects=[{"a": 1}])],
    )
    parity.play(config, IDLE, (0, 0, 0))  # raises if the two differ


def test_start__too_large_for_a_field() -> None:
    config = passive(
        lambda s: {"n": s["n"] + 1},
        initial_state=start(n=2**60),
        restrictions=[lambda s: s["n"] < 0],
        actions=[Action("act")],
    )
    with pytest.raises(TraceError, match=r"'n' starts as 1152921504606846976, .* up to 2\*\*48"):
        CompiledConfig(config, IDLE)
    unused = GameConfig(start(serial=2**70), actions=[Action("act")])
    assert CompiledConfig(unused, IDLE).source.left_out == ["serial"]


@pytest.mark.parametrize("high", [10**30, 10**400, 2**62 + 1])
def test_bounds__beyond_64_bits(high: int) -> None:
    with pytest.raises(TraceError, match=r"attributes\['a'\] has \d+"):
        CompiledConfig(GameConfig(start(), {"a": Attribute(0, high)}), IDLE)
    with pytest.raises(TraceError, match=r"attributes\['a'\] has \d+"):
        CompiledConfig(GameConfig(start(a=0.5), {"a": Attribute(0, high)}), IDLE)


def test_table__with_hundreds_of_entries(parity: ModuleType) -> None:
    # Python's limit is 200 nested brackets.
    prices = [(i * 37) % 101 for i in range(400)]
    config = passive(
        lambda s: {"a": table(s["tick"] % 400, prices) - 50},
        initial_state=start(a=500),
        attributes={"a": Attribute(0, 1000)},
    )
    parity.play(config, IDLE, (0,) * 30)  # raises if the two differ


def test_expression__that_is_deep_or_shares_parts(parity: ModuleType) -> None:
    def deep(s: Any) -> Any:
        value = s["a"]
        for i in range(1000):
            value = where(value > i, value - 1, value + 1)
        for _ in range(100):  # an expression with shared parts
            value = (value + value) / 2
        return {"a": 7 // (value + 1000)}

    config = passive(deep, initial_state=start(a=5), attributes={"a": Attribute(-9, 9)})
    parity.play(config, IDLE, (0, 0))  # raises if the two differ


def test_reward__beyond_float32(parity: ModuleType) -> None:
    config = passive(
        {"a": 1e39}, initial_state=start(a=1.0), attributes={"a": Attribute(0.0, 1e300)}
    )
    task = Task(reward=lambda before, after: after["a"])
    assert parity.play(config, task).codes == [FAULT + ILLEGAL]
