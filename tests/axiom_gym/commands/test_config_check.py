"""`axiom-gym config check`: all callables that cannot be compiled, at once."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]

HEAD = """
from axiom_gym.config import Action, Attribute, Choice, Event, GameConfig, PassiveModifier, Task
from axiom_gym.config import clip, where
"""

SOUND = """
GAME = GameConfig(
    name="sound",
    initial_state=lambda: {"hp": 5, "seen": 0},
    attributes={"hp": Attribute(0, 10), "luck": Attribute(0, 4, default=2)},
    actions=[
        Action("eat", contexts=[{"n": 1}, {"n": 2}], effects=[lambda s, c: {"hp": c["n"]}]),
        Action("pray", effects=[lambda s: {"hp": 6 // s["luck"], "seen": s["seen"] + 1}]),
    ],
    events=[Event("rain", base_probability=0.5, cooldown=3, effects=[{"hp": -1, "luck": -1}])],
)
GAME_TASK = Task(reward=lambda before, after: after["hp"] - before["hp"], max_ticks=20)
"""

UNTRACEABLE = """
GAME = GameConfig(
    name="untraceable",
    initial_state=lambda: {"hp": 5, "title": "x"},
    attributes={"hp": Attribute(0, 10)},
    passive_modifiers=[PassiveModifier("age", lambda s: {"hp": s["hp"] >> 1})],
    actions=[
        Action("eat", conditions=[lambda s: s["title"].startswith("x")]),
        Action("nap", effects=[lambda s: {"hp": [1, 2][s["tick"]]}]),
    ],
    events=[Event("rain", base_probability=0.5, restrictions=[lambda s: s["title"] == "x"])],
    probability_modifiers=[lambda s, p, event: p if s["title"] else 2 * p],
    custom_phases={"odd": lambda s, config, tick: (s, ()) if ~tick else (dict(s), ())},
    tick_order=["odd", "passiveModifierPhase", "randomEventPhase"],
)
"""

TOGETHER = """
TITLE = "king"  # a name, because validation refuses a string that is no option

GAME = GameConfig(
    name="together",
    initial_state=lambda: {"hp": 5, "job": "clerk"},
    attributes={"hp": Attribute(0, 10)},
    choices={"job": Choice("clerk", "boss")},
    actions=[Action("rise", effects=[lambda s: {"job": TITLE}])],
)
"""

WRONG = """
GAME = GameConfig(
    initial_state=lambda: {"hp": 5},
    attributes={"hp": Attribute(10, 0)},
    tick_order=["randomEventsPhase"],
)
"""


@pytest.fixture
def check(run: Run, tmp_path: Path) -> Run:
    def start(text: str, *arguments: str, status: int = 0) -> str:
        path = tmp_path / "game.py"
        path.write_text(HEAD + text, encoding="utf-8")
        output: str = run("config", "check", f"{path}:GAME", *arguments, status=status)
        return output

    return start


def test_check__of_a_sound_config(check: Run) -> None:
    output = check(SOUND)
    assert "sound: 2 attributes, 0 choices, 2 actions, 1 events; no mistakes." in output
    assert "4 of 4 callables can be compiled." in output
    assert "4 actions: eat(n=1), eat(n=2), pray, wait" in output
    assert "Left out because nothing depends on it: seen." in output
    assert "action 'pray', actions[1].effects[0]: division by zero" in output
    assert [line.split() for line in output.splitlines() if line.startswith("hp ")] == [
        ["hp", "int"]
    ]


def test_check__prints_the_source(check: Run) -> None:
    source = check(SOUND, "--source")
    compile(source, "kernel", "exec")
    assert "def step(state, actions, rewards, events, params):" in source
    assert "elif action == 2:  # pray" in source


def test_check__names_everything_that_cannot_be_compiled(check: Run) -> None:
    output = check(UNTRACEABLE, status=1)
    assert "0 of 6 callables can be compiled." in output
    for place, remedy in (
        ("passive modifier 'age', passive_modifiers[0].delta", "write x // 2"),
        ("action 'eat', actions[0].conditions[0]", "declared in `choices`"),
        ("action 'nap', actions[1].effects[0]", "Attribute(low, high)"),
        ("event 'rain', events[0].restrictions[0]", "declared in `choices`"),
        ("event 'rain', probability_modifiers[0]", "declared in `choices`"),
        ("phase 'odd', custom_phases['odd']", "write `not`"),
    ):
        block = output[output.index(f"  {place}\n") :].split("\n\n")[0]
        assert remedy in block
    assert "(game.py, line 9)" in output
    assert "The interpreter can play this config" in output


def test_check__reports_errors_of_the_config_as_a_whole(check: Run) -> None:
    output = check(TOGETHER, status=1)
    assert "1 of 1 callables can be compiled." in output
    assert "Each callable compiles alone, but not all of them together:" in output
    assert "'king'; its options are 'clerk', 'boss'" in output


def test_check__lists_mistakes(check: Run) -> None:
    output = check(WRONG, status=2)
    assert "attributes['hp']" in output
    assert "tick_order[0]" in output
    assert "randomEventPhase" in output


def test_check__names_the_line_of_an_unknown_keyword(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "game.py"
    path.write_text(
        f"{HEAD}\nEVENTS = [\n    Event('e', baseProbability=1),\n]\n", encoding="utf-8"
    )
    output = run("config", "check", f"{path}:GAME", status=2)
    assert "game.py', line 6 cannot be loaded: UnknownOptionError: Event has no " in output


def test_check__refuses_a_task_that_never_ends(check: Run) -> None:
    output = check(SOUND.replace("max_ticks=20", ""), status=2)
    assert "task: never ends an episode; give max_ticks" in output


def test_check__lists_warnings(check: Run) -> None:
    assert "ZeroDivisionError: integer division" in check(SOUND)
    calm = SOUND.replace('6 // s["luck"]', '6 // (s["luck"] + 1)')
    doubtful = calm.replace('effects=[{"hp": -1,', 'effects=[{"hp": -1, "hpp": 1,')
    warning = "writes 'hpp', which neither initial_state nor attributes or choices have."
    output = check(doubtful)
    assert f"\nA warning:\n  events[0].effects[0]: {warning} Did you mean 'hp'?\n" in output
    assert "4 of 4 callables can be compiled." in output
    assert check(doubtful, "--strict", status=2) == output
    assert "warning" not in check(calm, "--strict")
    twice = doubtful.replace("base_probability=0.5, ", "")
    assert "\n2 warnings:\n" in check(twice)
    facts = json.loads(check(doubtful, "--json", "--strict", status=2))
    assert [one["place"] for one in facts["warnings"]] == ["events[0].effects[0]"]
    assert facts["warnings"][0]["warning"].startswith(warning)
    assert facts["compiles"] is True


def test_check__as_json(check: Run) -> None:
    facts = json.loads(check(SOUND, "--json"))
    assert facts["compiles"] is True
    assert facts["errors"] == []
    assert facts["left_out"] == ["seen"]
    assert facts["actions"][-1] == "wait"
    facts = json.loads(check(UNTRACEABLE, "--json", status=1))
    assert facts["compiles"] is False
    assert len(facts["errors"]) == 6
    facts = json.loads(check(TOGETHER, "--json", status=1))
    assert "king" in facts["errors"][0]["error"]
