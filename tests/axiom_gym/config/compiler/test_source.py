"""The kernel's source, which is short, valid and reproducible."""

from __future__ import annotations

import ast
import re
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
    abs_,
    all_,
    any_,
    clip,
    floor,
    max_,
    min_,
    not_,
    table,
    where,
)
from axiom_gym.config.compiled import CompiledConfig
from axiom_gym.kernel import KERNEL_FUNCTIONS

IDLE = Task(reward=lambda before, after: 0)
COOK = "cook"  # a name, because validation refuses a string that is no option
FIELDS = {"x": 5, "y": 2.5, "n": 3, "flag": True}


def config(**parts: Any) -> GameConfig:
    return GameConfig(
        **{
            "initial_state": lambda: FIELDS,
            "attributes": {"x": Attribute(0, 10), "y": Attribute(0.0, 10.0)},
            "choices": {"job": Choice("clerk", "boss", None)},
            **parts,
        }
    )


def step_of(delta: Any, condition: Any = None) -> str:
    """Return the passive modifier's lines of the step."""
    text = text_of(config(passive_modifiers=[PassiveModifier("rule", delta, condition)]))
    return text.partition("# rule\n")[2].partition("    # randomEventPhase")[0]


def text_of(config: GameConfig, task: Task = IDLE) -> str:
    return CompiledConfig(config, task).source.text


# Constants and decided comparisons


@pytest.mark.parametrize(
    ("delta", "source"),
    [
        (lambda s: {"n": s["x"] * (2 + 3)}, "s_n = s_x * 5"),
        (lambda s: {"n": where(s["x"] >= 0, 4, s["x"])}, "s_n = 4"),
        (lambda s: {"n": where(s["x"] > 10, 4, 7)}, "s_n = 7"),
        (lambda s: {"flag": (s["x"] < 11) & s["flag"]}, None),
        (lambda s: {"flag": (s["x"] > 11) | s["flag"]}, None),
        (lambda s: {"flag": s["job"] == COOK}, "s_flag = False"),
        (lambda s: {"flag": s["job"] != 5}, "s_flag = True"),
        (lambda s: {"n": min_(s["x"], 10)}, "s_n = s_x"),
        (lambda s: {"n": max_(s["x"], -1.5)}, "s_n = s_x"),
        (lambda s: {"n": clip(s["x"], -1, 11)}, "s_n = s_x"),
        (lambda s: {"n": floor(s["x"] / 2)}, "s_n = floor_int(s_x / 2)"),
        (lambda s: {"n": floor(s["x"])}, "s_n = s_x"),
        (lambda s: {"n": table(s["x"], {1: 5, 99: 7}, 0)}, "s_n = 5 if s_x == 1 else 0"),
        (lambda s: {"flag": not_(not_(s["flag"]))}, None),
        (lambda s: {"flag": any_(s["flag"], s["flag"], False)}, None),
        (lambda s: {"flag": all_(s["x"] < 11, s["x"] > 3)}, "s_flag = s_x > 3"),
        (lambda s: {"x": -s["x"]}, "s_x = greater(s_x + (-s_x), 0)"),
        (lambda s: {"x": 1}, "s_x = lesser(s_x + 1, 10)"),
        (lambda s: {"x": -1}, "s_x = greater(s_x + (-1), 0)"),
        (lambda s: {"x": 0 * s["n"]}, "s_x = s_x + (0 * s_n)"),
        (lambda s: {"n": abs_(s["x"] - 20)}, "s_n = abs(s_x - 20)"),
        (lambda s: {"x": s["y"] * 0}, None),
    ],
)
def test_constants__and_decided_comparisons_are_folded(
    parity: ModuleType, delta: Callable[[Any], Any], source: str | None
) -> None:
    read = [Action("read", conditions=[lambda s: (s["n"] > 0) & s["flag"] & (s["y"] > 0)])]
    game = config(passive_modifiers=[PassiveModifier("rule", delta)], actions=read)
    pair = parity.play(game, IDLE, (0, 1, 0))
    lines = pair.compiled.source.text.partition("# rule\n")[2].partition("    # randomEventPhase")[
        0
    ]
    if source is None:
        assert "s_flag =" not in lines
    else:
        assert lines.strip() == source


def test_condition__that_never_holds_removes_its_rule() -> None:
    assert "s_x" not in step_of({"x": 1}, lambda s: s["x"] > 10)
    assert step_of({"x": 1}, lambda s: s["x"] >= 0).strip() == "s_x = lesser(s_x + 1, 10)"
    never = [Event("never", base_probability=0, effects=[{"x": 1}])]
    text = text_of(config(events=never))
    assert "s_x =" not in text.partition("# never")[2].partition("reward")[0]
    assert "rng = advance(rng)" in text


# Common subexpressions


def test_subexpression__is_computed_once() -> None:
    def delta(s: Any) -> Any:
        hard = s["x"] * s["n"] % 7
        return {"n": where(hard > 3, hard, -hard), "x": hard}

    lines = step_of(delta)
    assert lines.count("* s_n") == 1
    assert re.search(r"t\d+ = \(s_x \* s_n\) % 7\n", lines)


def test_subexpression__of_a_condition_is_reused_in_its_block() -> None:
    def hard(s: Any) -> Any:
        return s["x"] * 3 % 7

    lines = step_of(lambda s: {"x": hard(s)}, lambda s: (hard(s) > 3) | (hard(s) < 1))
    assert lines.count("* 3") == 1
    assert "s_x = lesser(s_x + t" in lines


def test_subexpression__of_a_block_is_not_used_outside(parity: ModuleType) -> None:
    def hard(s: Any) -> Any:
        return s["n"] * 3 % 7

    def twice(s: Any) -> Any:
        return {"x": hard(s) + hard(s) % 2}

    rules = [
        PassiveModifier("in a block", twice, lambda s: s["flag"]),
        PassiveModifier("after it", twice),
        PassiveModifier("change", lambda s: {"n": s["n"] + 1, "flag": not_(s["flag"])}),
        PassiveModifier("after the change", twice),
    ]
    actions = [Action("read", conditions=[lambda s: s["flag"]])]
    pair = parity.play(config(passive_modifiers=rules, actions=actions), IDLE, (1, 1, 1, 1))
    assert pair.compiled.source.text.count("* 3") == 3


# Fields


def test_field__that_nothing_depends_on_is_left_out(parity: ModuleType) -> None:
    rules = [
        PassiveModifier("count", lambda s: {"n": s["n"] + 1, "sum": s["sum"] + s["n"] * 0.5}),
        PassiveModifier("swap", lambda s: {"left": s["right"], "right": s["left"]}),
        PassiveModifier("live", lambda s: {"step": s["step"] + 1, "x": s["step"]}),
    ]
    fields = {**FIELDS, "sum": 0.0, "left": 1, "right": 2, "step": 0, "word": "a", "list": []}
    game = config(initial_state=lambda: fields, passive_modifiers=rules)
    pair = parity.play(game, IDLE, (0, 0))
    source = pair.compiled.source
    assert set(source.left_out) == {"n", "flag", "sum", "left", "right"}
    assert not re.search(r"\b(s_)?(n|sum|left|right)\b", source.text.partition("STATE")[2])
    assert "step" in source.fields


def test_field__is_kept_for_a_mask_a_reward_or_a_probability() -> None:
    by_mask = config(actions=[Action("act", conditions=[lambda s: s["n"] > 1])])
    by_chance = config(
        events=[Event("luck", base_probability=0.5)],
        probability_modifiers=[lambda s, p, e: p * s["n"]],
    )
    by_reward = Task(reward=lambda before, after: before["n"])
    by_end = Task(reward=IDLE.reward, terminated=lambda s: s["n"] > 9)
    by_score = Task(reward=IDLE.reward, score=lambda s: s["n"])
    games = [(by_mask, IDLE), (by_chance, IDLE)]
    games += [(config(), task) for task in (by_reward, by_end, by_score)]
    for game, task in games:
        assert "n" in CompiledConfig(game, task).source.fields
    assert "n" not in CompiledConfig(config(), IDLE).source.fields


def test_field__becomes_a_float_when_one_can_reach_it(parity: ModuleType) -> None:
    rules = [
        PassiveModifier("halve", lambda s: {"n": s["x"] / 2}, lambda s: s["tick"] > 2),
        PassiveModifier("chain", lambda s: {"m": s["n"]}),
        PassiveModifier("use", lambda s: {"x": s["m"] // 2, "flag": s["x"]}),
    ]
    fields = {**FIELDS, "m": False}
    game = config(initial_state=lambda: fields, passive_modifiers=rules,
                  actions=[Action("read", conditions=[lambda s: s["flag"] > 0])])  # fmt: skip
    pair = parity.play(game, IDLE, (0, 1, 1, 0, 1, 1))
    kinds = {key: field.kind for key, field in pair.compiled.source.fields.items()}
    assert kinds["n"] == kinds["m"] == kinds["x"] == kinds["flag"] == "float"
    assert kinds["tick"] == "int"


def test_attribute__that_a_phase_writes_has_no_bounds(parity: ModuleType) -> None:
    def phase(s: Any, config: Any, tick: Any) -> PhaseResult:
        return PhaseResult({**s, "x": tick * 40})

    game = config(
        custom_phases={"own": phase},
        tick_order=["own", "passiveModifierPhase"],
        passive_modifiers=[PassiveModifier("rule", {"x": -1}, lambda s: s["x"] > 50)],
    )
    task = Task(reward=lambda before, after: after["x"])
    assert parity.play(game, task, (0, 0, 0)).state["x"] == 10


def test_swap__reads_both_values_before_the_assignment(parity: ModuleType) -> None:
    def rotate(s: Any) -> Any:
        return {"a": s["b"], "b": s["c"], "c": s["a"]}

    game = GameConfig(
        lambda: {"a": 1, "b": 2, "c": 3},
        passive_modifiers=[PassiveModifier("rotate", rotate)],
        restrictions=[lambda s: (s["a"] + s["b"] + s["c"]) < 0],
        actions=[Action("act")],
    )
    pair = parity.play(game, IDLE, (0,))
    assert pair.state["a"] == 2
    assert "s_a, s_b, s_c = s_b, s_c, s_a" in pair.compiled.source.text


# Checks


def test_checks__exist_only_where_they_can_fail() -> None:
    sure = [
        lambda s: {"x": 6 // (s["x"] + 1)},
        lambda s: {"x": table(s["x"], range(11))},
        lambda s: {"x": table(s["job"], {"clerk": 1, "boss": 2, None: 3})},
        lambda s: {"x": s["y"] / max_(s["n"], 1)},
        lambda s: {"x": floor(s["y"] * 100)},
        lambda s: {"y": s["y"] * 1e100},
    ]
    unsure = [
        lambda s: {"x": 6 // s["x"]},
        lambda s: {"x": table(s["x"], range(10))},
        lambda s: {"x": table(s["job"], {"clerk": 1, "boss": 2})},
        lambda s: {"x": s["y"] / s["n"]},
        lambda s: {"x": floor(s["y"] * 1e100)},
        lambda s: {"y": s["y"] * 1e308},
    ]
    assert [step_of(delta).count("return FAULT") for delta in sure] == [0] * len(sure)
    assert [step_of(delta).count("return FAULT") for delta in unsure] == [1] * len(unsure)


def test_cooldowns__are_pruned_only_where_rules_observe_it() -> None:
    flu = Event("flu", base_probability=0.5, cooldown=3)
    reads = PassiveModifier("rule", lambda s: {"x": s["cooldowns"].get("flu", 0)})
    writes = {"own": lambda s, c, t: PhaseResult({**s, "tick": t + 1})}
    prune = "s_cooldown_flu = s_cooldown_flu if s_tick < s_cooldown_flu else"
    assert prune not in text_of(config(events=[flu]))
    assert prune in text_of(config(events=[flu], passive_modifiers=[reads]))
    assert prune in text_of(config(events=[flu], custom_phases=writes, tick_order=["own"]))


# The complete text


def rich(name: str = "rich") -> GameConfig:
    return config(
        name=name,
        passive_modifiers=[PassiveModifier("rule", lambda s: {"x": s["y"] // 1, "n": s["n"] + 1})],
        actions=[
            Action("act", contexts=[{"amount": 1}, {"amount": 2}],
                   effects=[lambda s, ctx: {"x": ctx["amount"], "job": "boss",
                                            "flag": s["n"] > 5}]),
            Action("rest", conditions=[lambda s: s["job"] == "boss", lambda s: s["flag"]]),
        ],
        events=[Event("flu", base_probability=0.25, cooldown=2.5, effects=[{"x": -1, "y": 0.5}]),
                Event("old", "milestone", cooldown=1, conditions=[lambda s: s["x"] > 5])],
        restrictions=[lambda s: s["cooldowns"].get("flu", 0) > 9],
        probability_modifiers=[lambda s, p, e: where(s["flag"], p * 2, p)],
    )  # fmt: skip


TASK = Task(
    reward=lambda before, after: after["x"] - before["x"],
    terminated=lambda s: s["x"] <= 0,
    max_ticks=9,
    actions_per_tick=2,
    score=lambda s: s["y"],
)


def test_text__is_a_module_with_the_five_functions(parity: ModuleType) -> None:
    compiled = CompiledConfig(rich(), TASK)
    tree = ast.parse(compiled.source.text)
    names = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    assert names == list(KERNEL_FUNCTIONS) or set(names) == set(KERNEL_FUNCTIONS)
    assert compiled.source.text.startswith("# rich\n")
    pair = parity.Pair(compiled, 3)
    for action in (0, 3, 2, 1, 1, 3, 3):
        pair.step(action)


def test_text__is_the_same_for_the_same_config() -> None:
    assert text_of(rich(), TASK) == text_of(rich(), TASK)
    first, second = CompiledConfig(rich(), TASK), CompiledConfig(rich(), TASK)
    assert first.kernel is second.kernel


@pytest.mark.slow
def test_text__is_the_same_in_every_process(python: Callable[..., str]) -> None:
    code = """
import hashlib
from axiom_gym.config import *
from axiom_gym.config.compiled import CompiledConfig
config = GameConfig(
    lambda: {f"f{i}": i for i in range(30)},
    {f"a{i}": Attribute(0, 9) for i in range(9)},
    choices={"c": Choice(*"abcdefgh", None)},
    passive_modifiers=[PassiveModifier(f"p{i}", lambda s, i=i: {
        f"f{i}": s[f"f{i - 1}"] * 0.5, f"f{i - 2}": s[f"f{i}"], "c": where(s["a1"] > i, "a", None)})
        for i in range(2, 9)],
    events=[Event(f"e{i}", base_probability=0.1, cooldown=2) for i in range(9)],
    actions=[Action("x", conditions=[lambda s: s["f7"] > s["f3"]])],
)
task = Task(reward=lambda before, after: after["f5"] - before["f4"] - before["f3"])
compiled = CompiledConfig(config, task)
print(hashlib.sha256(compiled.source.text.encode()).hexdigest(), compiled.source.left_out)
"""
    assert len({python(code, PYTHONHASHSEED=str(seed)) for seed in range(3)}) == 1


def test_names__that_become_the_same_identifier(parity: ModuleType) -> None:
    names = [
        "a b",
        "a_b",
        "a-b",
        "a_b_",
        "é",
        "ü",
        "1",
        "_",
        "tick_",
        "cooldown_flu",
        "total",
        "rng",
    ]
    game = GameConfig(
        lambda: {},
        {name: Attribute(0, 50, default=i) for i, name in enumerate(names)},
        passive_modifiers=[
            PassiveModifier(name, {name: i}) for i, name in enumerate(reversed(names))
        ],
        events=[Event("flu", base_probability=0.5, cooldown=2, effects=[{"a b": 1}])],
    )
    pair = parity.play(game, IDLE, (0, 0, 0))
    fields = pair.compiled.source.fields.values()
    assert len({field.name for field in fields}) == len(fields)
    assert all(field.name.isidentifier() and field.name.isascii() for field in fields)


def test_variables__of_a_long_function_are_assigned_anew(parity: ModuleType) -> None:
    # Numba searches for the last assignment recursively, block by block.
    rules = [
        PassiveModifier(f"rest{i or ''}", {"x": 1}, lambda s, i=i: (s["x"] + i) % 3 > 0)
        for i in range(200)
    ]
    text = text_of(config(passive_modifiers=rules))
    assert text.count("    s_x = s_x\n") == 3
    assert text.count("    rng = rng\n") == 3
    assert "    s_y = s_y\n" not in text  # nothing changes it
    assert "s_x = s_x\n" not in text_of(config(passive_modifiers=rules[:40]))
    parity.play(config(passive_modifiers=rules), IDLE, (0, 0, 0))
