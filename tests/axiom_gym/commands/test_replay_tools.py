"""`axiom-gym replay` on games of all kinds: verify, show --narrate, diff, export, convert."""

from __future__ import annotations

import dataclasses
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from axiom_gym.game import GameLoop, KernelGameObject
from axiom_gym.play.agents import pick_any
from axiom_gym.play.match import Match
from axiom_gym.registry import games as registry

Run = Callable[..., str]
RACE = f"{Path(__file__).parents[2] / 'games' / 'race_game.py'}:Race"


@pytest.fixture
def four(tmp_path: Path) -> Path:
    """A replay of a kernel game."""
    path = tmp_path / "four.jsonl"
    Match("connect_four", ["random", "random"], seed=1).play().save(path)
    return path


@pytest.fixture
def race_file(race: ModuleType, tmp_path: Path) -> Path:
    """A replay of a plain Python game."""
    path = tmp_path / "race.jsonl"
    GameLoop(race.Race(), {"ann": pick_any, "bob": pick_any}).run(1).replay.save(path)
    return path


@pytest.fixture
def four_match(tmp_path: Path) -> Path:
    """A replay of a kernel game played as an object-level game."""
    path = tmp_path / "match.jsonl"
    game = KernelGameObject("connect_four")
    GameLoop(game, {"ann": pick_any, "bob": pick_any}).run(1).replay.save(path)
    return path


def test_verify__reads_games_of_all_kinds(
    run: Run, four: Path, race_file: Path, four_match: Path
) -> None:
    lines = run("replay", "verify", four, four_match).splitlines()
    assert lines[0].startswith(f"ok  {four}: connect_four-v0: ")
    assert lines[1].startswith(f"ok  {four_match}: connect_four-v0: ")
    assert run("replay", "verify", race_file, "--game", RACE).startswith(
        f"ok  {race_file}: race-v3:"
    )


def test_verify__reports_a_missing_game(run: Run, race_file: Path, four: Path) -> None:
    text = run("replay", "verify", race_file, four, status=2)
    assert text.startswith("error: it is a game of race-v3, made with axiom-gym ")
    assert "--game FILE.py:NAME" in text
    assert f"ok  {four}" in text
    text = run("replay", "verify", race_file, "--game", "builtins:tuple", status=2)
    assert "'builtins:tuple' is no game: tuple has no metadata" in text


def test_verify__finds_the_turn_that_differs(run: Run, race_file: Path) -> None:
    lines = race_file.read_text().splitlines(keepends=True)
    kind = "walk" if '"roll"' in lines[2] else "roll"
    lines[2] = lines[2].replace("walk", kind).replace("roll", kind)
    race_file.write_text("".join(lines))
    text = run("replay", "verify", race_file, "--game", RACE, status=1)
    assert text.startswith(f"DIFFERS  {race_file}: ")
    assert "turn 2" in text


def test_show__narrates_games_of_all_kinds(
    run: Run, four: Path, race_file: Path, four_match: Path
) -> None:
    text = run("replay", "show", four, "--narrate")
    assert "; seed 1\nplayer_0 = random" in text
    assert "\n\n1. player_0 drops a stone into column " in text
    assert "a b c" not in text
    text = run("replay", "show", four_match, "--narrate")
    assert "\n\n1. ann drops a stone into column " in text
    text = run("replay", "show", race_file, "--narrate", "--game", RACE)
    assert text.startswith("race; goal=20 lives=1; seed 1\nann = pick_any, bob = pick_any\n")
    assert text.rstrip().splitlines()[-2].startswith("  1. ")
    text = run("replay", "show", race_file, "--game", RACE)  # it draws no board
    assert re.match(r"race; .*\nann = .*\n\n1\. ann (roll|walk)s\.\n\n2\. bob ", text)


def test_show__prints_one_turn(run: Run, four: Path, race_file: Path) -> None:
    assert run("replay", "show", four, "--narrate", "--turn", "2").startswith("2. player_1 drops")
    assert run("replay", "show", race_file, "--turn", "2", "--game", RACE).startswith("2. bob ")
    assert "turn must be an integer from 0 to" in run(
        "replay", "show", race_file, "--turn", "99", "--game", RACE, status=2
    )


def test_diff__exits_as_unix_diff(run: Run, four: Path, race_file: Path, tmp_path: Path) -> None:
    assert run("replay", "diff", four, four) == "The same game in both.\n"
    other = tmp_path / "other.jsonl"
    replay = Match("connect_four", ["random", "random"], seed=2).play()
    replay.save(other)
    assert run("replay", "diff", four, other, status=1) == (
        "line 1, the header: seed is 1 in the first, and 2 in the second.\n"
    )
    turns = (*replay.turns[:4], dataclasses.replace(replay.turns[4], player=1))
    dataclasses.replace(
        replay, turns=turns, footer=dataclasses.replace(replay.footer, turns=5)
    ).save(four)
    assert run("replay", "diff", four, other, status=1).startswith(
        "line 6, turn 5: player_1 acts in the first, and player_0 in the second."
    )
    assert run("replay", "diff", four, race_file, status=1) == (
        "line 1, the header: game is connect_four in the first, and race in the second.\n"
    )
    assert "cannot read replay" in run("replay", "diff", four, tmp_path / "no", status=2)


def test_export__prints_or_saves(run: Run, four: Path, race_file: Path, tmp_path: Path) -> None:
    values = json.loads(run("replay", "export", four, "--format", "openspiel"))
    assert values["axiom_gym"]["game"] == "connect_four"
    out = tmp_path / "out.json"
    text = run("replay", "export", race_file, "--out", out, "--game", RACE)
    assert text == f"Saved as {out}.\n"
    assert json.loads(out.read_text())["player_ids"][0][:3] == [0, 1, 0]
    assert "unknown format 'pgn'" in run("replay", "export", four, "--format", "pgn", status=2)
    assert "cannot write" in run("replay", "export", four, "--out", tmp_path / "a/b", status=2)


OLD = Path(__file__).parents[1] / "replay" / "old"


def test_convert__replaces_files_or_writes_others(run: Run, tmp_path: Path) -> None:
    names = ("connect_four.jsonl", "match-quantaris.jsonl")
    files = [Path(shutil.copy(OLD / name, tmp_path)) for name in names]
    assert "convert the file by" in run("replay", "verify", files[0], status=2)
    (tmp_path / "new").mkdir()
    lines = run("replay", "convert", *files, "-o", tmp_path / "new").splitlines()
    assert lines[0] == f"Converted {files[0]} to {tmp_path / 'new' / names[0]}."
    assert [path.read_bytes() for path in files] == [(OLD / name).read_bytes() for name in names]
    assert run("replay", "convert", *files).splitlines()[1] == f"Converted {files[1]}."
    for path in files:
        assert path.read_bytes() == (tmp_path / "new" / path.name).read_bytes()
        assert run("replay", "verify", path).startswith("ok  ")
    alone = tmp_path / "alone.jsonl"
    run("replay", "convert", OLD / names[0], "--out", alone)
    assert alone.read_bytes() == files[0].read_bytes()


def test_convert__needs_the_plain_game_of_a_match(run: Run, tmp_path: Path) -> None:
    path = Path(shutil.copy(OLD / "match-race.jsonl", tmp_path))
    before = path.read_bytes()
    other = Path(shutil.copy(OLD / "connect_four.jsonl", tmp_path))
    text = run("replay", "convert", path, other, status=2)
    assert text.startswith(f"error: replay '{path}', line 1: unknown game 'race-v3'")
    assert f"Converted {other}." in text
    assert path.read_bytes() == before
    run("replay", "convert", path, "--game", RACE)
    assert run("replay", "verify", path, "--game", RACE).startswith("ok  ")


def test_convert__finds_a_plain_game_that_is_installed(
    run: Run, race: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(registry._registered, "race-v3", registry.get_game(race.Race))
    path = Path(shutil.copy(OLD / "match-race.jsonl", tmp_path))
    assert run("replay", "convert", path) == f"Converted {path}.\n"
    assert run("replay", "verify", path).startswith("ok  ")


def test_convert__of_several_files_needs_a_folder(run: Run, tmp_path: Path) -> None:
    files = [OLD / "connect_four.jsonl", OLD / "match-quantaris.jsonl"]
    text = run("replay", "convert", *files, "-o", tmp_path / "none", status=2)
    assert "--out must be an existing folder for 2 replays, got" in text
    path = tmp_path / "a.jsonl"
    path.write_text("{}")
    assert "line 1: entry 'type' is missing" in run("replay", "convert", path, status=2)
    assert path.read_text() == "{}"
