"""`axiom-gym check`."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from axiom_gym.check.conformance import CHECKS
from axiom_gym.commands.output import show_progress

Run = Callable[..., str]
RACE = Path(__file__).parents[2] / "games" / "race_game.py"

WRONG = f"""
import sys

sys.path.append({str(RACE.parent)!r})
from race_game import Race


class Hashing(Race):
    def execute_action(self, state, action, rng):
        after = super().execute_action(state, action, rng)
        object.__setattr__(after, "game_id", str(hash("abc")))
        return after


class Silent(Race):
    def describe_action(self, action, state):
        return ""
"""


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    path = tmp_path / "wrong.py"
    path.write_text(WRONG)
    return path


def test_check__has_a_line_for_each_check(run: Run) -> None:
    lines = run("check", f"{RACE}:Race", "--games", "3", "--players", "3").splitlines()
    assert lines[0] == "ok    interface        all eight members are there."
    assert lines[1].startswith("ok    plays            3 games of 3 random players, ")
    assert lines[-2].startswith("ok    another process  the same replays")
    assert lines[-1] == "All checks passed."
    assert len(lines) == 18


def test_check__prints_a_remedy_and_exits_with_1(run: Run, wrong: Path) -> None:
    text = run("check", f"{wrong}:Silent", "--games", "2", "--seed", "7", status=1)
    assert "FAIL  descriptions     seed 7: BaseAction(" in text
    assert f"To do: {CHECKS['descriptions']}." in text
    assert text.endswith("1 of 17 checks failed.\n")


def test_check__finds_a_game_that_differs_between_processes(run: Run, wrong: Path) -> None:
    text = run("check", f"{wrong}:Hashing", "--games", "1", "--json", status=1)
    (finding,) = (one for one in json.loads(text) if not one["ok"])
    assert finding["check"] == "another process"
    assert "another PYTHONHASHSEED plays differently, from line 2 on" in finding["message"]
    assert "order of a set" in finding["remedy"]


def test_check__prints_json(run: Run) -> None:
    findings = json.loads(run("check", f"{RACE}:Race", "--games", "1", "--json"))
    assert findings[0] == {
        "check": "interface",
        "ok": True,
        "message": "all eight members are there",
        "remedy": "",
    }
    assert len(findings) == 17


@pytest.mark.slow
def test_check__of_an_installed_game(run: Run) -> None:
    assert run("check", "connect_four", "--games", "1").endswith("All checks passed.\n")


def test_check__refuses_other_objects(run: Run, wrong: Path) -> None:
    assert "there is no game 'Silence' in" in run("check", f"{wrong}:Silence", status=2)
    text = run("check", "builtins:tuple", status=1)
    assert text.startswith("FAIL  interface  tuple has no metadata, initialize, get_valid_actions")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_show_progress__draws_only_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for stream, shown in ((Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr(sys, "stderr", stream)
        with show_progress(3) as on_game:
            for done in (1, 2, 3):
                on_game(done)
        assert ("games" in stream.getvalue()) is shown
