"""`axiom-gym config play`, and loading configs from files and modules."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from axiom_gym.commands.config_game import TerminalGame
from axiom_gym.config.definitions import GameConfig
from axiom_gym.config.engine import create_engine
from axiom_gym.config.loading import load_config
from axiom_gym.config.task import Task
from axiom_gym.errors import ConfigError

Run = Callable[..., str]

GAME = """
from axiom_gym.config.definitions import *
from axiom_gym.config.task import Task

def explode(s):
    raise RuntimeError("Boom")

town = GameConfig(
    name="town",
    initial_state=lambda: {"money": 60, "note": "new"},
    attributes={"money": Attribute(0, 500)},
    choices={"job": Choice("clerk", None)},
    passive_modifiers=[PassiveModifier("rent", {"money": -10})],
    actions=[
        Action("work", label="Go to work", text="You worked.", effects=[{"money": 50}]),
        Action(
            "give",
            text=lambda s, ctx: f"You gave {ctx['amount']}.",
            conditions=[lambda s, ctx: s["money"] >= ctx["amount"]],
            effects=[lambda s, ctx: {"money": -ctx["amount"]}],
            contexts=[{"amount": 20}, {"amount": 50}, {"amount": 400}],
        ),
        Action("explode", effects=[explode]),
        Action("rest", conditions=[lambda s: s["money"] > 100]),
        Action("sense", conditions=[lambda s: s["money"] < 100 or explode(s)]),
    ],
    events=[Event("pay", "milestone", "Pay day.", cooldown=3)],
)
broken = GameConfig(initial_state=dict, undo_depth=None, name="")
town_task = Task(lambda a, b: 0)
other_task = Task(lambda a, b: 1)
number = 7
"""

MORE = """
busy = town
busy_task = Task(
    lambda a, b: 0, max_ticks=2, actions_per_tick=2, score=lambda s: s["money"]
)
free = town
lake = GameConfig(
    lambda: {"fish": 40},
    name="lake",
    attributes={"fish": Attribute(0, 100)},
    parameters={"catch": Parameter(5, 0, 20)},
    presets={"greedy": {"catch": 20}},
    passive_modifiers=[PassiveModifier("fishing", lambda s: {"fish": -s.params["catch"]})],
)
"""


@pytest.fixture
def target(tmp_path: Path) -> str:
    (tmp_path / "game.py").write_text(GAME + MORE)
    return f"{tmp_path / 'game.py'}:town"


def screen(text: str, number: int) -> str:
    """Return the output from the `number`-th "Tick" to the next prompt; -1 is the last."""
    return text.split("\nTick ")[1:][number].split("\n\ntick ")[0]


def test_play__prints_the_state_and_the_available_actions(run: Run, target: str) -> None:
    text = run("config", "play", target, "--seed", "5", typed="m\nq\n")
    assert text.startswith("town, seed 5\nType a move, or press Enter to wait; m lists all")
    assert screen(text, 0).splitlines() == [
        "0, score 0",
        "money  60     0 to 500",
        "note   new",
        "job    clerk  clerk, None",
    ]
    prompt = "tick 0, 6 moves (work, give(amount=20), give(amount=50), explode, sense, wait): "
    assert prompt in text or "tick 0, 6 moves (m lists them): " in text
    assert re.search(r"  work +Go to work", text)
    assert "amount=400" not in text


@pytest.mark.parametrize("line", ["", "t", "  ", "wait"])
def test_play__advances_a_tick(run: Run, target: str, line: str) -> None:
    text = run("config", "play", target, typed=f"{line}\nq\n")
    assert ": * Pay day.\n\nTick 1, reward +0, score 0\nmoney  50 " in text
    assert "pay    cooldown  3 ticks\n" in text


@pytest.mark.parametrize("line", ["0", "work", " Go to Work "])
def test_play__takes_actions_by_number_name_or_label(run: Run, target: str, line: str) -> None:
    """The task allows one action in each tick, so that a tick follows."""
    text = run("config", "play", target, typed=f"\n{line}\n")
    assert ": * You worked.\n\nTick 2, reward +0, score 0\nmoney  90 " in text
    assert text.count("Pay day.") == 1


def test_play__without_a_task_ticks_only_when_it_waits(run: Run, target: str) -> None:
    free = target.replace(":town", ":free")
    text = run("config", "play", free, typed="work\nwork\n\n")
    assert ": * You worked.\n\nTick 0\nmoney  160 " in text
    assert "\nTick 1\nmoney  150 " in text


def test_play__is_the_game_of_its_task(run: Run, target: str) -> None:
    """Two actions a tick, an end by the limit, and the score of the task."""
    busy = target.replace(":town", ":busy")
    text = run("config", "play", busy, typed="work\nwork\nwork\nwait\nwork\nq\n")
    assert re.findall(r"\nTick (\d)", text) == ["0", "0", "1", "1", "2"]
    assert text.endswith("The limit ends the game after 4 turns with a score of 190.\n")


@pytest.mark.parametrize(
    ("options", "catch"),
    [([], 5), (["-o", "catch=7"], 7), (["--preset", "greedy"], 20),
     (["--preset", "greedy", "-o", "catch=0"], 0)],
)  # fmt: skip
def test_play__sets_parameters_and_saves_them(
    run: Run, target: str, tmp_path: Path, options: list[str], catch: int
) -> None:
    lake, path = target.replace(":town", ":lake"), tmp_path / "lake.json"
    text = run("config", "play", lake, "--seed", "1", "--save", path, *options, typed="\nq\n")
    assert text.startswith(f"lake, catch={catch}, seed 1\n")
    assert f"\nTick 1\nfish  {40 - catch} " in text
    text = run("config", "play", lake, "--load", path, typed="\nq\n")
    assert text.startswith(f"lake, catch={catch}, loaded from ")
    assert f"\nTick 2\nfish  {40 - 2 * catch} " in text


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-o", "cash=3"], "error: unknown option of lake 'cash'. Did you mean 'catch'?"),
        (["-o", "catch=99"], "error: parameter 'catch' must be an integer from 0 to 20, got 99."),
        (["-o", "catch=1.5"], "error: option 'catch' must be an integer, got '1.5'."),
        (["--preset", "greed"], "error: unknown preset of lake 'greed'. Did you mean 'greedy'?"),
        (["--load", "a.json", "-o", "catch=3"], "error: --load excludes -o and --preset"),
    ],
)
def test_play__refuses_wrong_parameters(
    run: Run, target: str, options: list[str], message: str
) -> None:
    lake = target.replace(":town", ":lake")
    assert run("config", "play", lake, *options, status=2).startswith(message)


def test_play__takes_actions_with_contexts_by_name(run: Run, target: str) -> None:
    text = run("config", "play", target, typed="give(amount=50)\ngive\ngive(amount=20)\n")
    assert "* You gave 50.\n" in text
    assert "'give' is not a legal move here. m lists the legal moves." in text
    assert "error: Action conditions not met: give\n" in text
    text = run("config", "play", target, typed="give\n")
    assert "Did you mean one of these: give(amount=20), give(amount=50)?" in text


def test_play__takes_actions_back(run: Run, target: str) -> None:
    text = run("config", "play", target, typed="work\nu\nu\n")
    assert screen(text, -1) == screen(text, 0)
    assert text.count("\nTick ") == 3
    assert "There is no earlier decision to take back." in text


def test_play__continues_after_errors(run: Run, target: str) -> None:
    text = run("config", "play", target, typed="explode\n9\nrest\nfly\nwork\nwork\n?\n")
    assert "error: action 'explode', actions[2].effects[0]: RuntimeError: Boom\n" in text
    assert "'9' is not a legal move here." in text
    assert "error: Action conditions not met: rest\n" in text
    assert "'fly' is not a legal move here." in text
    assert "\nsense: error: action 'sense', actions[4].conditions[0]: RuntimeError: Boom" in text
    assert len(text[text.index("Type a move by") :].splitlines()) <= 9


def test_play__saves_and_loads(run: Run, target: str, tmp_path: Path) -> None:
    one, two = tmp_path / "one.json", tmp_path / "two.json"
    text = run("config", "play", target, "--save", two, typed=f"work\ns {one}\nwork\ns\n\nq\n")
    assert text.count(f"Saved as {one}.\n") == 1
    assert text.count(f"Saved as {two}.\n") == 2
    text = run("config", "play", target, "--load", one, typed="u\n")
    assert text.startswith(f"town, loaded from {one}\n")
    assert "\nTick 1, score 0\nmoney  100 " in text
    assert "There is no earlier decision" in text
    assert "\nTick 3, score 0\nmoney  130 " in run(
        "config", "play", target, "--load", two, typed="q\n"
    )


def test_play__loads_the_place_within_a_tick(run: Run, target: str, tmp_path: Path) -> None:
    busy, path = target.replace(":town", ":busy"), tmp_path / "busy.json"
    run("config", "play", busy, "--save", path, typed="work\nq\n")
    text = run("config", "play", busy, "--load", path, typed="work\n")
    assert re.findall(r"\nTick (\d)", text) == ["0", "1"]


def test_play__saves_when_there_is_no_more_input(run: Run, target: str, tmp_path: Path) -> None:
    text = run("config", "play", target, "--save", tmp_path / "a.json", typed="work\n")
    assert text.endswith(f": \nSaved as {tmp_path / 'a.json'}.\n")
    assert (tmp_path / "a.json").is_file()


def test_play__refuses_at_once_what_cannot_be_saved_or_loaded(
    run: Run, target: str, tmp_path: Path
) -> None:
    text = run("config", "play", target, "--save", tmp_path, status=2)
    assert text == f"error: cannot write the game to '{tmp_path}': it is a folder.\n"
    text = run("config", "play", target, "--save", tmp_path / "no" / "a.json", status=2)
    assert f"there is no folder '{tmp_path / 'no'}'." in text
    text = run("config", "play", target, "--load", tmp_path / "a.json", status=2)
    assert text.startswith("error: saved game ")
    text = run("config", "play", target, "--load", "a", "--seed", "1", status=2)
    assert text.startswith("error: --seed and --load exclude each other")
    text = run("config", "play", target, typed=f"s {tmp_path}\nwork\n")
    assert "error: cannot write the game to " in text
    assert "You worked." in text


def test_play__draws_a_seed(run: Run, target: str) -> None:
    first, second = (run("config", "play", target).splitlines()[0] for _ in range(2))
    assert first != second


def test_play__lists_all_mistakes_of_a_config(run: Run, target: str) -> None:
    text = run("config", "play", target.replace("town", "broken"), status=2)
    assert text.startswith("error: config '' has 2 problems:\n  name: must be")


def test_play__ends_at_an_interrupt(
    quickstart_engine: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    def ask(prompt: str) -> str:
        raise KeyboardInterrupt

    TerminalGame(quickstart_engine, ask=ask).play()
    assert capsys.readouterr().out.endswith("Tick 0\n\n\n")


@pytest.fixture
def quickstart_engine() -> Any:
    from axiom_gym.config.definitions import Action

    return create_engine(GameConfig(dict, actions=[Action("work")]))


def test_help__describes_config(run: Run) -> None:
    assert "Check and play games declared as data." in run("--help")
    assert "FILE.py:NAME" in run("config", "play", "--help")


# Files and modules


def test_load_config__finds_config_and_task(target: str) -> None:
    config, task = load_config(target)
    assert config.name == "town"
    assert task is not None
    assert task.reward(0, 0) == 0
    assert load_config(target.replace("town", "broken"))[1] is None


def test_load_config__takes_the_only_task(tmp_path: Path) -> None:
    (tmp_path / "game.py").write_text(
        GAME.replace("other_task", "number").replace("town_task", "t")
    )
    assert load_config(f"{tmp_path / 'game.py'}:town")[1] is not None
    (tmp_path / "game.py").write_text(GAME.replace("town_task", "TOWN_TASK"))
    assert load_config(f"{tmp_path / 'game.py'}:town")[1].reward(0, 0) == 0  # type: ignore[union-attr]


def test_load_config__imports_modules_next_to_the_file(tmp_path: Path) -> None:
    (tmp_path / "town_parts.py").write_text("NAME = 'beside'")
    (tmp_path / "game.py").write_text(
        "from axiom_gym.config.definitions import GameConfig\n"
        "from town_parts import NAME\n"
        "game = GameConfig(dict, name=NAME)\n"
    )
    path = list(sys.path)
    assert load_config(f"{tmp_path / 'game.py'}:game")[0].name == "beside"
    assert sys.path == path


def test_load_config__finds_a_task_that_is_loaded_lazily(monkeypatch: pytest.MonkeyPatch) -> None:
    module: Any = ModuleType("lazy_games")
    module.game = GameConfig(dict)
    module.__dir__ = lambda: ["TASK", "game", "slow"]
    module.__getattr__ = {"TASK": Task(lambda a, b: 0)}.__getitem__
    monkeypatch.setitem(sys.modules, "lazy_games", module)
    assert load_config("lazy_games:game")[1] is not None


def test_load_config__takes_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    module: Any = ModuleType("some.games")
    module.game = GameConfig(dict)
    monkeypatch.setitem(sys.modules, "some", ModuleType("some"))
    monkeypatch.setitem(sys.modules, "some.games", module)
    assert load_config("some.games:game") == (module.game, None)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("game.py:town", "gone.py:town"), r"^there is no file '.*gone\.py'\. Write FILE\.py:NAME"),
        (
            (":town", ":tawn"),
            r"^there is no config 'tawn' in '.*'\. Did you mean 'town'\?",
        ),
        (
            (":town", ":x"),
            r"^there is no config 'x' in '.*py'\. The configs there: .*:town, ",
        ),
        (
            (":town", ":number"),
            r"^'number' in '.*' is no config, but int\. The conf",
        ),
        ((":town", ":"), r"^'.*game\.py' alone does not say which config\. Write FILE.*:town, "),
        ((":town", ""), r"^'.*game\.py' alone does not say which config\. Write FILE.*:town, "),
    ],
)
def test_load_config__names_the_configs_of_the_file(
    target: str, change: tuple[str, str], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        load_config(target.replace(*change))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "'' is neither a Python file nor a module"),
        ("a b:c", "'a b' is neither a Python file nor a module"),
        ("no_such_module:c", "'no_such_module' cannot be loaded: ModuleNotFoundError: "),
        ("json:c", r"there is no config 'c' in 'json'\. The configs there: none\."),
    ],
)
def test_load_config__reports_errors_of_modules(name: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        load_config(name)


@pytest.mark.parametrize("code", ["1 / 0", "def", "raise ValueError('odd')"])
def test_load_config__reports_errors_of_the_file(tmp_path: Path, code: str) -> None:
    (tmp_path / "game.py").write_text(code)
    with pytest.raises(
        ConfigError, match=r"game\.py'(, line 1)? cannot be loaded: (ZeroD|Syntax|Value)\w*: "
    ):
        load_config(f"{tmp_path / 'game.py'}:town")
