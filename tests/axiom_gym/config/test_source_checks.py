"""Mistakes that the source of callables shows; nothing is called."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from axiom_gym.config.definitions import (
    Action,
    Attribute,
    Choice,
    Event,
    GameConfig,
    PassiveModifier,
    PhaseResult,
    Set,
)
from axiom_gym.config.engine import create_engine
from axiom_gym.config.sources import find_tree
from axiom_gym.config.task import Task
from axiom_gym.config.validation import validate
from axiom_gym.errors import ConfigError

FILE = Path(__file__).name


def config(**parts: Any) -> GameConfig:
    return GameConfig(
        initial_state=lambda: {"x": 1, "seen": 0},
        attributes={"x": Attribute(0, 9)},
        choices={"job": Choice("clerk", "boss", None), "home": Choice("flat", "house")},
        **parts,
    )


class Rules:
    def is_king(self, s: Any) -> Any:
        return s["job"] == "king"


def is_chef(state: Any, ctx: Any = None) -> Any:
    if state["x"] > 3:
        return state["home"] == "house"
    return state["job"] != "chef"


COMPARISONS: dict[str, tuple[Callable[..., Any], list[str]]] = {
    "equal": (lambda s: s["job"] == "bos", ["bos"]),
    "unequal, in a branch": (lambda s: s["x"] > 3 and s["job"] != "bos", ["bos"]),
    "the other side": (lambda s: "bos" == s["job"], ["bos"]),  # noqa: SIM300
    "get": (lambda s: s.get("job") == "bos" or s.get("job", None) == "clark", ["bos", "clark"]),
    "in a tuple": (lambda s: s["job"] in ("boss", "king", None), ["king"]),
    "not in a set": (lambda s: s["job"] not in {"boss", "king"}, ["king"]),
    "in a dict": (lambda s: s["job"] in {"boss": 1, "king": 2}, ["king"]),
    "of another choice": (lambda s: s["job"] == "clerk" and s["home"] == "boss", ["boss"]),
    "with a context": (lambda person, ctx: person["job"] == ctx["job"] == "king", []),
    "in an inner function": (lambda s: any(s["job"] == "king" for _ in "ab"), ["king"]),
    "method": (Rules().is_king, ["king"]),
    "function": (is_chef, ["chef"]),
}

FINE: list[Callable[..., Any]] = [
    lambda s: s["job"] in ("clerk", "boss") and s["home"] != "flat" and s["job"] is None,
    lambda s: s["job"] == None,  # noqa: E711
    lambda s, ctx: ctx["job"] == "king",
    lambda s: s["seen"] == "king" or "king" in s["job"],
    lambda s: any(s["job"] == "king" for s in ({"job": "clerk"},)),
    lambda s: (lambda s: s["job"] == "king")({"job": s}),
    {"job": "king"}.__eq__,
]


@pytest.mark.parametrize("name", COMPARISONS)
def test_comparison__with_a_string_that_is_no_option(name: str) -> None:
    function, wrong = COMPARISONS[name]
    problems = validate(config(actions=[Action("a", conditions=[function])]))
    assert [problem.path for problem in problems] == ["actions[0].conditions[0]"] * len(wrong)
    for problem, value in zip(problems, wrong, strict=True):
        assert f"with {value!r}, but its options are " in problem.message
        assert f"({FILE}, line " in problem.message


@pytest.mark.parametrize("function", FINE)
def test_comparison__with_other_values(function: Callable[..., Any]) -> None:
    assert validate(config(actions=[Action("a", conditions=[function])])) == []


def test_comparison__has_the_line_and_the_closest_option() -> None:
    (problem,) = validate(config(restrictions=[lambda s: s["job"] == "bos"]))
    line = test_comparison__has_the_line_and_the_closest_option.__code__.co_firstlineno + 1
    assert str(problem) == (
        "restrictions[0]: compares 'job' with 'bos', but its options are 'clerk', 'boss', None "
        f"({FILE}, line {line}). Did you mean 'boss'?"
    )
    with pytest.raises(ConfigError, match="compares 'job' with 'bos'"):
        create_engine(config(restrictions=[lambda s: s["job"] == "bos"]))


def test_comparison__is_found_at_every_place() -> None:
    wrong: Any = lambda s: s["job"] == "bos"  # noqa: E731
    three: Any = lambda s, p, e: s["job"] == "bos"  # noqa: E731
    rule: dict[str, Any] = {name: [wrong] for name in ("conditions", "restrictions", "effects")}
    task = Task(lambda a, b: a["job"] == b["home"] == "bos", wrong, 5, score=wrong)
    everything = config(
        passive_modifiers=[PassiveModifier("p", wrong, wrong)],
        actions=[Action("a", text=wrong, costs={"x": wrong}, **rule)],
        events=[Event("a", text=wrong, **rule)],
        end=wrong,
        win=wrong,
        score=wrong,
        restrictions=[wrong],
        probability_modifiers=[three],
        custom_phases={"own": three},
        tick_order=["own"],
    )
    owners = ("text", "restrictions[0]", "conditions[0]", "effects[0]")
    paths = [problem.path for problem in validate(everything, task)]
    assert len(paths) == len(set(paths))
    assert set(paths) == {
        "actions[0].costs['x']",
        *("passive_modifiers[0].condition", "passive_modifiers[0].delta"),
        *(f"{owner}[0].{name}" for owner in ("actions", "events") for name in owners),
        *("restrictions[0]", "probability_modifiers[0]", "custom_phases['own']"),
        *("end", "win", "score"),
        *("task.reward", "task.terminated", "task.score"),
    }


def branches(s: Any) -> Any:
    def inner() -> Any:
        return {"history": 1}

    if s["x"] > 3:
        return {"x": 1, "tick": inner()}
    return {"x": 1} | {"meta": {}}


@pytest.mark.parametrize(
    ("effect", "paths"),
    [
        (lambda s: {"tick": 3}, ["['tick']"]),
        (lambda s: {"x": 1, "cooldowns": {}} if s["x"] else {}, ["['cooldowns']"]),
        (branches, ["['tick']", "['meta']"]),
        (lambda s: {**s, "x": s["x"] + 1}, [""]),
        (lambda s: s, [""]),
        (lambda s: {"x": 1, "job": "king"}, [""]),
        (lambda s: {"job": "boss", "x": {"tick": 1}["tick"], "seen": s["tick"], **{}}, []),
        (lambda s: {"x": Set(3), "seen": "king", "job": None}, []),
    ],
)
def test_delta__that_cannot_be(effect: Callable[..., Any], paths: list[str]) -> None:
    for owner, path in (
        ({"actions": [Action("a", effects=[effect])]}, "actions[0].effects[0]"),
        ({"passive_modifiers": [PassiveModifier("a", effect)]}, "passive_modifiers[0].delta"),
    ):
        problems = validate(config(**owner))
        assert sorted(problem.path for problem in problems) == sorted(path + one for one in paths)
        assert all(f"({FILE}, line " in problem.message for problem in problems)


def test_delta__of_other_callables_is_no_delta() -> None:
    returns: Any = lambda s: {"tick": 1, **s}  # noqa: E731
    phase: Any = lambda s, c, t: PhaseResult({**s, "tick": 3})  # noqa: E731
    game = config(restrictions=[returns], custom_phases={"own": phase}, tick_order=["own"])
    assert validate(game) == []


def test_source__that_has_changed_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "rules.py"
    path.write_text('rule = lambda s: s["job"] == "bos"\n', encoding="utf-8")

    def load(source: str) -> Callable[..., Any]:
        scope: dict[str, Any] = {}
        exec(compile(source, str(path), "exec", dont_inherit=True), scope)
        rule: Callable[..., Any] = scope["rule"]
        return rule

    rule = load(path.read_text(encoding="utf-8"))
    assert len(validate(config(restrictions=[rule]))) == 1
    other = load('rule = lambda s: s["job"] == "bis"\n')
    assert find_tree(other) is None
    assert validate(config(restrictions=[other])) == []
    path.write_text("rule = (\n", encoding="utf-8")
    linecache.checkcache(str(path))
    assert find_tree(load("def rule(s): return s['job'] == 'bos'")) is None


def test_source__of_callables_without_one() -> None:
    scope: dict[str, Any] = {}
    exec("first = lambda s: s['job'] == 'bos'", scope)
    for function in (scope["first"], len, Rules(), dict):
        assert find_tree(function) is None
    assert validate(config(restrictions=[scope["first"]])) == []


def test_source__of_several_functions_in_one_line() -> None:
    three: list[Callable[..., Any]] = [lambda s: s["x"] == 1, lambda s: 2, lambda s: lambda t: 3]
    bodies = [find_tree(function).body for function in (*three, three[2]({}))]  # type: ignore[union-attr]
    names = [type(body).__name__ for body in bodies]
    assert names == ["Compare", "Constant", "Lambda", "Constant"]
