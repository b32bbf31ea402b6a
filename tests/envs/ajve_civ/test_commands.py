"""Tests of `axiom-gym civ`, between AIs and with a person."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from axiom_envs import ajve_civ as civ
from axiom_envs.ajve_civ.commands import find_players, load_class
from axiom_gym.cli import app
from axiom_gym.errors import ConfigError

OWN = """
from axiom_envs import ajve_civ as civ

class Isolationist(civ.AI):
    def turn(self, choices, player, world):
        return "discover" if "discover" in choices else choices[0]

    def inflection(self, choices, player, world):
        return choices[0]

class Stopping(Isolationist):
    games = 0

    def init(self, player, world):
        Stopping.games += 1
        if Stopping.games == 3:
            raise KeyboardInterrupt

class Failing(Isolationist):
    games = 0

    def init(self, player, world):
        Failing.games += 1
        if Failing.games == 3:
            raise RuntimeError("no idea")

class Gentle(civ.Ruleset):
    def turn(self, choices, world):
        super().turn(choices, world)
        world.yield_ += 1
"""


def run(*args: str | Path, typed: str = "", status: int = 0) -> str:
    result = CliRunner().invoke(app, ["civ", *map(str, args)], input=typed)
    assert result.exit_code == status, result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.output


def report_of(*args: str | Path) -> Any:
    """Return the report of `--json`, from stdout alone."""
    result = CliRunner().invoke(app, ["civ", *map(str, args), "--json"])
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """Write a file with AIs and a ruleset, in a folder with a blank in its name."""
    path = tmp_path / "my ais" / "own.py"
    path.parent.mkdir()
    path.write_text(OWN)
    return path


def test_civ__plays_many_games_and_writes_their_report(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    players = ("-p", "greedy,basic.conquer,random")
    text = run(*players, "-n", "20", "-d", "50", "--no-inflections", "-r", path, "-s", "3")
    assert text.startswith("all 20 games\n")
    assert text.endswith(f"Saved as {path}.\n")
    report = civ.load_report(path)
    assert report["options"] == {"inflections": False}
    assert [game["seed"] for game in report["games"]] == [*range(3, 23)]
    series = civ.Series(inflections=False).game("greedy", "basic.conquer", "random")
    assert report == series.play(50, seed=3, games=20).as_report()


def test_civ__lets_a_person_play_against_the_basic_ais() -> None:
    text = run("-s", "1", "-d", "2", typed="?\n1\nx\n2\n")
    head, *_, last = text.strip().splitlines()
    assert head.startswith("AjveCiv, with the peoples 1 human, 2 conquer, 3 discover, 4 exchange")
    assert "step 2 of 2, turn" in text
    assert "'x' is none of" in text
    assert len(last.split()) in (5, 6)


def test_civ__keeps_what_a_person_sees_out_of_the_json() -> None:
    args = ["civ", "-p", "human,greedy,random", "-d", "2", "-r", "-"]
    result = CliRunner().invoke(app, args, input="1\n2\n")
    report = json.loads(result.stdout)
    assert report["games"][0]["players"][0]["name"] == "human"
    assert not report["interrupted"]
    assert "step 2 of 2, turn" in result.stderr
    assert result.stderr.startswith("note: write --json instead of --report -.\n")


def test_civ__reports_finished_games_after_q() -> None:
    text = run("-p", "human greedy greedy", "-d", "1", "-n", "3", typed="1\nq\n")
    assert "game of seed" in text
    assert text.endswith("1 game was finished; then the series was interrupted.\n")


def test_civ__keeps_finished_games_after_an_error(own: Path, tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    text = run("-p", f"{own}:Failing,greedy,greedy", "-n", "9", "-d", "5", "-r", file, status=2)
    assert "2 games were finished; then the series was interrupted." in text
    assert "game 2 (seed " in text
    assert "RuntimeError: no idea" in text
    report = civ.load_report(file)
    assert report["interrupted"] is True
    assert len(report["games"]) == 2


def test_civ__keeps_finished_games_after_an_interruption(own: Path, tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    players = f"greedy,{own}:Stopping,greedy"
    text = run("-p", players, "-d", "2", "-n", "9", "-r", path, status=130)
    assert "2 games were finished; then the series was interrupted." in text
    report = civ.load_report(path)
    assert report["interrupted"] is True
    assert len(report["games"]) == 2


def test_civ__with_no_steps_reports_the_start() -> None:
    report = report_of("-p", "greedy,random,random", "-d", "0")
    assert [player["score"] for player in report["games"][0]["players"]] == [6, 6, 6]


def test_civ__plays_own_ais_and_worlds(own: Path) -> None:
    arguments = ("-p", f"{own}:Isolationist, greedy ,conquer", "-s", "1", "-d", "11")
    report = report_of(*arguments, "-w", f"{own}:Gentle")
    assert report["ruleset"] == "Gentle"
    assert report["games"][0]["players"][0]["name"] == "Isolationist"
    original = report_of(*arguments)
    assert report["games"][0]["players"][0] == original["games"][0]["players"][0]
    assert report["games"][0]["world_yield"] == original["games"][0]["world_yield"] + 9


def test_civ__takes_teams_and_options() -> None:
    arguments = ("-p", "greedy,random,random", "--teams", "aab", "-o", "start_yield=9")
    report = report_of(*arguments, "-d", "1")
    assert [player["team"] for player in report["games"][0]["players"]] == [1, 1, 2]
    assert report["options"] == {"start_yield": 9}


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("-p", "gredy,random"), "unknown AI 'gredy'. Did you mean 'greedy'?"),
        (("-p", "basic3,basic3,basic3,basic3"), "from 1 to 64, got 80."),
        (("-p", " , "), "name at least one player"),
        (("-p", "no.py:Me"), "there is no file 'no.py'."),
        (("-w", "orixinal"), "unknown world 'orixinal'. Did you mean 'original'?"),
        (("-p", "greedy", "-o", "players=3"), "unknown option of a series 'players'."),
        (("-p", "greedy", "-o", "duration=3"), "-d sets the duration"),
        (("-p", "greedy", "-r", "no/such/file.json"), "there is no folder"),
        (("-p", "greedy,random", "--teams", "a"), "a letter for each of the 2 players, got 'a'."),
        (("-p", "greedy,random,greedy", "--teams", "aba"), "sit side by side, as in aabb"),
        (("-n", "0"), "games must be an integer at least 1, got 0."),
        (("-s", "-1"), "seed must be an integer from 0 to 4294967295, got -1."),
        (("-p", "0"), "--players is a number of players of at least 1"),
        (("-p", "65"), "from 1 to 64, got 65."),
        (("--preset", "txt"), "unknown preset of ajve_civ 'txt'. Did you mean 'text'?"),
        (("-p", "greedy", "--on-illegal", "ignore"), "unknown on_illegal 'ignore'."),
    ],
)
def test_civ__refuses_in_one_line(args: tuple[str, ...], message: str) -> None:
    text = run(*args, status=2)
    assert text.startswith("error: ")
    assert message in text
    assert text.count("\n") == 1


def test_civ__refuses_numbers_out_of_range() -> None:
    assert "Invalid value" in run("-p", "greedy", "-d", "1001", status=2)


def test_civ__takes_a_number_of_players_and_presets() -> None:
    def names(*args: str) -> list[str]:
        return find_names(report_of(*args, "-d", "0"))

    def find_names(report: Any) -> list[str]:
        return [player["name"] for player in report["games"][0]["players"]]

    assert names("-p", "3") == ["human", "conquer", "discover"]
    assert names("-p", "3,greedy") == ["greedy"] * 3
    assert names("--preset", "duel") == ["human", "conquer"]
    assert names("--preset", "duel", "-p", "random,greedy,greedy") == ["random", "greedy", "greedy"]
    assert len(names("--preset", "text")) == 7
    teams = report_of("-d", "0", "--preset", "teams", "-p", "4,greedy")
    assert [player["team"] for player in teams["games"][0]["players"]] == [1, 1, 2, 2]
    assert teams["options"] == {}


def test_civ__prints_the_seed_that_it_drew() -> None:
    words = ["civ", "-p", "greedy,random", "-d", "3", "--json"]
    drawn = CliRunner().invoke(app, words)
    seed = json.loads(drawn.stdout)["seed"]
    assert drawn.stderr == f"Seed {seed}.\n"
    repeated = CliRunner().invoke(app, [*words, "--seed", str(seed)])
    assert (repeated.stdout, repeated.stderr) == (drawn.stdout, "")


def test_find_players__takes_blanks_and_duplicates() -> None:
    names = [player.name for player in find_players(" Basic.conquer ,, greedy greedy,human")]
    assert names == ["conquer", "greedy", "greedy", "human"]
    assert [player.name for player in find_players("basic")] == [*civ.ai.basic]


def test_civ__takes_players_as_arguments_too() -> None:
    report = report_of("-p", "greedy,", "random", "basic.conquer", "-d", "0")
    names = [player["name"] for player in report["games"][0]["players"]]
    assert names == ["greedy", "random", "conquer"]


def test_load_class__lists_the_classes_of_a_file(own: Path) -> None:
    with pytest.raises(ConfigError, match=r"Did you mean 'Isolationist'\? Valid: 'Failing', 'Iso"):
        load_class(f"{own}:Isolation", civ.AI)
    own.write_text("1 / 0")
    with pytest.raises(ConfigError, match="fails: ZeroDivisionError"):
        load_class(f"{own}:Isolationist", civ.AI)


def test_civ__draws_the_first_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Any] = []

    def save_plots(states: Any, chosen: Any, names: list[str], directory: Path) -> list[Path]:
        assert directory.is_dir()
        calls.append((states.shape, chosen.shape, names))
        return [directory / "feelings.png"]

    plots = "axiom_envs.ajve_civ.compat.plots"
    if importlib.util.find_spec("matplotlib") is None:
        pytest.skip("matplotlib is not installed")
    monkeypatch.setattr(f"{plots}.save_plots", save_plots)
    text = run("-p", "greedy,random,random", "-d", "5", "-n", "2", "--plot", tmp_path / "plots")
    assert calls == [((6,), (5, 3), ["greedy", "random", "random"])]
    assert "Drawn: " in text


def test_civ__says_what_drawing_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    find: Callable[..., Any] = importlib.util.find_spec

    def find_spec(name: str, *args: Any) -> Any:
        return None if name == "matplotlib" else find(name, *args)

    monkeypatch.setattr(importlib.util, "find_spec", find_spec)
    text = run("-p", "greedy", "--plot", "plots", status=2)
    assert text == "error: --plot needs matplotlib: pip install 'axiom-gym[train]'.\n"
